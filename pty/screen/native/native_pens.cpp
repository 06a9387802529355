#include "pty/screen/native/native_pens.hpp"

#include "pty/screen/pen_parser.hpp"

namespace ptyd {
namespace {

/// A name for parameters of at most eight bytes.
std::uint64_t key_of(std::string_view parameters) {
  std::uint64_t key = 0;
  for (const char c : parameters) key = key << 8 | static_cast<std::uint8_t>(c);
  return key;
}

}  // namespace

void NativePens::refresh() {
  pen_ = grid_.pen_id(state_.pen);
  blank_ = state_.pen.background.is_default() ? PenId{0} : grid_.pen_id(background_of(state_.pen));
  known_ = true;
  exact_ = grid_.pen(pen_) == state_.pen;
}

void NativePens::sgr(std::string_view parameters) {
  apply_sgr(parameters, state_.pen);
  changed();
}

bool NativePens::take_plain_sgr(const Token& token) {
  const auto parameters = plain_sgr(token);
  if (!parameters) return false;
  parameters->size() > sizeof(std::uint64_t) ? sgr(*parameters) : short_sgr(*parameters, key_of(*parameters));
  return true;
}

void NativePens::short_sgr(std::string_view parameters, std::uint64_t key) {
  settle();
  const bool known_before = exact_;
  KnownSgr& known = known_sgr_[(key ^ std::uint64_t{pen_} << 40) * 0x9FB21C651E98DF25U >> 58];
  if (known.parameters == key && known.before == pen_ && known.collections == grid_.names().collections() &&
      known_before) {
    state_.pen = known.pen;
    pen_ = known.after;
    blank_ = known.blank;
    return;
  }
  const PenId before = pen_;
  const std::uint64_t collections = grid_.names().collections();
  apply_sgr(parameters, state_.pen);
  refresh();
  if (known_before && exact_ && collections == grid_.names().collections())
    known = {key, collections, before, pen_, blank_, state_.pen};
}

}  // namespace ptyd
