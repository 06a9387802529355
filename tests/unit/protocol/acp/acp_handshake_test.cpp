#include "protocol/language/languages.hpp"
#include "tests/support/protocol/agents.hpp"

namespace ptyd {
namespace {

const std::string kCreated = rpc_request("0", "terminal/create", create_params());

class AcpHandshakeTest : public AgentTest {
 protected:
  AcpHandshakeTest() : AgentTest("acp") { greeting_ = dialect_->welcome(); }

  void initialize() { answer(rpc_result("0", R"({"protocolVersion":1,"agentCapabilities":{}})")); }
  void shake_hands() {
    initialize();
    is_ignored(rpc_result("1", R"({"sessionId":"s"})"));
  }
  void nothing_is_served() {
    EXPECT_FALSE(dialect_->is_ready());
    EXPECT_EQ(answer(kCreated), rpc_error("0", -32600, "There is no session yet"));
  }

  std::string greeting_;
};

TEST_F(AcpHandshakeTest, BeginsWithWhatWeCan) {
  EXPECT_EQ(json::parse(greeting_), json::parse(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{
      "protocolVersion":1,
      "clientCapabilities":{"fs":{"readTextFile":false,"writeTextFile":false},"terminal":true,
                            "_meta":{"ptyd":{"pty":{"cols":120,"rows":40,"input":false,"raw":false},
                                              "methods":["_ptyd/terminal/input","_ptyd/terminal/resize",
                                                         "_ptyd/terminal/signal","_ptyd/terminal/screen",
                                                         "_ptyd/terminal/subscribe","_ptyd/terminal/unsubscribe"],
                                              "notifications":["_ptyd/terminal/output","_ptyd/terminal/update"]}}},
      "clientInfo":{"name":"ptyd","version":")" PTYD_VERSION R"("}}})"));
}

TEST_F(AcpHandshakeTest, AsksForASessionOnceItIsAnswered) {
  EXPECT_EQ(answer(rpc_result("0", R"({"protocolVersion":1})")),
            rpc_request("1", "session/new", R"({"cwd":"/srv","mcpServers":[]})"));
  nothing_is_served();
}

TEST_F(AcpHandshakeTest, ServesTheSessionFromTheVeryNextFrame) {
  shake_hands();
  EXPECT_TRUE(dialect_->is_ready());
  EXPECT_EQ(std::get<ptyd::Run>(call(kCreated).command).key, (SessionKey{"acp/s", "term_n1"}));
}

TEST_F(AcpHandshakeTest, ServesNothingBefore) {
  nothing_is_served();
  initialize();
  nothing_is_served();
  is_ignored(rpc_notification("session/update", R"({"sessionId":"s","update":{"content":[)"
                                                R"({"type":"terminal","terminalId":"t"}]}})"));
}

TEST_F(AcpHandshakeTest, SaysWhatItDoesNotHaveAlsoBefore) {
  EXPECT_EQ(answer(rpc_request("0", "fs/read_text_file", "{}")),
            rpc_error("0", -32601, "\"fs/read_text_file\" is no method"));
  EXPECT_EQ(answer(rpc_request("0", "session/request_permission", "{}")),
            rpc_result("0", R"({"outcome":{"outcome":"cancelled"}})"));
}

TEST_F(AcpHandshakeTest, KnowsItsOneSessionAlone) {
  shake_hands();
  for (const char* method : {"terminal/output", "terminal/wait_for_exit", "terminal/kill", "terminal/release"})
    EXPECT_EQ(answer(rpc_request("7", method, R"({"sessionId":"S","terminalId":"t"})")),
              rpc_error("7", -32002, "There is no such session", R"({"sessionId":"S"})"));
  EXPECT_EQ(answer(rpc_request("7", "terminal/create", R"({"sessionId":"","command":"x"})")),
            rpc_error("7", -32002, "There is no such session", R"({"sessionId":""})"));
  is_ignored(rpc_notification("session/update", R"({"sessionId":"S","update":{"content":[)"
                                                R"({"type":"terminal","terminalId":"t"}]}})"));
}

TEST_F(AcpHandshakeTest, KeepsItsIdsApartFromTheAgents) {
  initialize();
  EXPECT_EQ(answer(rpc_request("1", "terminal/kill", "{}")), rpc_error("1", -32600, "There is no session yet"));
  is_ignored(rpc_result("1", R"({"sessionId":"s"})"));
  EXPECT_EQ(call(rpc_request("1", "terminal/kill", R"({"sessionId":"s","terminalId":"t"})")).token, 1u);
}

TEST_F(AcpHandshakeTest, IgnoresAnswersToNothing) {
  is_ignored(rpc_result("1", R"({"protocolVersion":1})"));
  is_ignored(rpc_result("\"0\"", R"({"protocolVersion":1})"));
  is_ignored(R"({"jsonrpc":"2.0","result":{"protocolVersion":1}})");
  shake_hands();
  is_ignored(rpc_result("0", R"({"protocolVersion":1})"));
  is_ignored(rpc_result("1", R"({"sessionId":"other"})"));
  is_ignored(rpc_error("1", -32603, "late"));
  EXPECT_TRUE(dialect_->is_ready());
  call(kCreated);
}

TEST_F(AcpHandshakeTest, IsNotSaidTwice) {
  initialize();
  is_ignored(rpc_result("0", R"({"protocolVersion":1})"));
}

class AcpRefusedVersion : public AcpHandshakeTest, public testing::WithParamInterface<std::string> {};

TEST_P(AcpRefusedVersion, EndsTheConnectionAndNothingIsEverServed) {
  const Decoded decoded = dialect_->decode(R"({"jsonrpc":"2.0","id":0,)" + GetParam() + "}");
  EXPECT_EQ(decoded.refusal, "initialize was not answered with protocolVersion 1, the only one known here");
  EXPECT_TRUE(decoded.calls.empty() && decoded.frames.empty());
  nothing_is_served();
  is_ignored(rpc_result("0", R"({"protocolVersion":1})"));
  is_ignored(rpc_result("1", R"({"sessionId":"s"})"));
  nothing_is_served();
}

INSTANTIATE_TEST_SUITE_P(All, AcpRefusedVersion,
                         testing::Values(R"("result":{"protocolVersion":2})", R"("result":{"protocolVersion":0})",
                                         R"("result":{"protocolVersion":"1"})", R"("result":{"protocolVersion":1.5})",
                                         R"("result":{"protocolVersion":null})", R"("result":{})", R"("result":null)",
                                         R"("result":[1])", R"("error":{"code":-32600,"message":"no"})",
                                         R"("result":{"protocolVersion":1},"error":{"code":1,"message":"both"})"));

/// An agent that can load sessions, and what it lost.
class AcpOffersTest : public AcpHandshakeTest {
 protected:
  static TerminalInfo lost(const std::string& session, const std::string& terminal, UnixMillis updated_at) {
    TerminalInfo info;
    info.key = {"acp/" + session, terminal};
    info.updated_at = updated_at;
    return info;
  }
  /// The frame that comes after `initialize` is answered.
  std::string offered(const Result<Reply>& all) {
    const Decoded decoded =
        dialect_->decode(rpc_result("0", R"({"protocolVersion":1,"agentCapabilities":{"loadSession":true}})"));
    EXPECT_TRUE(decoded.frames.empty());
    if (decoded.calls.size() != 1) return "no question";
    EXPECT_TRUE(std::get<List>(decoded.calls[0].command).lost);
    return dialect_->encode_reply(decoded.calls[0].token, all).value_or("nothing");
  }
  static std::string load(const std::string& id, const std::string& session) {
    return rpc_request(id, "session/load", R"({"cwd":"/srv","mcpServers":[],"sessionId":")" + session + "\"}");
  }
  static std::string fresh(const std::string& id) {
    return rpc_request(id, "session/new", R"({"cwd":"/srv","mcpServers":[]})");
  }
  /// Ids of the terminals that are kept once the agent has answered so.
  std::string kept(const std::string& answer) {
    std::string ids;
    for (const Call& each : dialect_->decode(answer).calls) {
      const SessionKey& key = std::get<Keep>(each.command).key;
      ids += key.thread_id + ":" + key.terminal_id + ";";
      EXPECT_EQ(dialect_->encode_reply(each.token, Error(Errc::not_found, "")), std::nullopt);
    }
    return ids;
  }
};

TEST_F(AcpOffersTest, OfferTheSessionThatItLostAndKeepAllOfIt) {
  const TerminalList all{{lost("a", "t1", 1), lost("b", "t2", 3), lost("b", "t3", 2)}};
  EXPECT_EQ(offered(Reply(all)), load("1", "b"));
  nothing_is_served();
  EXPECT_EQ(kept(rpc_result("1", "{}")), "acp/b:t2;acp/b:t3;");
  EXPECT_TRUE(dialect_->is_ready());
  EXPECT_EQ(
      std::get<Kill>(call(rpc_request("7", "terminal/kill", R"({"sessionId":"b","terminalId":"t2"})")).command).key,
      (SessionKey{"acp/b", "t2"}));
}

TEST_F(AcpOffersTest, OfferTheNextOneWhereItKnowsNoneAndThenAskForANewOne) {
  const TerminalList all{{lost("a", "t1", 1), lost("b", "t2", 3)}};
  EXPECT_EQ(offered(Reply(all)), load("1", "b"));
  EXPECT_EQ(answer(rpc_error("1", -32002, "unknown")), load("2", "a"));
  EXPECT_EQ(answer(rpc_error("2", -32002, "unknown")), fresh("3"));
  nothing_is_served();
  EXPECT_EQ(kept(rpc_result("3", R"({"sessionId":"s"})")), "");
  EXPECT_TRUE(dialect_->is_ready());
}

TEST_F(AcpOffersTest, KeepsWithTheToolCallsThatItTellsOfWhileItLoads) {
  const auto update = [](const std::string& session, const std::string& fields) {
    return rpc_notification("session/update",
                            R"({"sessionId":")" + session + R"(","update":{"toolCallId":"c",)" + fields + "}}");
  };
  const std::string shows =
      R"("content":[{"type":"terminal","terminalId":"t2"},{"type":"terminal","terminalId":"gone"}])";
  EXPECT_EQ(offered(Reply(TerminalList{{lost("a", "t1", 1), lost("b", "t2", 3)}})), load("1", "b"));
  is_ignored(update("a", R"("title":"Of another session",)" + shows));
  is_ignored(update("b", R"("title":"Build","status":"in_progress",)" + shows));
  is_ignored(update("b", R"("status":"completed")"));
  const Decoded loaded = dialect_->decode(rpc_result("1", "{}"));
  ASSERT_EQ(loaded.calls.size(), 2u);
  const SessionKey key{"acp/b", "t2"};
  EXPECT_EQ(std::get<Keep>(loaded.calls[0].command).key, key);
  const auto& pin = std::get<Pin>(loaded.calls[1].command);
  EXPECT_EQ(pin.key, key);
  EXPECT_EQ(pin.told, (ToolCallUpdate{"Build", {}, ToolStatus::completed}));
  EXPECT_EQ(dialect_->decode(update("b", R"("status":"failed")")).calls.size(), 2u) << "and remembers them";
}

TEST_F(AcpOffersTest, TakeAnyResultForAnAnswer) {
  EXPECT_EQ(offered(Reply(TerminalList{{lost("a", "t1", 1)}})), load("1", "a"));
  EXPECT_EQ(kept(rpc_result("1", "null")), "acp/a:t1;");
  EXPECT_TRUE(dialect_->is_ready());
}

TEST_F(AcpOffersTest, KeepWhatANewSessionOfTheOldNameHad) {
  EXPECT_EQ(offered(Reply(TerminalList{{lost("a", "t1", 1)}})), load("1", "a"));
  EXPECT_EQ(answer(rpc_error("1", -32603, "no")), fresh("2"));
  EXPECT_EQ(kept(rpc_result("2", R"({"sessionId":"a"})")), "acp/a:t1;");
}

TEST_F(AcpOffersTest, OfferEightSessionsAtMost) {
  TerminalList all;
  for (int n = 0; n < 9; ++n) all.terminals.push_back(lost("s" + std::to_string(n), "t", n));
  EXPECT_EQ(offered(Reply(all)), load("1", "s8"));
  for (int n = 1; n < 8; ++n)
    EXPECT_EQ(answer(rpc_error(std::to_string(n), -32002, "")),
              load(std::to_string(n + 1), "s" + std::to_string(8 - n)));
  EXPECT_EQ(answer(rpc_error("8", -32002, "")), fresh("9"));
}

TEST_F(AcpOffersTest, OfferNothingWhereNothingIsLost) {
  EXPECT_EQ(offered(Reply(TerminalList{})), fresh("1"));
}

TEST_F(AcpOffersTest, OfferNothingWhereThatCannotBeTold) {
  EXPECT_EQ(offered(Error(Errc::internal, "")), fresh("1"));
}

TEST_F(AcpHandshakeTest, OffersNothingToAnAgentThatCannotLoad) {
  for (const char* can : {"false", "null", "1", "\"true\""}) {
    const auto dialect = speaking("acp", facts_);
    dialect->welcome();
    const std::string capabilities = R"({"loadSession":)" + std::string(can) + "}";
    const Decoded decoded =
        dialect->decode(rpc_result("0", R"({"protocolVersion":1,"agentCapabilities":)" + capabilities + "}"));
    ASSERT_EQ(decoded.frames.size(), 1u) << can;
    EXPECT_TRUE(decoded.calls.empty()) << can;
  }
}

class AcpRefusedSession : public AcpHandshakeTest, public testing::WithParamInterface<std::string> {};

TEST_P(AcpRefusedSession, MeansThatNothingIsEverServed) {
  initialize();
  is_ignored(R"({"jsonrpc":"2.0","id":1,)" + GetParam() + "}");
  nothing_is_served();
  is_ignored(rpc_result("1", R"({"sessionId":"s"})"));
  nothing_is_served();
}

INSTANTIATE_TEST_SUITE_P(All, AcpRefusedSession,
                         testing::Values(R"("error":{"code":-32000,"message":"Authentication required"})",
                                         R"("result":{"sessionId":5})", R"("result":{"sessionId":null})",
                                         R"("result":{})", R"("result":"s")", R"("result":{"sessionId":"a\u0000"})",
                                         R"("result":{"sessionId":")" + repeated("x", 513) + "\"}"));

TEST(AcpLanguage, GreetsAtItsOwnPlaceAndServesWithoutGreetingElsewhere) {
  const auto greets = [](std::string_view place, std::vector<std::string_view> subprotocols, bool delegate) {
    WelcomeFacts facts = agent_facts();
    facts.delegate = delegate;
    const Spoken spoken = spoken_at(languages(), place, subprotocols);
    return !recognise(spoken, R"({"jsonrpc":"2.0"})").make(facts)->welcome().empty();
  };
  EXPECT_TRUE(greets("/acp", {}, false));
  EXPECT_FALSE(greets("/acp", {}, true));
  EXPECT_TRUE(greets("/ws", {"acp"}, false));
  EXPECT_FALSE(greets("/ws", {}, false));
}

}  // namespace
}  // namespace ptyd
