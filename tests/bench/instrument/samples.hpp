// Percentiles, and results as one line of JSON.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ptyd::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// Times, in microseconds.
class Samples {
 public:
  void add(double us) { sorted_ = {}, all_.push_back(us); }
  std::size_t size() const { return all_.size(); }
  /// The value that `share` (0 to 1) of them do not exceed; 0 for none.
  double at(double share) {
    if (all_.empty()) return 0;
    if (sorted_.empty()) {
      sorted_ = all_;
      std::sort(sorted_.begin(), sorted_.end());
    }
    const auto place = static_cast<std::size_t>(share * static_cast<double>(sorted_.size() - 1) + 0.5);
    return sorted_[std::min(place, sorted_.size() - 1)];
  }

 private:
  std::vector<double> all_, sorted_;
};

/// The fields of one result.
class Result {
 public:
  Result& put(std::string_view key, double value);
  /// `text` is a plain word.
  Result& put(std::string_view key, std::string_view text);
  /// p50, p99, the longest and how many.
  Result& put_latency(std::string_view prefix, Samples& samples);
  std::string json() const { return "{" + fields_ + "}"; }

 private:
  Result& put_raw(std::string_view key, std::string_view value);

  std::string fields_;
};

}  // namespace ptyd::bench
