#include "protocol/errors.hpp"

#include <gtest/gtest.h>

#include <set>

namespace ptyd {
namespace {

TEST(Errors, EachHasAWireNameANumberAndASentence) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(Errc::end); ++code) {
    const ErrorRow& row = error_row(static_cast<Errc>(code));
    EXPECT_FALSE(row.sentence.empty());
    EXPECT_LT(row.json_rpc, -32000 + 1);
    names.insert(row.name);
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Errc::end) + 1);
}

TEST(Errors, AreToldByTheirDetailOrElseByTheirSentence) {
  EXPECT_EQ(error_sentence(Error(Errc::busy, "The queue is full")), "The queue is full");
  EXPECT_EQ(error_sentence(Error(Errc::busy, "")), "The terminal is busy");
}

}  // namespace
}  // namespace ptyd
