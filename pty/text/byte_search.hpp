// Byte search: the first byte of one of a few classes, sixteen at a time where the machine can.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace ptyd {

/// Ends a stretch of text: ESC, controls other than 07 to 0D, DEL, and C2, which may begin a C1 control.
struct EndsText {
  static bool one(std::uint8_t byte) {
    return (byte < 0x20 && static_cast<std::uint8_t>(byte - 7) > 6) || byte == 0x7F || byte == 0xC2;
  }
#ifdef __SSE2__
  static __m128i sixteen(__m128i bytes) {
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
    const __m128i from_bell = _mm_sub_epi8(bytes, _mm_set1_epi8(7));
    const __m128i moves = _mm_cmpeq_epi8(_mm_min_epu8(from_bell, _mm_set1_epi8(6)), from_bell);
    const __m128i others = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7F)),
                                        _mm_cmpeq_epi8(bytes, _mm_set1_epi8(static_cast<char>(0xC2))));
    return _mm_or_si128(_mm_andnot_si128(moves, low), others);
  }
#endif
};

/// May end a string sequence: any C0 control, and C2.
struct MayEndString {
  static bool one(std::uint8_t byte) { return byte < 0x20 || byte == 0xC2; }
#ifdef __SSE2__
  static __m128i sixteen(__m128i bytes) {
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
    return _mm_or_si128(low, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(static_cast<char>(0xC2))));
  }
#endif
};

/// VT and FF: they feed a line as LF does.
struct IsOtherLineFeed {
  static bool one(std::uint8_t byte) { return byte == 0x0B || byte == 0x0C; }
#ifdef __SSE2__
  static __m128i sixteen(__m128i bytes) {
    return _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x0B)), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x0C)));
  }
#endif
};

/// Place of the first byte at or after `from` that is of the class; `text.size()` when there is none.
template <class Class>
std::size_t find_byte(std::string_view text, std::size_t from) {
#ifdef __SSE2__
  for (; from + 16 <= text.size(); from += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + from));
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(Class::sixteen(bytes)));
    if (found != 0) return from + static_cast<std::size_t>(std::countr_zero(found));
  }
#endif
  while (from < text.size() && !Class::one(static_cast<std::uint8_t>(text[from]))) ++from;
  return from;
}

/// Number of bytes in `text` that are `wanted`.
inline std::size_t count_byte(std::string_view text, char wanted) {
  std::size_t count = 0, at = 0;
#ifdef __SSE2__
  const __m128i sought = _mm_set1_epi8(wanted);
  while (at + 16 <= text.size()) {
    __m128i sums = _mm_setzero_si128();  // of 16 places, a byte each
    for (int i = 0; i < 255 && at + 16 <= text.size(); ++i, at += 16) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
      sums = _mm_sub_epi8(sums, _mm_cmpeq_epi8(bytes, sought));
    }
    const __m128i halves = _mm_sad_epu8(sums, _mm_setzero_si128());
    count += static_cast<std::size_t>(_mm_cvtsi128_si64(halves) + _mm_cvtsi128_si64(_mm_srli_si128(halves, 8)));
  }
#endif
  for (; at < text.size(); ++at) count += text[at] == wanted ? 1 : 0;
  return count;
}

}  // namespace ptyd
