// Commands in a shell of a session: what its viewers, other clients and its ends have to do with them.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "pty/process/environment.hpp"
#include "tests/support/server/session/kept_session_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kTypedLine = " \\builtin \\eval \"$__ptyd\"\r";

class ExecuteTest : public KeptSessionTest {
 protected:
  using Answered = std::shared_ptr<std::optional<Result<Reply>>>;

  ExecuteTest() : KeptSessionTest(with_bash()) {}
  static SessionOptions with_bash() {
    SessionOptions options;
    options.shell = "/bin/bash";
    return options;
  }

  static Execute asked(std::string command) {
    Execute execute;
    execute.key = kKey;
    execute.command = std::move(command);
    return execute;
  }
  Answered submit(Command command) {
    auto answered = std::make_shared<std::optional<Result<Reply>>>();
    sessions_->submit(agent_, std::move(command),
                      [answered](Result<Reply> answer) { answered->emplace(std::move(answer)); });
    settle();
    return answered;
  }
  /// In a word or two.
  static std::string told(const Answered& answered) {
    if (!*answered) return "nothing";
    const auto& answer = **answered;
    if (!answer) return std::to_string(static_cast<int>(answer.error().code())) + ": " + answer.error().detail();
    const auto* executed = std::get_if<Executed>(&*answer);
    if (!executed) return "done";
    std::string text = executed->exit_code ? std::to_string(*executed->exit_code) : "running";
    return text + (executed->terminal_created ? " created" : "") + (executed->terminal_closed ? " closed" : "") + " [" +
           executed->content + "]";
  }
  static bool is_error(const Answered& answered, Errc code) {
    return *answered && !**answered && (**answered).error().code() == code;
  }

  // --- what the shell does

  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::filesystem::path start_file() { return child().launched_with.candidates.at(0).args.at(1); }
  std::string marker(const std::string& fields) {
    return "\x1b]6973;" + text_of(start_file()).substr(std::string("__ptyd_n='").size(), 32) + ";" + fields + "\a";
  }
  std::string token() { return text_of(start_file().parent_path() / "c").substr(0, 16); }
  std::string begun() { return marker("B;" + token() + ";0"); }
  std::string ended(int status) { return marker("E;" + token() + ";" + std::to_string(status) + ";/usr"); }
  std::string prompt(int status = 0) { return marker("P;" + std::to_string(status) + ";/usr"); }
  void say(const std::string& bytes) {
    child().say(bytes);
    settle();
  }
  /// A shell that runs `command`.
  Answered begin(const std::string& command) {
    const auto answered = submit(asked(command));
    say("hello\r\n" + prompt() + "$ ");
    EXPECT_EQ(child().take_written(), kTypedLine);
    say("the echo\r\n" + begun());
    return answered;
  }

  const std::shared_ptr<FakeViewer> agent_ = viewer("agent"), person_ = viewer("person");
};

TEST_F(ExecuteTest, StartsAShellThatReadsOurFileAndAnswersAtTheEnd) {
  auto execute = asked("make");
  execute.cwd = "/";
  execute.env = {{"A", "1"}};
  execute.cols = 90;
  const auto answered = submit(execute);
  const auto& spec = child().launched_with;
  EXPECT_EQ(spec.candidates.at(0).path, "/bin/bash");
  EXPECT_EQ(spec.candidates.at(0).args.at(0), "--rcfile");
  for (const auto& program : spec.candidates) EXPECT_THAT(program.path, testing::EndsWith("bash"));
  EXPECT_EQ(spec.cwd, "/");
  EXPECT_EQ(spec.size, (Size{90, 40}));
  const Environment& env = spec.environment;
  const auto has = [&env](const std::string& name, const std::string& value) {
    return std::find(env.begin(), env.end(), std::pair(name, value)) != env.end();
  };
  EXPECT_TRUE(has("A", "1"));
  for (const auto* pager : {"PAGER", "MANPAGER", "SYSTEMD_PAGER", "GIT_PAGER", "GH_PAGER"})
    EXPECT_TRUE(has(pager, "cat")) << pager;
  say(prompt());
  EXPECT_EQ(child().take_written(), kTypedLine);
  say("the echo\r\n" + begun() + "one\r\n\ttwo\r\n" + ended(3) + prompt(3));
  EXPECT_EQ(told(answered), "3 created [one\n\ttwo]");
  EXPECT_EQ(std::get<Executed>(***answered).working_dir, "/usr");
}

