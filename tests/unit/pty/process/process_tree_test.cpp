// Processes below a process, as both sources of /proc tell it.
#include "pty/process/process_tree.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <thread>

#include "tests/support/pty/process/terminal_test.hpp"

namespace ptyd {
namespace {

class Tree : public TerminalTest, public testing::WithParamInterface<ProcessTree::Source> {
 protected:
  ProcessTree tree{GetParam()};

  std::string below(int pid) {
    tree.refresh();
    std::string text;
    for (const ProcessInfo& info : tree.descendants(pid)) text += info.command_line + "|";
    return text;
  }
};

TEST_P(Tree, ListsParentsBeforeTheirChildrenWithCommandLines) {
  ASSERT_TRUE(terminal.start(shell_script("bash -c 'sleep 301 & sleep 302 & echo ready; wait' & wait", "/bin/bash")));
  ASSERT_TRUE(terminal.wait_for("ready"));
  const std::string expected = "bash -c sleep 301 & sleep 302 & echo ready; wait|sleep 301|sleep 302|";
  EXPECT_TRUE(eventually(context, [&] { return below(terminal.pty->pid()) == expected; }))
      << below(terminal.pty->pid());
  const auto info = tree.descendants(terminal.pty->pid()).at(0);
  EXPECT_EQ(info.parent, terminal.pty->pid());
  EXPECT_EQ(info.session, terminal.pty->pid());
  EXPECT_EQ(info.name, "bash");
  EXPECT_GT(info.start_time, 0u);
}

TEST_P(Tree, TellsHowLongAProcessWaitedForAProcessor) {
  // Two that compute share the first processor that they may have.
  ASSERT_TRUE(terminal.start(shell_script(
      "taskset -cp $(taskset -cp $$ | sed 's/.*: //; s/[,-].*//') $$; while :; do :; done & while :; do :; done")));
  EXPECT_TRUE(eventually(context, [&] { return processor_wait(terminal.pty->pid()) > std::chrono::milliseconds(50); }));
  const auto waited = processor_wait(terminal.pty->pid());
  EXPECT_GE(terminal.pty->time_used(), waited);
}

TEST(Births, AreOthersWhenAProcessHasBegun) {
  const auto before = last_pid();
  EXPECT_NE(before, 0u);
  const int child = ::fork();
  if (child == 0) ::_exit(0);
  EXPECT_NE(last_pid(), before);
  ::waitpid(child, nullptr, 0);
}

TEST_P(Tree, LeavesOutWhatHasEnded) {
  ASSERT_TRUE(terminal.start(shell_script("read x </dev/tty & echo ready; exec sleep 300", "/bin/bash")));
  ASSERT_TRUE(terminal.wait_for("ready"));
  const int pid = terminal.pty->pid();
  ASSERT_TRUE(eventually(context, [&] { return read_process(pid)->name == "sleep"; })) << "nobody waits for the reader";
  ASSERT_TRUE(terminal.type("\r"));
  ASSERT_TRUE(eventually(context, [&] {
    tree.refresh();
    const auto children = tree.children(pid);
    return children.size() == 1 && read_process(children[0])->zombie;
  }));
  EXPECT_EQ(below(terminal.pty->pid()), "") << "a zombie nobody waits for is not running";
}

TEST_P(Tree, FindsChildrenOfEveryThread) {
  int pid = 0;
  std::thread([&] {
    pid = ::fork();
    if (pid == 0) {
      ::pause();
      ::_exit(0);
    }
  }).join();
  // A thread that was waited for may still be on its way out, and its children on theirs to another thread.
  EXPECT_TRUE(eventually(context, [&] {
    tree.refresh();
    const auto children = tree.children(::getpid());
    return std::find(children.begin(), children.end(), pid) != children.end();
  }));
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

TEST_P(Tree, HasNothingBelowAProcessThatIsNotThere) {
  EXPECT_TRUE(tree.children(0x7ffffff0).empty());
  EXPECT_TRUE(tree.descendants(0x7ffffff0).empty());
  EXPECT_FALSE(read_process(0x7ffffff0));
}

TEST_P(Tree, IsBounded) {
  ASSERT_TRUE(terminal.start(shell_script("for i in $(seq 270); do sleep 300 & done; echo ready; wait", "/bin/bash")));
  ASSERT_TRUE(terminal.wait_for("ready"));
  tree.refresh();
  EXPECT_EQ(tree.children(terminal.pty->pid()).size(), 270u);
  EXPECT_EQ(tree.descendants(terminal.pty->pid()).size(), ProcessTree::kMaxListed);
}

INSTANTIATE_TEST_SUITE_P(Sources, Tree, testing::Values(ProcessTree::Source::children, ProcessTree::Source::scan),
                         [](const auto& param) {
                           return param.param == ProcessTree::Source::children ? "children" : "scan";
                         });

class Processes : public Tree {};

TEST_P(Processes, NamesMayHoldParenthesesAndSpaces) {
  ASSERT_TRUE(
      terminal.start(shell_script("printf 'a) R 1 (b' >/proc/self/comm; echo ready; read x; true", "/bin/bash")));
  ASSERT_TRUE(terminal.wait_for("ready"));
  const auto info = read_process(terminal.pty->pid());
  ASSERT_TRUE(info);
  EXPECT_EQ(info->name, "a) R 1 (b");
  EXPECT_EQ(info->parent, ::getpid());
  EXPECT_EQ(info->session, terminal.pty->pid());
}

TEST_P(Processes, MembersOfASessionAreFoundWhoeverTheirParentIs) {
  ASSERT_TRUE(terminal.start(shell_script("(sleep 300 & echo $!); echo ready; wait; read x", "/bin/bash")));
  ASSERT_TRUE(terminal.wait_for("ready"));
  const int orphan = std::stoi(terminal.output);
  const auto members = members_of_sessions({terminal.pty->pid(), 0x7ffffff0});
  EXPECT_EQ(members.count(terminal.pty->pid()), 2u);
  EXPECT_TRUE(std::any_of(members.begin(), members.end(), [&](auto& each) { return each.second == orphan; }));
}

TEST_P(Processes, AreHeldOnlyWhenTheyAreTheWantedOnes) {
  ASSERT_TRUE(terminal.start(shell_script("sleep 300 & echo $!; wait", "/bin/bash")));
  ASSERT_TRUE(terminal.wait_for("\n"));
  const int pid = std::stoi(terminal.output), shell = terminal.pty->pid();
  EXPECT_FALSE(HeldProcess::hold(pid, [](const ProcessInfo& info) { return info.parent == 1; }));
  auto held = HeldProcess::hold(pid, [&](const ProcessInfo& info) { return info.parent == shell; });
  ASSERT_TRUE(held);
  EXPECT_TRUE(held->alive());
  held->signal(SIGKILL);
  EXPECT_TRUE(eventually(context, [&] { return !held->alive(); }));
  held->signal(SIGKILL);  // nobody: the number may be another's by now, the descriptor is not
  EXPECT_FALSE(HeldProcess::hold(0x7ffffff0, [](const ProcessInfo&) { return true; }));
}

INSTANTIATE_TEST_SUITE_P(One, Processes, testing::Values(ProcessTree::Source::children));

}  // namespace
}  // namespace ptyd
