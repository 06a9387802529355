// Random streams: what terminals obey, made up at random by named classes.
#pragma once

#include <cstddef>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "pty/types.hpp"
#include "tests/support/pty/screen/stream_items.hpp"

namespace ptyd::test {

/// The classes by name, in a fixed order.
std::vector<std::string> stream_classes();

struct StreamOptions {
  Size size{12, 6};  ///< numbers are chosen about its edges
  std::size_t items = 40;
  std::set<std::string> without;  ///< classes that are left out
};
/// A stream mostly of text and a few classes, which differ from stream to stream.
Items random_stream(std::mt19937& random, const StreamOptions& options);

}  // namespace ptyd::test
