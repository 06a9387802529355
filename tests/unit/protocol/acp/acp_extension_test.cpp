// Methods of ours for agents: what they ask, what they answer, and what is told without being asked.
#include <csignal>

#include "tests/support/alternatives.hpp"
#include "tests/support/protocol/agents.hpp"

namespace ptyd {
namespace {

const SessionKey kOurKey{"acp/s", "t"};
constexpr std::string_view kOurTerm = R"({"sessionId":"s","terminalId":"t"})";
constexpr std::string_view kHear = "_ptyd/terminal/subscribe";

/// kOurTerm with more in it.
std::string with(std::string_view more) {
  return R"({"sessionId":"s","terminalId":"t",)" + std::string(more) + "}";
}

class AcpExtensionTest : public AgentTest {
 protected:
  template <class Asked>
  Asked asked(std::string_view method, std::string_view params) {
    return std::get<Asked>(call("1", "_ptyd/terminal/" + std::string(method), params).command);
  }
  std::string refusal(std::string_view method, std::string_view params) {
    const json::value error =
        json::parse(answer(rpc_request("1", "_ptyd/terminal/" + std::string(method), params))).at("error");
    EXPECT_EQ(error.at("code"), -32602);
    return std::string(error.at("message").as_string());
  }
  void subscribe(Status status = Status::running) {
    Snapshot shown;
    shown.key = kOurKey;
    shown.status = status;
    reply(call("1", kHear, kOurTerm), Reply(shown));
  }
  std::string told(EventBody body, const SessionKey& key = kOurKey, const Cursor& cursor = {7, 1}) {
    return dialect_->tell({key, 0, cursor, std::move(body)}).value_or("nothing");
  }
};

TEST_F(AcpExtensionTest, AsksWhatItSays) {
  const auto input = asked<Write>("input", with(R"("data":"y\r\u0003")"));
  EXPECT_EQ(input.key, kOurKey);
  EXPECT_EQ(input.data, "y\r\x03");
  const auto size = asked<Resize>("resize", with(R"("cols":90,"rows":30)"));
  EXPECT_EQ(size.size, (Size{90, 30}));
  EXPECT_EQ(asked<Signal>("signal", with(R"("signal":"SIGWINCH")")).number, SIGWINCH);
  const auto screen = asked<TakeSnapshot>("screen", kOurTerm);
  EXPECT_EQ(screen.format, SnapshotFormat::plain);
  EXPECT_EQ(screen.scrollback, 0u);
  EXPECT_EQ(asked<TakeSnapshot>("screen", with(R"("scrollback":12)")).scrollback, 12u);
  const auto open = asked<Open>("subscribe", kOurTerm);
  EXPECT_EQ(open.key, kOurKey);
  EXPECT_TRUE(open.attach);
  EXPECT_EQ(open.stream_output, true);
  EXPECT_EQ(open.policy, DeliveryPolicy::latest);
  EXPECT_EQ(asked<Detach>("unsubscribe", kOurTerm).key, kOurKey);
}

TEST_F(AcpExtensionTest, OfAllEventsOutputAndTheExitAreTold) {
  for (const auto& body : alternatives<EventBody>()) {
    subscribe();
    const bool is_told = std::holds_alternative<Output>(body) || std::holds_alternative<Exited>(body);
    EXPECT_EQ(told(body) != "nothing", is_told) << body.index();
  }
}

TEST_F(AcpExtensionTest, RefusesByNameWhatIsBeyondABound) {
  EXPECT_EQ(refusal("input", kOurTerm), "params.data: is missing");
  EXPECT_EQ(refusal("input", with(R"("data":"")")), "params.data: length 0 is below 1");
  EXPECT_EQ(asked<Write>("input", with("\"data\":" + in_quotes(repeated("x", 65536)))).data.size(), 65536u);
  EXPECT_EQ(refusal("input", with("\"data\":" + in_quotes(repeated("x", 65537)))),
            "params.data: length 65537 is above 65536");
  EXPECT_EQ(refusal("resize", with(R"("cols":19,"rows":5)")), "params.cols: 19 is below 20");
  EXPECT_EQ(refusal("resize", with(R"("cols":2000,"rows":1001)")), "params.rows: 1001 is above 1000");
  EXPECT_EQ(refusal("resize", with(R"("cols":80)")), "params.rows: is missing");
  EXPECT_EQ(refusal("screen", with(R"("scrollback":-1)")), "params.scrollback: -1 is below 0");
  EXPECT_EQ(refusal("subscribe", R"({"sessionId":"s"})"), "params.terminalId: is missing");
}

TEST_F(AcpExtensionTest, NamesTheSignalsThatThereAre) {
  for (const auto& [name, number] :
       {std::pair("SIGINT", SIGINT), std::pair("SIGTERM", SIGTERM), std::pair("SIGKILL", SIGKILL),
        std::pair("SIGHUP", SIGHUP), std::pair("SIGQUIT", SIGQUIT), std::pair("SIGUSR1", SIGUSR1),
        std::pair("SIGUSR2", SIGUSR2), std::pair("SIGSTOP", SIGSTOP), std::pair("SIGTSTP", SIGTSTP),
        std::pair("SIGCONT", SIGCONT)})
    EXPECT_EQ(asked<Signal>("signal", with("\"signal\":" + in_quotes(name))).number, number);
  for (const char* other : {"\"SIGSEGV\"", "\"INT\"", "\"sigint\"", "\"\"", "2", "null"}) {
    const auto sentence = refusal("signal", with("\"signal\":" + std::string(other)));
    EXPECT_NE(sentence.find(R"(is not one of "SIGHUP", "SIGINT")"), sentence.npos) << sentence;
    EXPECT_NE(sentence.find("\"SIGWINCH\""), sentence.npos) << sentence;
  }
}

TEST_F(AcpExtensionTest, AnswersWithAScreenAsItStands) {
  ScreenSnapshot shown;
  shown.key = kOurKey;
  shown.text = "$ \x1b";
  shown.size = {80, 24};
  shown.caret = {1, 2, true};
  shown.title = "vi";
  EXPECT_EQ(reply(call("1", "_ptyd/terminal/screen", kOurTerm), Reply(shown)),
            rpc_result("1", R"({"text":"$ \u001b","cols":80,"rows":24,"caret":{"row":1,"column":2,"visible":true},)"
                            R"("alternate":false,"title":"vi"})"));
}

TEST_F(AcpExtensionTest, AnswersASubscriptionWithAllThereIs) {
  Snapshot shown;
  shown.key = kOurKey;
  shown.cwd = "/srv";
  shown.status = Status::running;
  shown.history = "hello";
  shown.size = {80, 24};
  const std::string all = R"({"terminalId":"t","cwd":"/srv","size":{"cols":80,"rows":24},"output":{"data":"aGVsbG8="})";
  EXPECT_EQ(reply(call("1", kHear, kOurTerm), Reply(shown)), rpc_result("1", all + "}"));
  shown.status = Status::exited;
  shown.exit = {3, {}};
  EXPECT_EQ(reply(call("1", kHear, kOurTerm), Reply(shown)),
            rpc_result("1", all + R"(,"exitStatus":{"exitCode":3,"signal":null}})"));
}

TEST_F(AcpExtensionTest, TellsBytesInBase64FromASubscriptionOnAndThenTheExit) {
  EXPECT_EQ(told(Output{"early", 5}), "nothing");
  EXPECT_FALSE(dialect_->wants_events());
  subscribe();
  EXPECT_TRUE(dialect_->wants_events());
  EXPECT_EQ(told(Output{"\xff", 3}),
            rpc_notification("_ptyd/terminal/output", R"({"sessionId":"s","terminalId":"t","data":"/w=="})"));
  EXPECT_EQ(told(Activity{}), "nothing");
  EXPECT_EQ(told(Output{"x", 1}, {"acp/s", "other"}), "nothing");
  EXPECT_EQ(told(Output{"x", 1}, {"acp/S", "t"}), "nothing");
  EXPECT_EQ(told(Exited{{{}, SIGTERM}}, kOurKey, {}), "nothing") << "news for who does not hear it";
  EXPECT_EQ(told(Exited{{{}, SIGTERM}}),
            rpc_notification("_ptyd/terminal/update", R"({"sessionId":"s","terminalId":"t",)"
                                                      R"("exitStatus":{"exitCode":null,"signal":"SIGTERM"}})"));
  EXPECT_FALSE(dialect_->wants_events()) << "nothing follows";
}

TEST_F(AcpExtensionTest, TellsNothingMoreOnceNobodyWantsIt) {
  subscribe();
  call("2", "_ptyd/terminal/unsubscribe", kOurTerm);
  EXPECT_EQ(told(Output{"x", 1}), "nothing");
  subscribe();
  reply(call("3", "terminal/release", kOurTerm), Reply(Done{}));
  EXPECT_FALSE(dialect_->wants_events());
  subscribe(Status::exited);
  EXPECT_FALSE(dialect_->wants_events());
  reply(call("4", kHear, kOurTerm), Error(Errc::not_found, ""));
  EXPECT_FALSE(dialect_->wants_events());
}

TEST_F(AcpExtensionTest, SaysWhatThereIsToWhoeverSaysThatItKnowsUs) {
  const auto created = [this](std::string_view meta) {
    return json::parse(reply(call("1", "terminal/create", create_params({{"_meta", std::string(meta)}})), Done{}))
        .at("result")
        .as_object();
  };
  const auto ours = created(R"({"ptyd":{}})").at("_meta").at("ptyd");
  EXPECT_EQ(ours.at("pty"), json::parse(R"({"cols":120,"rows":40,"input":false,"raw":false})"));
  EXPECT_EQ(ours.at("methods").as_array().size(), 6u);
  EXPECT_EQ(ours.at("notifications"), json::parse(R"(["_ptyd/terminal/output","_ptyd/terminal/update"])"));
  EXPECT_FALSE(created("{}").contains("_meta"));
  EXPECT_FALSE(created(R"({"ptyd":1})").contains("_meta"));
}

TEST_F(AcpExtensionTest, TakesRawOutputWhereItIsAskedFor) {
  const auto run = [this](std::string_view meta) {
    return std::get<ptyd::Run>(call("1", "terminal/create", create_params({{"_meta", std::string(meta)}})).command);
  };
  EXPECT_TRUE(run(R"({"ptyd":{"raw":true}})").raw_output);
  EXPECT_FALSE(run(R"({"ptyd":{}})").raw_output);
  const auto output = [this](std::string_view params) {
    return std::get<ReadOutput>(call("1", "terminal/output", params).command).raw;
  };
  EXPECT_EQ(output(kOurTerm), std::nullopt);
  EXPECT_EQ(output(with(R"("_meta":{"ptyd":{"raw":true}})")), true);
  EXPECT_EQ(output(with(R"("_meta":{"ptyd":{"raw":false}})")), false);
  EXPECT_EQ(answer(rpc_request("1", "terminal/output", with(R"("_meta":{"ptyd":{"raw":1}})"))),
            rpc_error("1", -32602, "params._meta.ptyd.raw: 1 is not true or false"));
}

}  // namespace
}  // namespace ptyd
