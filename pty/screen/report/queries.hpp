// Queries: a program's questions to its terminal, and the answers.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "pty/screen/report/query.hpp"
#include "pty/text/scanner.hpp"
#include "pty/types.hpp"

namespace ptyd {

class Screen;

/// False for what certainly is no question, told from a glance: nearly everything that programs draw with.
inline bool may_ask(const Token& token) {
  if (token.kind == TokenKind::text) return false;
  constexpr std::string_view kDrawing = "mHKJABCDGdrhlXPLM@";
  if (token.kind != TokenKind::csi || kDrawing.find(token.bytes.back()) == kDrawing.npos || token.overlong) return true;
  const std::string_view parameters = token.bytes.substr(2, token.bytes.size() - 3);
  return !std::all_of(parameters.begin(), parameters.end(), [](char c) { return c >= '0' && c <= ';'; });
}

/// Judges any token, also broken and overlong ones, as the most lenient viewer would take them. `screen` has been fed
/// everything up to `token`, with or without it.
///
/// Answers are fixed text, digits, colours and the emulator's name: nothing that a program prints can choose bytes that
/// come back to it, save numbers it asked about.
Query classify(const Token& token, const Screen& screen, const ViewerTraits& traits, const QueryOptions& options = {});

/// The name of an event that an agent's hook prints, OSC 633 ; T3CODE_AGENT_EVENT=<name>, which is cut out as questions
/// are; nothing for other tokens. It points into the token.
std::optional<std::string_view> agent_event(const Token& token);

/// OSC 52: `base64` is for the clipboard that `selections` name.
std::string clipboard_sequence(std::string_view selections, std::string_view base64);

}  // namespace ptyd
