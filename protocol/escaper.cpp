#include "protocol/escaper.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ptyd::escaper {

namespace {

using Byte = unsigned char;

/// How an ASCII character that may not stand in a JSON string is written; `length` is 0 for those that may.
struct Escape {
  std::array<char, 7> text{};
  Byte length = 0;
};

constexpr std::array<Escape, 128> make_escapes() {
  constexpr char kHex[] = "0123456789abcdef";
  std::array<Escape, 128> escapes{};
  for (unsigned c = 0; c < 0x20; ++c) escapes[c] = {{'\\', 'u', '0', '0', kHex[c >> 4], kHex[c & 15]}, 6};
  for (const auto& [c, name] :
       {std::pair{'\b', 'b'}, {'\t', 't'}, {'\n', 'n'}, {'\f', 'f'}, {'\r', 'r'}, {'"', '"'}, {'\\', '\\'}})
    escapes[static_cast<Byte>(c)] = {{'\\', name}, 2};
  return escapes;
}
constexpr auto kEscapes = make_escapes();
static_assert(sizeof(Escape) == 8, "copied as one word");

constexpr std::array<char, 3> kReplacement = {'\xEF', '\xBF', '\xBD'};

/// The bytes at the start of a text that belong together: a character, or what is to become one U+FFFD.
struct Unit {
  std::size_t length;
  bool valid;
};

/// What may follow a lead byte: how many continuations, and the range of the first.
struct Lead {
  std::size_t continuations;
  Byte low, high;
};

constexpr Lead lead(Byte byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {1, 0x80, 0xBF};
  if (byte >= 0xE0 && byte <= 0xEF) return {2, Byte(byte == 0xE0 ? 0xA0 : 0x80), Byte(byte == 0xED ? 0x9F : 0xBF)};
  if (byte >= 0xF0 && byte <= 0xF4) return {3, Byte(byte == 0xF0 ? 0x90 : 0x80), Byte(byte == 0xF4 ? 0x8F : 0xBF)};
  return {0, 0, 0};
}

Unit unit_at(const Byte* p, const Byte* end) {
  const Lead expected = lead(*p);
  const auto available = static_cast<std::size_t>(end - p);
  std::size_t length = 1;
  if (expected.continuations == 0) return {length, false};
  if (available > 1 && p[1] >= expected.low && p[1] <= expected.high) ++length;
  while (length > 1 && length <= expected.continuations && length < available && (p[length] & 0xC0) == 0x80) ++length;
  return {length, length == expected.continuations + 1};
}

/// The writing position, and how much of what was written is only escaping.
struct Output {
  char* at;
  std::size_t padding = 0;

  void escape(Byte c) {
    std::memcpy(at, &kEscapes[c], sizeof(Escape));
    at += kEscapes[c].length;
    padding += kEscapes[c].length - 1u;
  }
};

/// Takes one ASCII character or one Unit; returns where the next one begins.
const Byte* take_one(const Byte* p, const Byte* end, Output& out) {
  if (*p < 0x80) {
    if (kEscapes[*p].length == 0)
      *out.at++ = static_cast<char>(*p);
    else
      out.escape(*p);
    return p + 1;
  }
  const Unit unit = unit_at(p, end);
  const auto* from = unit.valid ? reinterpret_cast<const char*>(p) : kReplacement.data();
  const std::size_t length = unit.valid ? unit.length : kReplacement.size();
  std::memcpy(out.at, from, length);
  out.at += length;
  return p + unit.length;
}

#if defined(__SSE2__)

constexpr int kVector = 16;

__m128i load(const Byte* p) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
__m128i all(int byte) {
  return _mm_set1_epi8(static_cast<char>(byte));
}
std::uint32_t bits(__m128i v) {
  return static_cast<std::uint32_t>(_mm_movemask_epi8(v));
}
__m128i at_least(__m128i v, int byte) {
  return _mm_cmpeq_epi8(_mm_max_epu8(v, all(byte)), v);
}
__m128i at_most(__m128i v, int byte) {
  return _mm_cmpeq_epi8(_mm_min_epu8(v, all(byte)), v);
}
__m128i equal(__m128i v, int byte) {
  return _mm_cmpeq_epi8(v, all(byte));
}

/// One bit for each byte that must be escaped.
std::uint32_t to_escape(__m128i v) {
  return bits(_mm_or_si128(at_most(v, 0x1F), _mm_or_si128(equal(v, '"'), equal(v, '\\'))));
}

/// How many bytes of a vector that begins with a character are whole valid characters; 0 when any byte is wrong. A
/// character which the end of the vector cuts is left for the next one.
int whole_characters(__m128i v) {
  const std::uint32_t lead2 = bits(at_least(v, 0xC0)), lead3 = bits(at_least(v, 0xE0)), lead4 = bits(at_least(v, 0xF0));
  const std::uint32_t follows = bits(v) & ~lead2;
  const std::uint32_t wanted = lead2 << 1 | lead3 << 2 | lead4 << 3;
  const std::uint32_t never = bits(_mm_or_si128(_mm_or_si128(equal(v, 0xC0), equal(v, 0xC1)), at_least(v, 0xF5)));
  // After four leads not every continuation will do: overlong forms, surrogates, and what lies beyond U+10FFFF.
  const std::uint32_t below_90 = bits(at_most(v, 0x8F)), below_a0 = bits(at_most(v, 0x9F));
  const std::uint32_t refused = (bits(equal(v, 0xE0)) << 1 & below_a0) | (bits(equal(v, 0xED)) << 1 & ~below_a0) |
                                (bits(equal(v, 0xF0)) << 1 & below_90) | (bits(equal(v, 0xF4)) << 1 & ~below_90);
  if ((((wanted ^ follows) | never | refused) & 0xFFFF) != 0) return 0;
  return wanted >> kVector == 0 ? kVector : static_cast<int>(std::bit_width(lead2)) - 1;
}

/// Takes whole vectors while there are any; stops where one holds a byte that is no UTF-8.
const Byte* take_vectors(const Byte* p, const Byte* end, Output& out) {
  while (end - p >= kVector) {
    const __m128i v = load(p);
    const int whole = bits(v) == 0 ? kVector : whole_characters(v);
    if (whole == 0) break;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out.at), v);
    const std::uint32_t escapes = to_escape(v);
    const int run = escapes == 0 ? whole : std::min(whole, std::countr_zero(escapes));
    p += run;
    out.at += run;
    if (run < whole) out.escape(*p++);
  }
  return p;
}

#else

constexpr int kVector = 1;

const Byte* take_vectors(const Byte* p, const Byte*, Output&) {
  return p;
}

#endif

}  // namespace

Written escape(char* start, std::string_view text) {
  Output out{start};
  const auto* p = reinterpret_cast<const Byte*>(text.data());
  const auto* const end = p + text.size();
  while (p < end) {
    p = take_vectors(p, end, out);
    for (const auto* const stop = p + std::min<std::ptrdiff_t>(kVector, end - p); p < stop;) p = take_one(p, end, out);
  }
  const auto written = static_cast<std::size_t>(out.at - start);
  return {written, written - out.padding};
}

std::size_t expected_growth(std::string_view text) {
  std::size_t growth = 0;
  for (const char c : text) {
    const auto byte = static_cast<Byte>(c);
    growth += byte < 0x20 ? (byte >= '\b' && byte <= '\r' ? 1u : 5u) : (byte == '"' || byte == '\\' ? 1u : 0u);
  }
  return growth;
}

}  // namespace ptyd::escaper
