#include "server/session/parking.hpp"

#include <string>
#include <utility>
#include <variant>

namespace ptyd {

std::size_t lines_shown(const Command& command) {
  constexpr std::uint32_t kMost = limits::kMaxHistoryLines;
  if (const auto* asked = std::get_if<TakeSnapshot>(&command))
    return asked->format == SnapshotFormat::lines ? kMost : asked->scrollback.value_or(kMost);
  const auto* asked = std::get_if<Open>(&command);
  const bool shows_rows = asked && asked->history_format != HistoryFormat::raw;
  return !shows_rows ? 0 : asked->from_line ? kMost : asked->scrollback.value_or(kMost);
}

Parking::Parking(SessionContext& context, Recorder& recorder, Checkpoint::LoadFile load, Then then)
    : context_(context),
      recorder_(recorder),
      load_(std::move(load)),
      then_(std::move(then)),
      used_at_(context.loop().clock().now()) {}

void Parking::on_use() {
  used_at_ = context_.loop().clock().now();
  context_.expect_rest();
}

Parking::Rest Parking::rest(bool in_use) {
  const auto& clock = context_.loop().clock();
  const auto quiet = clock.now() - used_at_;
  if (recorder_.is_behind() && quiet >= kQuietBeforeDrawn) {
    recorder_.draw_deferred({clock, kTurn});
    return Rest::drawn;
  }
  if (!recorder_.may_park()) return Rest::settled;
  if (in_use || under_way_ || quiet < recorder_.park_after()) return Rest::later;
  if (!recorder_.park({clock, kTurn})) return Rest::unfinished;
  return recorder_.is_parked() ? Rest::parked : Rest::settled;
}

void Parking::wait(Waiting next) {
  if (waiting_.size() >= kMaxWaiting) {
    next.caller.reply(Error(Errc::busy, "The screen of this terminal is still being read, and " +
                                            std::to_string(waiting_.size()) + " requests wait for it already"));
    return next.finished();
  }
  waiting_.push_back(std::move(next));
  bring_back();
}

void Parking::wait_for_lines(Waiting next) {
  waiting_.push_front(std::move(next));
  bring_back();
}

void Parking::bring_back() {
  if (std::exchange(under_way_, true)) return;
  on_use();
  recorder_.bring_back(load_, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->queue(&Parking::redraw);
  });
}

void Parking::redraw() {
  if (!then_.redraw(waiting_.empty() ? 0 : lines_shown(waiting_.front().request.command())))
    return queue(&Parking::redraw);
  on_use();
  then_.go_on();
  queue(&Parking::turn);
}

/// Nothing is done any more when the session has gone meanwhile.
template <class Work>
void Parking::queue(Work work) {
  context_.queue([weak = weak_from_this(), work] {
    if (const auto self = weak.lock()) std::invoke(work, *self);
  });
}

void Parking::turn() {
  if (!waiting_.empty()) {
    auto next = std::move(waiting_.front());
    waiting_.pop_front();
    then_.carry_out(std::move(next));
  }
  under_way_ = !waiting_.empty();
  if (under_way_) queue(&Parking::redraw);
}

void Parking::end(const Error& error) {
  for (const auto& each : std::exchange(waiting_, {})) {
    each.caller.reply(error);
    each.finished();
  }
}

}  // namespace ptyd
