// Base64, for what programs put on clipboards.
#pragma once

#include <string>
#include <string_view>

namespace ptyd {

/// The text that `base64` (valid, with padding) stands for, as valid UTF-8.
std::string decoded_base64(std::string_view base64);

}  // namespace ptyd
