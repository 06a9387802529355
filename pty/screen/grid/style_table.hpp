// StyleTable: interned pens, links and clusters, which cells hold by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pty/screen/grid/cell.hpp"
#include "pty/screen/grid/interned.hpp"

namespace ptyd {

struct PenHash {
  std::size_t operator()(const Pen& pen, std::uint64_t seed) const;
};
struct LinkHash {
  std::size_t operator()(const Link& link, std::uint64_t seed) const;
};
struct ClusterHash {
  std::size_t operator()(const std::string& text, std::uint64_t seed) const;
};

/// Seed of all hashes in this process; random in each process.
std::uint64_t hash_seed();

/// Which names are in use.
struct LookMarks {
  std::vector<bool> pens, links, clusters;
};

/// The tables behind the numbers in cells. They give numbers until they are full; Names then says which are in use.
class StyleTable {
 public:
  /// As many as a cell can name.
  static constexpr std::size_t kMaxPens = 65'535, kMaxLinks = 65'535;
  /// Bytes of all links of one terminal together.
  static constexpr std::size_t kMaxLinkBytes = 4 << 20;
  /// Bytes of an address and of a link's id; VTE takes no longer ones either.
  static constexpr std::size_t kMaxUri = 2083, kMaxLinkId = 250;
  static constexpr std::size_t kMaxClusters = 16'384;
  /// Code points that share a place. The longest emoji have ten; text that stacks marks has any number.
  static constexpr std::size_t kMaxClusterPoints = 16;

  const Pen& pen(PenId id) const { return pens_[id]; }
  const Link& link(LinkId id) const { return links_[id]; }
  /// UTF-8 of several code points; `glyph` has Cell::kCluster.
  const std::string& cluster(std::uint32_t glyph) const { return clusters_[glyph & ~Cell::kCluster]; }
  void append_text(const Cell& cell, std::string& utf8) const;
  char32_t first_code_point(std::uint32_t glyph) const;
  char32_t last_code_point(std::uint32_t glyph) const;

  // Nothing where there is no room.
  std::optional<PenId> pen_id(const Pen& pen);
  std::optional<LinkId> link_id(const Link& link);
  std::optional<std::uint32_t> cluster_glyph(const std::string& text);
  /// The number of a pen that has one already.
  std::optional<PenId> known_pen(const Pen& pen) const;

  LookMarks no_marks() const;
  void keep_only(const LookMarks& marks);
  /// An eighth of the tables of pens and links, or of that of clusters, is free.
  bool roomy_for_pens() const;
  bool roomy_for_clusters() const;
  bool roomy() const { return roomy_for_pens() && roomy_for_clusters(); }

 private:
  Interned<Pen, PenHash> pens_{kMaxPens, hash_seed()};
  Interned<Link, LinkHash> links_{kMaxLinks, hash_seed()};
  Interned<std::string, ClusterHash> clusters_{kMaxClusters, hash_seed()};
  std::size_t link_bytes_ = 0;
};

}  // namespace ptyd
