// Stream items: output in whole pieces, so that a stream on which something fails can be made short.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pty/types.hpp"

namespace ptyd::test {

/// Sequences and pieces of text, each whole: leaving one out leaves the others what they were.
using Items = std::vector<std::string>;

/// The size that an item of the class `resize` asks for (CSI 8 ; rows ; columns t); the feeder resizes then.
std::optional<Size> resize_of(std::string_view item);

/// As few of the items as still fail, in their order. `fails(items)` is true.
Items shrunk(Items items, const std::function<bool(const Items&)>& fails);

/// One item a line, as a C++ literal.
std::string printed(const Items& items);

}  // namespace ptyd::test
