// Journal files of any content: refused with a reason, or usable. The first byte says what the others are: a whole
// file, or what is written over a sound one, at its header, its marks or its inbox.
#include "pty/journal/journal.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "pty/journal/journal_format.hpp"
#include "tests/fuzz/check.hpp"

namespace {

using ptyd::Journal;

std::filesystem::path new_name() {
  std::string name = (std::filesystem::temp_directory_path() / "ptyd-fuzz-XXXXXX").string();
  const int fd = mkstemp(name.data());
  PTYD_CLAIM(fd >= 0);
  close(fd);
  return name;
}

std::string sound_file() {
  const auto name = new_name();
  std::filesystem::remove(name);
  {
    auto journal = Journal::create(name, "identity", {4096, 16 << 10});
    PTYD_CLAIM(journal.has_value());
    for (int i = 0; i < 300; ++i) {
      journal->append("line " + std::to_string(i) + "\n");
      journal->mark(ptyd::MarkKind::title, i, std::string(static_cast<std::size_t>(i) % 90, 'p'));
    }
    journal->close_in_order();
  }
  std::ifstream in(name, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(name);
  return bytes;
}

std::string overlaid(std::string_view patch, std::size_t offset) {
  static const std::string sound = sound_file();
  std::string bytes = sound;
  const std::size_t at = std::min(offset, bytes.size());
  bytes.replace(at, std::min(patch.size(), bytes.size() - at), patch.substr(0, bytes.size() - at));
  return bytes;
}

/// Every byte and mark is reachable, and new ones find room.
void use(Journal& journal) {
  for (ptyd::Position at = journal.tail(); at != journal.head();) {
    const auto slice = journal.read(at, 1000);
    PTYD_CLAIM(slice.end() > at && slice.end() <= journal.head());
    if (slice.mark) PTYD_CLAIM(slice.mark->payload.size() <= Journal::kMaxPayload);
    at = slice.end();
  }
  journal.append(journal.inbox());
  journal.consume(journal.inbox().size());
  PTYD_CLAIM(!journal.inbox_space().empty());
  const auto at = journal.mark(ptyd::MarkKind::title, 1, std::string(Journal::kMaxPayload, 'm'));
  journal.commit();
  PTYD_CLAIM(journal.read(at, 1).mark->payload.size() == Journal::kMaxPayload);
  journal.move_tail(journal.head());
  journal.wipe();
}

std::string file_of(std::string_view bytes) {
  if (bytes.empty()) return {};
  switch (bytes[0]) {
    case 'h':
      return overlaid(bytes.substr(1), 0);
    case 'm':
      return overlaid(bytes.substr(1), ptyd::journal_format::kMarksOffset);
    case 'i':
      return overlaid(bytes.substr(1), ptyd::journal_format::kInboxOffset);
    default:
      return std::string(bytes.substr(1));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto name = new_name();
  std::ofstream(name, std::ios::binary) << file_of({reinterpret_cast<const char*>(data), size});
  auto journal = Journal::open(name);
  if (journal) {
    use(*journal);
  } else {
    PTYD_CLAIM(!journal.error().detail().empty());
  }
  std::filesystem::remove(name);
  return 0;
}
