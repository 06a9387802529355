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

}  // namespace ptyd
