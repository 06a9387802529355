#include "protocol/acp/acp_tool_calls.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "protocol/program_rows.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {

namespace {

namespace json = boost::json;

constexpr std::string_view kEllipsis = "…";

const json::value* member(const json::value& value, std::string_view name) {
  const json::object* object = value.if_object();
  return object ? object->if_contains(name) : nullptr;
}

/// Characters that end a line, command a terminal, or turn the direction of the text around them.
constexpr bool is_control(char32_t c) {
  const bool is_ascii_or_c1 = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool ends_line = c == 0x2028 || c == 0x2029;
  const bool turns_text =
      c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return is_ascii_or_c1 || ends_line || turns_text;
}

/// `text` as one line of at most `most` UTF-16 units: blanks and control characters in a row are one blank, and an
/// ellipsis stands for an end that is left out.
std::string one_line(std::string_view text, std::size_t most) {
  const std::string valid = utf8::repair(text);
  std::string line;
  std::size_t units = 0, end_before_ellipsis = 0;
  for (std::string_view rest = valid; !rest.empty();) {
    std::string_view one = rest.substr(0, utf8::character(rest));
    rest.remove_prefix(one.size());
    if (is_control(utf8::decode(one))) one = " ";
    if (one == " " && (line.empty() || line.back() == ' ')) continue;
    units += utf8::utf16_length(one);
    if (units > most) return line.erase(end_before_ellipsis).append(kEllipsis);
    line += one;
    if (units < most) end_before_ellipsis = line.size();
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

/// Reads `name` of `update` with `kind`; what cannot be read leaves `out` as it is.
template <class Kind, class Value>
void take_field(const json::value& update, std::string_view name, const Kind& kind, std::optional<Value>& out) {
  const json::value* value = member(update, name);
  Value taken{};
  if (value && !kind.decode(*value, taken, schema::Nulls::absent)) out = std::move(taken);
}

/// A `tool_call` begins a call: kind and status that it leaves out have the defaults of the protocol's schema.
void take_fields(const json::value& update, ToolCallUpdate& told) {
  const json::value* type = member(update, "sessionUpdate");
  if (type && *type == json::value("tool_call")) {
    told.kind = ToolKind::other;
    told.status = ToolStatus::pending;
  }
  std::optional<std::string> title;
  take_field(update, "title", schema::kAnyText, title);
  if (title) told.title = one_line(*title, limits::kMaxToolTitle);
  take_field(update, "kind", schema::Choice<ToolKind>{}, told.kind);
  take_field(update, "status", schema::Choice<ToolStatus>{}, told.status);
}

/// The id of the terminal that a piece of a tool call's content shows, if it is one.
std::optional<std::string> shown_terminal(const json::value& piece) {
  const json::value* type = member(piece, "type");
  std::optional<std::string> id;
  if (type && *type == json::value("terminal")) take_field(piece, "terminalId", schema::kAgentTerminal, id);
  return id;
}

std::vector<std::string> shown_terminals(const json::value& update) {
  const json::value* content = member(update, "content");
  std::vector<std::string> shown;
  if (!content || !content->is_array()) return shown;
  for (const json::value& piece : content->get_array()) {
    if (shown.size() == ToolCalls::kMaxTerminals) break;
    if (auto id = shown_terminal(piece)) shown.push_back(std::move(*id));
  }
  return shown;
}

std::vector<Pin> pins_of(const std::string& thread, const std::vector<std::string>& terminals,
                         const ToolCallUpdate& told) {
  std::vector<Pin> pins;
  for (const std::string& id : terminals) pins.push_back({{thread, id}, told});
  return pins;
}

/// Appends those of `shown` that are not there, and drops the first ones beyond the limit.
void add_terminals(std::vector<std::string>& terminals, const std::vector<std::string>& shown) {
  for (const std::string& id : shown)
    if (std::find(terminals.begin(), terminals.end(), id) == terminals.end()) terminals.push_back(id);
  const std::size_t excess = terminals.size() - std::min(terminals.size(), ToolCalls::kMaxTerminals);
  terminals.erase(terminals.begin(), terminals.begin() + static_cast<std::ptrdiff_t>(excess));
}

}  // namespace

std::vector<Pin> ToolCalls::take(const std::string& thread, const json::value& update) {
  const std::vector<std::string> shown = shown_terminals(update);
  std::optional<std::string> id;
  take_field(update, "toolCallId", schema::Text{.min = 1, .max = kMaxId}, id);
  if (!id) return pins_of(thread, shown, {});
  Call& call = find_or_add(thread, *id);
  const ToolCallUpdate before = call.told;
  take_fields(update, call.told);
  add_terminals(call.terminals, shown);
  return pins_of(thread, call.told == before ? shown : call.terminals, call.told);
}

std::vector<Pin> ToolCalls::recall(const SessionKey& key) const {
  std::vector<Pin> pins;
  for (const Call& call : calls_) {
    const bool shows = std::find(call.terminals.begin(), call.terminals.end(), key.terminal_id) != call.terminals.end();
    if (shows && call.thread == key.thread_id) pins.push_back({key, call.told});
  }
  return pins;
}

ToolCalls::Call& ToolCalls::find_or_add(const std::string& thread, const std::string& id) {
  const auto is_it = [&](const Call& call) { return call.id == id && call.thread == thread; };
  const auto found = std::find_if(calls_.begin(), calls_.end(), is_it);
  if (found != calls_.end()) {
    std::rotate(found, found + 1, calls_.end());
  } else {
    if (calls_.size() == kMaxCalls) calls_.erase(calls_.begin());
    calls_.push_back({thread, id, {}, {}});
  }
  return calls_.back();
}

}  // namespace ptyd
