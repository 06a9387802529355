// An agent's command line: what it runs, and the error when that cannot be run.
#include "pty/process/command_line.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "tests/support/pty/process/terminal_test.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

using Arguments = std::vector<std::string>;

TEST(ProgramsFor, ArgumentsMakeItAProgram) {
  EXPECT_EQ(programs_for("a b; c", {"d e", ""}), (std::vector<Program>{{"a b; c", {"d e", ""}}}));
}

TEST(ProgramsFor, AWordIsAProgram) {
  for (const char* word : {"make", "./run.sh", "/usr/bin/env", "g++-12", "a_b,c:d@e^f", "h\xc3\xa4"}) {
    EXPECT_EQ(programs_for(word, {}), (std::vector<Program>{{word, {}}})) << word;
  }
}

TEST(ProgramsFor, WhatReadsAsALineMayBeOneForAShell) {
  for (const char* line : {"ls -la /x", "a\tb", "a\nb", "a|b", "a&b", "a;b", "a<b", "(a)", "$a", "`a`", "a\\b",
                           "\"a\"",     "'a'",  "*",    "a?",  "[a]", "#a",  "~/a", "a=b", "%1", "a>b"}) {
    const auto programs = programs_for(line, {});
    ASSERT_EQ(programs.size(), kShellLine + 1) << line;
    EXPECT_EQ(programs[0], (Program{line, {}}));
    EXPECT_EQ(programs[kShellLine], (Program{"/bin/sh", {"-c", "--", line}}));
  }
}

struct FailureCase {
  const char* name;
  int error;
  const char* command;
  int exit_code;
  const char* sentence;
};

class LaunchFailureOf : public testing::TestWithParam<FailureCase> {};

TEST_P(LaunchFailureOf, IsTold) {
  const auto& [name, error, command, exit_code, sentence] = GetParam();
  const auto failure = launch_failure(Error(Errc::spawn_failed, "Tried shells: a.", error), command);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->exit_code, exit_code);
  EXPECT_EQ(failure->sentence, sentence);
}

