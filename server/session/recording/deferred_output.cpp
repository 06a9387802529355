#include "server/session/recording/deferred_output.hpp"

#include <algorithm>
#include <string_view>

#include "pty/screen/pen_parser.hpp"
#include "pty/screen/serialize/sgr.hpp"
#include "pty/text/byte_search.hpp"

namespace ptyd {
namespace {

/// SGRs that are not looked at yet, in bytes of parameters. Most programs reset their pen sooner.
constexpr std::size_t kMostSgr = 512;

/// Where the line behind the last line end of `text` begins; 0 where CR does not stand before that LF.
std::size_t last_line_of(std::string_view text) {
  const auto feed = text.rfind('\n');
  return feed == text.npos || feed == 0 || text[feed - 1] != '\r' ? 0 : feed + 1;
}

}  // namespace

bool DeferredOutput::may_wait(const Token& token) {
  if (token.kind == TokenKind::csi) return plain_sgr(token).has_value();
  return token.kind == TokenKind::text && find_byte<IsOtherLineFeed>(token.bytes, 0) == token.bytes.size();
}

void DeferredOutput::start(Position position, const Screen& screen) {
  at_ = position;
  pen_ = screen.state().pen;
  parts_.push_back({position, pen_, 0});
}

void DeferredOutput::add(const Token& token, Position position) {
  if (token.kind == TokenKind::text) return add_text(token.bytes, position);
  const auto parameters = *plain_sgr(token);
  const bool is_reset = parameters.empty() || parameters == "0";
  if (is_reset) sgr_.clear();
  sgr_.append(is_reset ? "0" : parameters) += 'm';
  if (sgr_.size() > kMostSgr) settle_pen();
}

void DeferredOutput::add_text(std::string_view text, Position position) {
  const auto lines = count_byte(text, '\n');
  lines_ += lines;
  parts_.back().lines += lines;
  const auto line = lines == 0 ? 0 : last_line_of(text);
  if (line == 0 || position + line - parts_.back().begin < kPart) return;
  settle_pen();
  // Else the row that the line feed opened is not blank.
  if (pen_.background.is_default()) parts_.push_back({position + line, pen_, 0});
}

void DeferredOutput::settle_pen() {
  for (std::string_view rest = sgr_; !rest.empty();) {
    const auto end = rest.find('m');
    apply_sgr(rest.substr(0, end), pen_);
    rest.remove_prefix(end + 1);
  }
  sgr_.clear();
}

/// The first part is not drawn where enough lines follow it to push all that is there now out of the scrollback.
bool DeferredOutput::skip_part(Screen& screen) {
  const Part& part = parts_.front();
  if (parts_.size() == 1 || at_ != part.begin || (feeder_ && feeder_->has_rest())) return false;
  if (lines_ - part.lines < screen.grid().lines_kept() || !screen.only_scrolls()) return false;
  const Part& next = parts_[1];
  std::string pen = "\x1b[0";
  append_sgr(next.pen, pen);
  screen.skip_lines(part.lines);
  screen.feed({TokenKind::csi, pen += 'm', false, false, false, {}});
  pass(next.begin);
  return true;
}

void DeferredOutput::draw(Screen& screen, const Journal& journal, std::size_t bytes) {
  if (skip_part(screen)) return;
  // Text is not forgotten before it is drawn, but in a journal that has no room for its marks.
  pass(std::max(at_, journal.tail()));
  const auto most = parts_.size() == 1 ? bytes : std::min<std::size_t>(bytes, parts_[1].begin - at_);
  const auto slice = journal.read(at_, most);
  if (!feeder_) feeder_ = std::make_unique<ScreenFeeder>(screen);
  feeder_->feed(slice.bytes);
  pass(slice.end());
  if (at_ == journal.head()) drop();
}

/// It is drawn or skipped up to there.
void DeferredOutput::pass(Position to) {
  at_ = to;
  while (parts_.size() > 1 && parts_[1].begin <= at_) {
    lines_ -= parts_.front().lines;
    parts_.pop_front();
  }
}

void DeferredOutput::drop() {
  parts_.clear();
  sgr_.clear();
  lines_ = 0;
  feeder_.reset();
}

}  // namespace ptyd
