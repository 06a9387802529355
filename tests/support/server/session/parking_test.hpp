// ParkingTest: one loop whose sessions keep their files in a folder.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/session/routing/session_host.hpp"
#include "server/session/session.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/session/context/fake_session_delegate.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/waiting.hpp"

namespace ptyd {

/// One loop whose sessions keep their files in a folder. Time passes only when the test says so, but for the patience
/// with a disk.
class ParkingTest : public testing::Test {
 protected:
  static constexpr std::chrono::milliseconds kStep{500};
  static inline const SessionKey kOne{"one", "default"}, kOther{"other", "default"};

  explicit ParkingTest(std::size_t threads = 0, std::chrono::milliseconds patience = std::chrono::hours(1))
      : files_(BlockingPool::Options{.threads = threads}), settings_{{},       {},     Store(folder_.path()),
                                                                     {},       files_, patience,
                                                                     delegate_} {}
  ~ParkingTest() override {
    const auto sessions = host_.sessions();
    for (const auto& [key, session] : sessions) host_.forget(key);
    settle();
  }

  FakeChild& open(const SessionKey& key) {
    Open asked;
    asked.key = key;
    asked.cwd = "/";
    bool opened = false;
    host_.find_or_make(key, [this, asked, &opened](const Result<std::shared_ptr<Session>>& made) {
      (*made)->carry_out(Caller(loop_, nullptr, [&](const Result<Reply>&) { opened = true; }), Request(asked), [] {});
    });
    until([&] { return opened; });
    settle();
    return launcher_->last();
  }
  void say(FakeChild& child, std::string_view text) {
    child.say(text);
    settle();
  }
  const Recorder& recorder(const SessionKey& key) { return host_.find(key)->session_info().recorder; }
  std::size_t parked() {
    return static_cast<std::size_t>(
        std::count_if(host_.sessions().begin(), host_.sessions().end(),
                      [](const auto& each) { return each.second->session_info().recorder.is_parked(); }));
  }
  std::filesystem::path file(const SessionKey& key) const { return settings_.store.checkpoint_of(key); }

  /// Everybody goes quiet, and what is parked is in its file.
  void pass(std::chrono::milliseconds time) {
    for (; time.count() > 0; time -= kStep) {
      clock_.advance(std::min(time, kStep));
      settle();
    }
  }
  void settle() {
    loop_.context().restart();
    while (loop_.context().poll_one() > 0) {
    }
  }
  void until(const std::function<bool()>& met) { ASSERT_TRUE(run_until(loop_.context(), met)); }

  /// Answers appear in `answers_` as they are given, in later turns.
  void ask(const SessionKey& key, const Command& command, const std::string& name) {
    const Caller caller(loop_, nullptr, [this, name](const Result<Reply>& reply) {
      answers_.push_back(name);
      replies_.push_back(reply);
    });
    host_.find(key)->carry_out(caller, Request(command), [this] { finished_++; });
  }
  void look(const SessionKey& key, const std::string& name = "look") {
    ask(key, TakeSnapshot{key, SnapshotFormat::plain, {}}, name);
    settle();
  }
  std::string shown(std::size_t answer) const {
    return replies_.at(answer) ? std::get<ScreenSnapshot>(*replies_[answer]).text.value_or("") : "";
  }

  test::TemporaryDirectory folder_;
  ManualClock clock_;
  Loop loop_{0, clock_};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{loop_.context().get_executor()};
  FakeSessionDelegate delegate_;
  BlockingPool files_;
  HostSettings settings_;
  FakeLauncher* launcher_ = nullptr;
  SessionHost host_{loop_, made(launcher_, loop_), settings_};
  std::vector<std::string> answers_;
  std::vector<Result<Reply>> replies_;
  std::size_t finished_ = 0;

 private:
  static std::unique_ptr<FakeLauncher> made(FakeLauncher*& seen, Loop& loop) {
    auto launcher = std::make_unique<FakeLauncher>(loop.context().get_executor());
    seen = launcher.get();
    return launcher;
  }
};

}  // namespace ptyd
