#include "pty/text/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace ptyd::utf8 {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

std::uint8_t byte_at(std::string_view text, std::size_t index) {
  return static_cast<std::uint8_t>(text[index]);
}

/// Promise of the first byte: how long the character is and in which range its second byte must lie (Unicode's table
/// of well-formed sequences; the range excludes overlong forms, surrogates and what is above U+10FFFF).
struct Lead {
  std::uint8_t length = 0;  ///< 0: never the first byte of anything
  std::uint8_t low = 0x80;
  std::uint8_t high = 0xBF;
};

constexpr Lead lead(std::uint8_t byte) {
  if (byte < 0x80) return {1};
  if (byte < 0xC2) return {};
  if (byte < 0xE0) return {2};
  if (byte == 0xE0) return {3, 0xA0};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3};
  if (byte == 0xF0) return {4, 0x90};
  if (byte < 0xF4) return {4};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {};
}

/// How many bytes at the start of `text` agree with the promise of its first byte.
std::size_t agreeing(std::string_view text, Lead promise) {
  if (promise.length < 2 || text.size() < 2) return 1;
  if (byte_at(text, 1) < promise.low || byte_at(text, 1) > promise.high) return 1;
  std::size_t count = 2;
  while (count < promise.length && count < text.size() && (byte_at(text, count) & 0xC0) == 0x80) ++count;
  return count;
}

std::size_t ascii_run(std::string_view text) {
  std::size_t done = 0;
  for (; done + 16 <= text.size(); done += 16) {
    std::uint64_t words[2];
    std::memcpy(words, text.data() + done, sizeof words);
    if (((words[0] | words[1]) & 0x8080808080808080U) != 0) break;
  }
  while (done < text.size() && byte_at(text, done) < 0x80) ++done;
  return done;
}

/// How much of the front of `text` is valid.
std::size_t valid_run(std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    if (byte_at(text, done) < 0x80) {
      done += ascii_run(text.substr(done));
      continue;
    }
    const std::size_t length = character(text.substr(done));
    if (length == 0) break;
    done += length;
  }
  return done;
}

}  // namespace

std::size_t character(std::string_view text) {
  if (text.empty()) return 0;
  const Lead promise = lead(byte_at(text, 0));
  return promise.length != 0 && agreeing(text, promise) == promise.length ? promise.length : 0;
}

std::size_t unit(std::string_view text) {
  return agreeing(text, lead(byte_at(text, 0)));
}

std::size_t unfinished_tail(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const std::uint8_t byte = byte_at(text, text.size() - back);
    if (byte < 0x80) return 0;
    if (byte < 0xC0) continue;
    const Lead promise = lead(byte);
    return promise.length > back && agreeing(text.substr(text.size() - back), promise) == back ? back : 0;
  }
  return 0;
}

bool valid(std::string_view text) {
  return valid_run(text) == text.size();
}

std::string repair(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t good = valid_run(text);
    result.append(text.substr(0, good));
    text.remove_prefix(good);
    if (text.empty()) break;
    result.append(kReplacement);
    text.remove_prefix(unit(text));
  }
  return result;
}

std::size_t utf16_length(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    units += static_cast<std::size_t>((byte & 0xC0) != 0x80) + static_cast<std::size_t>(byte >= 0xF0);
  }
  return units;
}

char32_t decode(std::string_view text) {
  const std::uint8_t first = byte_at(text, 0);
  if (text.size() == 1) return first;
  char32_t point = first & (0x7FU >> text.size());
  for (std::size_t i = 1; i < text.size(); ++i) point = point << 6 | (byte_at(text, i) & 0x3FU);
  return point;
}

void append(char32_t code_point, std::string& text) {
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (surrogate || code_point > 0x10FFFF) {
    text += kReplacement;
    return;
  }
  const auto tail = [&](unsigned shift) { text += static_cast<char>(0x80 | ((code_point >> shift) & 0x3F)); };
  if (code_point < 0x80) {
    text += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    text += static_cast<char>(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    text += static_cast<char>(0xE0 | code_point >> 12);
    tail(6);
  } else {
    text += static_cast<char>(0xF0 | code_point >> 18);
    tail(12);
    tail(6);
  }
  if (code_point >= 0x80) tail(0);
}

}  // namespace ptyd::utf8
