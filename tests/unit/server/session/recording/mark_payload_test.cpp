#include "server/session/recording/mark_payload.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

TEST(MarkPayload, EveryPayloadComesBackAsItWas) {
  const StartFacts start{4711, {80, 24}, "/a folder\x1fwith anything"};
  EXPECT_EQ(decode_start(encode_payload(start)), start);
  const ExitStatus exited{3, {}}, killed{{}, 9};
  EXPECT_EQ(decode_exit(encode_payload(exited)), exited);
  EXPECT_EQ(decode_exit(encode_payload(killed)), killed);
  EXPECT_EQ(decode_size(encode_payload(Size{2000, 5})), (Size{2000, 5}));
  const auto activity = decode_activity(encode_payload(Activity{true, "codex", "attention"}));
  ASSERT_TRUE(activity);
  EXPECT_TRUE(activity->has_running_subprocess);
  EXPECT_EQ(activity->cli_kind, "codex");
  EXPECT_EQ(activity->agent_state, "attention");
  const auto warning = decode_warning(encode_payload(Warning{"a-code", "a sentence"}));
  ASSERT_TRUE(warning);
  EXPECT_EQ(warning->code, "a-code");
  EXPECT_EQ(warning->message, "a sentence");
}

TEST(MarkPayload, ADamagedPayloadIsNothing) {
  for (const auto* damaged : {"", "1",
                              "x\x1f"
                              "80\x1f"
                              "24\x1f/",
                              "1\x1f"
                              "0\x1f"
                              "24\x1f/",
                              "1\x1f"
                              "80\x1f"
                              "9999\x1f/"})
    EXPECT_FALSE(decode_start(damaged)) << damaged;
  EXPECT_FALSE(decode_size("80"));
  EXPECT_FALSE(decode_size("80\x1f"));
  EXPECT_FALSE(decode_activity("1"));
}

}  // namespace
}  // namespace ptyd
