// FakePublisher: a session that remembers what its viewers' handles told it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "server/session/delivery/viewer.hpp"

namespace ptyd {

class FakePublisher final : public Publisher {
 public:
  void on_taken(SubscriptionId id) override { heard.push_back("taken " + std::to_string(id)); }
  void on_passed_over(SubscriptionId id, std::size_t bytes) override { note("passed over", id, bytes); }
  void on_returned(SubscriptionId id, std::size_t bytes) override { note("returned", id, bytes); }
  void on_reply_arrived(SubscriptionId id) override { heard.push_back("reply arrived " + std::to_string(id)); }
  void on_cancelled(SubscriptionId id) override { heard.push_back("cancelled " + std::to_string(id)); }

  std::vector<std::string> take() { return std::exchange(heard, {}); }

  std::vector<std::string> heard;  ///< as "returned 1: 200", for the subscription 1 and 200 bytes

 private:
  void note(const std::string& what, SubscriptionId id, std::size_t bytes) {
    heard.push_back(what + " " + std::to_string(id) + ": " + std::to_string(bytes));
  }
};

}  // namespace ptyd
