// NetCounters: numbers about connections for /metrics.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "server/net/access/refusal.hpp"

namespace ptyd {

/// A number that one loop writes and any may read.
class Counter {
 public:
  void add(std::uint64_t count = 1) { value_.store(get() + count, std::memory_order_relaxed); }
  void subtract(std::uint64_t count = 1) { value_.store(get() - count, std::memory_order_relaxed); }
  std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

/// Of one loop; on cache lines of its own.
struct alignas(64) NetCounters {
  Counter accepted;          ///< connections ever
  Counter requests;          ///< plain HTTP, answered
  Counter refused;           ///< of these: 401, 403, 421, 429
  Counter failures;          ///< wrong credentials
  Counter handshakes;        ///< open, not (yet) WebSockets
  Counter carried_out;       ///< of these, with a token and at work on what it may ask
  Counter connections;       ///< WebSockets, open
  Counter view_connections;  ///< of these, with a token that may only view
  Counter upgrades;          ///< WebSockets ever
  Counter paused;            ///< connections, not read now: too much waits for the peer, or it took too much time
  Counter pauses;            ///< times that this began
  std::array<Counter, kRefusals.size()> refusals;  ///< ever, by Refusal
  Counter frames_in, frames_out;

  void count(Refusal why) { refusals[static_cast<std::size_t>(why)].add(); }
  Counter bytes_in, bytes_out;  ///< of messages, without framing
};

/// NetCounters of all loops, added up.
struct NetMetrics {
  std::uint64_t accepted = 0, requests = 0, refused = 0, failures = 0, handshakes = 0, connections = 0, upgrades = 0;
  std::uint64_t view_connections = 0, carried_out = 0, paused = 0, pauses = 0;
  std::array<std::uint64_t, kRefusals.size()> refusals{};
  std::uint64_t frames_in = 0, frames_out = 0, bytes_in = 0, bytes_out = 0;

  NetMetrics& operator+=(const NetCounters& of);
};

inline NetMetrics& NetMetrics::operator+=(const NetCounters& of) {
  accepted += of.accepted.get();
  requests += of.requests.get();
  refused += of.refused.get();
  failures += of.failures.get();
  handshakes += of.handshakes.get();
  carried_out += of.carried_out.get();
  connections += of.connections.get();
  view_connections += of.view_connections.get();
  upgrades += of.upgrades.get();
  paused += of.paused.get();
  pauses += of.pauses.get();
  for (std::size_t i = 0; i < refusals.size(); i++) refusals[i] += of.refusals[i].get();
  frames_in += of.frames_in.get();
  frames_out += of.frames_out.get();
  bytes_in += of.bytes_in.get();
  bytes_out += of.bytes_out.get();
  return *this;
}

}  // namespace ptyd
