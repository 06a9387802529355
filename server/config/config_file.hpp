// ConfigFile: the file that --config names, read as `name = value` lines.
#pragma once

#include <CLI/CLI.hpp>
#include <istream>
#include <vector>

namespace ptyd {

/// A line is empty, a comment behind `#` or `;`, `name = value`, or the name of a flag. A `#` behind a blank begins a
/// comment as well, but not in quotes. Quotes around a value are taken off. Several values are separated by commas, and
/// may stand in brackets, also on several lines: `[::1]:7681` is no list, since it goes on behind its bracket. Values
/// of several lines with one name are put together.
///
/// Errors  a quote or list without an end, and text around quotes, throw CLI::ConfigError, which names the line.
class ConfigFile final : public CLI::ConfigBase {
 public:
  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override;
};

}  // namespace ptyd
