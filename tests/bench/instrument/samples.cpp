#include "tests/bench/instrument/samples.hpp"

#include <fmt/format.h>

namespace ptyd::bench {

Result& Result::put(std::string_view key, double value) {
  return put_raw(key, fmt::format("{:.3f}", value));
}

Result& Result::put(std::string_view key, std::string_view text) {
  return put_raw(key, fmt::format("\"{}\"", text));
}

Result& Result::put_latency(std::string_view prefix, Samples& samples) {
  const auto name = [prefix](std::string_view field) { return std::string(prefix).append(field); };
  put(name("p50_us"), samples.at(.50)).put(name("p99_us"), samples.at(.99)).put(name("max_us"), samples.at(1));
  return put(name("n"), static_cast<double>(samples.size()));
}

Result& Result::put_raw(std::string_view key, std::string_view value) {
  fields_ += fmt::format("{}\"{}\":{}", fields_.empty() ? "" : ",", key, value);
  return *this;
}

}  // namespace ptyd::bench
