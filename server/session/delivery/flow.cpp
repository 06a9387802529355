#include "server/session/delivery/flow.hpp"

#include <utility>

namespace ptyd {

namespace {

/// Credit left over is not worth a frame until it is this part of the window, or enough for all there is.
constexpr std::size_t kWorthwhile = 8;
/// Frames are cut between characters: the longest ones are by so much shorter.
constexpr std::size_t kCutOff = 3;
/// Divisor of the acked bytes by which a window grows once its link is known: it need not be found again from nothing.
constexpr std::size_t kGrowthOfKnown = 4;

double seconds_of(TimePoint::duration time) {
  return std::chrono::duration<double>(time).count();
}

std::size_t bounded(double bytes, std::size_t least, std::size_t most) {
  return static_cast<std::size_t>(std::clamp(bytes, static_cast<double>(least), static_cast<double>(most)));
}

}  // namespace

bool Credit::is_worth_a_frame(std::size_t room) const {
  return room >= window_ / kWorthwhile;
}

std::size_t Credit::room_for(std::size_t waiting) const {
  const auto most = std::min(waiting, longest_frame());
  return is_worth_a_frame(room()) ? std::min(most, room()) : room() >= most ? most : 0;
}

/// The shortest ack time includes the time of the frame itself: no shorter frame is acked by itself.
double Credit::carried_in(Duration round_trips) const {
  return rate_ * seconds_of(round_trips) - static_cast<double>(flow::kMinWindow / 2);
}

/// Bytes in the link's queue, beyond those in transit.
std::size_t Credit::queued() const {
  return in_flight_ - bounded(carried_in(round_trip_.value_or(Duration{})), 0, in_flight_);
}

bool Credit::is_overrun_by(std::size_t waiting) const {
  if (waiting > flow::kBudget) return true;
  if (!is_known_ || probe_since_) return false;
  if (rate_ >= static_cast<double>(flow::kPaceRate) && waiting <= flow::kPaceBudget) return false;
  return waiting + queued() > bounded(rate_ * seconds_of(flow::kBudgetTime), flow::kMinBudget, flow::kBudget);
}

std::size_t Credit::worth_of_skipped() const {
  return bounded(rate_ * seconds_of(flow::kSkippedTime), flow::kMinSkipped, flow::kMaxSkipped);
}

void Credit::begin_stretch(TimePoint now) {
  measured_ = 0;
  measured_since_ = now;
  shortest_.reset();
}

void Credit::on_sent(std::size_t bytes, TimePoint now) {
  // A pause with nothing in flight says nothing about the link.
  if (in_flight_ == 0 && now - last_returned_ >= flow::kRatePeriod) begin_stretch(now);
  in_flight_ += bytes;
  const bool starves = !is_worth_a_frame(room());
  if (starves && !starved_since_) starved_since_ = now;
  if (limited_ || !(starves || bytes + kCutOff >= longest_frame())) return;
  limited_ = true;
  begin_stretch(now);
}

void Credit::take_back(std::size_t bytes) {
  in_flight_ -= std::min(bytes, in_flight_);
  if (is_worth_a_frame(room())) starved_since_.reset();
}

void Credit::on_returned(std::size_t bytes, std::optional<TimePoint> sent, TimePoint now) {
  bytes = std::min(bytes, in_flight_);
  in_flight_ -= bytes;
  last_returned_ = now;
  measured_ += bytes;
  const bool is_first = !round_trip_;
  if (sent) on_acked(now - *sent, *sent, now);
  // The time of the first ack says nothing by itself.
  if (sent && !is_first && !is_link_busy(now - *sent)) grow(bytes);
  measure(now);
  if (is_worth_a_frame(room())) starved_since_.reset();
}

void Credit::reset() {
  in_flight_ = measured_ = 0;
  limited_ = false;
  starved_since_.reset();
  shortest_.reset();
}

void Credit::on_acked(Duration taken, TimePoint sent, TimePoint now) {
  shortest_ = std::min(shortest_.value_or(taken), taken);
  const bool is_probed = probe_since_ && sent >= *probe_since_;
  if (!round_trip_ || taken < *round_trip_) round_trip_ = taken;
  if (is_probed && seconds_of(taken - *round_trip_) > static_cast<double>(flow::kMinWindow) / rate_)
    round_trip_ = taken;
  if (is_probed || taken <= *round_trip_ + flow::kBusyTime / 2) round_trip_seen_ = now;
  if (!is_probed) return;
  probe_since_.reset();
  trusted_ = rate_;
  fit_window();
  begin_stretch(now);
}

/// The window is the limit: everything in flight was acked within an RTT.
void Credit::grow(std::size_t bytes) {
  if (!limited_ || probe_since_) return;
  window_ = std::min(window_ + (is_known_ ? bytes / kGrowthOfKnown : bytes), flow::kMaxWindow);
}

void Credit::measure(TimePoint now) {
  const auto elapsed = now - measured_since_;
  if (!limited_ || !shortest_ || probe_since_) return;
  if (elapsed < (is_known_ ? std::max<Duration>(flow::kRatePeriod, *round_trip_) : flow::kRatePeriod)) return;
  const double rate = static_cast<double>(measured_) / seconds_of(elapsed);
  if (!is_link_busy(*shortest_)) {
    rate_ = std::max(rate_, rate);
    trusted_ = std::max(trusted_, rate_);
  } else {
    slow_down(rate, now);
  }
  limited_ = false;
  begin_stretch(now);
}

/// Acks take long: the link is the limit, or the path has become longer.
void Credit::slow_down(double rate, TimePoint now) {
  // One measurement while the client was busy otherwise says nothing about the link.
  if (!is_known_ && rate < rate_ / 2 && !std::exchange(is_doubted_, true)) return probe(now);
  const double lower = (rate_ + rate) / 2;
  if (lower < trusted_ / 2 && is_known_) return probe(now);
  if (now - round_trip_seen_ >= flow::kRoundTripAge) return probe(now);
  rate_ = lower;
  is_known_ = true;
  trusted_ = std::max(trusted_, rate_);
  fit_window();
}

void Credit::probe(TimePoint now) {
  probe_since_ = now;
  window_ = flow::kMinWindow;
}

void Credit::fit_window() {
  window_ = bounded(carried_in(*round_trip_ + flow::kQueueTime), flow::kMinWindow, flow::kMaxWindow);
}

void InFlight::on_sent(Position from, std::size_t bytes, TimePoint now) {
  if (frames_.size() < kMost) {
    frames_.push_back({from, bytes, now});
  } else {
    frames_.back().bytes += bytes;
    frames_.back().sent = now;
  }
}

std::optional<TimePoint> InFlight::on_returned(std::size_t bytes) {
  std::optional<TimePoint> sent;
  while (!frames_.empty() && frames_.front().bytes <= bytes) {
    bytes -= frames_.front().bytes;
    sent = frames_.front().sent;
    frames_.pop_front();
  }
  if (!frames_.empty()) frames_.front().bytes -= bytes;
  return sent;
}

void InFlight::take_back(std::size_t bytes) {
  while (!frames_.empty() && frames_.back().bytes <= bytes) {
    bytes -= frames_.back().bytes;
    frames_.pop_back();
  }
  if (!frames_.empty()) frames_.back().bytes -= bytes;
}

std::optional<Position> InFlight::oldest() const {
  if (frames_.empty()) return std::nullopt;
  return frames_.front().from;
}

void Pacer::count_down(Position head) {
  const auto read = std::min<Position>(head - std::min(head, read_to_), flow::kLead);
  const TimePoint::duration patience = flow::kPatience;
  waited_ -= std::min(waited_, patience * static_cast<TimePoint::rep>(read) / static_cast<TimePoint::rep>(flow::kLead));
  read_to_ = head;
}

bool Pacer::may_read(Position head, std::optional<Leader> fastest, TimePoint now) {
  count_down(head);
  if (held_since_)
    waited_ = std::min<TimePoint::duration>(waited_ + (now - *held_since_) / patience_with_, flow::kPatience);
  held_since_.reset();
  if (!fastest || head < fastest->cursor + flow::kLead || head < granted_) return true;
  patience_with_ = fastest->is_known ? 1 : flow::kPatienceWithNew;
  if (waited_ >= flow::kPatience) {
    granted_ = head + flow::kLead;
    return true;
  }
  held_since_ = now;
  return false;
}

TimePoint Pacer::retry_at() const {
  return held_since_.value_or(TimePoint{}) + (flow::kPatience - waited_) * patience_with_;
}

}  // namespace ptyd
