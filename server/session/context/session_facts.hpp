// Session facts, known all over this room: a session's settings, its reports and its answers.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "protocol/messages.hpp"
#include "pty/screen/report/queries.hpp"
#include "pty/screen/screen.hpp"
#include "server/loop/blocking_pool.hpp"
#include "server/session/delivery/flow.hpp"
#include "server/session/recording/retention.hpp"

namespace ptyd {

/// Called once with the answer to a Command, on the loop that asked.
using ReplyHandler = std::function<void(Result<Reply>)>;

/// The rest of a session whose program has ended, besides its text. A shell of people leaves text.
enum class Remains : std::uint8_t {
  text,
  jobs,             ///< of an agent's program, which run on
  text_for_people,  ///< of an agent's program that is released
};

/// Options of a SessionManager.
struct SessionOptions {
  std::filesystem::path state_dir;  ///< empty: nothing is kept on disk
  std::string shell;                ///< preferred shell; "" means $SHELL, else bash
  Screen::Options screen;
  QueryOptions queries;
  std::size_t max_sessions = 1024;  ///< running, whole server: each costs a pty of the machine's 4096
  std::size_t max_sessions_per_thread = 64;
  /// Of all screens together, 1 GiB at the worst: each running terminal may have 320 x 204, or 33 of them the largest
  /// screen there is.
  std::size_t max_cells = 64 << 20;
  /// For an agent that lost its connection to come back: then its terminals are ended and released. Networks and
  /// restarts of agents take seconds; what it was about to do is of no use long after.
  std::chrono::milliseconds agent_linger{30000};
  std::size_t retained_sessions = 128;  ///< of people, not running, kept in memory; the reference's number
  /// Ended terminals of one agent's session: as many as may run there. The same number again of those that are released
  /// and kept for people, and of those with jobs that run on. Each session has its own: none pushes out another's.
  std::size_t retained_programs = 64;
  /// Of all agents' sessions together: each holds a journal open, and some delegates never use a session's name twice.
  std::size_t all_retained_programs = 1024;
  RetentionLimits retention;                        ///< of transcripts that no session uses
  std::chrono::milliseconds linger{flow::kLinger};  ///< for a lossless viewer that went, or that an earlier server had
  BlockingPool::Options blocking_pool;              ///< for clients' directories; and the same again for our own files
  std::chrono::milliseconds cwd_patience{5000};     ///< how long a client's directory may keep silent
  std::chrono::milliseconds file_patience{30000};   ///< and a transcript: a disk that slept takes ten seconds
};

/// Numbers for /metrics; sums over all loops.
struct SessionMetrics {
  std::uint64_t sessions = 0;            ///< in memory, of any status
  std::uint64_t running = 0;             ///< with a live child
  std::uint64_t sessions_started = 0;    ///< children ever started
  std::uint64_t failed_starts = 0;       ///< of children
  std::uint64_t disk_errors = 0;         ///< parked screens not written or read, names not written
  std::uint64_t journals_in_memory = 0;  ///< that ought to be on the disk
  std::uint64_t subscriptions = 0;
  std::uint64_t output_bytes = 0;  ///< read from children
  std::uint64_t input_bytes = 0;   ///< written to children
  std::uint64_t resyncs = 0;       ///< viewers that fell behind and were resynced
};

/// One line per session for /debug/sessions: state and positions, never content.
struct SessionDebug {
  TerminalInfo info;
  std::size_t loop = 0;
  Position tail = 0, head = 0;
  std::size_t queued_input = 0;
  struct Cursor {
    std::string viewer;
    Position position = 0;
    std::size_t in_flight = 0, window = 0;
  };
  std::vector<Cursor> cursors;
};

}  // namespace ptyd
