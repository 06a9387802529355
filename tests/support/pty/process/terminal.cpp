#include "tests/support/pty/process/terminal.hpp"

#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <fstream>
#include <iterator>
#include <utility>

namespace ptyd {
namespace {

/// Between two looks at what tells nobody: short for a person, long for a processor that others need as well.
constexpr std::chrono::milliseconds kLookAgain{5};
constexpr std::size_t kTurn = 16 << 10;

}  // namespace

LaunchSpec shell_script(const std::string& script, const std::string& shell) {
  return {{{shell, {"-c", script}}}, "/", {{"PATH", "/usr/bin:/bin"}, {"TERM", "xterm-256color"}}, {80, 24}};
}

bool eventually(boost::asio::io_context& context, const std::function<bool()>& happened) {
  const auto deadline = deadline_from_now();
  const auto work = boost::asio::make_work_guard(context);  // without work a loop does not wait
  while (!happened()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    context.restart();
    context.run_one_for(kLookAgain);
  }
  return true;
}

bool sleeps(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.substr(name_end, 3) == ") S";
}

bool run_dry(boost::asio::io_context& context) {
  const auto deadline = deadline_from_now();
  context.restart();
  while (context.run_one_until(deadline) > 0) {
  }
  return context.stopped();
}

void Terminal::launch(LaunchSpec spec) {
  in_call = true;
  launcher_.launch(std::move(spec), *this, [this](Result<std::unique_ptr<Pty>> result) {
    told_in_call = told_in_call || in_call;
    answered = true;
    if (!result) {
      error = result.error();
      return;
    }
    pty = std::move(*result);
    if (reads_) pty->watch_readable();
  });
  in_call = false;
}

bool Terminal::start(LaunchSpec spec) {
  launch(std::move(spec));
  return run_until(context_, [&] { return answered; }) && pty != nullptr;
}

void Terminal::keep_reading(bool on) {
  if (std::exchange(reads_, on) || !on || !pty) return;
  in_call = true;
  pty->watch_readable();
  in_call = false;
}

void Terminal::on_readable() {
  told_in_call = told_in_call || in_call;
  ++readable;
  if (!reads_) return;
  std::array<char, kTurn> chunk;
  in_call = true;
  const auto count = pty->read(chunk);
  if (count) {
    received += *count;
    if (keeps_output) output.append(chunk.data(), *count);
    pty->watch_readable();
  } else {
    ended = count.error().code() == Errc::end;
    ends += ended ? 1 : 0;
    if (!ended) read_error = count.error();
    if (ended && pty->prints_on()) pty->watch_readable();
  }
  in_call = false;
}

void Terminal::on_writable() {
  told_in_call = told_in_call || in_call;
  ++writable;
  pump();
}

void Terminal::on_exit(ExitStatus status) {
  told_in_call = told_in_call || in_call;
  exits.push_back(status);
}

void Terminal::on_processes_gone() {
  told_in_call = told_in_call || in_call;
  ++left;
}

void Terminal::pump() {
  in_call = true;
  while (!unwritten_.empty()) {
    const auto count = pty->write(unwritten_);
    if (!count || *count == 0) break;
    unwritten_.remove_prefix(*count);
  }
  if (!unwritten_.empty()) pty->watch_writable();
  in_call = false;
}

bool Terminal::type(std::string_view bytes) {
  unwritten_ = bytes;
  pump();
  return run_until(context_, [&] { return unwritten_.empty(); });
}

bool Terminal::wait_for(const std::string& text) {
  return run_until(context_, [&] { return output.find(text) != std::string::npos; });
}

bool Terminal::wait_for_exit() {
  return run_until(context_, [&] { return !exits.empty(); });
}

bool Terminal::wait_for_end() {
  return run_until(context_, [&] { return !exits.empty() && (ended || read_error); });
}

}  // namespace ptyd
