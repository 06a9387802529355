#include "server/net/log_text.hpp"

#include <cctype>

namespace ptyd {
namespace {

/// Where frames name themselves; the data of a terminal comes behind that.
constexpr std::size_t kFrameHead = 512;
/// Longer is no name.
constexpr std::size_t kMaxName = 80;

bool is_name_character(unsigned char c) {
  return std::isalnum(c) != 0 || std::string_view("._-:/$").find(static_cast<char>(c)) != std::string_view::npos;
}

/// The value of `"key":"value"` where it looks like a name.
std::string_view name_of(std::string_view text, std::string_view key) {
  const auto at = text.find(key);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  std::size_t length = 0;
  while (length < text.size() && length < kMaxName && is_name_character(static_cast<unsigned char>(text[length])))
    length++;
  return length < text.size() && text[length] == '"' ? text.substr(0, length) : std::string_view();
}

}  // namespace

std::string log_text(std::string_view text, std::size_t limit) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string result;
  for (const char c : text.substr(0, limit)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '\\') {
      result += c;
    } else {
      result += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return text.size() > limit ? result + "..." : result;
}

std::string frame_kind(std::string_view frame) {
  const auto head = frame.substr(0, kFrameHead);
  std::string result;
  for (const std::string_view key : {R"("_tag":")", R"("tag":")", R"("method":")", R"("channel":")", R"("type":")",
                                     R"("threadId":")", R"("terminalId":")"}) {
    const auto name = name_of(head, key);
    if (!name.empty()) result += (result.empty() ? "" : " ") + std::string(name);
  }
  return result.empty() ? "-" : result;
}

}  // namespace ptyd
