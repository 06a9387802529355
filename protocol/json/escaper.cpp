#include "protocol/json/escaper.hpp"

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

/// Bytes that may follow a lead byte: how many continuations, and the range of the first.
struct Lead {
  Byte continuations = 0;
  Byte low = 0, high = 0;
};

constexpr std::array<Lead, 256> make_leads() {
  std::array<Lead, 256> leads{};
  for (std::size_t byte = 0xC2; byte <= 0xF4; ++byte) {
    const Byte continuations = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
    leads[byte] = {continuations, 0x80, 0xBF};
  }
  leads[0xE0].low = 0xA0;   // below: overlong forms
  leads[0xED].high = 0x9F;  // above: surrogates
  leads[0xF0].low = 0x90;   // below: overlong forms
  leads[0xF4].high = 0x8F;  // above: beyond U+10FFFF
  return leads;
}
constexpr auto kLeads = make_leads();

Unit unit_at(const Byte* p, const Byte* end) {
  const Lead expected = kLeads[*p];
  const auto whole = std::size_t{1} + expected.continuations;
  const auto available = std::min(whole, static_cast<std::size_t>(end - p));
  if (available < 2 || p[1] < expected.low || p[1] > expected.high) return {1, false};
  std::size_t length = 2;
  while (length < available && (p[length] & 0xC0) == 0x80) ++length;
  return {length, length == whole};
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
  if (unit.valid) {
    out.at = std::copy(p, p + unit.length, out.at);
  } else {
    out.at = std::copy(kReplacement.begin(), kReplacement.end(), out.at);
  }
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

/// One bit for each byte that must be escaped or is not ASCII.
std::uint32_t to_look_at(__m128i v) {
  const __m128i escaped_or_negative = _mm_cmplt_epi8(v, all(0x20));  // signed: bytes from 0x80 on are negative
  return bits(_mm_or_si128(escaped_or_negative, _mm_or_si128(equal(v, '"'), equal(v, '\\'))));
}

/// Whether the leads in `v` that not every continuation may follow are followed by the right ones; see make_leads().
bool rare_leads_are_right(__m128i v) {
  const std::uint32_t never = bits(_mm_or_si128(equal(_mm_and_si128(v, all(0xFE)), 0xC0), at_least(v, 0xF5)));
  const std::uint32_t below_90 = bits(at_most(v, 0x8F)), below_a0 = bits(at_most(v, 0x9F));
  const std::uint32_t refused = (bits(equal(v, 0xE0)) << 1 & below_a0) | (bits(equal(v, 0xED)) << 1 & ~below_a0) |
                                (bits(equal(v, 0xF0)) << 1 & below_90) | (bits(equal(v, 0xF4)) << 1 & ~below_90);
  return ((never | refused) & 0xFFFF) == 0;
}

/// How many bytes of a vector that begins with a character are whole valid characters; 0 when any byte is wrong. A
/// character which the end of the vector cuts is left for the next one.
int whole_characters(__m128i v, std::uint32_t not_ascii) {
  const __m128i four = at_least(v, 0xF0);
  const std::uint32_t leads = bits(at_least(v, 0xC0));
  const std::uint32_t wanted = leads << 1 | bits(at_least(v, 0xE0)) << 2 | bits(four) << 3;
  if (((wanted ^ not_ascii ^ leads) & 0xFFFF) != 0) return 0;
  const __m128i rare = _mm_or_si128(_mm_or_si128(four, equal(_mm_and_si128(v, all(0xFE)), 0xC0)),
                                    _mm_or_si128(equal(v, 0xE0), equal(v, 0xED)));
  if (bits(rare) != 0 && !rare_leads_are_right(v)) return 0;
  return wanted >> kVector == 0 ? kVector : static_cast<int>(std::bit_width(leads)) - 1;
}

void store(char* out, __m128i v) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), v);
}

/// Takes whole vectors while as many bytes follow behind them; stops at a vector with a byte that is no UTF-8.
const Byte* take_vectors(const Byte* p, const Byte* end, Output& out) {
  while (end - p >= 2 * kVector) {
    const __m128i v = load(p);
    store(out.at, v);
    std::uint32_t escapes = to_look_at(v);
    int whole = kVector, taken = 0;
    if (escapes != 0) {
      if (const std::uint32_t not_ascii = bits(v); not_ascii != 0) {
        whole = whole_characters(v, not_ascii);
        if (whole == 0) break;
        escapes &= ~not_ascii;
      }
      for (; escapes != 0; escapes &= escapes - 1) {
        const int place = std::countr_zero(escapes);
        out.at += place - taken;
        out.escape(p[place]);
        taken = place + 1;
        store(out.at, load(p + taken));
      }
    }
    p += whole;
    out.at += whole - taken;
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

}  // namespace ptyd::escaper
