#include "server/execute/typed_text.hpp"

#include <algorithm>
#include <boost/algorithm/string/erase.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <utility>

namespace ptyd {
namespace {

/// Also where taking one away makes another.
std::string without(std::string text, const std::string& mark) {
  while (text.find(mark) != text.npos) boost::algorithm::erase_all(text, mark);
  return text;
}

}  // namespace

bool is_key(const Execute& asked) {
  if (asked.literal || (asked.is_input && is_key_and_word(asked.command))) return false;
  return encode_key(asked.command, {}).has_value();
}

std::string key_bytes(const Execute& asked, const KeyModes& modes) {
  return encode_key(asked.command, modes).value_or("");
}

bool is_signal(std::string_view bytes) {
  return bytes == "\x03" || bytes == "\x1a" || bytes == "\x1c";
}

Result<void> makes_sense(const Execute& asked) {
  if (asked.no_enter && !asked.is_input) return Error(Errc::bad_request, "noEnter: is only for isInput");
  return {};
}

bool is_poll(const Execute& asked) {
  if (asked.is_input) return asked.command.empty();
  return asked.command.find_first_not_of(" \t\r\n") == asked.command.npos;
}

std::string input_bytes(const Execute& asked, bool takes_pastes) {
  const std::string begin = "\x1b[200~", end = "\x1b[201~";
  auto text = asked.command;
  boost::algorithm::replace_all(text, "\r\n", "\n");  // one line end, one Enter
  const bool in_brackets = takes_pastes && text.find('\n') != text.npos;
  std::replace(text.begin(), text.end(), '\n', '\r');
  if (in_brackets) text = begin + without(without(text, begin), end) + end;
  if (!asked.no_enter) text += '\r';
  return text;
}

}  // namespace ptyd
