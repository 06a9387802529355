// ASCII text and the cells that hold it, eight at a time where the machine can.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "pty/screen/grid/cell.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace ptyd::ascii_cells {

/// All of a cell but its glyph.
inline std::uint32_t look_of(const Cell& cell) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(cell) >> 32);
}

/// Writes `count` cells that look like `alike` and hold `text`.
inline void widen(const char* text, std::size_t count, Cell alike, Cell* cells) {
  std::size_t done = 0;
#ifdef __SSE2__
  const __m128i looks = _mm_set1_epi32(static_cast<int>(look_of(alike)));
  const __m128i zero = _mm_setzero_si128();
  for (; done + 8 <= count; done += 8) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(text + done));
    const __m128i words = _mm_unpacklo_epi8(bytes, zero);
    const __m128i low = _mm_unpacklo_epi16(words, zero), high = _mm_unpackhi_epi16(words, zero);
    auto* out = reinterpret_cast<__m128i*>(cells + done);
    _mm_storeu_si128(out, _mm_unpacklo_epi32(low, looks));
    _mm_storeu_si128(out + 1, _mm_unpackhi_epi32(low, looks));
    _mm_storeu_si128(out + 2, _mm_unpacklo_epi32(high, looks));
    _mm_storeu_si128(out + 3, _mm_unpackhi_epi32(high, looks));
  }
#endif
  for (; done < count; ++done) {
    alike.glyph = static_cast<unsigned char>(text[done]);
    cells[done] = alike;
  }
}

/// Writes as bytes the glyphs of the first cells that have this look and are ASCII (or blank, which is NUL), and
/// returns their number. May write to all `count` bytes of `text`.
inline std::size_t narrow(const Cell* cells, std::size_t count, std::uint32_t look, char* text) {
  std::size_t done = 0;
#ifdef __SSE2__
  const __m128i looks = _mm_set1_epi32(static_cast<int>(look));
  const __m128i ascii = _mm_set1_epi32(0x7F);
  for (; done + 8 <= count; done += 8) {
    __m128i glyphs[2], fits[2];
    for (std::size_t half = 0; half < 2; ++half) {
      const auto* in = reinterpret_cast<const __m128i*>(cells + done + half * 4);
      const __m128 a = _mm_castsi128_ps(_mm_loadu_si128(in)), b = _mm_castsi128_ps(_mm_loadu_si128(in + 1));
      glyphs[half] = _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)));
      const __m128i others = _mm_castps_si128(_mm_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)));
      const __m128i is_ascii = _mm_cmpeq_epi32(_mm_and_si128(glyphs[half], ascii), glyphs[half]);
      fits[half] = _mm_and_si128(_mm_cmpeq_epi32(others, looks), is_ascii);
    }
    const __m128i words = _mm_packs_epi32(_mm_and_si128(glyphs[0], ascii), _mm_and_si128(glyphs[1], ascii));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(text + done), _mm_packus_epi16(words, words));
    const __m128i fit = _mm_packs_epi16(_mm_packs_epi32(fits[0], fits[1]), _mm_setzero_si128());
    const auto good = static_cast<unsigned>(_mm_movemask_epi8(fit));
    if (good != 0xFF) return done + static_cast<std::size_t>(std::countr_one(good));
  }
#endif
  for (; done < count; ++done) {
    if (look_of(cells[done]) != look || cells[done].glyph > 0x7F) return done;
    text[done] = static_cast<char>(cells[done].glyph);
  }
  return done;
}

/// Appends the text of the first cells that are narrow, of one look, and ASCII or blank, which is a space. Returns
/// their number, at most 256.
inline std::size_t append_text(std::span<const Cell> cells, std::string& out) {
  if (cells.empty() || cells.front().width != 1) return 0;
  std::array<char, 256> text;
  const auto count = narrow(cells.data(), std::min(cells.size(), text.size()), look_of(cells.front()), text.data());
  std::replace(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count), '\0', ' ');
  out.append(text.data(), count);
  return count;
}

}  // namespace ptyd::ascii_cells
