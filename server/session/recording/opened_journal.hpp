// OpenedJournal: a transcript that was opened beside the loops, until a session takes it.
#pragma once

#include <memory>
#include <utility>

#include "pty/journal/journal.hpp"
#include "pty/result.hpp"
#include "pty/types.hpp"
#include "server/session/recording/store.hpp"

namespace ptyd {

/// Closes a journal in good order: the next one to open it finds its cursors, and what is held, as they were.
struct ClosesInOrder {
  void operator()(Journal* journal) const {
    const std::unique_ptr<Journal> owned(journal);
    owned->close_in_order();
  }
};

/// Closed in good order where it is not taken: its asker may have lost patience, or gone.
using OpenedJournal = std::unique_ptr<Journal, ClosesInOrder>;

inline Journal taken(OpenedJournal opened) {
  const std::unique_ptr<Journal> owned(opened.release());
  return std::move(*owned);
}

/// Opens a transcript and reads all of it, beside the loops: its pages are in memory when a new session looks at them.
inline Result<OpenedJournal> opened_and_read(const Store& store, const SessionKey& key) {
  constexpr std::size_t kPage = 4096;
  auto journal = store.open(key);
  if (!journal) return journal.error();
  for (auto at = journal->tail(); at < journal->head();) {
    const auto slice = journal->read(at, kPage);
    if (!slice.bytes.empty()) static_cast<void>(*static_cast<const volatile char*>(slice.bytes.data()));
    at = slice.end();
  }
  return OpenedJournal(new Journal(std::move(*journal)));
}

}  // namespace ptyd
