// pty_run ROWS COLUMNS PROGRAM [ARGUMENT...]: runs a program on a pty of this size. What comes in on standard input is
// typed, what the program prints goes to standard output; ends with the program, by its status.
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/write.hpp>
#include <cstdlib>
#include <iostream>
#include <string>

#include "pty/process/unix_pty.hpp"

namespace ptyd {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kTurn = 16 << 10;
constexpr int kNotStarted = 125;

LaunchSpec spec_of(const std::vector<std::string>& arguments) {
  LaunchSpec spec;
  spec.size.rows = static_cast<std::uint16_t>(std::stoi(arguments.at(1)));
  spec.size.cols = static_cast<std::uint16_t>(std::stoi(arguments.at(2)));
  spec.candidates = {{arguments.at(3), {arguments.begin() + 4, arguments.end()}}};
  spec.cwd = std::getenv("PWD") != nullptr ? std::getenv("PWD") : "/";
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const auto equals = text.find('=');
    spec.environment.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return spec;
}

/// Thread  that of `context`, which it stops when the program has ended and all is printed.
class Run final : public PtyObserver {
 public:
  Run(asio::io_context& context, LaunchSpec spec) : context_(context), launcher_(context.get_executor()) {
    launcher_.launch(std::move(spec), *this, [this](Result<std::unique_ptr<Pty>> pty) { begin(std::move(pty)); });
  }
  int status() const { return status_; }

 private:
  void begin(Result<std::unique_ptr<Pty>> pty) {
    if (!pty) {
      std::cerr << pty.error().detail() << "\n";
      context_.stop();
      return;
    }
    pty_ = std::move(*pty);
    pty_->watch_readable();
    read_keys();
  }

  void read_keys() {
    keys_.async_read_some(asio::buffer(typed_), [this](boost::system::error_code error, std::size_t count) {
      if (error) return;
      unwritten_.append(typed_.data(), count);
      on_writable();
      read_keys();
    });
  }

  void on_writable() override {
    const auto count = pty_->write(unwritten_);
    if (count) unwritten_.erase(0, *count);
    if (count && !unwritten_.empty()) pty_->watch_writable();
  }

  void on_readable() override {
    std::array<char, kTurn> chunk;
    const auto count = pty_->read(chunk);
    if (!count) {
      context_.stop();
      return;
    }
    boost::system::error_code error;
    asio::write(screen_, asio::buffer(chunk.data(), *count), error);
    if (error) {
      context_.stop();
      return;
    }
    pty_->watch_readable();
  }

  void on_exit(ExitStatus status) override { status_ = status.code.value_or(128 + status.signal.value_or(0)); }

  asio::io_context& context_;
  UnixLauncher launcher_;
  std::unique_ptr<Pty> pty_;
  asio::posix::stream_descriptor keys_{context_, dup(STDIN_FILENO)}, screen_{context_, dup(STDOUT_FILENO)};
  std::array<char, kTurn> typed_;
  std::string unwritten_;
  int status_ = kNotStarted;
};

}  // namespace
}  // namespace ptyd

int main(int count, char** values) {
  const std::vector<std::string> arguments(values, values + count);
  if (arguments.size() < 4) {
    std::cerr << "pty_run ROWS COLUMNS PROGRAM [ARGUMENT...]\n";
    return ptyd::kNotStarted;
  }
  boost::asio::io_context context;
  ptyd::Run run(context, ptyd::spec_of(arguments));
  context.run();
  return run.status();
}
