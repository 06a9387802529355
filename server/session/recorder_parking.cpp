// Parking: a Screen that nobody needs is kept as bytes that recreate it.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

#include "pty/screen/told/snapshot.hpp"
#include "server/session/recorder.hpp"
#include "server/session/screen_replay.hpp"

namespace ptyd {

namespace {

/// Bytes of a checkpoint. The usual scrollback takes less than one megabyte; what takes more than eight costs about as
/// much memory parked, and its making and writing would hold up the loop.
constexpr std::size_t kMaxCheckpoint = 8 << 20;

std::size_t hash_of(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

}  // namespace

Recorder::Recorder(Journal journal, const Options& options, std::filesystem::path checkpoint, SaveFile save)
    : journal_(std::move(journal)), options_(options), checkpoint_file_(std::move(checkpoint)), save_(std::move(save)) {
  blank_ = journal_.head() == journal_.tail();
  screen_ = fresh(options_.screen.size);
  replay_on(*screen_, journal_, [this](Position shown) { tally_.note(shown, screen_->grid().scrolled_out()); });
  title_ = screen_->modes().title();
}

std::unique_ptr<Screen> Recorder::fresh(Size size) const {
  auto options = options_.screen;
  options.size = size;
  return std::make_unique<Screen>(options);
}

void Recorder::keep_above(std::size_t lines, std::size_t cells) {
  options_.screen.scrollback = lines;
  options_.screen.scrollback_cells = cells;
  screen_ = fresh(restored().grid().size());
}

void Recorder::park() {
  if (!may_park()) return;
  cannot_park_ = !has_checkpoint() && !make_checkpoint();
  if (cannot_park_) return;
  options_.screen.size = screen_->grid().size();
  screen_.reset();
  journal_.release_pages();
}

/// False when no bytes can recreate the Screen, or too many would have to.
bool Recorder::make_checkpoint() {
  auto checkpoint = screen_->grid().keeps_below() ? std::nullopt : vt_checkpoint(*screen_, kMaxCheckpoint);
  if (!checkpoint) return false;
  const auto text = std::make_shared<const std::string>(std::move(*checkpoint));
  checkpoint_ = std::make_shared<Checkpoint>(Checkpoint{text, text->size(), hash_of(*text), false});
  save_checkpoint();
  return true;
}

void Recorder::save_checkpoint() {
  // A disk that does not answer is given one at a time.
  if (checkpoint_file_.empty() || !being_saved_.expired()) return;
  const auto text = checkpoint_->text;
  being_saved_ = text;
  saved_bytes_ = text->size();
  may_be_in_file_ = true;
  // Who tells of another than what is wanted by now finds this one gone.
  save_(checkpoint_file_, text, [saves = std::weak_ptr(checkpoint_)](bool saved) {
    const auto still = saves.lock();
    if (!still || !saved) return;
    still->in_file = true;
    still->text.reset();
  });
}

std::chrono::milliseconds Recorder::park_after() const {
  if (checkpoint_file_.empty() || has_checkpoint()) return kQuiet;
  // What the journal holds says as well as anything how large a Screen is that was never saved.
  const auto bytes = std::max<std::uint64_t>(saved_bytes_, journal_.head() - journal_.tail());
  return std::max(kQuiet, std::chrono::milliseconds(bytes * 1000 / kSaveRate));
}

void Recorder::bring_back(const LoadFile& load, std::function<void()> done) {
  if (!is_away()) return done();
  // Gone where nobody wants it any more, or this recorder is.
  load(checkpoint_file_, [this, wanted = std::weak_ptr(checkpoint_), done = std::move(done)](std::string text) {
    if (const auto still = wanted.lock()) take_back(std::move(text));
    done();
  });
}

void Recorder::take_back(std::string text) {
  if (text.size() == checkpoint_->bytes && hash_of(text) == checkpoint_->hash)
    checkpoint_->text = std::make_shared<const std::string>(std::move(text));
  else
    checkpoint_.reset();
}

Screen& Recorder::present() {
  auto& screen = restored();
  if (checkpoint_) checkpoint_.reset();
  cannot_park_ = false;
  return screen;
}

Screen& Recorder::restored() const {
  if (screen_) return *screen_;
  assert(!is_away() && "to be brought back before");
  screen_ = fresh(options_.screen.size);
  if (checkpoint_ && checkpoint_->text) {
    show_on(*screen_, *checkpoint_->text);
    checkpoint_->text.reset();
  } else {
    spdlog::warn("a parked screen is shown again from the journal: its checkpoint is gone");
    checkpoint_.reset();
    replay_on(*screen_, journal_);
  }
  tally_.go_on_from(screen_->grid().scrolled_out());
  return *screen_;
}

}  // namespace ptyd
