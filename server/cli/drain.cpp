#include "server/cli/drain.hpp"

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "server/cli/running_server.hpp"
#include "server/config/drain_signals.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

/// Time between two looks at the file that tells of the drain, and the longest wait for it: the disk may be slow.
constexpr auto kLookEvery = 50ms;
constexpr auto kPatience = 10s;

int fail(const std::string& why) {
  std::fprintf(stderr, "ptyd: %s\n", why.c_str());
  return 1;
}

void say(std::size_t running) {
  std::printf("draining: %zu terminal%s still run%s\n", running, running == 1 ? "" : "s", running == 1 ? "s" : "");
  std::fflush(stdout);
}

/// False: the server has not told so in time, or has ended.
bool is_told(const RunningServer& server, bool draining) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (server.draining().has_value() != draining) {
    if (!server.is_there() || std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(kLookEvery);
  }
  return true;
}

int wait_for_last(const RunningServer& server) {
  for (auto running = server.draining(); running != 0; running = server.draining()) {
    if (!server.is_there()) break;
    if (!running) return fail("the drain was undone");
    std::this_thread::sleep_for(kLookEvery);
  }
  std::puts("no terminal runs any more");
  return 0;
}

}  // namespace

bool DrainWish::take(std::string_view word) {
  undo = undo || word == "--undo";
  wait = wait || word == "--wait";
  return word == "--undo" || word == "--wait";
}

int drain(const ServeConfig& config, const DrainWish& wish) {
  if (wish.undo && wish.wait) return fail("--undo leaves nothing to --wait for"), 2;
  const auto server = RunningServer::find(config.sessions.state_dir);
  if (!server) return fail(server.error().detail());
  if (const auto sent = server->signal(wish.undo ? kUndoDrain : kDrain); !sent) return fail(sent.error().detail());
  if (!is_told(*server, !wish.undo)) return fail("the server does not answer; its log says why");
  if (wish.undo) return std::puts("the server takes connections and starts terminals again") < 0;
  say(server->draining().value_or(0));
  return wish.wait ? wait_for_last(*server) : 0;
}

}  // namespace ptyd
