// Parking: keeps a Screen that is not needed as bytes that recreate it.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <optional>
#include <utility>

#include "protocol/messages.hpp"
#include "server/session/recording/recorder.hpp"
#include "server/session/recording/screen_replay.hpp"

namespace ptyd {

namespace {

/// A damaged file may tell a size that no terminal has.
Size size_to_begin_with(const Journal& journal, Size otherwise) {
  const auto told = journal.size_at_tail();
  return told && told->cols <= limits::kMaxCols && told->rows <= limits::kMaxRows ? *told : otherwise;
}

}  // namespace

/// The Screen in the making.
struct Recorder::Redraw {
  Redraw(std::unique_ptr<Screen> fresh, const Journal& journal) : screen(std::move(fresh)), replay(*screen, journal) {}

  std::unique_ptr<Screen> screen;
  Replay replay;
};

Recorder::Recorder(Journal journal, const Options& options, Checkpoint checkpoint)
    : journal_(std::move(journal)), options_(options), checkpoint_(std::move(checkpoint)) {
  blank_ = journal_.head() == journal_.tail() && journal_.inbox().empty();
  if (!blank_) return;
  is_first_ = false;
  screen_ = fresh(options_.screen.size);
}

Recorder::~Recorder() {
  close();
}

std::unique_ptr<Screen> Recorder::fresh(Size size) const {
  auto options = options_.screen;
  options.size = size;
  return std::make_unique<Screen>(options);
}

bool Recorder::park(TurnLimit limit) {
  if (!may_park()) return true;
  draw_deferred({});
  take_size();
  const auto keeping = checkpoint_.holds() ? Checkpoint::Keeping::done : checkpoint_.keep(*screen_, limit);
  cannot_park_ = keeping == Checkpoint::Keeping::impossible;
  if (keeping != Checkpoint::Keeping::done) return cannot_park_;
  options_.screen.size = screen_->grid().size();
  screen_.reset();
  journal_.release_pages();
  return true;
}

std::chrono::milliseconds Recorder::park_after() const {
  if (!checkpoint_.has_file() || checkpoint_.holds()) return kQuiet;
  // The journal's size says as well as anything how large a Screen is that was never saved.
  const auto bytes = std::max<std::uint64_t>(checkpoint_.saved_bytes(), journal_.head() - journal_.tail());
  return std::max(kQuiet, std::chrono::milliseconds(bytes * 1000 / kSaveRate));
}

void Recorder::bring_back(const Checkpoint::LoadFile& load, std::function<void()> done) {
  if (!is_away()) return done();
  checkpoint_.load(load, std::move(done));
}

bool Recorder::lay_out(std::size_t lines) const {
  if (cells_to_lay_out(lines) > 0) screen().grid().lay_out(lines, kLaidOutAtOnce);
  return cells_to_lay_out(lines) == 0;
}

bool Recorder::redraw(TurnLimit limit) {
  if (is_away() && !takes_up_inbox_ && !draw_from_journal(limit)) return false;
  if (takes_up_inbox_) take_up_inbox(limit);
  return !takes_up_inbox_;
}

/// False: time is up.
bool Recorder::draw_from_journal(TurnLimit limit) {
  if (!redraw_) redraw_ = std::make_unique<Redraw>(fresh(size_to_begin_with(journal_, options_.screen.size)), journal_);
  const auto note = [this](Position shown) {
    if (is_first_) scrollback_counter_.note(shown, redraw_->screen->grid().scrolled_out());
  };
  if (!redraw_->replay.go_on(limit, note)) return false;
  screen_ = std::move(redraw_->screen);
  redraw_.reset();
  if (std::exchange(is_first_, false)) {
    title_ = screen_->modes().title();
    takes_up_inbox_ = !journal_.inbox().empty();
  } else {
    spdlog::warn("a parked screen is shown again from the journal: its checkpoint is gone");
    resize(options_.screen.size);  // no mark tells of a launch that failed
    take_size();
    scrollback_counter_.go_on_from(screen_->grid().scrolled_out());
  }
  return true;
}

void Recorder::start_over() {
  const Size size = size_.value_or(is_parked() ? options_.screen.size : screen_->grid().size());
  size_.reset();
  is_first_ = takes_up_inbox_ = false;
  redraw_.reset();
  deferred_.drop();
  drop_unfinished();
  forget();
  checkpoint_.forget();
  cannot_park_ = false;
  screen_ = fresh(size);
  scrollback_counter_.go_on_from(screen_->grid().scrolled_out());
  title_.clear();
}

Screen& Recorder::present() {
  auto& screen = restored();
  checkpoint_.forget();
  cannot_park_ = false;
  return screen;
}

Screen& Recorder::restored() const {
  if (!screen_) {
    assert(!is_away() && "to be brought back before");
    screen_ = fresh(options_.screen.size);
    checkpoint_.restore(*screen_);
    scrollback_counter_.go_on_from(screen_->grid().scrolled_out());
  }
  draw_deferred({});
  take_size();
  return *screen_;
}

void Recorder::take_size() const {
  const auto size = std::exchange(size_, std::nullopt);
  if (!size || *size == screen_->grid().size()) return;
  screen_->resize(*size);
  checkpoint_.forget();
}

}  // namespace ptyd
