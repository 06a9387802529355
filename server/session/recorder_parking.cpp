// Parking: a Screen that nobody needs is kept as bytes that recreate it.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

#include "server/session/recorder.hpp"
#include "server/session/screen_replay.hpp"

namespace ptyd {

Recorder::Recorder(Journal journal, const Options& options, Checkpoint checkpoint)
    : journal_(std::move(journal)), options_(options), checkpoint_(std::move(checkpoint)) {
  screen_ = fresh(options_.screen.size);
  replay_on(*screen_, journal_, [this](Position shown) { tally_.note(shown, screen_->grid().scrolled_out()); });
  take_up_inbox();
  blank_ = journal_.head() == journal_.tail();
  title_ = screen_->modes().title();
}

std::unique_ptr<Screen> Recorder::fresh(Size size) const {
  auto options = options_.screen;
  options.size = size;
  return std::make_unique<Screen>(options);
}

void Recorder::park() {
  if (!may_park()) return;
  cannot_park_ = !checkpoint_.holds() && !checkpoint_.keep(*screen_);
  if (cannot_park_) return;
  options_.screen.size = screen_->grid().size();
  screen_.reset();
  journal_.release_pages();
}

std::chrono::milliseconds Recorder::park_after() const {
  if (!checkpoint_.has_file() || checkpoint_.holds()) return kQuiet;
  // What the journal holds says as well as anything how large a Screen is that was never saved.
  const auto bytes = std::max<std::uint64_t>(checkpoint_.saved_bytes(), journal_.head() - journal_.tail());
  return std::max(kQuiet, std::chrono::milliseconds(bytes * 1000 / kSaveRate));
}

void Recorder::bring_back(const Checkpoint::LoadFile& load, std::function<void()> done) {
  if (!is_away()) return done();
  checkpoint_.load(load, std::move(done));
}

Screen& Recorder::present() {
  auto& screen = restored();
  checkpoint_.forget();
  cannot_park_ = false;
  return screen;
}

Screen& Recorder::restored() const {
  if (screen_) return *screen_;
  assert(!is_away() && "to be brought back before");
  screen_ = fresh(options_.screen.size);
  if (!checkpoint_.take_back(*screen_)) {
    spdlog::warn("a parked screen is shown again from the journal: its checkpoint is gone");
    replay_on(*screen_, journal_);
  }
  tally_.go_on_from(screen_->grid().scrolled_out());
  return *screen_;
}

}  // namespace ptyd
