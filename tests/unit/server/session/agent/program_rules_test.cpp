// Rules of agents' terminals: what may be done with them, how their text is cut, how their programs are called.
#include "server/session/agent/program_rules.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/alternatives.hpp"

namespace ptyd {
namespace {

const SessionKey kAgents{"acp/s1", "term_1"}, kPeoples{"t", "default"};

std::string refused_as(const Result<void>& result) {
  if (result) return "";
  switch (result.error().code()) {
    case Errc::bad_request:
      return "bad_request";
    case Errc::denied:
      return "denied";
    case Errc::busy:
      return "busy";
    default:
      return "other";
  }
}

template <class Asked>
Command command_for(const SessionKey& key) {
  Asked asked;
  asked.key = key;
  return asked;
}

Command attaching_to(const SessionKey& key) {
  Open asked;
  asked.key = key;
  asked.attach = true;
  return asked;
}

TEST(ProgramRules, ThreadsOfAgentsAreToldByTheirBeginning) {
  EXPECT_TRUE(is_agents("acp/"));
  EXPECT_TRUE(is_agents("acp/s1"));
  for (const char* other : {"", "acp", "ACP/s1", "x/acp/", " acp/"}) EXPECT_FALSE(is_agents(other)) << other;
}

TEST(ProgramRules, ShellsAndProgramsAreStartedEachAmongTheirs) {
  struct Case {
    Command command;
    const char* refused;
  };
  for (const auto& [command, refused] : {Case{command_for<Open>(kPeoples), ""},
                                         {command_for<Open>(kAgents), "bad_request"},
                                         {attaching_to(kAgents), ""},
                                         {command_for<Restart>(kPeoples), ""},
                                         {command_for<Restart>(kAgents), "denied"},
                                         {command_for<Execute>(kPeoples), ""},
                                         {command_for<Execute>(kAgents), "bad_request"},
                                         {command_for<ptyd::Run>(kAgents), ""},
                                         {command_for<ptyd::Run>(kPeoples), "bad_request"}})
    EXPECT_EQ(refused_as(may_start_there(Request(command))), refused) << command.index();
}

TEST(ProgramRules, WhatStartsSomethingDoesNotStartItInEveryThread) {
  for (auto command : alternatives<Command>()) {
    int refusals = 0;
    for (const auto& key : {kAgents, kPeoples}) {
      std::visit(
          [&key](auto& asked) {
            if constexpr (requires { asked.key; }) asked.key = key;
          },
          command);
      refusals += may_start_there(Request(command)) ? 0 : 1;
    }
    EXPECT_EQ(refusals, row_of(command).starts == Starts::nothing ? 0 : 1) << command.index();
  }
}

TEST(ProgramRules, NothingIsTypedAmongAgentsAsIfThereWasAShell) {
  Execute typing;
  typing.key = kAgents;
  typing.is_input = true;
  EXPECT_EQ(refused_as(may_start_there(Request(typing))), "bad_request");
}

TEST(ProgramRules, PeopleWatchAProgramAndDisturbItOnlyWhereItTakesInput) {
  struct Case {
    Command command;
    const char *refused, *refused_with_input;
  };
  for (const auto& [command, refused, with_input] : {Case{command_for<Write>(kAgents), "denied", ""},
                                                     {command_for<Resize>(kAgents), "denied", ""},
                                                     {command_for<Clear>(kAgents), "denied", "denied"},
                                                     {command_for<Restart>(kAgents), "denied", "denied"},
                                                     {command_for<ptyd::Run>(kAgents), "busy", "busy"},
                                                     {command_for<Execute>(kAgents), "denied", "denied"},
                                                     {attaching_to(kAgents), "", ""},
                                                     {command_for<TakeSnapshot>(kAgents), "", ""},
                                                     {command_for<ReadOutput>(kAgents), "", ""},
                                                     {command_for<Kill>(kAgents), "", ""},
                                                     {command_for<Release>(kAgents), "", ""}}) {
    const auto& rule = *row_of(command).on_program;
    EXPECT_EQ(refused_as(may_be_done_to_program(rule, false, false)), refused) << command.index();
    EXPECT_EQ(refused_as(may_be_done_to_program(rule, true, false)), with_input) << command.index();
  }
}

TEST(ProgramRules, ItsAgentSetsTheSizeOfAProgramAndDisturbsItNoMoreThanPeople) {
  for (const auto& [command, refused] :
       {std::pair(command_for<Resize>(kAgents), ""), std::pair(command_for<Write>(kAgents), "denied"),
        std::pair(command_for<Clear>(kAgents), "denied"), std::pair(command_for<ptyd::Run>(kAgents), "busy")})
    EXPECT_EQ(refused_as(may_be_done_to_program(*row_of(command).on_program, false, true)), refused) << command.index();
}

TEST(CommandLine, ReadsAsAShellWouldReadIt) {
  struct Case {
    const char* command;
    std::vector<std::string> args;
    const char* line;
  };
  for (const auto& [command, args, line] : {Case{"ls", {}, "ls"},
                                            {"ls -l | wc", {}, "ls -l | wc"},
                                            {"/bin/echo", {"a-b_c.d", "x:y,z@1%+"}, "/bin/echo a-b_c.d x:y,z@1%+"},
                                            {"echo", {""}, "echo ''"},
                                            {"echo", {"a b", "$HOME"}, "echo 'a b' '$HOME'"},
                                            {"echo", {"it's"}, "echo 'it'\\''s'"},
                                            {"my tool", {"x"}, "'my tool' x"},
                                            {"a=b", {"c=d"}, "'a=b' 'c=d'"},
                                            {"echo", {"\xC3\xA4"}, "echo '\xC3\xA4'"}})
    EXPECT_EQ(command_line_of(command, args), line);
}

TEST(CommandLine, IsCutBehindAWholeCharacter) {
  const std::string full(kMaxCommandLine, 'x');
  EXPECT_EQ(command_line_of(full, {}), full);
  EXPECT_EQ(command_line_of(full + "x", {}), full.substr(3) + "\u2026");
  const std::string wide = std::string(kMaxCommandLine - 4, 'x') + "\u00E4\u00E4\u00E4";
  EXPECT_EQ(command_line_of(wide, {}), std::string(kMaxCommandLine - 4, 'x') + "\u2026");
  EXPECT_EQ(command_line_of("a", std::vector<std::string>(4096, full)).size(), kMaxCommandLine);
}

TEST(OutputLimit, KeepsTheEndCutsBetweenCharactersAndRemembersThatItHasCut) {
  struct Case {
    const char* text;
    std::uint64_t most;
    const char* kept;
    bool truncated;
  };
  for (const auto& [text, most, kept, truncated] : {Case{"", 0, "", false},
                                                    {"a", 0, "", true},
                                                    {"abc", 4, "abc", false},
                                                    {"abc", 3, "abc", false},
                                                    {"abc", 2, "bc", true},
                                                    {"a\u00E4", 3, "a\u00E4", false},
                                                    {"a\u00E4", 2, "\u00E4", true},
                                                    {"a\u00E4", 1, "", true},
                                                    {"\u00E4b", 2, "b", true},
                                                    {"\u4F60b", 3, "b", true},
                                                    {"\u4F60b", 4, "\u4F60b", false},
                                                    {"\U0001F600b", 4, "b", true},
                                                    {"\U0001F600b", 5, "\U0001F600b", false},
                                                    {"one\ntwo", 4, "\ntwo", true},
                                                    {"abc", ~0ULL, "abc", false}}) {
    OutputLimit limit(most);
    const auto output = limit.cut(text);
    EXPECT_EQ(output.text, kept) << text << " in " << most;
    EXPECT_EQ(output.truncated, truncated) << text << " in " << most;
    EXPECT_EQ(limit.cut("").truncated, truncated) << "as before";
  }
}

TEST(OutputLimit, WhatWasLostBeforeCountsAsCut) {
  OutputLimit limit(10);
  EXPECT_FALSE(limit.cut("a").truncated);
  limit.lose();
  EXPECT_TRUE(limit.cut("a").truncated);
}

}  // namespace
}  // namespace ptyd
