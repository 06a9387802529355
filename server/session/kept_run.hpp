// KeptRun: what is kept of a child's output, on its way into the journal.
#pragma once

#include <string_view>

#include "pty/journal/journal.hpp"
#include "pty/text/scanner.hpp"

namespace ptyd {

/// Appends to a journal what is kept of the tokens of an output. Tokens that follow each other are appended as one run.
///
/// Owns    no bytes: a run is in the journal's inbox, and flushed before that changes.
/// Order   that of the tokens.
class KeptRun {
 public:
  /// `journal` outlives this.
  explicit KeptRun(Journal& journal) : journal_(journal) {}

  void keep(const Token& token) {
    if (run_.data() + run_.size() != token.bytes.data()) flush();
    run_ = run_.empty() ? token.bytes : std::string_view(run_.data(), run_.size() + token.bytes.size());
  }
  void flush() {
    if (!run_.empty()) journal_.append(run_);
    run_ = {};
  }

 private:
  Journal& journal_;
  std::string_view run_;
};

}  // namespace ptyd
