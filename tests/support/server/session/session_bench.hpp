// SessionBench: a SessionManager on one loop with fake children and viewers, for tests that read like sentences.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/loop/clock.hpp"
#include "server/loop/loops.hpp"
#include "server/session/delivery/viewer.hpp"
#include "server/session/routing/session_manager.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/manual_clock.hpp"

namespace ptyd {

/// A viewer that remembers. It takes and acks everything at once unless told otherwise.
class FakeViewer final : public Viewer {
 public:
  FakeViewer(Loop& loop, std::string name, Access access = Access::full)
      : loop_(loop), name_(std::move(name)), access_(access) {}
  /// Before it asks anything.
  void show(std::string credential) { credential_ = std::move(credential); }

  Loop& loop() override { return loop_; }
  const std::string& name() const override { return name_; }
  Access access() const override { return access_; }
  const std::string& credential() const override { return credential_; }
  void on_subscribed(const SubscriptionHandle& handle) override {
    handles.push_back(handle);
    when_told("subscribed");
  }
  void on_unsubscribed(SubscriptionId id) override {
    std::erase_if(handles, [id](const SubscriptionHandle& handle) { return handle.id() == id; });
    when_told("unsubscribed");
  }
  void on_event(SubscriptionId id, std::shared_ptr<const EncodedEvent> encoded) override {
    remember(*encoded);
    waiting_.push_back({id, encoded->is_output() ? encoded->text.byte_length : 0});
    if (takes) loop_.post([this] { take(); });
    when_told("event");
  }
  void on_lifecycle(std::shared_ptr<const EncodedEvent> encoded) override {
    lifecycle.push_back(encoded->text.json);
    when_told("lifecycle");
  }

  /// Takes and (if it acks) acks what it holds.
  void take() {
    for (const auto& [id, bytes] : std::exchange(waiting_, {}))
      for (const auto& handle : std::vector<SubscriptionHandle>(handles)) {
        if (handle.id() != id) continue;
        if (acks && bytes > 0) handle.returned(bytes);
        handle.taken();
      }
  }

  /// Called from inside the session's call, with what the viewer is told.
  std::function<void(std::string_view what)> when_told = [](std::string_view) {};
  bool takes = true;  ///< false: holds the event it was sent last
  bool acks = true;   ///< false: takes, but never gives credit back
  std::vector<SubscriptionHandle> handles;
  std::string output;               ///< the data of all output events, as the client would decode it
  std::vector<std::string> events;  ///< types, in order; output runs are one "output"
  std::vector<Event> all;           ///< everything but output
  std::vector<std::string> lifecycle;
  std::string last_cursor;
  std::size_t largest_frame = 0;

 private:
  void remember(const EncodedEvent& encoded);

  Loop& loop_;
  std::string name_;
  const Access access_;
  std::string credential_;
  std::deque<std::pair<SubscriptionId, std::size_t>> waiting_;
};

/// The data of an output event's text, unescaped.
std::string output_data(const std::string& event_json);

class SessionBench : public testing::Test {
 protected:
  static SessionManager::Options plain_options() { return {}; }
  /// Without threads for what blocks, all happens in the order of the calls.
  explicit SessionBench(SessionManager::Options options = plain_options(), std::size_t blocking_threads = 0);
  /// Time passes as `clock` says, which outlives this.
  SessionBench(SessionManager::Options options, std::size_t blocking_threads, Clock& clock);
  ~SessionBench() override;

  std::shared_ptr<FakeViewer> viewer(const std::string& name = "viewer", Access access = Access::full);
  /// Submits and waits for the reply.
  Result<Reply> ask(const std::shared_ptr<FakeViewer>& viewer, Command command) {
    return ask_as(false, viewer, std::move(command));
  }
  Result<Reply> ask_as_agent(const std::shared_ptr<FakeViewer>& viewer, Command command) {
    return ask_as(true, viewer, std::move(command));
  }
  Snapshot open_as(const std::shared_ptr<FakeViewer>& viewer, Open asked);
  Snapshot open(const std::shared_ptr<FakeViewer>& viewer, const SessionKey& key = {"t", "default"});
  /// Runs the loop until `met`, and fails the test with `what` when that takes too long.
  void until(const std::function<bool()>& met, const std::string& what);
  /// Runs everything that is ready.
  void settle();
  /// Time passes, and everything happens that was due.
  void pass(std::chrono::milliseconds time) {
    clock_.advance(time);
    settle();
  }
  /// The server ends in good order, and another one starts with the same files. It knows none of the viewers.
  void start_again();

  ManualClock clock_;  ///< of all that happens here, where no other was given
  Loops loops_;
  FakeLauncher* launcher_ = nullptr;
  SessionManager::Options options_;
  std::unique_ptr<SessionManager> sessions_;
  std::vector<std::shared_ptr<FakeViewer>> viewers_;

 private:
  Result<Reply> ask_as(bool is_agent, const std::shared_ptr<FakeViewer>& viewer, Command command);
  std::unique_ptr<SessionManager> make_sessions();
};

}  // namespace ptyd
