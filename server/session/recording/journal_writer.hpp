// JournalWriter: writes the kept part of a child's output into the journal.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "pty/journal/journal.hpp"
#include "pty/text/scanner.hpp"

namespace ptyd {

/// Appends to a journal what is kept of the tokens of an output. Tokens that follow each other are appended as one run.
///
/// Owns    no bytes: a run is in the journal's inbox, and flushed before that changes.
/// Order   that of the tokens. A token that is cut may have ended an open sequence before it. CAN ends that sequence
///         instead: else readers of the journal would take the following bytes for a part of it.
class JournalWriter {
 public:
  /// `journal` outlives this.
  explicit JournalWriter(Journal& journal) : journal_(journal) {}

  void keep(const Token& token) {
    if (run_.data() + run_.size() != token.bytes.data()) flush();
    run_ = run_.empty() ? token.bytes : std::string_view(run_.data(), run_.size() + token.bytes.size());
    left_open_ = token.open;
  }
  /// Bytes that are not in the journal yet.
  std::size_t size() const { return run_.size(); }
  /// Leaves `token` out. Bytes that end a sequence in its stead are never longer than it is.
  void cut(const Token& token) {
    flush();
    if (std::exchange(left_open_, false)) journal_.append(token.bytes.front() == '\x1b' ? kEndByEsc : kEndByOther);
  }
  void flush() {
    if (!run_.empty()) journal_.append(run_);
    run_ = {};
  }
  /// To be called when what was kept is not in the journal any more, or not last.
  void forget() { left_open_ = false; }

 private:
  /// ESC ends a sequence as that of the token did, whole if it is an OSC; CAN ends what ESC began.
  static constexpr std::string_view kEndByEsc = "\x1b\x18";
  /// C1 cancels a sequence, and so does CAN.
  static constexpr std::string_view kEndByOther = "\x18";

  Journal& journal_;
  std::string_view run_;
  bool left_open_ = false;  // the last bytes kept, in this turn or before
};

}  // namespace ptyd
