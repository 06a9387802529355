// The fuzzers' inputs are replayed in the normal run too: each target is compiled in under a name of its own.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#define LLVMFuzzerTestOneInput fuzz_decode
#include "tests/fuzz/decode.cpp"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_utf8
#include "tests/fuzz/utf8.cpp"
#include "tests/support/source_dir.hpp"
#undef LLVMFuzzerTestOneInput

namespace ptyd {
namespace {

using Target = int (*)(const std::uint8_t*, std::size_t);

/// Runs `target` on every file of its folders; a broken claim ends the program and says which. Returns how many.
int replay(const std::string& name, Target target) {
  int files = 0;
  for (const std::string folder : {"corpus", "crashes"}) {
    const std::filesystem::path path = test::source_dir() + "/tests/fuzz/" + folder + "/" + name;
    if (!std::filesystem::is_directory(path)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      SCOPED_TRACE(entry.path().string());
      std::ostringstream content;
      content << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      const std::string bytes = content.str();
      target(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++files;
    }
  }
  return files;
}

TEST(Corpus, OfFramesIsDecodedWithoutHarm) {
  EXPECT_GT(replay("decode", fuzz_decode), 0);
}

TEST(Corpus, OfTextIsEscapedAndRepairedAlike) {
  EXPECT_GT(replay("utf8", fuzz_utf8), 0);
}

}  // namespace
}  // namespace ptyd
