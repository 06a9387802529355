#include "tests/support/pty/journal/journals.hpp"

#include <cstring>
#include <string>

namespace ptyd::test {

std::string told(const Journal& journal, Position from, std::size_t step) {
  std::string text;
  while (from != journal.head()) {
    const Journal::Slice slice = journal.read(from, step);
    if (slice.end() == from) return text + "<stuck>";
    text.append(slice.bytes);
    if (slice.mark) {
      text += "<" + std::to_string(static_cast<int>(slice.mark->kind)) + ":" + std::string(slice.mark->payload) + ">";
    }
    from = slice.end();
  }
  return text;
}

std::string bytes_of(const Journal& journal) {
  std::string text;
  for (Position at = journal.tail(); at != journal.head();) {
    const Journal::Slice slice = journal.read(at, journal.capacity());
    text.append(slice.bytes);
    at = slice.end();
  }
  return text;
}

void receive(Journal& journal, std::string_view bytes) {
  while (!bytes.empty()) {
    const std::span<char> space = journal.inbox_space();
    const std::size_t count = std::min(space.size(), bytes.size());
    if (count == 0) throw std::runtime_error("the inbox is full");
    std::memcpy(space.data(), bytes.data(), count);
    journal.received(count);
    bytes.remove_prefix(count);
  }
}

}  // namespace ptyd::test
