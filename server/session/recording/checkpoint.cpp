#include "server/session/recording/checkpoint.hpp"

#include <spdlog/spdlog.h>

#include <string_view>

#include "server/session/recording/screen_replay.hpp"

namespace ptyd {

namespace {

std::size_t hash_of(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

}  // namespace

Checkpoint::Keeping Checkpoint::keep(const Screen& screen, TurnLimit limit) {
  using State = CheckpointWriter::State;
  if (screen.grid().keeps_below()) return Keeping::impossible;
  if (!writer_) writer_ = std::make_unique<CheckpointWriter>(screen, kMaxBytes);
  auto state = writer_->go_on(kRowsPerLook);
  while (state == State::unfinished && !limit.is_reached(TurnLimit::kBytesPerLook, 0))
    state = writer_->go_on(kRowsPerLook);
  if (state == State::unfinished) return Keeping::unfinished;
  const auto writer = std::move(writer_);
  if (state == State::too_long) return Keeping::impossible;
  const auto text = std::make_shared<const std::string>(writer->take_text());
  const auto& grid = screen.grid();
  kept_ =
      std::make_shared<Kept>(Kept{text, text->size(), hash_of(*text), false, grid.first_line(), grid.uncleared_line()});
  save();
  return Keeping::done;
}

void Checkpoint::save() {
  // A disk that does not answer is given one at a time.
  if (!has_file() || !being_saved_.expired()) return;
  const auto text = kept_->text;
  being_saved_ = text;
  saved_bytes_ = text->size();
  may_be_in_file_ = true;
  save_(file_, text, [saves = std::weak_ptr(kept_)](bool saved) {
    const auto still = saves.lock();
    if (!still || !saved) return;
    still->in_file = true;
    still->text.reset();
  });
}

void Checkpoint::load(const LoadFile& load, std::function<void()> done) {
  if (!is_on_disk()) return done();
  load(file_, [wanted = std::weak_ptr(kept_), done = std::move(done)](std::string text) {
    if (const auto still = wanted.lock()) still->on_loaded(std::move(text));
    done();
  });
}

void Checkpoint::Kept::on_loaded(std::string loaded) {
  if (loaded.size() == bytes && hash_of(loaded) == hash)
    text = std::make_shared<const std::string>(std::move(loaded));
  else
    in_file = false;
}

bool Checkpoint::restore(Screen& fresh) {
  if (!kept_ || !kept_->text) return false;
  show_on(fresh, *std::exchange(kept_->text, nullptr));
  fresh.renumber_lines(kept_->first_line, kept_->uncleared_line);
  return true;
}

void Checkpoint::delete_file() {
  if (!has_file() || !std::exchange(may_be_in_file_, false)) return;
  save_(file_, nullptr, [](bool deleted) {
    if (!deleted)
      spdlog::warn("the file of a parked screen that was cleared is not deleted yet, or until the next start");
  });
}

}  // namespace ptyd
