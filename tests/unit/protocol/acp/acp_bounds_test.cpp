// Every parameter of agents' terminal methods: at its bound, one beyond it, and what is no such value at all.
#include "tests/support/protocol/agents.hpp"

namespace ptyd {
namespace {

struct Parameter {
  std::string field;
  std::string value;  ///< JSON; "" leaves the field out
  std::string said;   ///< after "params."; "" when it is taken
};

void PrintTo(const Parameter& one, std::ostream* out) {
  *out << one.field << " = " << (one.value.empty() ? "(absent)" : one.value.substr(0, 60));
}

/// The refusal of a request, "" when it is taken.
std::string acp_refusal(const std::string& frame) {
  const Decoded decoded = speaking("acp delegate", agent_facts())->decode(frame);
  if (decoded.frames.empty()) return decoded.calls.size() == 1 ? "" : "neither taken nor refused";
  const json::value error = only_answer(decoded).at("error");
  EXPECT_EQ(error.at("code"), -32602) << frame;
  EXPECT_TRUE(decoded.calls.empty());
  return std::string(error.at("message").as_string());
}

std::string in_params(const std::string& said) {
  return said.empty() ? said : "params." + said;
}

class AcpCreate : public testing::TestWithParam<Parameter> {};

TEST_P(AcpCreate, TakesOrRefuses) {
  const auto& [field, value, said] = GetParam();
  EXPECT_EQ(acp_refusal(rpc_request("1", "terminal/create", create_params({{field, value}}))), in_params(said));
}

class AcpKey : public testing::TestWithParam<Parameter> {};

TEST_P(AcpKey, IsTakenOrRefusedByEachMethod) {
  const auto& [field, value, said] = GetParam();
  json::object params{{"sessionId", "s"}, {"terminalId", "term_n1"}};
  if (value.empty())
    params.erase(field);
  else
    params[field] = json::parse(value);
  for (const char* method : {"terminal/output", "terminal/wait_for_exit", "terminal/kill", "terminal/release"})
    EXPECT_EQ(acp_refusal(rpc_request("1", method, json::serialize(params))), in_params(said)) << method;
}

std::string array_of(std::string_view item, std::size_t times) {
  std::string out = "[";
  for (std::size_t i = 0; i < times; ++i) out.append(i > 0 ? "," : "").append(item);
  return out + "]";
}

/// So many variables.
std::string object_of(std::size_t members) {
  json::object out;
  for (std::size_t i = 0; i < members; ++i) out["A" + std::to_string(i)] = "";
  return json::serialize(out);
}

std::string one_variable(std::string_view name, std::string_view value) {
  return "[" + json::serialize(json::object{{"name", name}, {"value", value}}) + "]";
}

const std::string kArgMost = repeated("x", 131071), kSmile = "\U0001F600";
const std::string kSessionMost = repeated(kSmile, 256);

INSTANTIATE_TEST_SUITE_P(
    Commands, AcpCreate,
    testing::Values(Parameter{"command", "", "command: is missing"},
                    Parameter{"command", "null", "command: null is not a string"},
                    Parameter{"command", "[\"ls\"]", "command: an array is not a string"},
                    Parameter{"command", "\"\"", "command: length 0 is below 1"}, Parameter{"command", "\" \"", ""},
                    Parameter{"command", "\"a\\u0000b\"", "command: holds a NUL character"},
                    Parameter{"command", in_quotes(kArgMost), ""},
                    Parameter{"command", in_quotes(kArgMost + "x"), "command: length 131072 is above 131071"},
                    Parameter{"sessionId", "", "sessionId: is missing"},
                    Parameter{"sessionId", "null", "sessionId: null is not a string"},
                    Parameter{"sessionId", "7", "sessionId: 7 is not a string"},
                    Parameter{"sessionId", "\"a\\u0000\"", "sessionId: holds a NUL character"},
                    Parameter{"sessionId", in_quotes(kSessionMost), ""},
                    Parameter{"sessionId", in_quotes(kSessionMost + "x"), "sessionId: length 513 is above 512"}));

INSTANTIATE_TEST_SUITE_P(
    Arguments, AcpCreate,
    testing::Values(Parameter{"args", "", ""}, Parameter{"args", "null", ""}, Parameter{"args", "[]", ""},
                    Parameter{"args", R"(["","a b","$HOME","-c"])", ""},
                    Parameter{"args", "\"-l\"", "args: \"-l\" is not an array"},
                    Parameter{"args", "{}", "args: an object is not an array"},
                    Parameter{"args", R"(["a",5])", "args[1]: 5 is not a string"},
                    Parameter{"args", R"([null])", "args[0]: null is not a string"},
                    Parameter{"args", R"(["a\u0000"])", "args[0]: holds a NUL character"},
                    Parameter{"args", array_of("\"\"", 4096), ""},
                    Parameter{"args", array_of("\"\"", 4097), "args: 4097 entries are above 4096"},
                    Parameter{"args", "[" + in_quotes(kArgMost) + "]", ""},
                    Parameter{"args", "[" + in_quotes(kArgMost + "x") + "]", "args[0]: length 131072 is above 131071"},
                    Parameter{"args", "[" + in_quotes(repeated("\u00e9", 65536)) + "]",
                              "args[0]: length 131072 is above 131071"}));

INSTANTIATE_TEST_SUITE_P(
    Variables, AcpCreate,
    testing::Values(
        Parameter{"env", "null", ""}, Parameter{"env", "[]", ""},
        Parameter{"env", R"([{"name":"A","value":"1","_meta":5,"more":[]}])", ""},
        Parameter{"env", R"([{"name":"a-b.c","value":""}])", ""}, Parameter{"env", R"({"A":"1","a-b.c":""})", ""},
        Parameter{"env", "{}", ""}, Parameter{"env", "5", "env: 5 is not an array or an object"},
        Parameter{"env", R"({"A":5})", "env.A: 5 is not a string"},
        Parameter{"env", R"({"A":null})", "env.A: null is not a string"},
        Parameter{"env", R"({"":"1"})", "env.\"\": length 0 is below 1"},
        Parameter{"env", R"({"A=B":"1"})", "env.A=B: holds an equals sign"},
        Parameter{"env", R"({"A":"\u0000"})", "env.A: holds a NUL character"},
        Parameter{"env", R"({"A":")" + repeated("x", 131069) + "\"}", ""},
        Parameter{"env", R"({"A":")" + repeated("x", 131070) + "\"}", "env.A: length 131072 is above 131071"},
        Parameter{"env", object_of(1024), ""}, Parameter{"env", object_of(1025), "env: 1025 entries are above 1024"},
        Parameter{"env", R"(["A=1"])", "env[0]: \"A=1\" is not an object"},
        Parameter{"env", R"([{"name":"A","value":"1"},{"value":"1"}])", "env[1].name: is missing"},
        Parameter{"env", R"([{"name":"A"}])", "env[0].value: is missing"},
        Parameter{"env", R"([{"name":"A","value":5}])", "env[0].value: 5 is not a string"},
        Parameter{"env", R"([{"name":"A","value":null}])", "env[0].value: null is not a string"},
        Parameter{"env", R"([{"name":"","value":"1"}])", "env[0].name: length 0 is below 1"},
        Parameter{"env", R"([{"name":"A=B","value":"1"}])", "env[0].name: holds an equals sign"},
        Parameter{"env", R"([{"name":"A\u0000","value":"1"}])", "env[0].name: holds a NUL character"},
        Parameter{"env", R"([{"name":"A","value":"\u0000"}])", "env[0].value: holds a NUL character"},
        Parameter{"env", array_of(R"({"name":"A","value":""})", 1024), ""},
        Parameter{"env", array_of(R"({"name":"A","value":""})", 1025), "env: 1025 entries are above 1024"},
        Parameter{"env", one_variable("A", repeated("x", 131069)), ""},
        Parameter{"env", one_variable("A", repeated("x", 131070)), "env[0]: length 131072 is above 131071"}));

