// SessionTest: what the tests of sessions have in common.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "tests/support/server/session/session_bench.hpp"

namespace ptyd {

inline const SessionKey kKey{"t", "default"};

class SessionTest : public SessionBench {
 protected:
  using SessionBench::SessionBench;
  SessionTest() = default;
  explicit SessionTest(Clock& clock) : SessionBench(plain_options(), 0, clock) {}

  FakeChild& child() { return launcher_->last(); }
  Result<Reply> write(const std::shared_ptr<FakeViewer>& viewer, std::string data) {
    return ask(viewer, Write{kKey, std::move(data)});
  }
  Snapshot reopen(const std::shared_ptr<FakeViewer>& viewer, std::string after) {
    Open asked;
    asked.key = kKey;
    asked.after = std::move(after);
    asked.attach = true;
    return open_as(viewer, asked);
  }
  void read(const std::shared_ptr<FakeViewer>& viewer, const std::string& text) {
    until([&] { return viewer->output.find(text) != std::string::npos; }, "output " + text.substr(0, 40));
  }
  /// The shell ends, jobs of it run on, and `viewer` has heard of the end.
  void exit_leaving_jobs(const std::shared_ptr<FakeViewer>& viewer) {
    child().leaves_jobs = true;
    child().exit({0, {}});
    until([&] { return viewer->events.back() == "exited"; }, "the exit");
    settle();
  }
  void close(const std::shared_ptr<FakeViewer>& viewer) {
    for (const auto& handle : viewer->handles) handle.cancel();
    sessions_->remove_viewer(viewer);
  }
};

}  // namespace ptyd
