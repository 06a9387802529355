// Loop, Loops: the event loops, one thread each.
#pragma once

#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "server/loop/clock.hpp"

namespace ptyd {

/// One event loop: everything that belongs to it runs on its thread, one thing at a time.
class Loop {
 public:
  /// `clock` outlives it.
  Loop(std::size_t index, Clock& clock) : index_(index), clock_(clock), context_(1) {}

  std::size_t index() const { return index_; }
  boost::asio::io_context& context() { return context_; }
  Clock& clock() const { return clock_; }
  std::unique_ptr<Timer> make_timer() { return clock_.make_timer(context_); }

  /// Runs `work` now when called on this loop, else soon on it. Its captures must be safe to carry over.
  template <class Work>
  void dispatch(Work&& work) {
    boost::asio::dispatch(context_, std::forward<Work>(work));
  }
  /// Runs `work` soon on this loop, after what already waits.
  template <class Work>
  void post(Work&& work) {
    boost::asio::post(context_, std::forward<Work>(work));
  }

  /// Nothing runs here any more, nor will.
  bool has_stopped() const { return context_.stopped(); }

  /// Drops all that still waits to run, once nothing runs any more. Timers and sockets that are dropped by another
  /// loop's waiting work may belong to this one, so every loop does this before any of them goes.
  void drop_waiting() { context_.shutdown(); }

 private:
  struct Context : boost::asio::io_context {
    using boost::asio::io_context::io_context;
    using boost::asio::io_context::shutdown;
  };

  std::size_t index_;
  Clock& clock_;
  Context context_;
};

/// All loops of the process. Loop 0 runs on the thread that calls run(), the others on threads of their own.
class Loops {
 public:
  /// `clock` outlives them.
  Loops(std::size_t count, Clock& clock);
  ~Loops();

  std::size_t size() const { return loops_.size(); }
  Loop& at(std::size_t index) { return *loops_[index]; }
  Loop& main() { return *loops_.front(); }

  /// Runs until stop(). Returns after every thread has ended. An exception without an owner becomes a line in the log,
  /// and the loop goes on.
  void run();
  /// From any thread.
  void stop();

 private:
  std::vector<std::unique_ptr<Loop>> loops_;
  std::vector<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> work_;
  std::vector<std::thread> threads_;
};

}  // namespace ptyd
