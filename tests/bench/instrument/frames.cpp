#include "tests/bench/instrument/frames.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <charconv>

#include "pty/text/utf8.hpp"

namespace ptyd::bench {
namespace {

std::string quoted(std::string_view text) {
  return boost::json::serialize(boost::json::string(text));
}

std::string request(std::string_view tag, std::string_view thread) {
  return R"({"id":"1","body":{"_tag":)" + quoted(tag) + R"(,"threadId":)" + quoted(thread) +
         R"(,"terminalId":"default")";
}

/// Of the four digits that `text` begins with.
char32_t code_unit(std::string_view text) {
  unsigned value = 0;
  std::from_chars(text.data(), text.data() + std::min<std::size_t>(4, text.size()), value, 16);
  return value;
}

/// Appends the character whose `\u` escape `text` begins behind; returns the bytes that it takes.
std::size_t read_unicode(std::string_view text, std::string& to) {
  const auto first = code_unit(text);
  const bool is_pair = first >= 0xd800 && first < 0xdc00 && text.size() >= 10 && text[4] == '\\' && text[5] == 'u';
  if (!is_pair) return utf8::append(first, to), std::min<std::size_t>(4, text.size());
  utf8::append(0x10000 + ((first - 0xd800) << 10) + (code_unit(text.substr(6)) - 0xdc00), to);
  return 10;
}

/// Bytes before the first quote or backslash. It is the client's inner loop, and faster than find_first_of.
std::size_t plain_run(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && text[length] != '"' && text[length] != '\\') ++length;
  return length;
}

/// Appends the string that goes on in `text` behind its opening quote.
void read_string(std::string_view text, std::string& to) {
  constexpr std::string_view kLetters = "nrtbf", kMeanings = "\n\r\t\b\f";
  while (!text.empty()) {
    const auto plain = plain_run(text);
    to.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.size() < 2 || text[0] == '"') return;
    const char escaped = text[1];
    text.remove_prefix(2);
    if (escaped == 'u') {
      text.remove_prefix(read_unicode(text, to));
    } else {
      const auto letter = kLetters.find(escaped);
      to += letter == kLetters.npos ? escaped : kMeanings[letter];
    }
  }
}

}  // namespace

std::string open_frame(std::string_view thread) {
  return request("terminal.open", thread) + R"(,"cwd":"/tmp","cols":80,"rows":24}})";
}

std::string write_frame(std::string_view thread, std::string_view data) {
  return request("terminal.write", thread) + R"(,"data":)" + quoted(data) + "}}";
}

/// A quote stands in no JSON string without a backslash, so that only members are found.
void read_frame(std::string_view frame, std::string& output) {
  for (const std::string_view member : {R"("data":")", R"("history":")"}) {
    const auto place = frame.find(member);
    if (place != frame.npos) return read_string(frame.substr(place + member.size()), output);
  }
}

}  // namespace ptyd::bench
