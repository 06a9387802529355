// Tool calls of an agent: what is told of the terminals that they show.
#include <string>

#include "protocol/acp/acp_tool_calls.hpp"
#include "protocol/kinds.hpp"
#include "tests/support/protocol/agents.hpp"

namespace ptyd {
namespace {

const std::string kThread = "acp/s";

std::string showing(int first, int last) {
  std::string content = R"("content":[)";
  for (int n = first; n <= last; ++n)
    content += R"({"type":"terminal","terminalId":"term_)" + std::to_string(n) + (n < last ? "\"}," : "\"}");
  return content + "]";
}

std::string showing(int one) {
  return showing(one, one);
}

/// Pins in words: `1: Build execute in_progress`, with `-` for what is not told.
std::string in_words(const std::vector<Pin>& pins) {
  std::string words;
  for (const auto& [key, told] : pins) {
    if (!words.empty()) words += " | ";
    words += key.terminal_id.substr(std::string_view("term_").size()) + ": " + told.title.value_or("-");
    words += ' ';
    words += told.kind ? schema::kNames<ToolKind>.at(static_cast<std::size_t>(*told.kind)) : "-";
    words += ' ';
    words += told.status ? schema::kNames<ToolStatus>.at(static_cast<std::size_t>(*told.status)) : "-";
  }
  return words;
}

class ToolCallsTest : public testing::Test {
 protected:
  std::vector<Pin> pins(const std::string& fields, const std::string& thread = kThread) {
    return calls_.take(thread, json::parse("{" + fields + "}"));
  }
  std::string told(const std::string& fields) { return in_words(pins(fields)); }
  std::string recalled(const SessionKey& key) const { return in_words(calls_.recall(key)); }
  /// The title that is told where the agent sends this one, as JSON text.
  std::string title_of(const std::string& title) {
    const auto made =
        pins(R"("toolCallId":")" + std::to_string(++titles_) + R"(","title":)" + title + "," + showing(1));
    return made.at(0).told.title.value_or("none");
  }

 private:
  ToolCalls calls_;
  int titles_ = 0;
};

TEST_F(ToolCallsTest, TellTheTerminalTheirTitleKindAndStatus) {
  EXPECT_EQ(
      told(R"("sessionUpdate":"tool_call","toolCallId":"c","title":"Build","kind":"execute","status":"pending",)" +
           showing(1)),
      "1: Build execute pending");
}

TEST_F(ToolCallsTest, TellWhatWasToldBeforeTheyShowedTheTerminal) {
  EXPECT_EQ(told(R"("toolCallId":"c","title":"Build","kind":"execute")"), "");
  EXPECT_EQ(told(R"("toolCallId":"c","status":"in_progress",)" + showing(1)), "1: Build execute in_progress");
}

TEST_F(ToolCallsTest, TellAgainWhenAnUpdateWithoutContentChangesThem) {
  told(R"("toolCallId":"c","title":"Build",)" + showing(1, 2));
  EXPECT_EQ(told(R"("toolCallId":"c","status":"completed")"), "1: Build - completed | 2: Build - completed");
  EXPECT_EQ(told(R"("toolCallId":"c","status":"completed")"), "") << "nothing new";
  EXPECT_EQ(told(R"("toolCallId":"c","title":"Built","kind":"other")"),
            "1: Built other completed | 2: Built other completed");
}

TEST_F(ToolCallsTest, KeepTheTerminalWhenTheirContentShowsSomethingElse) {
  told(R"("toolCallId":"c",)" + showing(1));
  EXPECT_EQ(told(R"("toolCallId":"c","status":"failed","content":[{"type":"content"}])"), "1: - - failed");
  EXPECT_EQ(told(R"("toolCallId":"c","status":"completed",)" + showing(2)), "1: - - completed | 2: - - completed");
}

TEST_F(ToolCallsTest, AreOtherAndPendingWhereTheyAreToldOfAnewAndSayNoMore) {
  told(R"("toolCallId":"c","title":"Build","kind":"execute","status":"completed",)" + showing(1));
  EXPECT_EQ(told(R"("sessionUpdate":"tool_call","toolCallId":"d","title":"Look",)" + showing(1)),
            "1: Look other pending");
  EXPECT_EQ(told(R"("sessionUpdate":"tool_call","toolCallId":"c","status":"failed")"), "1: Build other failed");
  EXPECT_EQ(told(R"("sessionUpdate":"tool_call_update","toolCallId":"e",)" + showing(1)), "1: - - -");
}

