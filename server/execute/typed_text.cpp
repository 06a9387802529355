#include "server/execute/typed_text.hpp"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <string_view>

namespace ptyd {
namespace {

constexpr std::string_view kPasteBegin = "\x1b[200~", kPasteEnd = "\x1b[201~";

/// Also where taking one away makes another.
std::string without_paste_marks(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  for (const char each : text) {
    kept += each;
    if (kept.ends_with(kPasteBegin) || kept.ends_with(kPasteEnd)) kept.resize(kept.size() - kPasteEnd.size());
  }
  return kept;
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
  auto text = asked.command;
  boost::algorithm::replace_all(text, "\r\n", "\n");  // one line end, one Enter
  const bool in_brackets = takes_pastes && text.find('\n') != text.npos;
  std::replace(text.begin(), text.end(), '\n', '\r');
  if (in_brackets) text = std::string(kPasteBegin) + without_paste_marks(text) + std::string(kPasteEnd);
  if (!asked.no_enter) text += '\r';
  return text;
}

}  // namespace ptyd
