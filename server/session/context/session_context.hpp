// SessionContext: services and limits shared by the sessions of one loop.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "pty/process/pty.hpp"
#include "pty/types.hpp"
#include "server/loop/blocking_pool.hpp"
#include "server/loop/loops.hpp"
#include "server/session/context/session_delegate.hpp"
#include "server/session/context/session_facts.hpp"
#include "server/session/delivery/flow.hpp"
#include "server/session/recording/checkpoint.hpp"
#include "server/session/recording/recorder.hpp"
#include "server/session/recording/store.hpp"

namespace ptyd {

/// Settings that all sessions of a server share; constant after start.
struct HostSettings {
  Environment server_environment;
  std::vector<Program> shells;
  Store store;
  Recorder::Options recording;
  /// Work with our files; the key is the thread's id, since a thread may be deleted as a whole.
  BlockingPool& files;
  std::chrono::milliseconds file_patience;
  SessionDelegate& delegate;
  std::chrono::milliseconds linger{flow::kLinger};
  std::chrono::milliseconds agent_linger = SessionOptions().agent_linger;  ///< see there
  std::filesystem::path shell_files{};  ///< holds the private files of shells that commands are given to
  std::string cwd{"/"};                 ///< of a terminal for commands that names none
};

/// One loop, as its sessions see it.
///
/// Owns    the counts. All else is borrowed and outlives it.
/// Thread  its loop.
class SessionContext {
 public:
  /// Callbacks of the host.
  struct Callbacks {
    std::function<void()> expect_activity;  ///< something happened in a session: look at processes again soon
    std::function<void()> expect_rest;      ///< a Screen is in use, and may be parked some time after that
    std::function<void()> all_saved;        ///< no parked Screen is on its way to the disk any more
  };
  SessionContext(Loop& loop, Launcher& launcher, const HostSettings& settings, Callbacks callbacks)
      : loop_(loop), launcher_(launcher), settings_(settings), callbacks_(std::move(callbacks)) {}

  Loop& loop() const { return loop_; }
  Launcher& launcher() const { return launcher_; }
  const HostSettings& settings() const { return settings_; }
  SessionDelegate& delegate() const { return settings_.delegate; }

  /// Does `turn` after what already waits on this loop.
  template <class Turn>
  void queue(Turn turn) {
    waiting_turns_++;
    loop_.post([this, turn = std::move(turn)] {
      waiting_turns_--;
      turn();
    });
  }
  /// Sessions take shorter turns when there are others.
  bool others_wait() const { return waiting_turns_ > 0; }

  /// Writes, deletes and reads files of `key` beside the loop: its parked Screen, and its name.
  Checkpoint::SaveFile saving(const SessionKey& key);
  Checkpoint::LoadFile loading(const SessionKey& key);
  bool saves() const { return saves_ > 0; }

  void expect_activity() const { callbacks_.expect_activity(); }
  void expect_rest() const { callbacks_.expect_rest(); }
  void count_start() { totals_.sessions_started++; }
  void count_failed_start() { totals_.failed_starts++; }
  void count_output(std::size_t bytes) { totals_.output_bytes += bytes; }
  void count_input(std::size_t bytes) { totals_.input_bytes += bytes; }
  /// Sums since start, without gauges.
  const SessionMetrics& totals() const { return totals_; }

 private:
  /// `stays`: what is to be deleted is deleted, however late.
  BlockingPool::Patience patience_with(bool stays) const;

  Loop& loop_;
  Launcher& launcher_;
  const HostSettings& settings_;
  Callbacks callbacks_;
  std::size_t waiting_turns_ = 0;
  std::size_t saves_ = 0;  // under way
  SessionMetrics totals_;
};

}  // namespace ptyd
