// TextWindow: the beginning and the end of a text of any length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ptyd {

/// Keeps the first and the last bytes of a text that grows, and counts what lies between.
///
/// Thread  one.
/// Units   bytes, and lines by their line feeds.
/// Bounds  Room, and kSlack more while it grows.
class TextWindow {
 public:
  /// Bytes that are kept at each end.
  struct Room {
    std::size_t head = 128 << 10, tail = 256 << 10;
  };
  /// The part that is shown, and the size of the rest.
  struct Cut {
    std::string text;
    std::uint64_t omitted_bytes = 0;
    std::uint64_t omitted_lines = 0;  ///< of which something is missing
  };
  /// The end is cut off in steps of this.
  static constexpr std::size_t kSlack = 64 << 10;

  TextWindow() : TextWindow(Room{}) {}
  explicit TextWindow(const Room& room) : room_(room) {}

  void append(std::string_view text);
  /// Takes back the last `bytes`, among which are `lines` line feeds.
  void take_back(std::uint64_t bytes, std::uint64_t lines);

  std::uint64_t bytes() const { return bytes_; }
  bool empty() const { return bytes_ == 0; }
  /// At most `max_chars` of it (code points), half of them from its beginning. A line between both halves says how much
  /// is missing. Each is cut at the end of a line, or of a character where whole lines would be less than half of it.
  Cut cut(std::size_t max_chars) const;

 private:
  bool is_whole() const { return bytes_ == head_.size() + tail_.size(); }
  void append_to_tail(std::string_view text, char before);

  Room room_;
  std::string head_, tail_;
  char before_tail_ = 0;  // the byte before it, where that is known
  std::uint64_t bytes_ = 0, lines_ = 0;
};

}  // namespace ptyd
