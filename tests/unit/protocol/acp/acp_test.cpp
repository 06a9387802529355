#include <csignal>
#include <random>
#include <set>

#include "tests/support/protocol/agents.hpp"

namespace ptyd {
namespace {

constexpr std::string_view kCreate = "terminal/create", kOutput = "terminal/output", kWait = "terminal/wait_for_exit",
                           kKill = "terminal/kill", kRelease = "terminal/release";
constexpr std::string_view kTerm = R"({"sessionId":"s","terminalId":"term_n1"})";
const SessionKey kAgentKey{"acp/s", "term_n1"};

std::string cancel(std::string_view id) {
  return rpc_notification("$/cancel_request", R"({"requestId":)" + std::string(id) + "}");
}

std::string update_showing(std::string_view content) {
  return rpc_notification("session/update", R"({"sessionId":"s","update":{"sessionUpdate":"tool_call_update",)"
                                            R"("toolCallId":"t","content":)" +
                                                std::string(content) + "}}");
}

class AcpTest : public AgentTest {
 protected:
  ptyd::Run run(std::string_view params) { return std::get<ptyd::Run>(call("1", kCreate, params).command); }
  std::string release(std::string_view id, const Result<Reply>& answer) {
    return reply(call(id, kRelease, kTerm), answer);
  }
};

// --- create

TEST_F(AcpTest, CreatesATerminalOfItsOwnForEachProgram) {
  const Call one = call("1", kCreate, create_params()), two = call("2", kCreate, create_params());
  EXPECT_EQ(std::get<ptyd::Run>(one.command).key, kAgentKey);
  EXPECT_EQ(std::get<ptyd::Run>(two.command).key, (SessionKey{"acp/s", "term_n2"}));
  EXPECT_EQ(reply(two, Reply(Done{})), rpc_result("2", R"({"terminalId":"term_n2"})"));
  EXPECT_EQ(reply(one, Reply(Done{})), rpc_result("1", R"({"terminalId":"term_n1"})"));
}

TEST_F(AcpTest, TakesEverythingACreateSays) {
  const ptyd::Run asked = run(R"({"sessionId":" s/1 ","command":"make ","args":["-j","a b",""],"cwd":"/x ",
      "env":[{"name":"B","value":"$HOME"},{"name":"A","value":""},{"name":"B","value":"2"}],"outputByteLimit":17,
      "_meta":{"traceparent":"00","ptyd":{"cols":90,"rows":50,"input":true}}})");
  EXPECT_EQ(asked.key.thread_id, "acp/ s/1 ");
  EXPECT_EQ(asked.command, "make ");
  EXPECT_EQ(asked.args, (std::vector<std::string>{"-j", "a b", ""}));
  EXPECT_EQ(asked.env, (Environment{{"B", "$HOME"}, {"A", ""}, {"B", "2"}}));
  EXPECT_EQ(asked.cwd, "/x ");
  EXPECT_EQ(asked.output_limit, 17u);
  EXPECT_EQ(asked.size, (Size{90, 50}));
  EXPECT_TRUE(asked.takes_input);
}

TEST_F(AcpTest, KnowsWhatACreateLeavesOut) {
  for (const auto& params :
       {create_params(), create_params({{"args", "null"}, {"env", "null"}, {"cwd", "null"}, {"_meta", "null"}})}) {
    const ptyd::Run asked = run(params);
    EXPECT_TRUE(asked.args.empty());
    EXPECT_TRUE(asked.env.empty());
    EXPECT_EQ(asked.cwd, "/srv");
    EXPECT_EQ(asked.output_limit, 65536u);
    EXPECT_EQ(asked.size, (Size{120, 40}));
    EXPECT_FALSE(asked.takes_input);
  }
}

TEST_F(AcpTest, TakesACreateAsTheGuideOfTheSdkShowsIt) {
  const ptyd::Run asked = run(create_params({{"env", R"({"B":"2","A":"$HOME"})"}, {"workingDirectory", "\"/x\""}}));
  EXPECT_EQ(asked.env, (Environment{{"B", "2"}, {"A", "$HOME"}}));
  EXPECT_EQ(asked.cwd, "/x");
  EXPECT_EQ(run(create_params({{"cwd", "\"/y\""}, {"workingDirectory", "\"/x\""}})).cwd, "/y");
  EXPECT_EQ(run(create_params({{"cwd", "null"}, {"workingDirectory", "\"/x\""}})).cwd, "/x");
}

TEST_F(AcpTest, LeavesTheOtherHalfOfASizeAsItIs) {
  EXPECT_EQ(run(create_params({{"_meta", R"({"ptyd":{"cols":80}})"}})).size, (Size{80, 40}));
  EXPECT_EQ(run(create_params({{"_meta", R"({"ptyd":{"rows":24,"cols":null}})"}})).size, (Size{120, 24}));
}

TEST_F(AcpTest, NamesTheVariablesThatAreDropped) {
  const auto created = [this](const std::string& env, const std::string& meta) {
    const auto asked = call("1", kCreate, create_params({{"env", env}, {"_meta", meta}}));
    return json::parse(reply(asked, Reply(Done{}))).at("result").as_object();
  };
  const std::string dropped =
      R"([{"name":"LD_B","value":"1"},{"name":"A","value":"2"},{"name":"LD_A","value":"3"},{"name":"LD_B","value":""}])";
  EXPECT_EQ(created(dropped, "null").at("_meta"), json::parse(R"({"ptyd":{"droppedEnv":["LD_A","LD_B"]}})"));
  const auto ours = created(dropped, R"({"ptyd":{}})").at("_meta").at("ptyd").as_object();
  EXPECT_EQ(ours.at("droppedEnv"), json::parse(R"(["LD_A","LD_B"])"));
  EXPECT_TRUE(ours.contains("methods")) << "beside what is told to those that ask";
  EXPECT_FALSE(created(R"([{"name":"A","value":"2"}])", "null").contains("_meta"));
}

// --- the other four

TEST_F(AcpTest, AsksForTheTerminalThatIsNamed) {
  EXPECT_EQ(std::get<ReadOutput>(call("1", kOutput, kTerm).command).key, kAgentKey);
  EXPECT_EQ(std::get<AwaitExit>(call("1", kWait, kTerm).command).key, kAgentKey);
  EXPECT_EQ(std::get<Kill>(call("1", kKill, kTerm).command).key, kAgentKey);
  EXPECT_EQ(std::get<Release>(call("1", kRelease, kTerm).command).key, kAgentKey);
}

TEST_F(AcpTest, AnswersWithAnObjectWhereThereIsNothingToTell) {
  EXPECT_EQ(reply(call("\"k\"", kKill, kTerm), Reply(Done{})), rpc_result("\"k\"", "{}"));
  EXPECT_EQ(reply(call("7", kRelease, kTerm), Reply(Done{})), rpc_result("7", "{}"));
}

std::string output_of(const ProgramOutput& output) {
  const auto dialect = speaking("acp delegate", agent_facts());
  const Decoded decoded = dialect->decode(rpc_request("1", kOutput, kTerm));
  return dialect->encode_reply(decoded.calls.at(0).token, Reply(output)).value();
}

TEST_F(AcpTest, NestsTheExitStatusInTheOutputAndTellsItFlatBesides) {
  EXPECT_EQ(output_of({}), rpc_result("1", R"({"output":"","truncated":false})"));
  EXPECT_EQ(output_of({"a\x1b\"\n\xff", true, ExitStatus{0, {}}}),
            rpc_result("1",
                       "{\"output\":\"a\\u001b\\\"\\n\uFFFD\",\"truncated\":true,"
                       "\"exitStatus\":{\"exitCode\":0,\"signal\":null},\"exitCode\":0,\"signal\":null}"));
  EXPECT_EQ(output_of({"x", false, ExitStatus{{}, SIGKILL}}),
            rpc_result("1", R"({"output":"x","truncated":false,"exitStatus":{"exitCode":null,"signal":"SIGKILL"},)"
                            R"("exitCode":null,"signal":"SIGKILL"})"));
}

TEST_F(AcpTest, TellsAnExitFlatWithBothOfItsKeys) {
  const auto told = [this](ExitStatus exit) { return reply(call("1", kWait, kTerm), Reply(ProgramExit{exit})); };
  EXPECT_EQ(told({3, {}}), rpc_result("1", R"({"exitCode":3,"signal":null})"));
  EXPECT_EQ(told({255, {}}), rpc_result("1", R"({"exitCode":255,"signal":null})"));
  const std::pair<int, std::string_view> signals[] = {
      {SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"}, {SIGSEGV, "SIGSEGV"}, {SIGHUP, "SIGHUP"}, {40, "SIG40"}};
  for (const auto& [signal, name] : signals)
    EXPECT_EQ(told({{}, signal}), rpc_result("1", R"({"exitCode":null,"signal":")" + std::string(name) + "\"}"));
}

TEST_F(AcpTest, AnswersInWhateverOrderRepliesCome) {
  const Call waiting = call("1", kWait, kTerm), output = call("2", kOutput, kTerm), other = call("3", kWait, kTerm);
  EXPECT_EQ(reply(output, Reply(ProgramOutput{})), rpc_result("2", R"({"output":"","truncated":false})"));
  EXPECT_EQ(reply(other, Reply(ProgramExit{{0, {}}})), rpc_result("3", R"({"exitCode":0,"signal":null})"));
  EXPECT_EQ(reply(waiting, Reply(ProgramExit{{0, {}}})), rpc_result("1", R"({"exitCode":0,"signal":null})"));
  EXPECT_EQ(reply(waiting, Reply(ProgramExit{{0, {}}})), "nothing");
}

// --- failures

TEST_F(AcpTest, NamesTheTerminalThatThereIsNot) {
  const std::string data = R"({"terminalId":"term_n1"})";
  for (const auto method : {kOutput, kWait, kKill, kRelease})
    EXPECT_EQ(reply(call("1", method, kTerm), Error(Errc::not_found, "")),
              rpc_error("1", -32002, "There is no such terminal", data));
}

TEST_F(AcpTest, TellsOtherFailuresByNumberSentenceAndName) {
  const auto told = [this](const Error& error) { return reply(call("1", kCreate, create_params()), error); };
  EXPECT_EQ(told({Errc::bad_cwd, "/x is no directory"}),
            rpc_error("1", -32602, "/x is no directory", R"({"code":"bad_cwd"})"));
  EXPECT_EQ(told({Errc::denied, ""}), rpc_error("1", -32001, "Not allowed", R"({"code":"denied"})"));
  EXPECT_EQ(told({Errc::limit, "At most 64"}), rpc_error("1", -32014, "At most 64", R"({"code":"limit"})"));
  EXPECT_EQ(told({Errc::internal, ""}),
            rpc_error("1", -32603, "Something went wrong in the server", R"({"code":"internal"})"));
}

TEST_F(AcpTest, HasNoOtherMethods) {
  for (const char* method :
       {"fs/read_text_file", "fs/write_text_file", "terminal/write", "terminal.open", "Terminal/kill", "session/new",
        "session/prompt", "_ptyd/terminal/write", "$/unheard_of", ""})
    EXPECT_EQ(answer(rpc_request("5", method, "{}")), rpc_error("5", -32601, in_quotes(method) + " is no method"));
  EXPECT_EQ(answer(rpc_request("5", repeated("x", 100), "{}")),
            rpc_error("5", -32601, "\"" + repeated("x", 48) + "...\" is no method"));
}

TEST_F(AcpTest, TellsWhoTakesItForAnAgentThatItIsNone) {
  const json::value refusal = json::parse(answer(rpc_request("0", "initialize", R"({"protocolVersion":1})")));
  EXPECT_EQ(refusal.at("id"), 0);
  EXPECT_EQ(refusal.at("error").at("code"), -32601);
  EXPECT_TRUE(refusal.at("error").at("data").at("hint").is_string());
}

TEST_F(AcpTest, GrantsNoPermissions) {
  EXPECT_EQ(answer(rpc_request("1", "session/request_permission", R"({"sessionId":"x","options":[]})")),
            rpc_result("1", R"({"outcome":{"outcome":"cancelled"}})"));
}

TEST_F(AcpTest, AnswersBrokenFramesOnceAndRunsNothingOfAnArray) {
  EXPECT_EQ(answer("[" + rpc_request("1", kKill, kTerm) + "," + rpc_request("2", kKill, kTerm) + "]"),
            rpc_error("null", -32600, "an array is not an object"));
  EXPECT_EQ(answer("{nope"),
            rpc_error("null", -32700, json::parse(answer("{nope")).at("error").at("message").as_string()));
  EXPECT_EQ(answer(R"({"jsonrpc":"2.0","id":9,"method":1})"), rpc_error("9", -32600, "method: 1 is not a string"));
}

TEST_F(AcpTest, IgnoresWhatWantsNoAnswer) {
  is_ignored(rpc_notification("unheard/of", "{}"));
  is_ignored(rpc_notification("initialized", "[]"));
  is_ignored(rpc_notification(kKill, kTerm));
  is_ignored(rpc_result("0", R"({"protocolVersion":1})"));
  is_ignored(rpc_error("0", -32603, "no"));
  is_ignored(R"({"jsonrpc":"2.0","id":{},"result":1,"error":2})");
}

// --- cancelling

TEST_F(AcpTest, LetsAWaiterGoAtOnceAndNobodyElse) {
  const Call one = call("1", kWait, kTerm), two = call("2", kWait, kTerm);
  const Decoded decoded = dialect_->decode(cancel("1"));
  EXPECT_EQ(decoded.frames, std::vector{rpc_error("1", -32800, "The request was cancelled")});
  EXPECT_EQ(decoded.given_up, std::vector{one.token});
  EXPECT_EQ(reply(one, Reply(ProgramExit{})), "nothing");
  is_ignored(cancel("1"));
  EXPECT_EQ(reply(two, Reply(ProgramExit{{0, {}}})), rpc_result("2", R"({"exitCode":0,"signal":null})"));
  is_ignored(cancel("2"));
}

TEST_F(AcpTest, TellsIdsOfOneValueAndTwoTypesApart) {
  const Call number = call("1", kWait, kTerm), text = call("\"1\"", kWait, kTerm);
  EXPECT_EQ(dialect_->decode(cancel("\"1\"")).given_up, std::vector{text.token});
  EXPECT_EQ(dialect_->decode(cancel("1")).given_up, std::vector{number.token});
}

TEST_F(AcpTest, AnswersWhatIsCancelledTooLate) {
  const Call create = call("1", kCreate, create_params()), output = call("2", kOutput, kTerm),
             kill = call("3", kKill, kTerm), release = call("4", kRelease, kTerm);
  for (const char* id : {"1", "2", "3", "4"}) is_ignored(cancel(id));
  EXPECT_EQ(reply(create, Reply(Done{})), rpc_result("1", R"({"terminalId":"term_n1"})"));
  EXPECT_EQ(reply(output, Reply(ProgramOutput{})), rpc_result("2", R"({"output":"","truncated":false})"));
  EXPECT_EQ(reply(kill, Reply(Done{})), rpc_result("3", "{}"));
  EXPECT_EQ(reply(release, Reply(Done{})), rpc_result("4", "{}"));
}

TEST_F(AcpTest, CancelsACreateThatWaitsAndAnswersItWhenItIsKnownWhetherItBegan) {
  const Call waits = call("1", kCreate, create_params()), begun = call("2", kCreate, create_params());
  EXPECT_EQ(dialect_->decode(cancel("1")).cancelled, std::vector{waits.token});
  is_ignored(cancel("1"));
  EXPECT_TRUE(dialect_->decode(cancel("1")).cancelled.empty()) << "once";
  EXPECT_EQ(dialect_->decode(cancel("2")).cancelled, std::vector{begun.token});
  EXPECT_EQ(reply(waits, Error(Errc::internal, "any")), rpc_error("1", -32800, "The request was cancelled"));
  EXPECT_EQ(reply(begun, Reply(Done{})), rpc_result("2", R"({"terminalId":"term_n2"})"));
}

TEST_F(AcpTest, IgnoresACancellationOfNothing) {
  call("1", kWait, kTerm);
  for (const char* params : {"{}", "[]", "null", "1", R"({"requestId":null})", R"({"requestId":1.5})",
                             R"({"requestId":[1]})", R"({"requestId":2})", R"({"requestId":"1"})", R"({"id":1})"})
    is_ignored(rpc_notification("$/cancel_request", params));
}

TEST_F(AcpTest, AnswersOneIdAsOftenAsItIsUsed) {
  const Call one = call("1", kWait, kTerm), two = call("1", kWait, kTerm);
  const Decoded decoded = dialect_->decode(cancel("1"));
  EXPECT_EQ(decoded.frames.size(), 2u);
  EXPECT_EQ(decoded.given_up, (std::vector{one.token, two.token}));
}

// --- releasing twice

TEST_F(AcpTest, ReleasesASecondTimeWithoutComplaint) {
  call("0", kCreate, create_params());
  EXPECT_EQ(release("1", Reply(Done{})), rpc_result("1", "{}"));
  EXPECT_EQ(release("2", Error(Errc::not_found, "")), rpc_result("2", "{}"));
  EXPECT_EQ(release("3", Error(Errc::not_found, "")), rpc_result("3", "{}"));
}

TEST_F(AcpTest, KnowsNothingElseOfAReleasedTerminal) {
  release("1", Reply(Done{}));
  for (const auto method : {kOutput, kWait, kKill})
    EXPECT_EQ(json::parse(reply(call("1", method, kTerm), Error(Errc::not_found, ""))).at("error").at("code"), -32002);
  const auto elsewhere = call("1", kRelease, R"({"sessionId":"other","terminalId":"term_n1"})");
  EXPECT_EQ(json::parse(reply(elsewhere, Error(Errc::not_found, ""))).at("error").at("code"), -32002);
}

TEST_F(AcpTest, ReleasesNothingThatFailedForAnotherReason) {
  EXPECT_EQ(json::parse(release("1", Error(Errc::internal, ""))).at("error").at("code"), -32603);
  EXPECT_EQ(json::parse(release("2", Error(Errc::not_found, ""))).at("error").at("code"), -32002);
  release("3", Reply(Done{}));
  EXPECT_EQ(json::parse(release("4", Error(Errc::internal, ""))).at("error").at("code"), -32603);
}

TEST_F(AcpTest, ReleasesWhatEverWasGivenInTheSessionWhateverBecameOfIt) {
  const Call create = call("1", kCreate, create_params());
  const auto other = speaking("acp delegate", facts_);
  const Decoded decoded = other->decode(rpc_request("2", kRelease, kTerm));
  ASSERT_EQ(decoded.calls.size(), 1u);
  EXPECT_EQ(other->encode_reply(decoded.calls[0].token, Error(Errc::not_found, "")), rpc_result("2", "{}"))
      << "on another connection, where it was never released";
  EXPECT_EQ(release("3", Error(Errc::not_found, "")), rpc_result("3", "{}"));
  for (int n = 0; n < 2000; ++n) call("4", kCreate, create_params());
  EXPECT_EQ(release("5", Error(Errc::not_found, "")), rpc_result("5", "{}")) << "however long ago";
}

TEST_F(AcpTest, ReleasesNothingThatWasGivenToAnotherCredential) {
  call("1", kCreate, create_params());
  WelcomeFacts facts = facts_;
  facts.credential = "other";
  const auto other = speaking("acp delegate", facts);
  const Decoded decoded = other->decode(rpc_request("2", kRelease, kTerm));
  const auto told = other->encode_reply(decoded.calls.at(0).token, Error(Errc::not_found, ""));
  EXPECT_EQ(json::parse(told.value()).at("error").at("code"), -32002);
}

TEST_F(AcpTest, ReleasesNothingThatWasNeverGiven) {
  call("1", kCreate, create_params());
  for (const std::string_view id : {"term_n2", "n1", "term_", "TERM_n1"}) {
    const auto asked = call("2", kRelease, R"({"sessionId":"s","terminalId":")" + std::string(id) + "\"}");
    EXPECT_EQ(json::parse(reply(asked, Error(Errc::not_found, ""))).at("error").at("code"), -32002) << id;
  }
}

// --- tool calls

TEST_F(AcpTest, PinsTheTerminalsThatAToolCallShows) {
  const Decoded decoded = dialect_->decode(update_showing(
      R"([{"type":"terminal","terminalId":"term_n1"},{"type":"content","terminalId":"no"},{"type":"terminal"},5,
          {"type":"terminal","terminalId":7},{"type":5,"terminalId":"no"},{"type":"terminal","terminalId":"term_n2"}])"));
  ASSERT_EQ(decoded.calls.size(), 2u);
  EXPECT_EQ(std::get<Pin>(decoded.calls[0].command).key, kAgentKey);
  EXPECT_EQ(std::get<Pin>(decoded.calls[1].command).key, (SessionKey{"acp/s", "term_n2"}));
  for (const auto& pin : decoded.calls) {
    EXPECT_EQ(reply(pin, Reply(Done{})), "nothing");
    EXPECT_EQ(reply(pin, Error(Errc::not_found, "")), "nothing");
  }
}

TEST_F(AcpTest, PinsNoMoreThanOneUpdateCanShow) {
  const auto pins = [this](int number) {
    std::string content = "[";
    for (int i = 0; i < number; ++i) content += R"({"type":"terminal","terminalId":"t"},)";
    return dialect_->decode(update_showing(content + "1]")).calls.size();
  };
  EXPECT_EQ(pins(64), 64u);
  EXPECT_EQ(pins(65), 64u);
}

TEST_F(AcpTest, IgnoresOtherUpdates) {
  for (const char* content : {"null", "5", "[]", "{}", R"({"type":"terminal","terminalId":"term_n1"})", "\"text\""})
    is_ignored(update_showing(content));
  for (const char* params : {"null", "[]", "{}", R"({"sessionId":"s"})", R"({"sessionId":"s","update":[]})",
                             R"({"update":{"content":[{"type":"terminal","terminalId":"t"}]}})",
                             R"({"sessionId":5,"update":{"content":[{"type":"terminal","terminalId":"t"}]}})"})
    is_ignored(rpc_notification("session/update", params));
}

// --- the language

TEST_F(AcpTest, ServesWithoutGreetingAndHearsNoEvents) {
  EXPECT_EQ(dialect_->welcome(), "");
  EXPECT_TRUE(dialect_->is_ready());
  EXPECT_FALSE(dialect_->wants_events());
  EXPECT_TRUE(dialect_->wrap_event().empty());
}

TEST(Acp, HasAnAnswerInJsonToAnyFrame) {
  std::mt19937 random(20260615);
  const std::string_view methods[] = {kCreate, kOutput, kWait, kKill, kRelease, "$/cancel_request", "session/update"};
  const std::string_view values[] = {"1",
                                     "null",
                                     "\"s\"",
                                     "{}",
                                     "[]",
                                     "-1.5",
                                     "[{\"type\":\"terminal\"}]",
                                     "true",
                                     "\"/\xff\"",
                                     "\"\\ud800\"",
                                     "{\"content\":[{}]}",
                                     "1e400"};
  const std::string_view keys[] = {"sessionId", "terminalId",      "command", "args",      "env",
                                   "cwd",       "outputByteLimit", "_meta",   "requestId", "update"};
  const auto any = [&random](const auto& list) { return std::string(list[random() % std::size(list)]); };
  for (const auto* language : {"acp delegate", "acp"}) {
    const auto dialect = speaking(language, agent_facts());
    dialect->welcome();
    for (int round = 0; round < 5000; ++round) {
      std::string params = "{";
      for (auto left = random() % 6; left > 0; --left) params += "\"" + any(keys) + "\":" + any(values) + ",";
      std::string frame = rpc_request(any(values), any(methods), params + "\"end\":1}");
      if (random() % 4 == 0) frame[random() % frame.size()] = static_cast<char>(random());
      Decoded decoded = dialect->decode(frame);
      for (const auto& call : decoded.calls)
        if (auto answer = dialect->encode_reply(call.token, Reply(Done{}))) decoded.frames.push_back(*answer);
      for (const auto& each : decoded.frames) {
        json::error_code error;
        json::parse(each, error);
        ASSERT_FALSE(error) << each;
      }
    }
  }
}

}  // namespace
}  // namespace ptyd