TEST_F(ToolCallsTest, AreRecalledByTheTerminalsThatTheyHaveShown) {
  told(R"("toolCallId":"c","title":"Build",)" + showing(1, 2));
  told(R"("toolCallId":"d","title":"Look",)" + showing(1));
  told(R"("toolCallId":"c","status":"completed","content":[])");
  EXPECT_EQ(recalled({kThread, "term_1"}), "1: Look - - | 1: Build - completed")
      << "the one that was told of last is last";
  EXPECT_EQ(recalled({kThread, "term_2"}), "2: Build - completed");
  EXPECT_EQ(recalled({kThread, "term_3"}), "");
  EXPECT_EQ(recalled({"acp/other", "term_1"}), "");
}

TEST_F(ToolCallsTest, OfUnknownNamesShowNothing) {
  told(R"("toolCallId":"c",)" + showing(1));
  EXPECT_EQ(told(R"("toolCallId":"d","status":"completed")"), "");
  EXPECT_TRUE(pins(R"("toolCallId":"c","status":"completed")", "acp/other").empty()) << "of another session";
  EXPECT_EQ(told(R"("toolCallId":"c","title":"Build")"), "1: Build - -");
}

TEST_F(ToolCallsTest, WithoutANamePinAllTheSame) {
  for (const char* name : {"", R"("toolCallId":5,)", R"("toolCallId":"",)", R"("toolCallId":null,)"})
    EXPECT_EQ(told(name + std::string(R"("title":"Build",)") + showing(1)), "1: - - -") << name;
}

TEST_F(ToolCallsTest, IgnoreFieldsThatAreNotOfTheProtocol) {
  told(R"("toolCallId":"c","title":"Build","kind":"execute","status":"pending",)" + showing(1));
  for (const char* value : {"null", "5", "{}", R"("unheard of")"}) {
    const std::string text = value;
    EXPECT_EQ(told(R"("toolCallId":"c","kind":)" + text + R"(,"status":)" + text), "") << text;
  }
  for (const char* title : {"null", "5", "[]"})
    EXPECT_EQ(told(R"("toolCallId":"c","title":)" + std::string(title)), "") << title;
  for (const char* content : {"null", "5", "{}", R"([5,{"type":"terminal"},{"type":"terminal","terminalId":7}])"})
    EXPECT_EQ(told(R"("toolCallId":"d","content":)" + std::string(content)), "") << content;
}

TEST_F(ToolCallsTest, KnowEveryWordOfTheProtocol) {
  for (const std::string_view kind : schema::kNames<ToolKind>)
    EXPECT_EQ(told(R"("toolCallId":"c","kind":")" + std::string(kind) + "\"," + showing(1)),
              "1: - " + std::string(kind) + " -");
  for (const std::string_view status : schema::kNames<ToolStatus>)
    EXPECT_EQ(told(R"("toolCallId":"d","status":")" + std::string(status) + "\"," + showing(1)),
              "1: - - " + std::string(status));
}

