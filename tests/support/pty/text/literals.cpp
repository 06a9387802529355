#include "tests/support/pty/text/literals.hpp"

namespace ptyd::test {

std::string escaped(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\x1B')
      text += "\\e";
    else if (c == '\r')
      text += "\\r";
    else if (c == '\n')
      text += "\\n";
    else if (c == '\t')
      text += "\\t";
    else if (c == '\\' || c == '"')
      text += std::string("\\") + c;
    else if (c >= 0x20 && c < 0x7F)
      text += c;
    else
      text += std::string("\\x") + kDigits[byte >> 4] + kDigits[byte & 15];
  }
  return text;
}

}  // namespace ptyd::test
