// HangUp: a shell on a real pty whose end, with that of everything below it, a test waits for.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/pty/process/terminal.hpp"

namespace ptyd {

/// True until `pid` has ended.
bool runs(int pid);

/// Graces are short, since no process makes use of them unless a fixture derived from it says so.
class HangUp : public testing::Test {
 protected:
  explicit HangUp(Graces graces = {std::chrono::milliseconds(20), std::chrono::milliseconds(100),
                                   std::chrono::milliseconds(100)})
      : launcher(std::make_unique<UnixLauncher>(context.get_executor(), graces)) {}

  void TearDown() override;

  /// Starts `script`, which prints the numbers of `count` processes; gives these after the shell's own. The shell waits
  /// for its children twice then: a signal that it has a trap for ends one wait.
  std::vector<int> start(const std::string& script, std::size_t count = 0);
  /// As start(), but the shell exits, and what it printed the numbers of is deaf to the hang-up that comes with it.
  /// Gives these numbers alone.
  std::vector<int> leave(const std::string& script, std::ptrdiff_t count = 1);
  bool all_gone(const std::vector<int>& pids);
  bool settles();

  boost::asio::io_context context;
  std::unique_ptr<UnixLauncher> launcher;
  Terminal terminal{context, *launcher};
  bool null_input = false;
};

}  // namespace ptyd
