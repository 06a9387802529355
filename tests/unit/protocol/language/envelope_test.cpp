#include <gtest/gtest.h>

#include "protocol/language/dialect.hpp"
#include "tests/support/protocol/speaking.hpp"

namespace ptyd {
namespace {

class EnvelopeTest : public testing::Test {
 protected:
  std::string refused(std::string_view frame) {
    const Decoded decoded = envelope_->decode(frame);
    EXPECT_TRUE(decoded.calls.empty()) << frame;
    const json::value answer = only_answer(decoded);
    EXPECT_TRUE(answer.is_object()) << frame;
    if (!answer.is_object()) return {};
    last_id_ = answer.at("id").as_string();
    EXPECT_EQ(answer.at("error").at("code"), "bad_request");
    return std::string(answer.at("error").at("message").as_string());
  }
  Call call(std::string_view frame) {
    Decoded decoded = envelope_->decode(frame);
    EXPECT_TRUE(decoded.frames.empty()) << decoded.frames.front();
    EXPECT_EQ(decoded.calls.size(), 1u) << frame;
    return decoded.calls.empty() ? Call{} : std::move(decoded.calls.front());
  }

  std::unique_ptr<Dialect> envelope_ = speaking("envelope", {"/srv", "/home/a", "srv"});
  std::string last_id_;
};

TEST_F(EnvelopeTest, AnswersAVoidMethodWithItsIdAlone) {
  const Call asked = call(envelope_frame("18", "terminal.clear", params_with("terminal.clear")));
  EXPECT_EQ(std::get<Clear>(asked.command).key, (SessionKey{"th", "default"}));
  EXPECT_EQ(envelope_->encode_reply(asked.token, Reply(Done{})), R"({"id":"18"})");
}

TEST_F(EnvelopeTest, AnswersAnOpenWithTheSnapshot) {
  const Call asked = call(envelope_frame("17", "terminal.open", params_with("terminal.open")));
  Snapshot snapshot;
  snapshot.key = {"th", "default"};
  snapshot.cwd = "/srv";
  snapshot.status = Status::running;
  snapshot.pid = 4711;
  snapshot.history = "$ \x1b[1m\xc3\xa9";
  snapshot.updated_at = 1781424000123;
  snapshot.cursor = {0xabc, 17};
  snapshot.size = {100, 30};
  EXPECT_EQ(envelope_->encode_reply(asked.token, Reply(snapshot)),
            R"({"id":"17","result":{"threadId":"th","terminalId":"default","cwd":"/srv","status":"running","pid":4711,)"
            R"("history":"$ \u001b[1mé","exitCode":null,"exitSignal":null,"updatedAt":"2026-06-14T08:00:00.123Z",)"
            R"("cursor":"0000000000000abc.17","cols":100,"rows":30,"resumed":false}})");
}

TEST_F(EnvelopeTest, SaysHowATerminalEnded) {
  const Call asked = call(envelope_frame("1", "terminal.open", params_with("terminal.open")));
  Snapshot snapshot;
  snapshot.exit.signal = 9;
  snapshot.status = Status::exited;
  snapshot.replay_preamble = "\x1b[?1h";
  snapshot.resumed = true;
  const json::value answer = json::parse(*envelope_->encode_reply(asked.token, Reply(snapshot)));
  const json::value& result = answer.at("result");
  EXPECT_EQ(result.at("status"), "exited");
  EXPECT_EQ(result.at("pid"), nullptr);
  EXPECT_EQ(result.at("exitCode"), nullptr);
  EXPECT_EQ(result.at("exitSignal"), 9);
  EXPECT_EQ(result.at("replayPreamble"), "\x1b[?1h");
  EXPECT_EQ(result.at("resumed"), true);
}

TEST_F(EnvelopeTest, ListsTerminals) {
  const Call asked = call(envelope_frame("1", "terminal.list"));
  TerminalInfo info;
  info.key = {"th", "te"};
  info.status = Status::running;
  info.cli_kind = "codex";
  info.title = "bad \xff title";
  const auto answer = envelope_->encode_reply(asked.token, Reply(TerminalList{{info, {}}}));
  const json::value terminals = json::parse(*answer).at("result").at("terminals");
  ASSERT_EQ(terminals.as_array().size(), 2u);
  EXPECT_EQ(terminals.at(0).at("cliKind"), "codex");
  EXPECT_EQ(terminals.at(0).at("title"), "bad \uFFFD title");
  EXPECT_EQ(terminals.at(1).at("cliKind"), nullptr);
  EXPECT_EQ(terminals.at(1).at("agentState"), nullptr);
}

TEST_F(EnvelopeTest, TellsAnAgentsProgramFromAShell) {
  const Call asked = call(envelope_frame("1", "terminal.list"));
  TerminalInfo program, typed_into, shell;
  program.command_line = typed_into.command_line = "make -j";
  program.takes_input = false;
  const auto answer = envelope_->encode_reply(asked.token, Reply(TerminalList{{program, typed_into, shell}}));
  const json::value terminals = json::parse(*answer).at("result").at("terminals");
  EXPECT_EQ(terminals.at(0).at("commandLine"), "make -j");
  EXPECT_EQ(terminals.at(0).at("takesInput"), false);
  EXPECT_EQ(terminals.at(1).at("commandLine"), "make -j");
  EXPECT_FALSE(terminals.at(1).as_object().contains("takesInput"));
  EXPECT_FALSE(terminals.at(2).as_object().contains("commandLine"));
  EXPECT_FALSE(terminals.at(2).as_object().contains("takesInput"));
}

TEST_F(EnvelopeTest, TellsWhatRunsInTheForegroundAndSinceWhen) {
  const Call asked = call(envelope_frame("1", "terminal.list"));
  TerminalInfo running, restored;
  running.process = "vim";
  running.started_at = 0;
  const auto answer = envelope_->encode_reply(asked.token, Reply(TerminalList{{running, restored}}));
  const json::value terminals = json::parse(*answer).at("result").at("terminals");
  EXPECT_EQ(terminals.at(0).at("process"), "vim");
  EXPECT_EQ(terminals.at(0).at("startedAt"), "1970-01-01T00:00:00.000Z");
  EXPECT_FALSE(terminals.at(1).as_object().contains("process"));
  EXPECT_FALSE(terminals.at(1).as_object().contains("startedAt"));
}

TEST_F(EnvelopeTest, TellsAFailureInTheErrorsOwnWords) {
  const Call asked = call(envelope_frame("19", "terminal.clear", params_with("terminal.clear")));
  const Error error(Errc::not_found, "Unknown terminal thread: th, terminal: default");
  EXPECT_EQ(envelope_->encode_reply(asked.token, error),
            R"({"id":"19","error":{"message":"Unknown terminal thread: th, terminal: default","code":"not_found"}})");
}

TEST_F(EnvelopeTest, HasASentenceForAnErrorWithoutDetail) {
  const Call asked = call(envelope_frame("19", "terminal.clear", params_with("terminal.clear")));
  EXPECT_EQ(envelope_->encode_reply(asked.token, Error(Errc::busy, "")),
            R"({"id":"19","error":{"message":"The terminal is busy","code":"busy"}})");
}

TEST_F(EnvelopeTest, AnswersEachCallOnce) {
  const Call asked = call(envelope_frame("1", "terminal.list"));
  EXPECT_TRUE(envelope_->encode_reply(asked.token, Reply(Done{})));
  EXPECT_FALSE(envelope_->encode_reply(asked.token, Reply(Done{})));
}

TEST_F(EnvelopeTest, TakesOneIdTwice) {
  const Call one = call(envelope_frame("same", "terminal.list"));
  const Call two = call(envelope_frame("same", "terminal.list"));
  EXPECT_NE(one.token, two.token);
  EXPECT_EQ(envelope_->encode_reply(two.token, Reply(Done{})), R"({"id":"same"})");
  EXPECT_EQ(envelope_->encode_reply(one.token, Reply(Done{})), R"({"id":"same"})");
}

TEST_F(EnvelopeTest, SubscribingIsAVoidMethod) {
  const Call asked = call(envelope_frame("5", "terminal.subscribeEvents", R"({"features":["title"]})"));
  EXPECT_EQ(std::get<Subscribe>(asked.command).features, std::vector{kFeatureOf<Title>});
  EXPECT_EQ(envelope_->encode_reply(asked.token, Reply(Done{})), R"({"id":"5"})");
}

TEST_F(EnvelopeTest, EchoesTheTrimmedIdWithARefusalWheneverItCanBeTold) {
  EXPECT_EQ(refused(R"({"id":" 7 ","body":{"_tag":"terminal.resize","threadId":"t","cols":3,"rows":24}})"),
            "Invalid request format: body.cols: 3 is below 20");
  EXPECT_EQ(last_id_, "7");
  EXPECT_EQ(refused(R"({"id":"8","body":{"_tag":"terminal.write","threadId":"t","data":"\ud800"}})"),
            "Invalid request format: not JSON at byte 71: half of a surrogate pair");
  EXPECT_EQ(last_id_, "8");
  EXPECT_EQ(refused(R"({"id":"9","body":)"), "Invalid request format: not JSON at byte 17: ends too early");
  EXPECT_EQ(last_id_, "9");
}

TEST_F(EnvelopeTest, RefusesWhatIsNoRequest) {
  const std::pair<std::string, std::string> frames[] = {
      {"", "not JSON at byte 0: ends too early"},
      {"5", "5 is not an object"},
      {"null", "null is not an object"},
      {"\"text\"", "\"text\" is not an object"},
      {"[]", "an array is not an object"},
      {R"([{"id":"1","body":{"_tag":"terminal.list"}}])", "an array is not an object"},
      {"{}", "id: is missing"},
      {R"({"id":1,"body":{"_tag":"terminal.list"}})", "id: 1 is not a string"},
      {R"({"id":null,"body":{"_tag":"terminal.list"}})", "id: null is not a string"},
      {R"({"id":"  ","body":{"_tag":"terminal.list"}})", "id: length 0 is below 1"},
  };
  for (const auto& [frame, message] : frames) {
    EXPECT_EQ(refused(frame), "Invalid request format: " + message) << frame;
    EXPECT_EQ(last_id_, "unknown") << frame;
  }
}

TEST_F(EnvelopeTest, RefusesWhatIsNoBody) {
  const std::pair<std::string, std::string> frames[] = {
      {R"({"id":"1"})", "body: is missing"},
      {R"({"id":"1","body":null})", "body: null is not an object"},
      {R"({"id":"1","body":"x"})", "body: \"x\" is not an object"},
      {R"({"id":"1","body":{}})", "body._tag: is missing"},
      {R"({"id":"1","body":{"_tag":5}})", "body._tag: 5 is not a string"},
      {R"({"id":"1","body":{"_tag":"terminal.fly"}})", "body._tag: \"terminal.fly\" is no method"},
      {R"({"id":"1","body":{"_tag":"terminal.unsubscribe"}})", "body._tag: \"terminal.unsubscribe\" is no method"},
  };
  for (const auto& [frame, message] : frames) {
    EXPECT_EQ(refused(frame), "Invalid request format: " + message) << frame;
    EXPECT_EQ(last_id_, "1") << frame;
  }
}

TEST_F(EnvelopeTest, BoundsTheIdThatItHasToKeep) {
  const Call asked = call(envelope_frame(repeated("i", 1024), "terminal.list"));
  EXPECT_EQ(envelope_->encode_reply(asked.token, Reply(Done{})), "{\"id\":\"" + repeated("i", 1024) + "\"}");
  EXPECT_EQ(refused(envelope_frame(repeated("i", 1025), "terminal.list")),
            "Invalid request format: id: length 1025 is above 1024");
  EXPECT_EQ(last_id_, "unknown");
}

TEST_F(EnvelopeTest, NeverSendsALongValueBack) {
  const std::string megabyte(1 << 20, 'x');
  EXPECT_LT(refused(in_quotes(megabyte)).size(), 200u);
  EXPECT_LT(refused(envelope_frame("1", megabyte)).size(), 200u);
  EXPECT_LT(
      refused(envelope_frame("1", "terminal.clear", params_with("terminal.clear", {{"threadId", in_quotes(megabyte)}})))
          .size(),
      200u);
}

TEST_F(EnvelopeTest, NumbersWhatItPushesFromTheWelcomeOn) {
  EXPECT_EQ(envelope_->welcome(),
            R"({"type":"push","sequence":1,"channel":"server.welcome","data":{"cwd":"/srv","homeDir":"/home/a",)"
            R"("projectName":"srv"}})");
  EXPECT_TRUE(envelope_->wants_events());
  const auto wraps = envelope_->wrap_event();
  ASSERT_EQ(wraps.size(), 1u);
  EXPECT_EQ(wraps[0].head + "EVENT" + wraps[0].tail,
            R"({"type":"push","sequence":2,"channel":"terminal.event","data":EVENT})");
  EXPECT_NE(envelope_->wrap_event()[0].head.find("\"sequence\":3,"), std::string::npos);
}

}  // namespace
}  // namespace ptyd
