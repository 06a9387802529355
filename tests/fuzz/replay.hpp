// Replay of the fuzzers' inputs without a fuzzer.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/source_dir.hpp"

namespace ptyd::test {

/// Runs `target` on every file of corpus/NAME and crashes/NAME; a broken claim ends the program and says which. Returns
/// how many there were.
inline int replay(const std::string& name, int (*target)(const std::uint8_t*, std::size_t)) {
  int files = 0;
  for (const char* folder : {"corpus", "crashes"}) {
    const auto path = std::filesystem::path(test::source_dir()) / "tests/fuzz" / folder / name;
    if (!std::filesystem::is_directory(path)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      SCOPED_TRACE(entry.path().string());
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(in), {}};
      target(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++files;
    }
  }
  return files;
}

}  // namespace ptyd::test
