// The inputs of the fuzzer of journals are replayed in the normal run too.
#include <gtest/gtest.h>

#include "tests/fuzz/replay.hpp"

#define LLVMFuzzerTestOneInput fuzz_journal
#include "tests/fuzz/journal.cpp"
#undef LLVMFuzzerTestOneInput

namespace ptyd {
namespace {

TEST(Corpus, OfJournalsIsRefusedOrUsable) {
  EXPECT_GT(test::replay("journal", fuzz_journal), 0);
}

}  // namespace
}  // namespace ptyd
