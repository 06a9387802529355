// ScrollbackCounter: lines that had left the screen by each position of the journal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "pty/types.hpp"

namespace ptyd {

/// Lines of one terminal that have gone into the scrollback, over all the Screens that it has had: each of these counts
/// anew, and this goes on.
///
/// Thread  one.
/// Units   lines; what a Screen has counted is a number that grows.
class ScrollbackCounter {
 public:
  /// Places that are looked back to. The older half is thinned out when all are taken: turns of a flood are known for
  /// as much as a journal holds, and what is older the more roughly the older it is.
  static constexpr std::size_t kPlaces = 128;

  /// Another Screen counts from now on, and has counted so many of lines that are known already.
  void go_on_from(std::uint64_t counted) { counted_ = counted; }
  /// The Screen has counted so many, and the journal's head is at `head`, which never goes back.
  void note(Position head, std::uint64_t counted);

  /// How many line feeds there are from a position to another one.
  using LineFeeds = std::function<std::uint64_t(Position from, Position to)>;

  /// Lines that had left when the head was at `position`. Between two noted places one line leaves per line feed,
  /// within the counts of both places.
  std::uint64_t at(Position position, const LineFeeds& line_feeds) const;
  /// Lines that have gone since then, now that the Screen has counted so many.
  std::uint64_t since(Position position, std::uint64_t counted, const LineFeeds& line_feeds) const;

 private:
  struct Place {
    Position head = 0;
    std::uint64_t gone = 0;
  };
  std::uint64_t gone_by(std::uint64_t counted) const;

  std::vector<Place> places_;  // in order
  std::uint64_t gone_ = 0;     // in all, when the Screen had counted counted_
  std::uint64_t counted_ = 0;
};

}  // namespace ptyd
