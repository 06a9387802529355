#include "server/net/access_log.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

using namespace std::chrono_literals;

TEST(AccessLog, TellsWhoWasThereHowLongAndWhatItCost) {
  AccessRecord record;
  record.name = "c42";
  record.from = "127.0.0.1:5 for 203.0.113.7";
  record.role = Access::view;
  record.begun = TimePoint{1h};
  record.bytes_in = 12;
  record.bytes_out = 345;
  EXPECT_EQ(
      access_line(record, "ended: closed by the peer", "envelope", record.begun + 61250ms),
      "c42 ended: closed by the peer; role view, from 127.0.0.1:5 for 203.0.113.7, envelope, 12 bytes in, 345 out, "
      "61.2 s");
}

TEST(AccessLog, NamesThoseWithoutARightTokenAndWithoutAWordToo) {
  EXPECT_EQ(role_text(std::nullopt), "none");
  EXPECT_EQ(role_text(Access::full), "full");
  AccessRecord record;
  record.name = "c1";
  record.from = "unix, uid 7";
  EXPECT_EQ(access_line(record, "ended: cut", "", record.begun),
            "c1 ended: cut; role none, from unix, uid 7, no language, 0 bytes in, 0 out, 0.0 s");
}

TEST(AccessLog, IsThereForDebuggingWhereItIsOff) {
  EXPECT_EQ(access_level(true), spdlog::level::info);
  EXPECT_EQ(access_level(false), spdlog::level::debug);
}

}  // namespace
}  // namespace ptyd
