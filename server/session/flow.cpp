#include "server/session/flow.hpp"

namespace ptyd {

void Credit::on_sent(std::size_t bytes, TimePoint now) {
  // A pause in which nothing was on its way says nothing about the line.
  if (in_flight_ == 0 && now - last_returned_ >= flow::kRatePeriod) {
    measured_since_ = now;
    measured_ = 0;
  }
  in_flight_ += bytes;
  if (in_flight_ < window_) return;
  limited_ = true;
  if (!starved_since_) starved_since_ = now;
}

void Credit::on_returned(std::size_t bytes, TimePoint now) {
  bytes = std::min(bytes, in_flight_);
  in_flight_ -= bytes;
  last_returned_ = now;
  measure(bytes, now);
  if (room() > 0) starved_since_.reset();
}

void Credit::start_afresh() {
  in_flight_ = measured_ = 0;
  limited_ = false;
  starved_since_.reset();
}

void Credit::measure(std::size_t bytes, TimePoint now) {
  measured_ += bytes;
  const auto elapsed = now - measured_since_;
  if (elapsed < flow::kRatePeriod) return;
  // A rate is only known where the line, not the program, was the limit.
  if (limited_) {
    const double seconds = std::chrono::duration<double>(elapsed).count();
    const double worth =
        static_cast<double>(measured_) / seconds * std::chrono::duration<double>(flow::kWindowTime).count();
    window_ = static_cast<std::size_t>(
        std::clamp(worth, static_cast<double>(flow::kMinWindow), static_cast<double>(flow::kMaxWindow)));
  }
  limited_ = in_flight_ >= window_;
  measured_ = 0;
  measured_since_ = now;
}

void Unproved::on_sent(Position from, std::size_t bytes) {
  if (frames_.size() < kMost) {
    frames_.push_back({from, bytes});
  } else {
    frames_.back().bytes += bytes;
  }
}

void Unproved::on_returned(std::size_t bytes) {
  while (!frames_.empty() && frames_.front().bytes <= bytes) {
    bytes -= frames_.front().bytes;
    frames_.pop_front();
  }
  if (!frames_.empty()) frames_.front().bytes -= bytes;
}

std::optional<Position> Unproved::oldest() const {
  if (frames_.empty()) return std::nullopt;
  return frames_.front().from;
}

bool Pace::may_read(Position head, std::optional<Position> fastest, TimePoint now) {
  if (!fastest || head < *fastest + flow::kLead) {
    held_since_.reset();
    return true;
  }
  if (head < granted_) return true;
  if (!held_since_) held_since_ = now;
  if (now - *held_since_ < flow::kPatience) return false;
  granted_ = head + flow::kLead;
  held_since_.reset();
  return true;
}

}  // namespace ptyd
