#include "server/execute/typed_text.hpp"

#include <algorithm>

namespace ptyd {

std::optional<std::string> key_bytes(std::string_view name) {
  if (name == "Enter") return "\r";
  if (name == "Escape") return "\x1b";
  const bool is_control = name.size() == 3 && name.starts_with("C-") && name[2] >= 'a' && name[2] <= 'z';
  if (!is_control) return std::nullopt;
  return std::string(1, static_cast<char>(name[2] - 'a' + 1));
}

bool is_signal(std::string_view bytes) {
  return bytes == "\x03" || bytes == "\x1a";
}

Result<void> makes_sense(const Execute& asked) {
  if (asked.no_enter && !asked.is_input) return Error(Errc::bad_request, "noEnter: is only for isInput");
  return {};
}

bool is_poll(const Execute& asked) {
  if (asked.is_input) return asked.command.empty();
  return asked.command.find_first_not_of(" \t\r\n") == asked.command.npos;
}

std::string input_bytes(const Execute& asked) {
  auto text = asked.command;
  std::replace(text.begin(), text.end(), '\n', '\r');
  if (!asked.no_enter) text += '\r';
  return text;
}

}  // namespace ptyd