INSTANTIATE_TEST_SUITE_P(
    Directories, AcpCreate,
    testing::Values(Parameter{"cwd", "null", ""}, Parameter{"cwd", "\"/\"", ""}, Parameter{"cwd", "\"/a b \"", ""},
                    Parameter{"cwd", "\"\"", "cwd: \"\" is not an absolute path"},
                    Parameter{"cwd", "\"src\"", "cwd: \"src\" is not an absolute path"},
                    Parameter{"cwd", "\"~/x\"", "cwd: \"~/x\" is not an absolute path"},
                    Parameter{"cwd", "\" /x\"", "cwd: \" /x\" is not an absolute path"},
                    Parameter{"cwd", "5", "cwd: 5 is not a string"},
                    Parameter{"cwd", "\"/a\\u0000\"", "cwd: holds a NUL character"},
                    Parameter{"workingDirectory", "null", ""}, Parameter{"workingDirectory", "\"/\"", ""},
                    Parameter{"workingDirectory", "\"src\"", "workingDirectory: \"src\" is not an absolute path"},
                    Parameter{"workingDirectory", "5", "workingDirectory: 5 is not a string"},
                    Parameter{"cwd", in_quotes("/" + repeated("x", 4095)), ""},
                    Parameter{"cwd", in_quotes("/" + repeated("x", 4096)), "cwd: length 4097 is above 4096"}));

