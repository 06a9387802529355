// Pings: which pings one connection sends, and which pongs it waits for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>

namespace ptyd {

/// One ping is written at a time. Of the numbers that are asked for meanwhile only the last is sent, before a
/// keep-alive. A pong answers all numbers up to its own: a client may answer the last of several only. The caller
/// bounds the pings in flight. A keep-alive is answered once, however many have been sent since its last pong.
class Pings {
 public:
  /// Payload of a ping that only keeps the connection alive; a Peer's carry numbers.
  static constexpr std::string_view kKeepAlive = "alive";

  /// Pings of the peer per second, and pongs without a ping; a browser sends none, a careful client one in 20 s.
  static constexpr std::size_t kMostOfPeer = 100;
  static constexpr std::string_view kTooMany = "more than 100 pings a second";
  static_assert(kMostOfPeer == 100);

  void ask(std::uint64_t number) { number_ = number; }
  void keep_alive(bool is_due) { keep_alive_is_due_ = is_due; }
  /// Payload of the next ping; nothing: none is due. Its pong is waited for from now on.
  std::optional<std::string> next();

  struct Pong {
    bool is_expected = false;
    std::optional<std::uint64_t> number;  ///< of the ping that it answers
  };
  /// A pong came.
  Pong take(std::string_view payload);

 private:
  std::optional<std::uint64_t> number_;  // to be sent
  std::list<std::uint64_t> awaited_;     // in the order in which they were sent
  bool keep_alive_is_due_ = false, keep_alive_is_awaited_ = false;
};

}  // namespace ptyd
