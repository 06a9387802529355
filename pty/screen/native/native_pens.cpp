#include "pty/screen/native/native_pens.hpp"

#include "pty/screen/pen_parser.hpp"

namespace ptyd {
namespace {

/// The parameters of an SGR that holds nothing else; without data for all other tokens. `key` becomes what names them
/// when they are at most eight bytes.
std::string_view plain_sgr(const Token& token, std::uint64_t& key) {
  std::string_view bytes = token.bytes;
  if (token.cancelled || token.overlong || bytes.back() != 'm' || bytes[1] != '[') return {};
  bytes = bytes.substr(2, bytes.size() - 3);
  for (const char c : bytes) {
    if (c < '0' || c > ';') return {};
    key = key << 8 | static_cast<std::uint8_t>(c);
  }
  return bytes;
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
  std::uint64_t key = 0;
  const std::string_view parameters = plain_sgr(token, key);
  if (parameters.data() == nullptr) return false;
  parameters.size() > sizeof key ? sgr(parameters) : short_sgr(parameters, key);
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