TEST_F(ExecuteTest, NoMarkerReachesAnyViewerHoweverItIsSplit) {
  begin("make");
  open_as(person_, [] {
    Open asked;
    asked.key = kKey;
    asked.attach = true;
    return asked;
  }());
  const auto stream = "one" + marker("E;0000000000000000;0;/") + "\x1b[1mtwo" +
                      "\x1b]6973;00000000000000000000000000000000;E;x\x1b\\" + "three\x1b]06973;x\a|";
  for (const char byte : stream) say(std::string(1, byte));
  read(person_, "three|");
  EXPECT_EQ(person_->output, "one\x1b[1mtwothree|");
  const auto again = viewer("again");
  EXPECT_THAT(reopen(again, "").history, Not(HasSubstr("6973")));
}

TEST_F(ExecuteTest, ShellsOfPeopleTellNothingAndTheirMarkersAreCutAllTheSame) {
  open(person_);
  EXPECT_TRUE(child().launched_with.candidates.at(0).args.empty());
  say("a\x1b]6973;x\ab");
  EXPECT_EQ(person_->output, "ab");
  EXPECT_TRUE(is_error(submit(asked("true")), Errc::no_integration));
  EXPECT_EQ(child().take_written(), "");
}

TEST_F(ExecuteTest, APersonWhoTypesMakesItBusyUntilThePromptComesBack) {
  const auto first = begin("true");
  say(ended(0) + prompt());
  EXPECT_EQ(told(first), "0 created []");
  write(person_, "vim\r");
  EXPECT_EQ(child().take_written(), "vim\r");
  EXPECT_TRUE(is_error(submit(asked("true")), Errc::busy));
  say("\x1b[6n");
  EXPECT_THAT(child().take_written(), testing::EndsWith("R")) << "an answer to a question is not typed by a person";
  say("what vim shows\r\n" + prompt(1));
  const auto second = submit(asked("true"));
  say("\x1b[6n");
  say(begun() + "ours" + ended(0));
  EXPECT_EQ(told(second), "0 [ours]");
}

TEST_F(ExecuteTest, WhatEndsTheTerminalAnswersThoseThatWaitFirst) {
  const auto first = begin("sleep 100"), second = submit(asked(""));
  const auto closed = submit(Close{kKey.thread_id, kKey.terminal_id});
  for (const auto& answered : {first, second}) EXPECT_TRUE(is_error(answered, Errc::exited)) << told(answered);
  EXPECT_EQ(told(closed), "done");
  EXPECT_EQ(count("rc"), 0u) << "its private files are deleted";

  const auto third = begin("sleep 100");
  Restart restart;
  restart.key = kKey;
  restart.cwd = "/";
  submit(restart);
  EXPECT_TRUE(is_error(third, Errc::exited)) << told(third);
  EXPECT_TRUE(is_error(submit(asked("true")), Errc::no_integration)) << "a person has started it again";
}

TEST_F(ExecuteTest, TheEndOfTheServerAnswersThoseThatWait) {
  const auto answered = begin("sleep 100");
  start_again();
  EXPECT_TRUE(is_error(answered, Errc::internal)) << told(answered);
}

TEST_F(ExecuteTest, AShellThatEndsIsFollowedByAFreshOneBelowItsText) {
  const auto first = begin("echo last; exit 3");
  say("last\r\n");
  child().exit({3, {}});
  settle();
  EXPECT_EQ(told(first), "3 created closed [last]");
  EXPECT_EQ(launcher_->children.size(), 1u);
  auto execute = asked("true");
  execute.rows = 20;
  const auto second = submit(execute);
  ASSERT_EQ(launcher_->children.size(), 2u);
  EXPECT_EQ(child().launched_with.size, (Size{120, 20}));
  say(prompt());
  say(begun() + ended(0));
  EXPECT_EQ(told(second), "0 created []");
  EXPECT_THAT(reopen(person_, "").history, HasSubstr("last"));
}

