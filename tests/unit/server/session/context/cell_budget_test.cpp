// Cells that all screens may take together.
#include "server/session/context/cell_budget.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace ptyd {
namespace {

TEST(CellBudget, IsGivenOutToTheLastCellAndComesBack) {
  const auto budget = std::make_shared<CellBudget>(100);
  CellBudget::Share one(budget);
  EXPECT_TRUE(one.change({10, 9}));
  {
    CellBudget::Share other(budget);
    EXPECT_TRUE(other.change({10, 1}));
    EXPECT_EQ(budget->taken(), 100u);
    EXPECT_EQ(other.change({11, 1}).error().code(), Errc::limit);
    EXPECT_EQ(other.change({11, 1}).error().detail(),
              "Terminal too large: 11 x 1 are 11 cells; all terminals of this server have 100, the limit is 100");
    EXPECT_EQ(budget->taken(), 100u) << "who is refused has what he had";
  }
  EXPECT_EQ(budget->taken(), 90u);
  EXPECT_TRUE(one.change({10, 10})) << "what it gives back counts";
}

TEST(CellBudget, IsNotOverdrawnByManyThreadsAtOnce) {
  const auto budget = std::make_shared<CellBudget>(1000);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([&budget] {
      for (int n = 0; n < 1000; n++) {
        CellBudget::Share share(budget);
        static_cast<void>(share.change({20, 20}));
        EXPECT_LE(budget->taken(), 1000u);
      }
    });
  for (auto& each : threads) each.join();
  EXPECT_EQ(budget->taken(), 0u);
}

TEST(CellBudget, MayGoBeforeTheLastWhoHasSomeOfIt) {
  auto budget = std::make_shared<CellBudget>(100);
  CellBudget::Share one(budget);
  budget.reset();
  EXPECT_TRUE(one.change({10, 10}));
}

}  // namespace
}  // namespace ptyd
