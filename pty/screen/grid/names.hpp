// Names: the numbers by which cells name pens, links and clusters, and how they are collected.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "pty/screen/grid/lines.hpp"
#include "pty/screen/grid/style_table.hpp"

namespace ptyd {

/// A name lives as long as a cell or a kept pen has it. Where a table is full of what is in use, older rows of the
/// scrollback lose what it names, then what is new does: colours and links, or all but the first code point of
/// clusters. No other text is lost.
///
/// Owns    the tables. Every call is given the same Lines, in which it looks for names in use.
class Names {
 public:
  const StyleTable& styles() const { return styles_; }

  PenId pen_id(const Pen& pen, Lines& used_in);
  /// 0 for an empty link, one longer than StyleTable allows, or one that finds no room.
  LinkId link_id(const Link& link, Lines& used_in);
  /// The glyph of `text`; `otherwise`, which a cell of the Lines has, when it finds no room.
  std::uint32_t cluster_of(const std::string& text, std::uint32_t otherwise, Lines& used_in);

  /// `kept` returns the pens that are held by value beside the cells; called when names are collected.
  void keep_pens(std::function<std::vector<Pen>()> kept) { kept_pens_ = std::move(kept); }
  /// How often something found no room, or older lines became plainer.
  std::uint64_t simplified() const { return simplified_; }
  /// How often names were collected: a remembered name must be asked for again after that.
  std::uint64_t collections() const { return collections_; }

 private:
  bool make_room(Lines& used_in);
  void collect(const Lines& used_in);

  StyleTable styles_;
  std::function<std::vector<Pen>()> kept_pens_;
  std::uint64_t simplified_ = 0;
  std::uint64_t collections_ = 0;
  int patience_ = 0;  // names to refuse before the next collection is tried
};

}  // namespace ptyd
