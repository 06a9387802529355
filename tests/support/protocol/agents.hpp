// How tests of agents' languages talk: requests as text, a dialect whose names can be foreseen.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/errors.hpp"
#include "protocol/language/dialect.hpp"
#include "tests/support/protocol/speaking.hpp"

namespace ptyd {

/// `{"jsonrpc":"2.0","id":id,"method":method,"params":params}`; id and params are JSON text.
inline std::string rpc_request(std::string_view id, std::string_view method, std::string_view params) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) + R"(","params":)" +
         std::string(params) + "}";
}

inline std::string rpc_notification(std::string_view method, std::string_view params) {
  return R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"(","params":)" + std::string(params) + "}";
}

inline std::string rpc_result(std::string_view id, std::string_view result) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":)" + std::string(result) + "}";
}

inline std::string rpc_error(std::string_view id, int code, std::string_view message, std::string_view data = {}) {
  std::string frame = R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"error":{"code":)" + std::to_string(code) +
                      R"(,"message":)" + in_quotes(message);
  if (!data.empty()) frame += R"(,"data":)" + std::string(data);
  return frame + "}}";
}

/// Facts about a server at /srv that drops variables LD_..., and whose names are `prefix`1, `prefix`2 ...; it remembers
/// for whom it made them.
inline WelcomeFacts facts_that_count(const std::string& home, const std::string& prefix) {
  const auto made = std::make_shared<std::vector<std::string>>();
  const auto make = [made, prefix](std::string_view scope) {
    made->emplace_back(scope);
    return prefix + std::to_string(made->size());
  };
  const auto has_made = [made, prefix](std::string_view scope, std::string_view name) {
    for (std::size_t n = 0; n < made->size(); ++n)
      if (made->at(n) == scope && prefix + std::to_string(n + 1) == name) return true;
    return false;
  };
  return {"/srv", home, "srv", make, has_made, [](std::string_view name) { return name.starts_with("LD_"); }};
}

/// Names are "n1", "n2" ...
inline WelcomeFacts agent_facts() {
  return facts_that_count("/home/a", "n");
}

/// Parameters of a terminal/create, with some of them replaced as params_with() does.
inline std::string create_params(std::initializer_list<std::pair<std::string_view, std::string>> changes = {}) {
  json::object params{{"sessionId", "s"}, {"command", "make"}};
  for (const auto& [key, value] : changes) {
    if (value.empty())
      params.erase(key);
    else
      params[key] = json::parse(value);
  }
  return json::serialize(params);
}

/// Questions and answers of a delegate (or a client after its handshake).
class AgentTest : public testing::Test {
 protected:
  explicit AgentTest(std::string_view language = "acp delegate") : dialect_(speaking(language, facts_)) {}

  /// The only frame that answers at once.
  std::string answer(std::string_view frame) {
    const Decoded decoded = dialect_->decode(frame);
    EXPECT_TRUE(decoded.calls.empty()) << frame;
    EXPECT_EQ(decoded.frames.size(), 1u) << frame;
    return decoded.frames.size() == 1 ? decoded.frames.front() : "";
  }
  Call call(std::string_view frame) {
    Decoded decoded = dialect_->decode(frame);
    for (const auto& refusal : decoded.frames) ADD_FAILURE() << refusal;
    EXPECT_EQ(decoded.calls.size(), 1u) << frame;
    return decoded.calls.size() == 1 ? std::move(decoded.calls.front()) : Call{};
  }
  Call call(std::string_view id, std::string_view method, std::string_view params) {
    return call(rpc_request(id, method, params));
  }
  std::string reply(const Call& to, const Result<Reply>& reply) {
    return dialect_->encode_reply(to.token, reply).value_or("nothing");
  }
  void is_ignored(std::string_view frame) {
    const Decoded decoded = dialect_->decode(frame);
    EXPECT_TRUE(decoded.calls.empty() && decoded.frames.empty() && decoded.given_up.empty() && decoded.refusal.empty())
        << frame;
  }

  const WelcomeFacts facts_ = agent_facts();
  std::unique_ptr<Dialect> dialect_;
};

}  // namespace ptyd
