// TerminalTest: tests with a real terminal, after each of which no child is left.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "pty/process/unix_pty.hpp"
#include "tests/support/pty/process/terminal.hpp"

namespace ptyd {

class TerminalTest : public testing::Test {
 protected:
  boost::asio::io_context context;
  UnixLauncher launcher{context.get_executor()};
  Terminal terminal{context, launcher};

  void TearDown() override {
    terminal.pty.reset();
    EXPECT_TRUE(run_dry(context)) << "something still waits for a child";
  }
};

}  // namespace ptyd
