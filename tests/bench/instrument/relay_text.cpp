#include "tests/bench/instrument/relay_text.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstring>
#include <vector>

namespace ptyd::bench {
namespace {

constexpr std::size_t kLongestEscape = 6, kBlock = 16;

bool is_tail(unsigned char byte) {
  return (byte & 0xc0) == 0x80;
}

/// The length that `first` announces; 0 where no character begins so.
std::size_t announced(unsigned char first) {
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/// Overlong forms, surrogates and what is beyond Unicode begin with these pairs.
bool is_forbidden(unsigned char first, unsigned char second) {
  return (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
         (first == 0xf4 && second > 0x8f);
}

/// Length of the character at `text`; 0 where there is none.
std::size_t character(const unsigned char* text, std::size_t room) {
  const auto length = announced(text[0]);
  if (length == 0 || length > room || is_forbidden(text[0], text[1])) return 0;
  return std::all_of(text + 1, text + length, is_tail) ? length : 0;
}

/// Copies the characters from `from` on that need no escape, a block at a time; `to` has room for one more.
std::size_t copy_plain(char* to, const unsigned char* from, std::size_t room) {
  std::size_t done = 0;
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), space = _mm_set1_epi8(0x20);
  for (; room - done >= kBlock; done += kBlock) {
    const auto block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + done));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + done), block);
    // A signed comparison: bytes above 0x7f count as below the space, too.
    const auto special = _mm_or_si128(_mm_cmplt_epi8(block, space),
                                      _mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, slash)));
    if (const auto mask = static_cast<unsigned>(_mm_movemask_epi8(special)))
      return done + static_cast<std::size_t>(__builtin_ctz(mask));
  }
#endif
  for (; done < room; ++done) {
    const auto byte = from[done];
    if (byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\') break;
    to[done] = static_cast<char>(byte);
  }
  return done;
}

char* put(char* to, std::string_view text) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

char* escape(char* to, unsigned char byte) {
  constexpr char kHex[] = "0123456789abcdef";
  switch (byte) {
    case '\n':
      return put(to, "\\n");
    case '\r':
      return put(to, "\\r");
    case '\t':
      return put(to, "\\t");
    case '"':
      return put(to, "\\\"");
    case '\\':
      return put(to, "\\\\");
    default:
      to = put(to, "\\u00");
      *to++ = kHex[byte >> 4];
      *to++ = kHex[byte & 15];
      return to;
  }
}

/// One character, or one byte that is none.
char* copy_character(char* to, const unsigned char*& from, std::size_t room) {
  const auto length = character(from, room);
  to = length ? put(to, {reinterpret_cast<const char*>(from), length}) : put(to, "\xef\xbf\xbd");
  from += std::max<std::size_t>(length, 1);
  return to;
}

}  // namespace

std::size_t unfinished_tail(std::string_view text) {
  for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (!is_tail(byte)) return announced(byte) > back ? back : 0;
  }
  return 0;
}

/// In a buffer for the worst case first, so that no byte asks for room.
void append_escaped(std::string& to, std::string_view text) {
  static thread_local std::vector<char> worst;
  worst.resize(std::max(worst.size(), text.size() * kLongestEscape + 2 * kBlock));
  char* out = worst.data();
  const auto* from = reinterpret_cast<const unsigned char*>(text.data());
  const auto* const end = from + text.size();
  while (from < end) {
    const auto plain = copy_plain(out, from, static_cast<std::size_t>(end - from));
    from += plain;
    out += plain;
    while (from < end && *from >= 0x80) out = copy_character(out, from, static_cast<std::size_t>(end - from));
    if (from < end && (*from < 0x20 || *from == '"' || *from == '\\')) out = escape(out, *from++);
  }
  to.append(worst.data(), out);
}

}  // namespace ptyd::bench
