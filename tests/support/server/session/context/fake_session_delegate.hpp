// FakeSessionDelegate: the rest of the server, as the sessions of one loop see it, that remembers what it was told.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/session/context/session_delegate.hpp"

namespace ptyd {

class FakeSessionDelegate final : public SessionDelegate {
 public:
  void broadcast(const std::shared_ptr<const EncodedEvent>& encoded) override {
    broadcasts.push_back(encoded->text.json);
  }
  void on_ended(const SessionKey& key, LaunchNumber launch, Remains) override { ended.emplace_back(key, launch); }
  void ask_again(const Caller& caller, const Request& request) override { asked_again.emplace_back(caller, request); }
  void on_failed(const SessionKey& key, const std::string& what) override { failed.emplace_back(key, what); }
  void on_released(const SessionKey& key) override { released.push_back(key); }
  void when_gone(const std::shared_ptr<Viewer>& viewer,
                 const std::shared_ptr<const DisconnectCallbacks::Callback>& told) override {
    disconnect_callbacks.await(viewer, told);
  }
  SubscriptionId next_subscription() override { return ++subscriptions; }
  LaunchNumber next_launch() override { return ++launches; }
  const std::shared_ptr<CellBudget>& cells() override { return all_cells; }

  std::vector<std::string> broadcasts;  ///< events as clients are sent them
  std::vector<std::pair<SessionKey, LaunchNumber>> ended;
  std::vector<std::pair<Caller, Request>> asked_again;
  std::vector<std::pair<SessionKey, std::string>> failed;  ///< and why
  std::vector<SessionKey> released;
  DisconnectCallbacks disconnect_callbacks;  ///< of all viewers
  SubscriptionId subscriptions = 0;          ///< how many were named
  LaunchNumber launches = 0;                 ///< and of these
  std::shared_ptr<CellBudget> all_cells = std::make_shared<CellBudget>(std::numeric_limits<std::size_t>::max());
};

}  // namespace ptyd
