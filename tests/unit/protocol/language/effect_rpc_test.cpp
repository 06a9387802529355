#include <gtest/gtest.h>

#include "protocol/language/dialect.hpp"
#include "tests/support/protocol/speaking.hpp"

namespace ptyd {
namespace {

class EffectRpcTest : public testing::Test {
 protected:
  /// The defect of a Die for `id`, or "" when the answer is anything else.
  std::string died(std::string_view frame, const json::value& id = "1") {
    const Decoded decoded = effect_->decode(frame);
    EXPECT_TRUE(decoded.calls.empty()) << frame;
    const json::value answer = only_answer(decoded);
    EXPECT_TRUE(answer.is_object()) << frame << " gave " << decoded.frames.size() << " frames";
    if (!answer.is_object() || answer.at("_tag") != "Exit") return {};
    EXPECT_EQ(answer.at("requestId"), id) << frame;
    EXPECT_EQ(answer.at("exit").at("_tag"), "Failure");
    EXPECT_EQ(answer.at("exit").at("cause").at(0).at("_tag"), "Die");
    return std::string(answer.at("exit").at("cause").at(0).at("defect").as_string());
  }
  CallToken call(std::string_view frame) {
    Decoded decoded = effect_->decode(frame);
    EXPECT_TRUE(decoded.frames.empty()) << decoded.frames.front();
    EXPECT_EQ(decoded.calls.size(), 1u) << frame;
    return decoded.calls.empty() ? 0 : decoded.calls.front().token;
  }
  CallToken subscribe(std::string_view id) {
    const CallToken token = call(effect_frame(id, "terminal.subscribeEvents"));
    EXPECT_EQ(effect_->encode_reply(token, Reply(Done{})), std::nullopt);
    return token;
  }
  Decoded ack(std::string_view id) {
    return effect_->decode(json::serialize(json::object{{"_tag", "Ack"}, {"requestId", id}}));
  }
  Decoded interrupt(std::string_view id) {
    return effect_->decode(json::serialize(json::object{{"_tag", "Interrupt"}, {"requestId", id}}));
  }

