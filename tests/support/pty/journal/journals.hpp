// Contents of journals, as text.
#pragma once

#include <string>

#include "pty/journal/journal.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd::test {

/// Bytes as they are and marks as `<kind:payload>`, from `from` on.
std::string told(const Journal& journal, Position from, std::size_t step = std::size_t{1} << 30);
inline std::string told(const Journal& journal) {
  return told(journal, journal.tail());
}
/// The bytes alone.
std::string bytes_of(const Journal& journal);

/// Puts `bytes` into the inbox as a read does.
void receive(Journal& journal, std::string_view bytes);

}  // namespace ptyd::test
