// inbox_reads: the reads of one turn, from a pty into a journal's inbox.
#pragma once

#include <algorithm>
#include <cstddef>

#include "pty/journal/journal.hpp"
#include "pty/process/pty.hpp"

namespace ptyd {

/// One read of a pty gives no more than this, whatever room it has (Linux: N_TTY_BUF_SIZE less one); a turn does not
/// read once more for less.
inline constexpr std::size_t kPtyRead = 4095;

struct InboxReads {
  std::size_t bytes = 0;
  bool drained = false;  ///< the pty has nothing more now
  bool ended = false;    ///< nor will it have
};

/// Reads at most `budget` bytes, and no more than the inbox has room for.
inline InboxReads read_into_inbox(Journal& journal, Pty& pty, std::size_t budget) {
  InboxReads reads;
  while (reads.bytes == 0 || reads.bytes + kPtyRead <= budget) {
    const auto space = journal.inbox_space();
    const auto count = pty.read(space.first(std::min(space.size(), budget - reads.bytes)));
    reads.ended = !count;
    reads.drained = !count || *count == 0;
    if (reads.drained) break;
    journal.received(*count);
    reads.bytes += *count;
    if (journal.inbox_space().empty()) break;
  }
  return reads;
}

}  // namespace ptyd