  std::unique_ptr<Dialect> effect_ = speaking("effect rpc");
};

TEST_F(EffectRpcTest, AnswersAVoidMethodWithNull) {
  const CallToken token = call(effect_frame("1", "terminal.clear", params_with("terminal.clear")));
  EXPECT_EQ(effect_->encode_reply(token, Reply(Done{})),
            R"({"_tag":"Exit","requestId":"1","exit":{"_tag":"Success","value":null}})");
}

TEST_F(EffectRpcTest, AnswersAnOpenWithTheSnapshot) {
  const CallToken token = call(effect_frame("0", "terminal.open", params_with("terminal.open")));
  Snapshot snapshot;
  snapshot.key = {"th", "default"};
  const json::value answer = json::parse(*effect_->encode_reply(token, Reply(snapshot)));
  EXPECT_EQ(answer.at("requestId"), "0");
  EXPECT_EQ(answer.at("exit").at("value").at("threadId"), "th");
}

TEST_F(EffectRpcTest, TellsAFailureAsTheReferenceDoes) {
  const CallToken token = call(effect_frame("2", "terminal.clear", params_with("terminal.clear")));
  const Error error(Errc::not_found, "Unknown terminal thread: th-9, terminal: default");
  EXPECT_EQ(effect_->encode_reply(token, error),
            R"({"_tag":"Exit","requestId":"2","exit":{"_tag":"Failure","cause":[{"_tag":"Fail","error":)"
            R"({"_tag":"WsRpcError","message":"Unknown terminal thread: th-9, terminal: default","code":"not_found",)"
            R"("cause":{"name":"TerminalError","message":"Unknown terminal thread: th-9, terminal: default"}}}]}})");
}

TEST_F(EffectRpcTest, HasItsOwnWordsForEachMethodsFailure) {
  const std::pair<std::string_view, std::string_view> methods[] = {
      {"terminal.open", "Failed to open terminal"},
      {"terminal.write", "Failed to write terminal"},
      {"terminal.ackOutput", "Failed to acknowledge terminal output"},
      {"terminal.resize", "Failed to resize terminal"},
      {"terminal.clear", "Failed to clear terminal"},
      {"terminal.restart", "Failed to restart terminal"},
      {"terminal.close", "Failed to close terminal"},
  };
  for (const auto& [method, message] : methods) {
    const CallToken token = call(effect_frame("1", method, params_with(method)));
    const json::value answer = json::parse(*effect_->encode_reply(token, Error(Errc::internal, "")));
    EXPECT_EQ(answer.at("exit").at("cause").at(0).at("error").at("message").as_string(), message);
  }
}

TEST_F(EffectRpcTest, BrokenPayloadsDieAlone) {
  EXPECT_EQ(died(effect_frame("1", "terminal.open", R"({"threadId":"t","cwd":"/","cols":1})")),
            "Expected a value greater than or equal to 20, got 1\n  at [\"cols\"]");
  EXPECT_EQ(died(R"({"_tag":"Request","id":"1","tag":"terminal.list","payload":null,"headers":[]})"),
            "Expected object, got null");
  EXPECT_EQ(died(R"({"_tag":"Request","id":"1","tag":"terminal.list"})"), "Expected object, got null");
  EXPECT_EQ(died(effect_frame("1", "no.such")), "Unknown request tag: no.such");
  EXPECT_EQ(died(R"({"_tag":"Request","id":"1"})"), "Unknown request tag: ");
}

TEST_F(EffectRpcTest, NamesAnUnknownTagByWhatOneRecognisesItBy) {
  EXPECT_EQ(died(effect_frame("1", repeated("t", 48))), "Unknown request tag: " + repeated("t", 48));
  EXPECT_EQ(died(effect_frame("1", repeated("t", 49))), "Unknown request tag: " + repeated("t", 48) + "...");
  EXPECT_EQ(died(effect_frame("1", repeated("t", 47) + "✓")), "Unknown request tag: " + repeated("t", 47) + "...");
}

TEST_F(EffectRpcTest, NamesTheRequestEvenOfAFrameThatIsNoJson) {
  EXPECT_EQ(died(R"({"_tag":"Request","id":"1","tag":"terminal.write","payload":{"data":"\ud800"}})"),
            "not JSON at byte 75: half of a surrogate pair");
}

TEST_F(EffectRpcTest, SaysDefectOnlyWhenNoRequestCanBeNamed) {
  for (const std::string_view frame :
       {R"({"_tag":"Request",)", R"({"_tag":"Request","tag":"terminal.list","payload":{}})", "[5]", "5",
        R"({"_tag":"Request","id":{},"tag":"terminal.list","payload":{}})", R"({"_tag":"Nonsense"})",
        R"({"_tag":"Request","id":1.5,"tag":"terminal.list","payload":{}})"}) {
    const Decoded decoded = effect_->decode(frame);
    EXPECT_EQ(only_answer(decoded).at("_tag"), "Defect") << frame;
    EXPECT_TRUE(decoded.calls.empty());
  }
  EXPECT_EQ(died(R"({"_tag":"Nonsense","id":"1"})"), "Unknown frame: \"Nonsense\"");
}

TEST_F(EffectRpcTest, TakesAnyIdAndEchoesItAsItCame) {
  const std::pair<std::string_view, std::string_view> ids[] = {{R"("any text ✓")", R"("any text ✓")"},
                                                               {R"("")", R"("")"},
                                                               {"5", "5"},
                                                               {"-1", "-1"},
                                                               {"18446744073709551615", "18446744073709551615"}};
  for (const auto& [id, echoed] : ids) {
    const auto frame = R"({"_tag":"Request","id":)" + std::string(id) + R"(,"tag":"terminal.list","payload":{}})";
    const auto answer = effect_->encode_reply(call(frame), Reply(Done{}));
    EXPECT_EQ(*answer,
              R"({"_tag":"Exit","requestId":)" + std::string(echoed) + R"(,"exit":{"_tag":"Success","value":null}})");
  }
}

TEST_F(EffectRpcTest, BoundsTheIdThatItHasToKeep) {
  call(effect_frame(repeated("i", 1022), "terminal.list"));
  const std::string too_long = repeated("i", 1023);
  EXPECT_NE(died(effect_frame(too_long, "terminal.list"), json::value(too_long)).find("at most 1024"),
            std::string::npos);
}

TEST_F(EffectRpcTest, NeverSendsALongValueBack) {
  constexpr std::size_t kLongest = (64 << 10) - 2;
  const std::string longest = repeated("i", kLongest), too_long = repeated("i", kLongest + 1);
  const auto unknown = [](const std::string& id) { return R"({"_tag":"Nope","id":")" + id + "\"}"; };
  const auto broken = [](const std::string& id) { return R"({"_tag":"Request","id":")" + id + R"(","payload":)"; };
  for (const auto& id : {longest, too_long}) {
    const bool is_echoed = id == longest;
    for (const auto& frame :
         {effect_frame(id, "terminal.list"), effect_frame(id, "no.such"), unknown(id), broken(id)}) {
      const Decoded decoded = effect_->decode(frame);
      const json::value answer = only_answer(decoded);
      ASSERT_TRUE(answer.is_object());
      EXPECT_EQ(answer.at("_tag"), is_echoed ? "Exit" : "Defect") << frame.substr(0, 40);
      EXPECT_LT(decoded.frames.front().size(), is_echoed ? kLongest + 400 : 400) << frame.substr(0, 40);
    }
  }
}

TEST_F(EffectRpcTest, AnswersARequestThatIsInFlightOnce) {
  const CallToken token = call(effect_frame("5", "terminal.list"));
  const Decoded decoded = effect_->decode(R"([{"_tag":"Ping"},{"_tag":"Nope","id":"5"}])");
  EXPECT_EQ(decoded.frames, std::vector<std::string>{R"({"_tag":"Pong"})"});
  EXPECT_TRUE(effect_->encode_reply(token, Reply(Done{})));
}

TEST_F(EffectRpcTest, IgnoresARequestWhoseIdIsInFlightAndTakesItAgainAfterwards) {
  const CallToken token = call(effect_frame("1", "terminal.list"));
  const Decoded second = effect_->decode(effect_frame("1", "terminal.list"));
  EXPECT_TRUE(second.calls.empty());
  EXPECT_TRUE(second.frames.empty());
  EXPECT_TRUE(effect_->encode_reply(token, Reply(Done{})));
  EXPECT_NE(call(effect_frame("1", "terminal.list")), 0u);
}

TEST_F(EffectRpcTest, TakesEachFrameOfAnArray) {
  const Decoded decoded =
      effect_->decode("[" + effect_frame("1", "terminal.list") + R"(,{"_tag":"Ping"},)" +
                      effect_frame("2", "terminal.fly") + "," + effect_frame("3", "terminal.list") + "]");
  ASSERT_EQ(decoded.calls.size(), 2u);
  ASSERT_EQ(decoded.frames.size(), 2u);
  EXPECT_EQ(decoded.frames[0], R"({"_tag":"Pong"})");
  EXPECT_EQ(json::parse(decoded.frames[1]).at("requestId"), "2");
  const Decoded empty = effect_->decode("[]");
  EXPECT_TRUE(empty.calls.empty() && empty.frames.empty());
}

TEST_F(EffectRpcTest, AnswersAnArrayThatHasNoGoodEndWithADefect) {
  for (const std::string_view frame : {"[", "[5,]", "[5", "[5}", "[] x", "[5] x", "[5 5]"}) {
    EXPECT_EQ(only_answer(effect_->decode(frame)).at("_tag"), "Defect") << frame;
  }
  const Decoded decoded = effect_->decode(R"([{"_tag":"Ping"},{"_tag":},{"_tag":"Ping"}])");
  ASSERT_EQ(decoded.frames.size(), 2u);
  EXPECT_EQ(json::parse(decoded.frames[1]).at("_tag"), "Defect") << "nothing is read behind what is no JSON";
}

TEST_F(EffectRpcTest, TakesSoManyFramesOfAnArrayAtOnceAndTheRestAfterwards) {
  const std::string ping = R"({"_tag":"Ping"})";
  Decoded decoded = effect_->decode("[" + ping + repeated(" ,\n" + ping, 255) + "]");
  EXPECT_EQ(decoded.frames.size(), 256u);
  EXPECT_EQ(decoded.rest, "");
  const std::string one_more = "[" + ping + repeated("," + ping, 256) + "]";
  decoded = effect_->decode(one_more);
  EXPECT_EQ(decoded.frames.size(), 256u);
  EXPECT_EQ(decoded.rest, ping + "]");
  decoded = effect_->decode_rest(decoded.rest);
  EXPECT_EQ(decoded.frames.size(), 1u);
  EXPECT_EQ(decoded.rest, "");
}

TEST_F(EffectRpcTest, TakesSoManyBytesOfAnArrayAtOnce) {
  const std::string long_frame = R"({"_tag":"Ping","x":")" + repeated("x", 32 << 10) + R"("})";
  const std::string array = "[" + long_frame + "," + long_frame + "," + long_frame + "]";
  const Decoded decoded = effect_->decode(array);
  EXPECT_EQ(decoded.frames.size(), 2u);
  EXPECT_EQ(decoded.rest, long_frame + "]");
}

TEST_F(EffectRpcTest, SaysDefectOnceForAllFramesThatAreTakenTogether) {
  const std::string frame = "[" + repeated("0,", 299) + "0]";
  Decoded decoded = effect_->decode(frame);
  EXPECT_EQ(only_answer(decoded).at("_tag"), "Defect");
  decoded = effect_->decode_rest(decoded.rest);
  EXPECT_EQ(only_answer(decoded).at("_tag"), "Defect");
  EXPECT_EQ(decoded.rest, "");
}

TEST_F(EffectRpcTest, AnswersPingsAndIgnoresWhatNeedsNoAnswer) {
  EXPECT_EQ(effect_->decode(R"({"_tag":"Ping"})").frames, std::vector<std::string>{R"({"_tag":"Pong"})"});
  for (const std::string_view frame : {R"({"_tag":"Eof"})", R"({"_tag":"Ack","requestId":"9"})", R"({"_tag":"Ack"})",
                                       R"({"_tag":"Interrupt","requestId":"9"})"}) {
    const Decoded decoded = effect_->decode(frame);
    EXPECT_TRUE(decoded.frames.empty() && decoded.calls.empty() && decoded.acknowledged == 0) << frame;
  }
}

TEST_F(EffectRpcTest, InterruptingACallDropsItsReply) {
  const CallToken token = call(effect_frame("1", "terminal.list"));
  const Decoded decoded = interrupt("1");
  EXPECT_TRUE(decoded.calls.empty());
  EXPECT_EQ(decoded.given_up, std::vector{token});
  EXPECT_EQ(only_answer(decoded).at("exit").at("cause").at(0).at("_tag"), "Interrupt");
  const CallToken again = call(effect_frame("1", "terminal.list"));
  EXPECT_EQ(effect_->encode_reply(token, Reply(Done{})), std::nullopt);
  EXPECT_TRUE(effect_->encode_reply(again, Reply(Done{})));
}

TEST_F(EffectRpcTest, ACallThatIsInterruptedInItsOwnArrayIsNone) {
  const Decoded decoded =
      effect_->decode("[" + effect_frame("1", "terminal.list") + "," + effect_frame("2", "terminal.list") +
                      R"(,{"_tag":"Interrupt","requestId":"1"}])");
  EXPECT_EQ(decoded.calls.size(), 1u);
  EXPECT_TRUE(decoded.given_up.empty());
  EXPECT_EQ(only_answer(decoded).at("requestId"), "1");
}

// --- streams

TEST_F(EffectRpcTest, WrapsEventsOncePerStream) {
  EXPECT_FALSE(effect_->wants_events());
  EXPECT_TRUE(effect_->wrap_event().empty());
  subscribe("3");
  subscribe("4");
  EXPECT_TRUE(effect_->wants_events());
  const auto wraps = effect_->wrap_event();
  ASSERT_EQ(wraps.size(), 2u);
  EXPECT_EQ(wraps[0].head + "EVENT" + wraps[0].tail, R"({"_tag":"Chunk","requestId":"3","values":[EVENT]})");
  EXPECT_EQ(wraps[1].head + "EVENT" + wraps[1].tail, R"({"_tag":"Chunk","requestId":"4","values":[EVENT]})");
}

TEST_F(EffectRpcTest, TheLastStreamsEndUnsubscribes) {
  subscribe("3");
  subscribe("4");
  const Decoded first = interrupt("3");
  EXPECT_TRUE(first.calls.empty());
  EXPECT_EQ(only_answer(first).at("requestId"), "3");
  const Decoded last = interrupt("4");
  ASSERT_EQ(last.calls.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<Unsubscribe>(last.calls[0].command));
  EXPECT_EQ(effect_->encode_reply(last.calls[0].token, Reply(Done{})), std::nullopt);
  EXPECT_EQ(only_answer(last).at("exit").at("cause").at(0).at("_tag"), "Interrupt");
  EXPECT_FALSE(effect_->wants_events());
  EXPECT_TRUE(effect_->wrap_event().empty());
  EXPECT_TRUE(interrupt("4").frames.empty());
}

TEST_F(EffectRpcTest, ARefusedStreamFailsAndEnds) {
  const CallToken token = call(effect_frame("3", "terminal.subscribeEvents"));
  const json::value answer = json::parse(*effect_->encode_reply(token, Error(Errc::denied, "No")));
  EXPECT_EQ(answer.at("exit").at("cause").at(0).at("error").at("message"), "No");
  EXPECT_FALSE(effect_->wants_events());
  EXPECT_TRUE(effect_->wrap_event().empty());
}

TEST_F(EffectRpcTest, BoundsTheStreamsOfAConnection) {
  for (std::size_t i = 0; i < limits::kMaxStreams; ++i) subscribe("s" + std::to_string(i));
  const Decoded one_more = effect_->decode(effect_frame("x", "terminal.subscribeEvents"));
  EXPECT_TRUE(one_more.calls.empty());
  EXPECT_EQ(only_answer(one_more).at("exit").at("cause").at(0).at("error").at("code"), "limit");
  EXPECT_EQ(effect_->wrap_event().size(), limits::kMaxStreams);
  interrupt("s0");
  subscribe("x");
}

TEST_F(EffectRpcTest, CountsAcksOfChunksThatWereSent) {
  subscribe("3");
  EXPECT_EQ(ack("3").acknowledged, 0u);
  effect_->wrap_event();
  effect_->wrap_event();
  EXPECT_EQ(ack("3").acknowledged, 1u);
  EXPECT_EQ(ack("3").acknowledged, 1u);
  EXPECT_EQ(ack("3").acknowledged, 0u);
}

TEST_F(EffectRpcTest, AnEventOfTwoStreamsIsConfirmedByTheSlowerOne) {
  subscribe("3");
  effect_->wrap_event();
  subscribe("4");
  effect_->wrap_event();
  EXPECT_EQ(ack("4").acknowledged, 0u);
  EXPECT_EQ(ack("3").acknowledged, 1u);
  EXPECT_EQ(ack("3").acknowledged, 1u);
  effect_->wrap_event();
  EXPECT_EQ(ack("3").acknowledged, 0u);
  EXPECT_EQ(interrupt("4").acknowledged, 1u);
}

TEST_F(EffectRpcTest, AStreamThatEndsConfirmsWhatOnlyItCarried) {
  subscribe("3");
  effect_->wrap_event();
  effect_->wrap_event();
  EXPECT_EQ(interrupt("3").acknowledged, 2u);
  subscribe("3");
  effect_->wrap_event();
  EXPECT_EQ(ack("3").acknowledged, 1u);
}

TEST_F(EffectRpcTest, AcksInOneArrayCountTogether) {
  subscribe("3");
  for (int i = 0; i < 3; ++i) effect_->wrap_event();
  EXPECT_EQ(effect_->decode(R"([{"_tag":"Ack","requestId":"3"},{"_tag":"Ack","requestId":"3"}])").acknowledged, 2u);
}

}  // namespace
}  // namespace ptyd
