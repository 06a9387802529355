// RunnerBench: a CommandRunner whose terminal a test plays, and in which time passes only when the test says so.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pty/shell/shell_marker.hpp"
#include "server/execute/command_runner.hpp"
#include "server/loop/blocking_pool.hpp"
#include "server/loop/loops.hpp"
#include "tests/support/server/execute/drawn.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {

class RunnerBench : public testing::Test {
 protected:
  using Answered = std::optional<Result<Executed>>;

  explicit RunnerBench(ShellKind kind = ShellKind::bash) : kind_(kind) {
    runner_->prepare([](const Result<void>& made) { EXPECT_TRUE(made); });
    runner_->on_started();
    settle();
  }

  /// Everything that is due happens.
  void settle() {
    loop_.context().restart();
    loop_.context().poll();
  }
  void pass(std::chrono::milliseconds time) {
    clock_.advance(time);
    settle();
  }

  static Execute asked(std::string command) {
    Execute execute;
    execute.key = {"t", "a"};
    execute.command = std::move(command);
    return execute;
  }
  /// The terminal shows `bytes`, which nothing else hears.
  void show(std::string_view bytes) {
    test::feed_all(bytes, [this](const Token& token) { screen_.feed(token); });
  }
  static Execute input(std::string text) {
    auto execute = asked(std::move(text));
    execute.is_input = true;
    return execute;
  }
  static Execute within(std::chrono::milliseconds time, Execute execute) {
    execute.timeout.time = time;
    return execute;
  }
  /// The answer is there once it is given.
  std::shared_ptr<Answered> ask(const Execute& execute, bool created = false) {
    auto answered = std::make_shared<Answered>();
    const auto give = [answered](Result<Executed> answer) {
      EXPECT_FALSE(answered->has_value()) << "answered twice";
      answered->emplace(std::move(answer));
    };
    runner_->execute(execute, created, {give, [this, answered] { return given_up_.contains(answered); }});
    settle();
    return answered;
  }
  /// Its client has gone.
  void give_up(const std::shared_ptr<Answered>& answered) { given_up_.insert(answered); }

  // --- what the shell does

  /// In one turn: `parts` are markers and text.
  void turn(const std::vector<std::string>& parts) {
    for (const auto& part : parts)
      test::feed_all(part, [this](const Token& token) {
        if (!is_shell_marker(token)) return runner_->on_drawn(token);
        if (const auto marker = parse_shell_marker(token)) runner_->on_marker(*marker);
      });
    runner_->on_turn();
    settle();
  }
  std::string marker(const std::string& fields) const {
    return "\x1b]6973;" + runner_->integration().nonce + ";" + fields + "\a";
  }
  std::string prompt(int status = 0, const std::string& cwd = "/home") const {
    return marker("P;" + std::to_string(status) + ";" + cwd);
  }
  std::string begun() const { return marker("B;" + token() + ";0"); }
  std::string ended(int status, const std::string& cwd = "/home") const {
    return marker("E;" + token() + ";" + std::to_string(status) + ";" + cwd);
  }
  /// The token and the text of the command that was written last.
  std::string token() const { return command_file().substr(0, kTokenDigits); }
  std::string command_file() const {
    std::ifstream file(runner_->integration().command_file());
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void make_ready() { turn({prompt()}); }
  /// A command that runs, and was typed as ours.
  std::shared_ptr<Answered> begin(const Execute& execute) {
    auto answered = ask(execute);
    EXPECT_EQ(std::exchange(typed_, ""), typed_line(kind_));
    turn({" the echo\r\n", begun()});
    return answered;
  }

  static std::string told(const Answered& answered) {
    if (!answered) return "nothing";
    if (!*answered) return std::string(name_of((*answered).error().code())) + ": " + (*answered).error().detail();
    const auto& answer = **answered;
    std::string text = answer.status == CommandStatus::completed ? "completed" : "running";
    if (answer.exit_code) text += " " + std::to_string(*answer.exit_code);
    if (answer.terminal_created) text += " created";
    if (answer.terminal_closed) text += " closed";
    return text + " [" + answer.content + "]";
  }
  static std::string_view name_of(Errc code) {
    switch (code) {
      case Errc::busy:
        return "busy";
      case Errc::not_running:
        return "not_running";
      case Errc::no_integration:
        return "no_integration";
      case Errc::bad_request:
        return "bad_request";
      case Errc::exited:
        return "exited";
      case Errc::limit:
        return "limit";
      default:
        return "another error";
    }
  }

  const ShellKind kind_;
  std::set<std::shared_ptr<Answered>> given_up_;
  test::TemporaryDirectory folder_;
  ManualClock clock_;
  Loop loop_{0, clock_};
  BlockingPool blocking_pool_{BlockingPool::Options{.threads = 0}};
  std::string typed_;
  LineMode line_mode_;
  std::optional<Foreground> foreground_ = Foreground{"bash", "/"};
  bool shell_is_in_front_ = false, is_read_ = true;
  std::chrono::milliseconds time_used_{0};
  Screen screen_{{{80, 24}, 100}};
  Result<void> typing_ = {};
  Size size_{80, 24};
  std::shared_ptr<CommandRunner> runner_ = std::make_shared<CommandRunner>(
      CommandRunner::Terminal{loop_, blocking_pool_,
                              [this](std::string_view bytes) {
                                if (typing_) typed_ += bytes;
                                return typing_;
                              },
                              ProgramLook{[this] { return line_mode_; }, [this] { return foreground_; },
                                          [this] { return shell_is_in_front_; }, [this] { return time_used_; },
                                          [this] { return &screen_; }, [this] { return is_read_; }},
                              [this] { return size_; }, [](const std::function<void()>& work) { work(); }},
      kind_, folder_.path());
};

}  // namespace ptyd
