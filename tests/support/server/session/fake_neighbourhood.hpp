// FakeNeighbourhood: the rest of the server, as the sessions of one loop see it, that remembers what it was told.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/session/neighbourhood.hpp"

namespace ptyd {

class FakeNeighbourhood final : public Neighbourhood {
 public:
  void broadcast(const std::shared_ptr<const Publication>& publication) override {
    news.push_back(publication->text.json);
  }
  void on_ended(const SessionKey& key) override { ended.push_back(key); }
  void on_failed(const SessionKey& key, const std::string& what) override { failed.emplace_back(key, what); }
  SubscriptionId next_subscription() override { return ++subscriptions; }

  std::vector<std::string> news;  ///< events as clients are sent them
  std::vector<SessionKey> ended;
  std::vector<std::pair<SessionKey, std::string>> failed;  ///< and why
  SubscriptionId subscriptions = 0;                        ///< how many were named
};

}  // namespace ptyd