TEST_F(ToolCallsTest, HaveATitleOfOneLineWithoutControlCharacters) {
  EXPECT_EQ(title_of(R"("  Run\n\t`make`\u001b[2J \u0085\u007f done\r\n")"), "Run `make` [2J done");
  EXPECT_EQ(title_of(R"("Zoë 🚀")"), "Zoë 🚀");
  EXPECT_EQ(title_of(R"("\n \u0000")"), "");
}

TEST_F(ToolCallsTest, HaveATitleThatTurnsNoTextAround) {
  EXPECT_EQ(title_of(R"("rm \u202etxt.\u202c\u2066x\u2069 \u200e\u200f\u061c y\u2028z\u2029")"), "rm txt. x y z");
  EXPECT_EQ(title_of(R"("\u0634\u0644 \u2067")"), "شل") << "the letters themselves stay";
}

TEST_F(ToolCallsTest, HaveATitleThatEndsWithAnEllipsisWhereItIsTooLong) {
  const auto quoted = [](const std::string& text) { return '"' + text + '"'; };
  const std::string most(limits::kMaxToolTitle, 'x'), less(limits::kMaxToolTitle - 1, 'x');
  EXPECT_EQ(title_of(quoted(most)), most);
  EXPECT_EQ(title_of(quoted(most + 'x')), less + "…");
  EXPECT_EQ(title_of(quoted(less + "🚀")), less + "…") << "counted in UTF-16 units, and not cut in two";
  EXPECT_EQ(title_of(quoted(less.substr(1) + "🚀")), less.substr(1) + "🚀");
}

TEST_F(ToolCallsTest, AreForgottenBeyondSoMany) {
  const auto name = [](std::size_t n) { return R"("toolCallId":")" + std::to_string(n) + "\","; };
  told(name(0) + showing(1));
  for (std::size_t n = 1; n < ToolCalls::kMaxCalls; ++n) told(name(n) + showing(2));
  EXPECT_EQ(told(name(0) + R"("status":"pending")"), "1: - - pending") << "and is now the one that was told of last";
  told(name(ToolCalls::kMaxCalls) + showing(2));
  EXPECT_EQ(told(name(0) + R"("status":"completed")"), "1: - - completed");
  EXPECT_EQ(told(name(2) + R"("status":"completed")"), "2: - - completed");
  EXPECT_EQ(told(name(1) + R"("status":"completed")"), "") << "the one that was told of first";
}

TEST_F(ToolCallsTest, ShowSoManyTerminals) {
  const int most = static_cast<int>(ToolCalls::kMaxTerminals);
  EXPECT_EQ(pins(R"("toolCallId":"c",)" + showing(1, most)).size(), ToolCalls::kMaxTerminals);
  EXPECT_EQ(pins(R"("toolCallId":"c",)" + showing(1, most + 1)).size(), ToolCalls::kMaxTerminals);
  EXPECT_EQ(told(R"("toolCallId":"c",)" + showing(most + 1)), std::to_string(most + 1) + ": - - -");
  const auto all = pins(R"("toolCallId":"c","status":"failed")");
  ASSERT_EQ(all.size(), ToolCalls::kMaxTerminals);
  EXPECT_EQ(all.front().key.terminal_id, "term_2") << "the one that was shown first is told no more";
}

TEST_F(ToolCallsTest, HaveNamesOfSoManyUnits) {
  const auto named = [](std::size_t units) {
    return R"("toolCallId":")" + std::string(units, 'c') + R"(","title":"T",)";
  };
  EXPECT_EQ(told(named(ToolCalls::kMaxId) + showing(1)), "1: T - -");
  EXPECT_EQ(told(named(ToolCalls::kMaxId + 1) + showing(1)), "1: - - -");
}

class ToolCallUpdatesTest : public AgentTest {
 protected:
  Decoded update(const std::string& fields, const std::string& session = "s") {
    return dialect_->decode(
        rpc_notification("session/update", R"({"sessionId":")" + session + R"(","update":{)" + fields + "}}"));
  }
};

TEST_F(ToolCallUpdatesTest, WithoutContentReachTheTerminalThatWasShown) {
  update(R"("toolCallId":"c","title":"Build","kind":"execute",)" + showing(1));
  const Decoded decoded = update(R"("toolCallId":"c","status":"completed")");
  ASSERT_EQ(decoded.calls.size(), 1u);
  const auto& pin = std::get<Pin>(decoded.calls[0].command);
  EXPECT_EQ(pin.key, (SessionKey{"acp/s", "term_1"}));
  EXPECT_EQ(pin.told, (ToolCallUpdate{"Build", ToolKind::execute, ToolStatus::completed}));
  EXPECT_EQ(reply(decoded.calls[0], Reply(Done{})), "nothing");
}

TEST_F(ToolCallUpdatesTest, AreOfTheirSession) {
  update(R"("toolCallId":"c","title":"Build",)" + showing(1));
  EXPECT_TRUE(update(R"("toolCallId":"c","status":"completed")", "other").calls.empty());
}

}  // namespace
}  // namespace ptyd
