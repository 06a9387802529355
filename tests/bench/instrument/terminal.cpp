#include "tests/bench/instrument/terminal.hpp"

#include <boost/asio/post.hpp>
#include <future>
#include <stdexcept>

#include "tests/bench/instrument/samples.hpp"

namespace ptyd::bench {

namespace asio = boost::asio;

std::string Server::session(std::size_t number) const {
  static const auto run = std::to_string(Clock::now().time_since_epoch().count());
  return "b" + run + "-" + std::to_string(number);
}

Terminal::Terminal(asio::io_context& context, const Server& server, std::size_t number)
    : context_(context), client_(context, server.port, server.session(number)) {
  client_.on_output = [this](std::string_view output) { take(output); };
}

void Terminal::open() {
  client_.open();
  expect("@@READY@@\r\n", kStartLimit);
}

void Terminal::command(std::string_view line) {
  recent_.clear();
  client_.type(std::string(line) + "\r");
}

void Terminal::expect(std::string_view mark, double limit_s) {
  const auto is_there = [&] { return recent_.find(mark) != recent_.npos; };
  const bool came = run_until(context_, limit_s, [&] { return is_there() || !client_.is_alive(); });
  if (!client_.is_alive()) throw std::runtime_error("the connection was lost before " + std::string(mark));
  if (!came) throw std::runtime_error(std::string(mark) + " did not come in time");
}

void Terminal::take(std::string_view output) {
  tap(output);
  recent_.append(output.substr(output.size() - std::min(output.size(), kRecent)));
  if (recent_.size() > 2 * kRecent) recent_.erase(0, recent_.size() - kRecent);
}

Flood::Flood(const Server& server, std::size_t number)
    : terminal_(context_, server, number), work_(asio::make_work_guard(context_)) {
  terminal_.open();
  terminal_.command("flood");
  context_.restart();
  thread_ = std::thread([this] { context_.run(); });
}

Flood::~Flood() {
  asio::post(context_, [this] {
    terminal_.client().drop();
    context_.stop();
  });
  thread_.join();
}

void Flood::pause() {
  asio::post(context_, [this] { terminal_.client().pause(); });
}

void Flood::resume() {
  asio::post(context_, [this] { terminal_.client().resume(); });
}

double Flood::megabytes() {
  return ask([this] { return static_cast<double>(terminal_.client().output_bytes()) / 1e6; });
}

bool Flood::is_alive() {
  return ask([this] { return terminal_.client().is_alive() ? 1.0 : 0.0; }) > 0;
}

double Flood::ask(const std::function<double()>& question) {
  std::promise<double> answer;
  asio::post(context_, [&] { answer.set_value(question()); });
  return answer.get_future().get();
}

}  // namespace ptyd::bench
