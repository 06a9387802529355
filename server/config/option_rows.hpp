// Option rows: the options of `ptyd serve` as people are told of them.
#pragma once

#include <string>
#include <vector>

namespace ptyd {

/// An option as people are told of it, by --help and in README.md of this folder.
struct OptionRow {
  std::string flag;         ///< `--state-dir`
  std::string environment;  ///< `PTYD_STATE_DIR`
  std::string initially;    ///< its default, or words for it; never empty
  std::string meaning;
};
std::vector<OptionRow> option_rows();

}  // namespace ptyd
