// The tool call that shows an agent's program: what people are told of it, and for how long.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/server/session/agent/agent_terminal_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const ToolCallUpdate kCallBegun{"Build", ToolKind::execute, ToolStatus::in_progress};
const ToolCallUpdate kCallCompleted{{}, {}, ToolStatus::completed};

class AgentTerminalToolCallTest : public AgentTerminalTest {
 protected:
  std::string tell(const ToolCallUpdate& update, const SessionKey& key = kProgramKey) {
    return told(ask(agent_, Pin{key, update}));
  }
  /// Events of tool calls that people are sent, whether they hear the terminal or not.
  std::vector<std::string> events() {
    settle();
    auto all = std::exchange(people_->lifecycle, {});
    std::erase_if(all, [](const std::string& each) { return each.find(R"("type":"toolCall")") == each.npos; });
    return all;
  }
  std::optional<ToolCall> in_list() {
    const auto all = list();
    return all.size() == 1 ? all[0].tool_call : std::nullopt;
  }
};

TEST_F(AgentTerminalToolCallTest, IsInTheListAndInSnapshotsAndToldToEverybody) {
  ASSERT_EQ(run(), "done");
  EXPECT_EQ(in_list(), std::nullopt);
  EXPECT_EQ(attach(viewer("early")).tool_call, std::nullopt);
  EXPECT_EQ(tell(kCallBegun), "done");
  const ToolCall begun{"Build", ToolKind::execute, ToolStatus::in_progress};
  EXPECT_EQ(in_list(), begun);
  EXPECT_EQ(attach(viewer("late")).tool_call, begun);
  EXPECT_THAT(events(),
              ElementsAre(AllOf(HasSubstr(R"("threadId":"acp/s1","terminalId":"term_1")"),
                                HasSubstr(R"("toolCall":{"title":"Build","kind":"execute","status":"in_progress"})"))));
}

TEST_F(AgentTerminalToolCallTest, ChangesInWhatIsToldAlone) {
  ASSERT_EQ(run(), "done");
  tell(kCallBegun);
  tell(kCallCompleted);
  EXPECT_EQ(in_list(), (ToolCall{"Build", ToolKind::execute, ToolStatus::completed}));
  EXPECT_EQ(events().size(), 2u);
  tell(kCallCompleted);
  tell({});
  EXPECT_THAT(events(), IsEmpty()) << "nothing is new";
}

TEST_F(AgentTerminalToolCallTest, IsNoneWhereNothingIsToldOfIt) {
  ASSERT_EQ(run(), "done");
  EXPECT_EQ(tell({}), "done");
  EXPECT_EQ(in_list(), std::nullopt);
  EXPECT_THAT(events(), IsEmpty());
}

TEST_F(AgentTerminalToolCallTest, IsOtherAndPendingWhereOnlyItsTitleIsTold) {
  ASSERT_EQ(run(), "done");
  tell({"Build", {}, {}});
  EXPECT_EQ(in_list(), (ToolCall{"Build", ToolKind::other, ToolStatus::pending}));
}

TEST_F(AgentTerminalToolCallTest, GoesOnToBeToldAfterTheReleaseAsLongAsPeopleSeeIt) {
  ASSERT_EQ(run(), "done");
  tell(kCallBegun);
  later("release", Release{kProgramKey});
  EXPECT_THAT(answers_, ElementsAre("release: done"));
  EXPECT_EQ(tell(kCallCompleted), "done");
  EXPECT_EQ(events().size(), 2u);
  pass(AgentTerminal::kKeptForPeople - 1ms);
  EXPECT_EQ(in_list(), (ToolCall{"Build", ToolKind::execute, ToolStatus::completed}));
  pass(1ms);
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(tell({"Late", {}, {}}), "not found");
  EXPECT_THAT(events(), IsEmpty());
}

TEST_F(AgentTerminalToolCallTest, KeepsNoTerminalThatWasReleasedBefore) {
  ASSERT_EQ(run(), "done");
  later("release", Release{kProgramKey});
  EXPECT_EQ(tell(kCallBegun), "not found");
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(AgentTerminalToolCallTest, IsNotAnotherCredentialsToTell) {
  ASSERT_EQ(run(), "done");
  const auto stranger = viewer("stranger");
  stranger->show("other");
  EXPECT_EQ(told(ask(stranger, Pin{kProgramKey, kCallBegun})), "not found");
  EXPECT_EQ(in_list(), std::nullopt);
}

}  // namespace
}  // namespace ptyd
