#include "server/loop/loops.hpp"

#include <spdlog/spdlog.h>

#include <exception>

namespace ptyd {
namespace {

void run_loop(Loop& loop) {
  for (;;) {
    try {
      loop.context().run();
      return;
    } catch (const std::exception& error) {
      spdlog::error("loop {}: {}", loop.index(), error.what());
    } catch (...) {
      spdlog::error("loop {}: unknown exception", loop.index());
    }
  }
}

}  // namespace

Loops::Loops(std::size_t count, Clock& clock) {
  (void)spdlog::default_logger_raw();  // there before any other thread asks for it
  for (std::size_t i = 0; i < count; i++) {
    loops_.push_back(std::make_unique<Loop>(i, clock));
    work_.push_back(boost::asio::make_work_guard(loops_.back()->context()));
  }
}

Loops::~Loops() {
  stop();
  for (auto& loop : loops_) loop->drop_waiting();
}

void Loops::run() {
  for (std::size_t i = 1; i < loops_.size(); i++) threads_.emplace_back([this, i] { run_loop(*loops_[i]); });
  run_loop(main());
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

void Loops::stop() {
  work_.clear();
  for (auto& loop : loops_) loop->context().stop();
}

}  // namespace ptyd
