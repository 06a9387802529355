// LowerLimit: this process for a while with less of something.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace ptyd::test {

/// A limit of this process (setrlimit(2)) is lower while it lives.
class LowerLimit {
 public:
  LowerLimit(int resource, rlim_t limit) : resource_(resource) {
    EXPECT_EQ(::getrlimit(resource_, &before_), 0);
    const rlimit lower{limit, before_.rlim_max};
    EXPECT_EQ(::setrlimit(resource_, &lower), 0);
  }
  LowerLimit(const LowerLimit&) = delete;
  LowerLimit& operator=(const LowerLimit&) = delete;
  ~LowerLimit() { EXPECT_EQ(::setrlimit(resource_, &before_), 0); }

 private:
  const int resource_;
  rlimit before_{};
};

}  // namespace ptyd::test