INSTANTIATE_TEST_SUITE_P(
    Limits, AcpCreate,
    testing::Values(Parameter{"outputByteLimit", "null", ""}, Parameter{"outputByteLimit", "0", ""},
                    Parameter{"outputByteLimit", "-1", "outputByteLimit: -1 is below 0"},
                    Parameter{"outputByteLimit", "-1e300", "outputByteLimit: -1e+300 is below 0"},
                    Parameter{"outputByteLimit", "1.5", "outputByteLimit: 1.5 is not an integer"},
                    Parameter{"outputByteLimit", "\"1\"", "outputByteLimit: \"1\" is not an integer"},
                    Parameter{"outputByteLimit", "true", "outputByteLimit: true is not an integer"},
                    Parameter{"outputByteLimit", "[]", "outputByteLimit: an array is not an integer"}));

INSTANTIATE_TEST_SUITE_P(
    Ours, AcpCreate,
    testing::Values(Parameter{"_meta", "null", ""}, Parameter{"_meta", "5", ""}, Parameter{"_meta", "[]", ""},
                    Parameter{"_meta", R"({"ptyd":5,"traceparent":"x"})", ""}, Parameter{"_meta", R"({"ptyd":{}})", ""},
                    Parameter{"_meta", R"({"other":{"cols":1}})", ""},
                    Parameter{"_meta", R"({"ptyd":{"cols":20,"rows":5,"input":null,"more":1}})", ""},
                    Parameter{"_meta", R"({"ptyd":{"cols":2000,"rows":1000}})", ""},
                    Parameter{"_meta", R"({"ptyd":{"cols":19}})", "_meta.ptyd.cols: 19 is below 20"},
                    Parameter{"_meta", R"({"ptyd":{"cols":2001}})", "_meta.ptyd.cols: 2001 is above 2000"},
                    Parameter{"_meta", R"({"ptyd":{"rows":4}})", "_meta.ptyd.rows: 4 is below 5"},
                    Parameter{"_meta", R"({"ptyd":{"rows":1001}})", "_meta.ptyd.rows: 1001 is above 1000"},
                    Parameter{"_meta", R"({"ptyd":{"input":1}})", "_meta.ptyd.input: 1 is not true or false"},
                    Parameter{"unheardOf", R"({"a":[1]})", ""}));

INSTANTIATE_TEST_SUITE_P(
    All, AcpKey,
    testing::Values(Parameter{"_meta", "5", ""}, Parameter{"unheardOf", "[]", ""},
                    Parameter{"sessionId", "", "sessionId: is missing"},
                    Parameter{"sessionId", "{}", "sessionId: an object is not a string"},
                    Parameter{"sessionId", in_quotes(kSessionMost), ""},
                    Parameter{"sessionId", in_quotes(kSessionMost + "x"), "sessionId: length 513 is above 512"},
                    Parameter{"terminalId", "", "terminalId: is missing"},
                    Parameter{"terminalId", "null", "terminalId: null is not a string"},
                    Parameter{"terminalId", "1", "terminalId: 1 is not a string"},
                    Parameter{"terminalId", "\"\"", "terminalId: length 0 is below 1"},
                    Parameter{"terminalId", "\"a\\u0000\"", "terminalId: holds a NUL character"},
                    Parameter{"terminalId", in_quotes(repeated("x", 128)), ""},
                    Parameter{"terminalId", in_quotes(repeated("x", 129)), "terminalId: length 129 is above 128"}));

TEST(AcpParams, AreAnObject) {
  EXPECT_EQ(acp_refusal(R"({"jsonrpc":"2.0","id":1,"method":"terminal/kill"})"), "params: is missing");
  EXPECT_EQ(acp_refusal(rpc_request("1", "terminal/kill", "[]")), "params: an array is not an object");
  EXPECT_EQ(acp_refusal(rpc_request("1", "terminal/create", "null")), "params: null is not an object");
}

std::uint64_t limit_taken(const std::string& value) {
  const auto dialect = speaking("acp delegate", agent_facts());
  const Decoded decoded =
      dialect->decode(R"({"jsonrpc":"2.0","id":1,"method":"terminal/create","params":{"sessionId":"s","command":"a",)"
                      R"("outputByteLimit":)" +
                      value + "}}");
  EXPECT_EQ(decoded.calls.size(), 1u) << value;
  return decoded.calls.empty() ? 1 : std::get<Run>(decoded.calls.front().command).output_limit;
}

TEST(AcpParams, AskForAsMuchOutputAsTheyLikeAndGetWhatIsKept) {
  constexpr std::uint64_t kCeiling = limits::kMaxOutputLimit;
  EXPECT_EQ(limit_taken("null"), limits::kOutputLimit);
  EXPECT_EQ(limit_taken("0"), 0u);
  EXPECT_EQ(limit_taken("17.0"), 17u);
  EXPECT_EQ(limit_taken("1048575"), kCeiling - 1);
  EXPECT_EQ(limit_taken("1048576"), kCeiling);
  for (const char* huge : {"1048577", "1048577.0", "9223372036854775807", "9223372036854775808", "18446744073709551615",
                           "18446744073709552000", "1e300", "1e400"})
    EXPECT_EQ(limit_taken(huge), kCeiling) << huge;
}

}  // namespace
}  // namespace ptyd
