// Literals: bytes as one would write them in C++, for messages of failing tests.
#pragma once

#include <string>
#include <string_view>

namespace ptyd::test {

/// Control characters and everything beyond ASCII escaped; ESC is \e.
std::string escaped(std::string_view bytes);

}  // namespace ptyd::test
