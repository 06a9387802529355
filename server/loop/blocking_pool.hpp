// BlockingPool: runs blocking work beside the loops.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "pty/result.hpp"
#include "server/loop/loops.hpp"

namespace ptyd {

/// Work that may block (files, starts of programs), done beside the loops; its result is told on its asker's loop.
///
/// Owns    what waits, and the threads: made when all are busy, ended when there is nothing to do. One whose asker was
///         given up is written off: others get a thread in its place. One whose task never comes back is left behind.
/// Thread  run() on the asker's loop, the destructor once the loops have stopped, the rest on any.
/// Order   tasks of one key are done one after the other, as they were given; "" is no key.
/// Errors  of one asker alone: Errc::limit when too many wait, Errc::internal for what its task throws.
class BlockingPool {
 public:
  struct Options {
    /// At most so many, besides those that are written off. 0: a task is done, and told of, inside run().
    std::size_t threads = 16;
    /// Threads that are written off: a drive that never answers keeps one for each task. So many are sixteen dead
    /// drives with sixteen tasks each; a thread that waits takes little more than the first pages of its stack.
    std::size_t hung = 256;
    /// Of the tasks under way at one place so many count; others get a thread in place of each further one. So a
    /// drive keeps no other task waiting, also before patience with it has ended.
    std::size_t at_one_place = 8;
    std::size_t waiting = 4096;             ///< as many as there can be terminals
    std::chrono::milliseconds idle{1000};   ///< a thread without work ends after this
    std::chrono::milliseconds leave{2000};  ///< at the end, what is under way is waited for so long
  };
  /// How long an asker waits, and what it is told then. Its task goes on if it has begun, and is written off.
  struct Patience {
    std::chrono::milliseconds time;
    Error error;
    bool shared = false;  ///< and at once, where a task of the same key was given up and still hangs
    bool stays = false;   ///< the task is done all the same, also when its turn comes only after that
  };
  /// Called by work before it goes on at `place` ("": nowhere in particular). False: a task that was given up hangs
  /// there, and the work is to end.
  using Enter = std::function<bool(const std::string& place)>;

  explicit BlockingPool(const Options& options);
  /// Askers that still wait are told nothing any more.
  ~BlockingPool();
  BlockingPool(const BlockingPool&) = delete;
  BlockingPool& operator=(const BlockingPool&) = delete;

  /// Does `work`, which gives a Result and touches nothing that belongs to a loop; then calls `done` with that Result
  /// on `loop`, once, maybe before this returns. Work may take an Enter.
  template <class Work, class Done>
  void run(Loop& loop, std::string key, std::optional<Patience> patience, Work work, Done done) {
    auto with_places = [work = std::move(work)](const Enter& enter) mutable {
      if constexpr (std::is_invocable_v<Work&, const Enter&>)
        return work(enter);
      else
        return work();
    };
    using Value = decltype(with_places(Enter()));
    auto value = std::make_shared<std::optional<Value>>();
    submit(
        loop, std::move(key), std::move(patience),
        [value, work = std::move(with_places)](const Enter& enter) mutable { value->emplace(work(enter)); },
        [value, done = std::move(done)](std::optional<Error> failed) mutable {
          done(failed ? Value(std::move(*failed)) : Value(std::move(**value)));
        });
  }

  /// Askers that wait are told `error`, and so are all from now on.
  void end(const Error& error);

  /// Threads of this process that were left to their task. Objects they use must not be destroyed under them: a process
  /// with such threads exits at once.
  static std::size_t left_behind();

 private:
  struct Desk;
  using Work = std::function<void(const Enter& enter)>;
  using Done = std::function<void(std::optional<Error> failed)>;

  void submit(Loop& loop, std::string key, std::optional<Patience> patience, Work work, Done done);

  std::shared_ptr<Desk> desk_;  ///< shared with the threads, which may outlive this
};

}  // namespace ptyd
