#include "tests/support/pty/process/hang_up.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <sstream>

#include "pty/process/process_tree.hpp"

namespace ptyd {

bool runs(int pid) {
  const auto info = read_process(pid);
  return info && !info->zombie;
}

void HangUp::TearDown() {
  EXPECT_TRUE(settles()) << "something still waits for a child";
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "there still are children of this process";
  EXPECT_EQ(errno, ECHILD);
}

std::vector<int> HangUp::start(const std::string& script, std::size_t count) {
  LaunchSpec spec = shell_script(script + "\nsleep 300 &\necho ready\nwait\nwait", "/bin/bash");
  spec.null_input = null_input;
  EXPECT_TRUE(terminal.start(std::move(spec)));
  std::vector<int> pids;
  EXPECT_TRUE(run_until(context, [&] {
    std::istringstream in(terminal.output);
    pids = {terminal.pty->pid()};
    bool ready = false;
    for (std::string word; in >> word;) {
      if (word == "ready") {
        ready = true;
      } else {
        pids.push_back(std::stoi(word));
      }
    }
    return ready && pids.size() == count + 1;
  })) << terminal.output;
  EXPECT_TRUE(eventually(context, [&] { return sleeps(pids[0]); })) << "the shell does not wait";
  for (const int pid : pids) EXPECT_TRUE(runs(pid)) << pid << " is not there to begin with\n" << terminal.output;
  return pids;
}

std::vector<int> HangUp::leave(const std::string& script, std::ptrdiff_t count) {
  EXPECT_TRUE(terminal.start(shell_script("trap '' HUP\n" + script + "\nread line", "/bin/bash")));
  EXPECT_TRUE(run_until(context, [&] {
    return std::count(terminal.output.begin(), terminal.output.end(), '\n') == count;
  })) << terminal.output;
  std::istringstream in(terminal.output);
  const std::vector<int> pids{std::istream_iterator<int>(in), std::istream_iterator<int>()};
  EXPECT_TRUE(terminal.type("\n"));
  EXPECT_TRUE(terminal.wait_for_end());
  for (const int pid : pids) EXPECT_TRUE(runs(pid)) << pid << " went with its shell\n" << terminal.output;
  return pids;
}

bool HangUp::all_gone(const std::vector<int>& pids) {
  return eventually(context, [&] { return std::none_of(pids.begin(), pids.end(), runs); });
}

bool HangUp::settles() {
  terminal.pty.reset();
  return run_dry(context);
}

}  // namespace ptyd
