#include "protocol/methods.hpp"

#include <algorithm>
#include <array>

#include "protocol/rows.hpp"

namespace ptyd {

namespace {

template <class Message>
Problem decode_params(const boost::json::object& params, schema::Nulls nulls, Command& command) {
  return schema::decode<Message>(params, command.emplace<Message>(), nulls);
}

template <class Message>
constexpr Method row(std::string_view name, std::string_view failure, Answer answer, std::string_view note) {
  return {
      name, failure, answer, note, decode_params<Message>, schema::Rows<Message>::name, schema::object_schema<Message>};
}

constexpr std::array kMethods = {
    row<Open>("terminal.open", "Failed to open terminal", Answer::snapshot,
              "Start a shell, or come back to one; its output follows as events"),
    row<Write>("terminal.write", "Failed to write terminal", Answer::nothing, "Type into it"),
    row<AckOutput>("terminal.ackOutput", "Failed to acknowledge terminal output", Answer::nothing,
                   "Say how much output has been taken in"),
    row<Resize>("terminal.resize", "Failed to resize terminal", Answer::nothing, "Change its size"),
    row<Clear>("terminal.clear", "Failed to clear terminal", Answer::nothing, "Forget what it has said"),
    row<Restart>("terminal.restart", "Failed to restart terminal", Answer::snapshot,
                 "End its program and start a new shell in its place"),
    row<Close>("terminal.close", "Failed to close terminal", Answer::nothing,
               "End one terminal, or all of a thread, with every process in it"),
    row<Subscribe>("terminal.subscribeEvents", "Failed to subscribe to terminal events", Answer::stream,
                   "Hear every terminal, now and in future"),
    row<TakeSnapshot>("terminal.snapshot", "Failed to take a snapshot", Answer::screen,
                      "Ours: how it looks now, without hearing it"),
    row<List>("terminal.list", "Failed to list terminals", Answer::terminals, "Ours: what terminals there are"),
};

/// One overload for each reply, so that a new one cannot be forgotten.
struct WriteReply {
  std::string& out;
  void operator()(const Done&) const { out += "null"; }
  void operator()(const Snapshot& snapshot) const { schema::write<Snapshot>(out, snapshot); }
  void operator()(const ScreenSnapshot& screen) const { schema::write<ScreenSnapshot>(out, screen); }
  void operator()(const TerminalList& list) const { schema::write<TerminalList>(out, list); }
};

}  // namespace

std::span<const Method> methods() {
  return kMethods;
}

const Method* find_method(std::string_view name) {
  const auto found = std::find_if(kMethods.begin(), kMethods.end(), [&](const Method& m) { return m.name == name; });
  return found == kMethods.end() ? nullptr : &*found;
}

void write_reply(std::string& out, const Reply& reply) {
  std::visit(WriteReply{out}, reply);
}

}  // namespace ptyd
