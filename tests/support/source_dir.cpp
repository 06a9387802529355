#include "tests/support/source_dir.hpp"

namespace ptyd::test {

std::string source_dir() {
  return PTYD_SOURCE_DIR;
}

}  // namespace ptyd::test
