#include "protocol/methods.hpp"

#include <algorithm>
#include <array>

#include "protocol/execute_rows.hpp"
#include "protocol/program_rows.hpp"
#include "protocol/rows.hpp"

namespace ptyd {

namespace {

/// Nothing but fields of the table, and the name of the method where it stands among them.
template <class Message>
Problem only_known(const boost::json::object& params) {
  for (const auto& [key, value] : params)
    if (key != "_tag" && !schema::has_field<Message>(key)) return Issue::unknown().inside(key);
  return {};
}

template <class Message>
Problem decode_params(const boost::json::object& params, schema::Nulls nulls, Command& command) {
  if constexpr (requires { schema::Rows<Message>::is_closed; })
    if (Problem problem = only_known<Message>(params)) return problem;
  return schema::decode<Message>(params, command.emplace<Message>(), nulls);
}

template <class Answer>
constexpr std::string_view result_name() {
  if constexpr (std::is_same_v<Answer, Done>)
    return {};
  else
    return schema::Rows<Answer>::name;
}

/// A Command and the Reply it is answered with.
template <class Message, class Answer = Done>
constexpr Method row(std::string_view name, std::string_view failure, std::string_view note) {
  return {name,
          failure,
          note,
          result_name<Answer>(),
          std::is_same_v<Message, Subscribe>,
          decode_params<Message>,
          schema::Rows<Message>::name,
          schema::object_schema<Message>};
}

constexpr std::array kMethods = {
    row<Open, Snapshot>("terminal.open", "Failed to open terminal",
                        "Starts a shell or attaches to one; its output follows as events"),
    row<Write>("terminal.write", "Failed to write terminal", "Types text into it"),
    row<AckOutput>("terminal.ackOutput", "Failed to acknowledge terminal output",
                   "Confirms output that the client has processed"),
    row<Resize>("terminal.resize", "Failed to resize terminal", "Changes its size"),
    row<Clear>("terminal.clear", "Failed to clear terminal", "Empties its screen, scrollback and journal"),
    row<Restart, Snapshot>("terminal.restart", "Failed to restart terminal",
                           "Ends its program and starts a new shell in its place"),
    row<Rename>("terminal.rename", "Failed to rename terminal", "Ours: gives it a name, which the server keeps"),
    row<Close>("terminal.close", "Failed to close terminal",
               "Ends one terminal, or all of a thread, with every process in it"),
    row<Subscribe>("terminal.subscribeEvents", "Failed to subscribe to terminal events",
                   "Sends the output of every terminal, present and future"),
    row<TakeSnapshot, ScreenSnapshot>("terminal.snapshot", "Failed to take a snapshot",
                                      "Ours: returns its screen as it is now; no events follow"),
    row<Execute, Executed>("terminal.execute", "Failed to execute",
                           "Ours: runs a command in a shell that stays, and tells how and where it ended"),
    row<List, TerminalList>("terminal.list", "Failed to list terminals", "Ours: lists the terminals"),
};

}  // namespace

std::span<const Method> methods() {
  return kMethods;
}

const Method* find_method(std::string_view name) {
  const auto found = std::find_if(kMethods.begin(), kMethods.end(), [&](const Method& m) { return m.name == name; });
  return found == kMethods.end() ? nullptr : &*found;
}

/// A Reply without rows does not compile.
void write_reply(std::string& out, const Reply& reply) {
  std::visit(
      [&out]<class Answer>(const Answer& answer) {
        if constexpr (std::is_same_v<Answer, Done>)
          out += "null";
        else
          schema::write<Answer>(out, answer);
      },
      reply);
}

}  // namespace ptyd
