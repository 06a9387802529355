// CellBudget: limits the memory of all sessions' screens together.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

#include "pty/result.hpp"
#include "pty/types.hpp"

namespace ptyd {

/// Cells that are given out and come back. Each may cost eight bytes in either buffer of its terminal.
///
/// Thread  any.
class CellBudget {
 public:
  explicit CellBudget(std::size_t most) : most_(most) {}
  CellBudget(const CellBudget&) = delete;
  CellBudget& operator=(const CellBudget&) = delete;

  std::size_t taken() const { return taken_; }

  /// Share of one session; it comes back when this ends.
  ///
  /// Thread  one at a time.
  class Share {
   public:
    explicit Share(std::shared_ptr<CellBudget> budget) : budget_(std::move(budget)) {}
    ~Share() { budget_->taken_ -= cells_; }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// Has the cells of a screen of `size` instead of what it had. Errc::limit: it has what it had.
    Result<void> change(Size size);

   private:
    std::shared_ptr<CellBudget> budget_;  // a session may outlive what it was a part of
    std::size_t cells_ = 0;
  };

 private:
  bool exchange(std::size_t back, std::size_t out);

  const std::size_t most_;
  std::atomic<std::size_t> taken_ = 0;
};

}  // namespace ptyd
