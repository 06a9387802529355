// HttpRequest: a request of plain HTTP, as its handlers see it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "server/loop/clock.hpp"
#include "server/net/access/request_facts.hpp"
#include "server/net/socket/peer_address.hpp"

namespace ptyd {

struct HttpRequest {
  RequestFacts facts;
  std::string path;  ///< below the base path, still percent-encoded
  std::string body;
  /// The value of a header that the facts do not have, "" for one that is absent.
  std::function<std::string(std::string_view name)> header;
  PeerAddress peer;
  /// To be called by handlers after work on long texts, with the time at which that work began.
  std::function<void(TimePoint begun)> worked;
};

}  // namespace ptyd
