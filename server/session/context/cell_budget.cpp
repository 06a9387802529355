#include "server/session/context/cell_budget.hpp"

#include <string>

namespace ptyd {

/// Cells that are given back count, so a terminal that becomes smaller is never refused.
bool CellBudget::exchange(std::size_t back, std::size_t out) {
  std::size_t taken = taken_;
  while (out <= back || taken - back + out <= most_)
    if (taken_.compare_exchange_weak(taken, taken - back + out)) return true;
  return false;
}

Result<void> CellBudget::Share::change(Size size) {
  const auto cells = std::size_t{size.cols} * size.rows;
  if (!budget_->exchange(cells_, cells))
    return Error(Errc::limit, "Terminal too large: " + std::to_string(size.cols) + " x " + std::to_string(size.rows) +
                                  " are " + std::to_string(cells) + " cells; all terminals of this server have " +
                                  std::to_string(budget_->taken()) + ", the limit is " +
                                  std::to_string(budget_->most_));
  cells_ = cells;
  return {};
}

}  // namespace ptyd
