// InputQueue: input that waits for a child, and the sizes set in between.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <variant>

#include "pty/process/pty.hpp"
#include "pty/result.hpp"

namespace ptyd {

/// Bounded in bytes and in pieces, all or nothing, in order with resizes, of which at most one waits between two
/// writes.
///
/// Owns    copies of what waits. Borrows the Pty it flushes to.
/// Units   bytes.
class InputQueue {
 public:
  /// Room for a 16 MiB paste and the keys typed after it.
  static constexpr std::size_t kLimit = 17 << 20;
  /// Writes and sizes that cannot be joined, since each takes some 100 bytes beside its own. Without sizes between them
  /// kLimit bytes are half as many.
  static constexpr std::size_t kMaxPieces = 16 << 10;
  /// The kernel takes this many bytes into one line in canonical mode and drops what is beyond.
  static constexpr std::size_t kLineLimit = 4095;

  /// Errc::busy when more than kLimit bytes or kMaxPieces would wait; then nothing was taken.
  Result<void> push(std::string_view bytes);
  /// Replaces a size that waits right before it. Never refused: there is one for each write at most.
  void push(Size size);
  void clear();

  std::size_t bytes() const { return bytes_; }
  std::size_t pieces() const { return items_.size(); }
  bool empty() const { return items_.empty(); }

  struct Flushed {
    std::size_t written = 0;        ///< bytes the kernel took
    bool blocked = false;           ///< it takes no more now; ask for on_writable()
    std::size_t line_too_long = 0;  ///< length of a line that exceeded kLineLimit in canonical mode, told once per line
  };
  /// Gives to `pty` what it takes now.
  Flushed flush(Pty& pty);

 private:
  using Item = std::variant<std::string, Size>;
  bool flush_front(Pty& pty, Flushed& flushed);
  void count_line(Pty& pty, std::string_view written, Flushed& flushed);

  std::list<Item> items_;
  std::size_t offset_ = 0;  // of the front item, written already
  std::size_t bytes_ = 0;
  std::size_t line_ = 0;  // bytes given since the last line end
  bool line_told_ = false;
};

}  // namespace ptyd