TEST_F(ExecuteTest, AnEndThatNobodyHeardOfIsToldBeforeAnythingIsStarted) {
  auto execute = asked("sleep 9; exit 3");
  execute.timeout.time = 0ms;
  const auto first = submit(execute);
  say(prompt());
  say(begun());
  pass(0ms);
  child().exit({3, {}});
  settle();
  EXPECT_EQ(told(submit(asked(""))), "3 closed []");
  EXPECT_EQ(launcher_->children.size(), 1u);
  submit(asked(""));
  EXPECT_EQ(launcher_->children.size(), 2u);
}

TEST_F(ExecuteTest, AShellThatCannotBeStartedIsSaid) {
  launcher_->refuse(Error(Errc::spawn_failed, "no bash"));
  EXPECT_TRUE(is_error(submit(asked("true")), Errc::spawn_failed));
  launcher_->accept();
  const auto answered = begin("true");
  say(ended(0));
  EXPECT_EQ(told(answered), "0 created []");
}

TEST_F(ExecuteTest, EachShellIsShownOurFileInItsWay) {
  auto zsh = asked("true");
  zsh.shell = "zsh";
  zsh.env = {{"ZDOTDIR", "/mine"}};
  submit(zsh);
  const auto& spec = child().launched_with;
  ASSERT_EQ(spec.candidates.size(), 1u);
  EXPECT_EQ(spec.candidates[0].path, "zsh");
  const std::filesystem::path folder = value_of(spec.environment, "ZDOTDIR");
  EXPECT_THAT(text_of(folder / ".zshenv"), HasSubstr("\n__ptyd_z='/mine'\n"));

  auto dash = asked("true");
  dash.key = {"t", "dash"};
  dash.shell = "/bin/dash";
  submit(dash);
  EXPECT_THAT(text_of(value_of(launcher_->last().launched_with.environment, "ENV")), HasSubstr("\nunset ENV\n"));
}

TEST_F(ExecuteTest, OtherShellsAreRefusedBeforeTheyAreStarted) {
  auto execute = asked("true");
  execute.shell = "/bin/tcsh";
  EXPECT_TRUE(is_error(submit(execute), Errc::no_integration));
  auto key = asked("C-c");
  EXPECT_TRUE(is_error(submit(key), Errc::not_running));
  auto input = asked("x");
  input.is_input = true;
  EXPECT_TRUE(is_error(submit(input), Errc::not_running)) << told(submit(input));
  EXPECT_TRUE(launcher_->children.empty());
}

TEST_F(ExecuteTest, WhatIsForAStartIsNotLookedAtWhereAShellRuns) {
  begin("sleep 100");
  auto execute = asked("");
  execute.cwd = "/no/such/directory";
  execute.timeout.time = 0ms;
  const auto answered = submit(execute);
  pass(0ms);
  EXPECT_EQ(told(answered), "running []");
  execute.key.terminal_id = "another";
  EXPECT_TRUE(is_error(submit(execute), Errc::bad_cwd));
}

TEST_F(ExecuteTest, AgentsThreadsAreNotForCommands) {
  auto execute = asked("true");
  execute.key = {"acp/s", "t"};
  EXPECT_TRUE(is_error(submit(execute), Errc::bad_request));
}

TEST_F(ExecuteTest, AScreenThatIsParkedComesBackForACommand) {
  const auto first = begin("true");
  say(ended(0) + prompt());
  pass(60s);
  pass(60s);
  const auto second = submit(asked("true"));
  say(begun() + "out" + ended(0));
  EXPECT_EQ(told(second), "0 [out]");
}

TEST_F(ExecuteTest, AClearWhileACommandRunsTakesNothingFromItsAnswer) {
  const auto answered = begin("make");
  say("before\r\n");
  submit(Clear{kKey});
  say("after\r\n" + ended(0));
  EXPECT_EQ(told(answered), "0 created [before\nafter]");
}

TEST_F(ExecuteTest, ACallerThatLeftEndsNothing) {
  begin("make");
  close(agent_);
  settle();
  say("x" + ended(4) + prompt(4));
  EXPECT_EQ(launcher_->children.size(), 1u);
  EXPECT_EQ(child().hang_ups, 0);
}

}  // namespace
}  // namespace ptyd
