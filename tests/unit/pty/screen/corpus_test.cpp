// The fuzzers' inputs are replayed in the normal run too: each target is compiled in under a name of its own.
#include <gtest/gtest.h>

#include "tests/fuzz/replay.hpp"

#define LLVMFuzzerTestOneInput fuzz_scanner
#include "tests/fuzz/scanner.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_screen
#include "tests/fuzz/screen.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_emulators
#include "tests/fuzz/emulators.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_snapshot
#include "tests/fuzz/snapshot.cpp"
#undef LLVMFuzzerTestOneInput

namespace ptyd {
namespace {

TEST(Corpus, OfOutputIsScannedAlikeHoweverItIsCut) {
  EXPECT_GT(test::replay("scanner", fuzz_scanner), 0);
}

TEST(Corpus, OfCutStreamsIsTheSameAfterASnapshot) {
  EXPECT_GT(test::replay("snapshot", fuzz_snapshot), 0);
}

TEST(Corpus, OfScreensKeepsThemWhole) {
  EXPECT_GT(test::replay("screen", fuzz_screen), 0);
  EXPECT_GT(test::replay("emulators", fuzz_emulators), 0);
}

}  // namespace
}  // namespace ptyd
