// Parking: a Screen that nobody needs is kept as bytes that recreate it.
#include <spdlog/spdlog.h>

#include <limits>
#include <utility>

#include "pty/screen/told/snapshot.hpp"
#include "server/session/recorder.hpp"
#include "server/session/screen_replay.hpp"
#include "server/session/store.hpp"

namespace ptyd {

namespace {

/// All of it, whatever it takes.
constexpr SnapshotRange kEverything{Screen::kMaxScrollback, std::numeric_limits<std::size_t>::max()};

}  // namespace

Recorder::Recorder(Journal journal, const Options& options, std::filesystem::path checkpoint, SaveFile save)
    : journal_(std::move(journal)), options_(options), checkpoint_file_(std::move(checkpoint)), save_(std::move(save)) {
  blank_ = journal_.head() == journal_.tail();
  screen_ = replayed();
  title_ = screen_->modes().title();
}

std::unique_ptr<Screen> Recorder::fresh(Size size) const {
  auto options = options_.screen;
  options.size = size;
  return std::make_unique<Screen>(options);
}

std::unique_ptr<Screen> Recorder::replayed() const {
  auto screen = fresh(options_.screen.size);
  replay_on(*screen, journal_);
  return screen;
}

void Recorder::park() {
  if (is_parked() || screen_->grid().keeps_below()) return;
  options_.screen.size = screen_->grid().size();
  const auto text = std::make_shared<const std::string>(vt_snapshot(*screen_, kEverything));
  parked_ = std::make_shared<Parked>(Parked{text, text->size()});
  screen_.reset();
  journal_.release_pages();
  // A disk that does not answer is given one at a time.
  if (checkpoint_file_.empty() || !being_saved_.expired()) return;
  being_saved_ = text;
  // Who tells of another that was parked since finds this one gone.
  save_(checkpoint_file_, text, [parked = std::weak_ptr(parked_)](bool saved) {
    if (const auto still = parked.lock(); still && saved) still->text.reset();
  });
}

Screen& Recorder::present() const {
  if (!screen_) {
    screen_ = unparked();
    parked_.reset();
  }
  return *screen_;
}

std::unique_ptr<Screen> Recorder::unparked() const {
  const auto text = parked_->text ? parked_->text : std::make_shared<const std::string>(Store::load(checkpoint_file_));
  if (text->size() != parked_->bytes) {
    spdlog::warn("a parked screen is shown again from the journal: its checkpoint is gone");
    return replayed();
  }
  auto screen = fresh(options_.screen.size);
  show_on(*screen, *text);
  return screen;
}

}  // namespace ptyd
