// KeptSessionTest: a SessionTest whose transcripts are in a folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>

#include "tests/support/server/session/session_test.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {

/// A base of its own, so that the folder is there before what keeps its files in it.
struct WithFolder {
  test::TemporaryDirectory folder_;
};

class KeptSessionTest : protected WithFolder, public SessionTest {
 protected:
  explicit KeptSessionTest(SessionOptions options = {}) : SessionTest(kept_in(folder_, std::move(options))) {}

  /// Files below the folder whose names end so.
  std::size_t count(std::string_view ending) const {
    std::size_t found = 0;
    for (const auto& each : std::filesystem::recursive_directory_iterator(folder_.path()))
      found += each.path().string().ends_with(ending) ? 1 : 0;
    return found;
  }

 private:
  static SessionOptions kept_in(const test::TemporaryDirectory& folder, SessionOptions options) {
    options.state_dir = folder.path();
    return options;
  }
};

}  // namespace ptyd