INSTANTIATE_TEST_SUITE_P(
    Exec, LaunchFailureOf,
    testing::Values(
        FailureCase{"no_program", ENOENT, "mkae", 127, "Failed to start mkae: there is no such program in PATH"},
        FailureCase{"no_file", ENOENT, "./mkae", 127,
                    "Failed to start ./mkae: it does not exist, or the interpreter that it names does not"},
        FailureCase{"below_a_file", ENOTDIR, "/bin/sh/x", 127,
                    "Failed to start /bin/sh/x: it does not exist, or the interpreter that it names does not"},
        FailureCase{"too_long_a_name", ENAMETOOLONG, "x", 127, "Failed to start x: there is no such program in PATH"},
        FailureCase{"forbidden", EACCES, "./notes", 126, "Failed to start ./notes: Permission denied"},
        FailureCase{"a_directory", EISDIR, "/srv", 126, "Failed to start /srv: Is a directory"},
        FailureCase{"another_machines", ENOEXEC, "./arm", 126, "Failed to start ./arm: Exec format error"},
        FailureCase{"too_much", E2BIG, "echo", 126, "Failed to start echo: Argument list too long"},
        FailureCase{"controls", ENOENT, "a\x1b[2J\nb\x7f", 127,
                    "Failed to start a?[2J?b?: there is no such program in PATH"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(LaunchFailure, ShowsSoMuchOfACommandAndNoMore) {
  const auto sentence = [](const std::string& command) {
    return launch_failure(Error(Errc::spawn_failed, "", EACCES), command)->sentence;
  };
  const auto full = std::string(200, 'x');
  EXPECT_EQ(sentence(full), "Failed to start " + full + ": Permission denied");
  EXPECT_EQ(sentence(full + "y"), "Failed to start " + full + "...: Permission denied");
  const auto before = std::string(199, 'x');
  EXPECT_EQ(sentence(before + "\xc3\xa4"), "Failed to start " + before + "...: Permission denied")
      << "half a character";
}

TEST(LaunchFailure, IsNothingThatWasNotTheProgramsFault) {
  EXPECT_FALSE(launch_failure(Error(Errc::bad_cwd, "gone"), "make"));
  EXPECT_FALSE(launch_failure(Error(Errc::bad_request, "argument: contains a NUL byte"), "make"));
  EXPECT_FALSE(launch_failure(Error(Errc::spawn_failed, "Failed to fork: Resource temporarily unavailable"), "make"));
}

/// Runs command lines in a folder of its own, which is first in PATH.
class CommandLine : public TerminalTest {
 protected:
  const test::TemporaryDirectory own;
  const std::string folder = own.path().string();

  void make_file_of(const std::string& name, mode_t mode, const std::string& text) {
    const std::string path = folder + "/" + name;
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
  }
  bool start(const std::string& command, const Arguments& args = {}) {
    LaunchSpec spec = shell_script("");
    spec.candidates = programs_for(command, args);
    spec.cwd = folder;
    spec.environment = {{"PATH", folder + ":/usr/bin:/bin"}};
    spec.null_input = true;
    return terminal.start(std::move(spec));
  }
  std::string run(const std::string& command, const Arguments& args = {}) {
    EXPECT_TRUE(start(command, args)) << (terminal.error ? terminal.error->detail() : "no answer");
    EXPECT_TRUE(terminal.wait_for_end());
    return terminal.output;
  }
  LaunchFailure failure_of(const std::string& command, const Arguments& args = {}) {
    EXPECT_FALSE(start(command, args));
    return launch_failure(terminal.error.value_or(Error()), command).value_or(LaunchFailure());
  }
};

TEST_F(CommandLine, AProgramGetsItsArgumentsByteForByte) {
  const Arguments args = {"<%s>", "a b", "$HOME;*", "\"q'\\", "l\nf", "", "-n", "\xff\x01"};
  EXPECT_EQ(run("printf", args), "<a b><$HOME;*><\"q'\\><l\r\nf><><-n><\xff\x01>");
  EXPECT_EQ(terminal.pty->candidate(), 0u);
}

TEST_F(CommandLine, ALineIsRunByAShell) {
  EXPECT_EQ(run("echo one two | tr a-z A-Z; exit 3"), "ONE TWO\r\n");
  EXPECT_EQ(terminal.exits.at(0), (ExitStatus{3, {}}));
  EXPECT_EQ(terminal.pty->candidate(), kShellLine);
}

TEST_F(CommandLine, ALineThatNamesAPathIsRunByAShell) {
  EXPECT_EQ(run("/bin/echo /bin/sh/x"), "/bin/sh/x\r\n");
}

TEST_F(CommandLine, ALineMayBeginLikeAnOption) {
  run("-x; exit 4");
  EXPECT_EQ(terminal.exits.at(0), (ExitStatus{4, {}}));
}

TEST_F(CommandLine, ALineMayBeLongerThanAnyPath) {
  EXPECT_EQ(run("echo end #" + std::string(100'000, 'x')), "end\r\n");
}

TEST_F(CommandLine, AProgramWhoseNameReadsAsALineGoesFirst) {
  make_file_of("echo hello", 0700, "#!/bin/sh\necho it is me\n");
  EXPECT_EQ(run("echo hello"), "it is me\r\n");
  EXPECT_EQ(terminal.pty->candidate(), 0u);
}

TEST_F(CommandLine, AProgramOfALineThatDoesNotExistIsTheShellsToTell) {
  EXPECT_NE(run("no-such-program at all").find("not found"), std::string::npos) << terminal.output;
  EXPECT_EQ(terminal.exits.at(0), (ExitStatus{127, {}}));
}

TEST_F(CommandLine, AProgramThatDoesNotExistIs127) {
  EXPECT_EQ(failure_of("no-such-program").exit_code, 127);
}

TEST_F(CommandLine, ArgumentsKeepALineFromTheShell) {
  EXPECT_EQ(failure_of("echo hello", {"world"}).exit_code, 127);
}

TEST_F(CommandLine, AnInterpreterThatDoesNotExistIs127) {
  make_file_of("script", 0700, "#!/no/such/shell\n");
  EXPECT_EQ(failure_of("./script").exit_code, 127);
}

TEST_F(CommandLine, AFileThatIsNoProgramIs126) {
  make_file_of("notes", 0600, "#!/bin/sh\n");
  EXPECT_EQ(failure_of("./notes").exit_code, 126);
}

TEST_F(CommandLine, ADirectoryIs126) {
  EXPECT_EQ(failure_of(folder).exit_code, 126);
}

TEST_F(CommandLine, ArgumentsTooLongForTheKernelAre126) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  EXPECT_EQ(failure_of("echo", {std::string(32 * page, 'x')}).exit_code, 126);
  EXPECT_EQ(failure_of("echo " + std::string(32 * page, 'x')).exit_code, 126);
}

}  // namespace
}  // namespace ptyd
