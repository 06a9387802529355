// Every bound of every field: at the limit, one beyond it, and what is no such value at all.
#include <gtest/gtest.h>

#include "protocol/methods.hpp"
#include "tests/support/protocol/speaking.hpp"

namespace ptyd {
namespace {

/// The fault that decoding finds: "" when it takes the parameters.
std::string said(std::string_view method, const std::string& params, schema::Nulls nulls = schema::Nulls::refused) {
  Command command;
  const json::value value = json::parse(params);
  const Problem problem = find_method(method)->decode(value.as_object(), nulls, command);
  return problem ? problem->words() : "";
}

std::string effect_said(std::string_view method, const std::string& params) {
  Command command;
  const json::value value = json::parse(params);
  const Problem problem = find_method(method)->decode(value.as_object(), schema::Nulls::absent, command);
  return problem ? problem->effect_words() : "";
}

template <class Message>
Message decoded(std::string_view method, const std::string& params) {
  Command command;
  const json::value value = json::parse(params);
  const Problem problem = find_method(method)->decode(value.as_object(), schema::Nulls::refused, command);
  EXPECT_FALSE(problem) << problem->words();
  return std::get<Message>(command);
}

std::string environment(std::size_t entries) {
  json::object env;
  for (std::size_t i = 0; i < entries; ++i) env["V" + std::to_string(i)] = "x";
  return json::serialize(env);
}

std::string variable(std::string_view key, std::string_view value) {
  return json::serialize(json::object{{key, value}});
}

struct Case {
  std::string_view method;
  std::string field;
  std::string value;  ///< JSON; "" leaves the field out
  std::string said;   ///< "" when it is taken
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.method << " " << one.field << " = " << (one.value.empty() ? "(absent)" : one.value.substr(0, 60));
}

class Bounds : public testing::TestWithParam<Case> {};

TEST_P(Bounds, AreKept) {
  const Case& one = GetParam();
  EXPECT_EQ(said(one.method, params_with(one.method, {{one.field, one.value}})), one.said);
}

constexpr std::string_view kOpen = "terminal.open", kWrite = "terminal.write", kAck = "terminal.ackOutput",
                           kResize = "terminal.resize", kRestart = "terminal.restart", kClear = "terminal.clear",
                           kRename = "terminal.rename", kClose = "terminal.close", kList = "terminal.list",
                           kSubscribe = "terminal.subscribeEvents";

const std::string kGrin = "\U0001F600";  // two UTF-16 units

INSTANTIATE_TEST_SUITE_P(
    Sizes, Bounds,
    testing::Values(Case{kOpen, "cols", "19", "cols: 19 is below 20"}, Case{kOpen, "cols", "20", ""},
                    Case{kOpen, "cols", "2000", ""}, Case{kOpen, "cols", "2001", "cols: 2001 is above 2000"},
                    Case{kOpen, "cols", "", ""}, Case{kOpen, "cols", "80.0", ""}, Case{kOpen, "cols", "8e1", ""},
                    Case{kOpen, "cols", "80.5", "cols: 80.5 is not an integer"},
                    Case{kOpen, "cols", "\"80\"", "cols: \"80\" is not an integer"},
                    Case{kOpen, "cols", "null", "cols: null is not an integer"},
                    Case{kOpen, "cols", "true", "cols: true is not an integer"},
                    Case{kOpen, "cols", "[80]", "cols: an array is not an integer"},
                    Case{kOpen, "cols", "-1", "cols: -1 is below 20"},
                    Case{kOpen, "cols", "1e18", "cols: 1e+18 is above 2000"},
                    Case{kOpen, "cols", "9223372036854775807", "cols: 9223372036854775807 is above 2000"},
                    Case{kOpen, "cols", "18446744073709551615", "cols: 18446744073709551615 is above 2000"},
                    Case{kOpen, "rows", "4", "rows: 4 is below 5"}, Case{kOpen, "rows", "5", ""},
                    Case{kOpen, "rows", "1000", ""}, Case{kOpen, "rows", "1001", "rows: 1001 is above 1000"},
                    Case{kResize, "cols", "19", "cols: 19 is below 20"}, Case{kResize, "cols", "20", ""},
                    Case{kResize, "cols", "2000", ""}, Case{kResize, "cols", "2001", "cols: 2001 is above 2000"},
                    Case{kResize, "rows", "4", "rows: 4 is below 5"}, Case{kResize, "rows", "5", ""},
                    Case{kResize, "rows", "1000", ""}, Case{kResize, "rows", "1001", "rows: 1001 is above 1000"},
                    Case{kResize, "cols", "", "cols: is missing"}, Case{kResize, "rows", "", "rows: is missing"},
                    Case{kRestart, "cols", "19", "cols: 19 is below 20"}, Case{kRestart, "cols", "2000", ""},
                    Case{kRestart, "cols", "", "cols: is missing"}, Case{kRestart, "rows", "", "rows: is missing"},
                    Case{kRestart, "rows", "1001", "rows: 1001 is above 1000"},
                    Case{kRestart, "cwd", "", "cwd: is missing"}));

INSTANTIATE_TEST_SUITE_P(
    Names, Bounds,
    testing::Values(Case{kClear, "threadId", "", "threadId: is missing"},
                    Case{kClear, "threadId", "\"\"", "threadId: length 0 is below 1"},
                    Case{kClear, "threadId", "\" \\u00a0\\t\"", "threadId: length 0 is below 1"},
                    Case{kClear, "threadId", "5", "threadId: 5 is not a string"},
                    Case{kClear, "threadId", "{}", "threadId: an object is not a string"},
                    Case{kClear, "threadId", "\"a\\u0000b\"", "threadId: holds a NUL character"},
                    Case{kClear, "threadId", in_quotes(repeated("x", 1024)), ""},
                    Case{kClear, "threadId", in_quotes(repeated("x", 1025)), "threadId: length 1025 is above 1024"},
                    Case{kClear, "terminalId", "", ""},
                    Case{kClear, "terminalId", "null", "terminalId: null is not a string"},
                    Case{kClear, "terminalId", "\"  \"", "terminalId: length 0 is below 1"},
                    Case{kClear, "terminalId", in_quotes(repeated("x", 128)), ""},
                    Case{kClear, "terminalId", in_quotes("  " + repeated("x", 128) + "  "), ""},
                    Case{kClear, "terminalId", in_quotes(repeated("x", 129)), "terminalId: length 129 is above 128"},
                    Case{kClear, "terminalId", in_quotes(repeated(kGrin, 64)), ""},
                    Case{kClear, "terminalId", in_quotes(repeated(kGrin, 64) + "x"),
                         "terminalId: length 129 is above 128"},
                    Case{kClear, "terminalId", in_quotes(repeated("\u00e9", 128)), ""},
                    Case{kOpen, "cwd", "", "cwd: is missing"}, Case{kOpen, "cwd", "\" \"", "cwd: length 0 is below 1"},
                    Case{kOpen, "cwd", "null", "cwd: null is not a string"},
                    Case{kOpen, "cwd", "\"/a\\u0000\"", "cwd: holds a NUL character"},
                    Case{kOpen, "cwd", in_quotes("/" + repeated("x", 4095)), ""},
                    Case{kOpen, "cwd", in_quotes("/" + repeated("x", 4096)), "cwd: length 4097 is above 4096"},
                    Case{kClose, "threadId", "", "threadId: is missing"},
                    Case{kClose, "terminalId", in_quotes(repeated("x", 129)), "terminalId: length 129 is above 128"},
                    Case{kClose, "deleteHistory", "true", ""},
                    Case{kClose, "deleteHistory", "\"no\"", "deleteHistory: \"no\" is not true or false"},
                    Case{kClose, "deleteHistory", "1", "deleteHistory: 1 is not true or false"},
                    Case{kList, "threadId", "", ""}, Case{kList, "threadId", "\"\"", "threadId: length 0 is below 1"}));

INSTANTIATE_TEST_SUITE_P(
    Input, Bounds,
    testing::Values(Case{kWrite, "data", "", "data: is missing"},
                    Case{kWrite, "data", "\"\"", "data: length 0 is below 1"}, Case{kWrite, "data", "\" \"", ""},
                    Case{kWrite, "data", "\"\\u0000\"", ""}, Case{kWrite, "data", in_quotes(repeated("x", 65536)), ""},
                    Case{kWrite, "data", in_quotes(repeated("x", 65537)), "data: length 65537 is above 65536"},
                    Case{kWrite, "data", in_quotes(repeated(kGrin, 32768)), ""},
                    Case{kWrite, "data", in_quotes(repeated(kGrin, 32769)), "data: length 65538 is above 65536"},
                    Case{kWrite, "data", in_quotes(repeated("\u4e00", 65536)), ""},
                    Case{kWrite, "data", in_quotes(repeated("x", 1 << 20)), "data: length 1048576 is above 65536"},
                    Case{kAck, "bytes", "", "bytes: is missing"}, Case{kAck, "bytes", "0", "bytes: 0 is below 1"},
                    Case{kAck, "bytes", "1", ""}, Case{kAck, "bytes", "8388608", ""},
                    Case{kAck, "bytes", "8388609", "bytes: 8388609 is above 8388608"}));

INSTANTIATE_TEST_SUITE_P(
    Environments, Bounds,
    testing::Values(Case{kOpen, "env", "{}", ""}, Case{kOpen, "env", "[]", "env: an array is not an object"},
                    Case{kOpen, "env", "null", "env: null is not an object"}, Case{kOpen, "env", environment(128), ""},
                    Case{kOpen, "env", environment(129), "env: 129 entries are above 128"},
                    Case{kOpen, "env", R"({"_a9":"","Z":"x"})", ""},
                    Case{kOpen, "env", R"({"9a":"x"})", R"(env.9a: "9a" is not of the form [A-Za-z_][A-Za-z0-9_]*)"},
                    Case{kOpen, "env", R"({"a-b":"x"})", R"(env.a-b: "a-b" is not of the form [A-Za-z_][A-Za-z0-9_]*)"},
                    Case{kOpen, "env", R"({"a=b":"x"})", R"(env.a=b: "a=b" is not of the form [A-Za-z_][A-Za-z0-9_]*)"},
                    Case{kOpen, "env", R"({"":"x"})", R"(env."": length 0 is below 1)"},
                    Case{kOpen, "env", R"({"a":5})", "env.a: 5 is not a string"},
                    Case{kOpen, "env", R"({"a":null})", "env.a: null is not a string"},
                    Case{kOpen, "env", R"({"a":"x\u0000y"})", "env.a: holds a NUL character"},
                    Case{kOpen, "env", variable(repeated("k", 128), "x"), ""},
                    Case{kOpen, "env", variable(repeated("k", 129), "x"),
                         "env." + repeated("k", 48) + "...: length 129 is above 128"},
                    Case{kOpen, "env", variable("k", repeated("v", 8192)), ""},
                    Case{kOpen, "env", variable("k", repeated("v", 8193)), "env.k: length 8193 is above 8192"},
                    Case{kRestart, "env", R"({"9":"x"})", R"(env.9: "9" is not of the form [A-Za-z_][A-Za-z0-9_]*)"}));

INSTANTIATE_TEST_SUITE_P(
    Ours, Bounds,
    testing::Values(
        Case{kOpen, "streamOutput", "false", ""},
        Case{kOpen, "streamOutput", "0", "streamOutput: 0 is not true or false"}, Case{kOpen, "after", "\"\"", ""},
        Case{kOpen, "after", in_quotes(repeated("0", 64)), ""},
        Case{kOpen, "after", in_quotes(repeated("0", 65)), "after: length 65 is above 64"},
        Case{kOpen, "after", "17", "after: 17 is not a string"}, Case{kOpen, "attach", "true", ""},
        Case{kOpen, "hold", in_quotes(repeated("0", 64)), ""},
        Case{kOpen, "hold", in_quotes(repeated("0", 65)), "hold: length 65 is above 64"},
        Case{kRename, "name", in_quotes(repeated("n", 128)), ""},
        Case{kRename, "name", in_quotes(repeated("n", 129)), "name: length 129 is above 128"},
        Case{kRename, "name", "\" \\t\"", ""}, Case{kRename, "name", "", "name: is missing"},
        Case{kRename, "name", "7", "name: 7 is not a string"}, Case{kOpen, "policy", "\"latest\"", ""},
        Case{kOpen, "policy", "\"lossless\"", ""},
        Case{kOpen, "policy", "\"eager\"", R"(policy: "eager" is not one of "latest", "lossless")"},
        Case{kOpen, "policy", "1", R"(policy: 1 is not one of "latest", "lossless")"},
        Case{kOpen, "historyFormat", "\"raw\"", ""},
        Case{kOpen, "historyFormat", "\"vt\"", R"(historyFormat: "vt" is not one of "screen", "raw", "repaint")"},
        Case{kOpen, "scrollback", "0", ""}, Case{kOpen, "scrollback", "1000000", ""},
        Case{kOpen, "scrollback", "1000001", "scrollback: 1000001 is above 1000000"},
        Case{kOpen, "scrollback", "-1", "scrollback: -1 is below 0"},
        Case{kOpen, "features", R"(["title","resized"])", ""}, Case{kOpen, "features", "[]", ""},
        Case{kOpen, "features", R"(["title","title","title","title","title","title","title","title",
                                    "title","title","title","title","title","title","title","title"])",
             ""},
        Case{kOpen, "features", R"(["title","title","title","title","title","title","title","title","title",
                                    "title","title","title","title","title","title","title","title"])",
             "features: 17 entries are above 16"},
        Case{kOpen, "features", R"(["title","flying"])",
             "features[1]: \"flying\" is not one of \"resized\", \"title\", \"warning\", \"shutdown\", "
             "\"clipboard\", \"process\", \"renamed\", \"resynced\", \"toolCall\""},
        Case{kSubscribe, "features", "\"title\"", "features: \"title\" is not an array"},
        Case{kOpen, "colors", "{}", ""}, Case{kOpen, "colors", R"({"foreground":"#aBcDeF"})", ""},
        Case{kOpen, "colors", R"({"foreground":"#abcde"})", "colors.foreground: \"#abcde\" is not of the form #rrggbb"},
        Case{kOpen, "colors", R"({"background":"#abcdefa"})",
             "colors.background: \"#abcdefa\" is not of the form #rrggbb"},
        Case{kOpen, "colors", R"({"cursor":"red"})", "colors.cursor: \"red\" is not of the form #rrggbb"},
        Case{kOpen, "colors", R"({"cursor":"#-12345"})", "colors.cursor: \"#-12345\" is not of the form #rrggbb"},
        Case{kOpen, "colors", R"({"cursor":16711680})", "colors.cursor: 16711680 is not a string"},
        Case{kOpen, "colors", "\"dark\"", "colors: \"dark\" is not an object"},
        Case{kOpen, "cellSize", R"({"width":9,"height":1024})", ""},
        Case{kOpen, "cellSize", R"({"width":0,"height":17})", "cellSize.width: 0 is below 1"},
        Case{kOpen, "cellSize", R"({"width":9,"height":1025})", "cellSize.height: 1025 is above 1024"},
        Case{kOpen, "cellSize", R"({"width":9})", "cellSize.height: is missing"},
        Case{kOpen, "emulator", in_quotes(repeated("x", 64)), ""},
        Case{kOpen, "emulator", in_quotes(repeated("x", 65)), "emulator: length 65 is above 64"},
        Case{kOpen, "emulator", "\"\"", ""}, Case{kOpen, "emulator", "5", "emulator: 5 is not a string"}));

TEST(HugeNumbers, AreOutOfBoundsLikeOthers) {
  EXPECT_EQ(said(kResize, R"({"threadId":"t","cols":1e400,"rows":24})"), "cols: a number too large is above 2000");
  EXPECT_EQ(said(kResize, R"({"threadId":"t","cols":-1e400,"rows":24})"), "cols: a number too large is below 20");
  EXPECT_EQ(said(kAck, R"({"threadId":"t","bytes":123456789012345678901234567890})"),
            "bytes: 1.2345678901234568e+29 is above 8388608");
}

/// A program that asks for it and does not read the answer leaves it to its shell.
TEST(EmulatorNames, AreNothingThatAShellCouldActOn) {
  const auto said_of = [](const std::string& name) {
    return said(kOpen, params_with(kOpen, {{"emulator", in_quotes(name)}}));
  };
  for (const char* name : {"x", "xterm.js(6.0.0)", "XTerm(388)", "WezTerm 20240203-110809-5046fb22", "Apple_Terminal"})
    EXPECT_EQ(said_of(name), "");
  for (const char* name : {"/dev/null; touch pwned; #",
                           "a;b",
                           "a&",
                           "$(a)",
                           "`a`",
                           "a b c",
                           "a  b",
                           " a",
                           "a ",
                           "a|b",
                           "a>b",
                           ".profile",
                           "-a",
                           "(1)",
                           "a()",
                           "a(1",
                           "a(1)b",
                           "a(1) 2",
                           "a\\u000ab",
                           "a\\u001bb",
                           "\u00e9"})
    EXPECT_TRUE(said_of(name).ends_with("is not of the form name, name(version) or name version")) << name;
}

// --- the same in Effect's words

TEST(EffectWords, AreThoseOfItsSchema) {
  const auto said = [](std::string_view method, std::string field, std::string value) {
    return effect_said(method, params_with(method, {{field, value}}));
  };
  EXPECT_EQ(said(kOpen, "cols", "1"), "Expected a value greater than or equal to 20, got 1\n  at [\"cols\"]");
  EXPECT_EQ(said(kOpen, "cols", "2001"), "Expected a value less than or equal to 2000, got 2001\n  at [\"cols\"]");
  EXPECT_EQ(said(kOpen, "cols", "80.5"), "Expected an integer, got 80.5\n  at [\"cols\"]");
  EXPECT_EQ(said(kOpen, "cols", "\"80\""), "Expected number, got \"80\"\n  at [\"cols\"]");
  EXPECT_EQ(said(kOpen, "cwd", ""), "Missing key\n  at [\"cwd\"]");
  EXPECT_EQ(said(kWrite, "data", "\"\""), "Expected a value with a length of at least 1, got \"\"\n  at [\"data\"]");
  EXPECT_EQ(said(kOpen, "env", R"({"a":5})"), "Expected string, got 5\n  at [\"env\"][\"a\"]");
  EXPECT_EQ(said(kOpen, "features", "[5]").substr(0, 30), "Expected \"resized\" | \"title\" |");
}

TEST(EffectWords, NullStandsForAnAbsentFieldButNotForANeededOne) {
  EXPECT_EQ(effect_said(kOpen, params_with(kOpen, {{"terminalId", "null"}, {"cols", "null"}, {"env", "null"}})), "");
  EXPECT_EQ(effect_said(kOpen, params_with(kOpen, {{"cwd", "null"}})), "Expected string, got null\n  at [\"cwd\"]");
}

// --- what decoding gives

TEST(Decoding, TrimsNamesAsJavaScriptDoes) {
  const std::string spaces = "\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";
  const auto open = decoded<Open>(kOpen, params_with(kOpen, {{"threadId", in_quotes(spaces + "a b" + spaces)},
                                                             {"terminalId", in_quotes(spaces + "t")},
                                                             {"cwd", in_quotes("/x" + spaces)}}));
  EXPECT_EQ(open.key.thread_id, "a b");
  EXPECT_EQ(open.key.terminal_id, "t");
  EXPECT_EQ(open.cwd, "/x");
}

TEST(Decoding, DoesNotTrimWhatOnlyLooksLikeSpace) {
  EXPECT_EQ(decoded<Clear>(kClear, params_with(kClear, {{"threadId", "\"\\u200ba\\u180e\""}})).key.thread_id,
            "\u200ba\u180e");
}

TEST(Decoding, TakesTheDefaultTerminalEverywhereButInClose) {
  EXPECT_EQ(decoded<Open>(kOpen, params_with(kOpen)).key.terminal_id, "default");
  EXPECT_EQ(decoded<Write>(kWrite, params_with(kWrite)).key.terminal_id, "default");
  EXPECT_EQ(decoded<AckOutput>(kAck, params_with(kAck)).key.terminal_id, "default");
  EXPECT_EQ(decoded<Resize>(kResize, params_with(kResize)).key.terminal_id, "default");
  EXPECT_EQ(decoded<Clear>(kClear, params_with(kClear)).key.terminal_id, "default");
  EXPECT_EQ(decoded<Restart>(kRestart, params_with(kRestart)).key.terminal_id, "default");
  EXPECT_EQ(decoded<Close>(kClose, params_with(kClose)).terminal_id, std::nullopt);
}

TEST(Decoding, KeepsEverythingAnOpenSays) {
  const auto open = decoded<Open>(kOpen, R"({"threadId":"th","terminalId":"te","cwd":"/srv","cols":90,"rows":40,
      "env":{"B":"2","A":"1"},"streamOutput":false,"after":"00.1","attach":true,"policy":"lossless","hold":"recorder 1",
      "historyFormat":"raw","scrollback":7,"features":["title","clipboard"],
      "colors":{"foreground":"#010203","cursor":"#ffffff"},"cellSize":{"width":9,"height":18},"emulator":"x 1"})");
  EXPECT_EQ(open.key, (SessionKey{"th", "te"}));
  EXPECT_EQ(open.cols, 90);
  EXPECT_EQ(open.rows, 40);
  EXPECT_EQ(open.env, (Environment{{"B", "2"}, {"A", "1"}}));
  EXPECT_EQ(open.stream_output, false);
  EXPECT_EQ(open.after, "00.1");
  EXPECT_TRUE(open.attach);
  EXPECT_EQ(open.policy, DeliveryPolicy::lossless);
  EXPECT_EQ(open.hold, "recorder 1");
  EXPECT_EQ(open.history_format, HistoryFormat::raw);
  EXPECT_EQ(open.scrollback, 7u);
  EXPECT_EQ(open.features, (std::vector{kFeatureOf<Title>, kFeatureOf<Clipboard>}));
  EXPECT_EQ(open.traits.foreground, 0x010203u);
  EXPECT_EQ(open.traits.background, std::nullopt);
  EXPECT_EQ(open.traits.cursor_colour, 0xFFFFFFu);
  EXPECT_EQ(open.traits.cell_size, (Size{9, 18}));
  EXPECT_EQ(open.traits.emulator, "x 1");
}

TEST(Decoding, LeavesWhatIsNotSaidAsItIs) {
  const auto open = decoded<Open>(kOpen, params_with(kOpen, {{"unheard-of", "[1,{}]"}}));
  EXPECT_EQ(open.cols, std::nullopt);
  EXPECT_EQ(open.stream_output, std::nullopt);
  EXPECT_EQ(open.policy, DeliveryPolicy::latest);
  EXPECT_EQ(open.traits.cell_size, std::nullopt);
  EXPECT_FALSE(open.attach);
}

TEST(Decoding, TakesTheLastOfDuplicateKeys) {
  EXPECT_EQ(decoded<Write>(kWrite, R"({"threadId":"a","threadId":"b","data":"x"})").key.thread_id, "b");
}

}  // namespace
}  // namespace ptyd
