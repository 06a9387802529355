#include "pty/screen/grid/style_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <string_view>

#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

/// A mix of 64 bits: each bit of `bits` may change every bit of the result.
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ bits >> 32) * 0x9FB21C651E98DF25U;
  bits = (bits ^ bits >> 29) * 0xA24BAED4963EE407U;
  return bits ^ bits >> 32;
}

/// Hashes `text` eight bytes at a time, from the seed `hash` on: without that seed collisions cannot be predicted.
std::uint64_t mixed(std::uint64_t hash, std::string_view text) {
  hash = mixed(hash ^ text.size());
  while (!text.empty()) {
    std::uint64_t bits = 0;
    const std::size_t size = std::min(text.size(), sizeof bits);
    std::memcpy(&bits, text.data(), size);
    hash = mixed(hash ^ bits);
    text.remove_prefix(size);
  }
  return hash;
}

std::size_t bytes_of(const Link& link) {
  return sizeof link + link.id.size() + link.uri.size();
}

template <class Table>
bool has_room(const Table& table) {
  return table.count() <= table.max() / 8 * 7;
}

}  // namespace

std::uint64_t hash_seed() {
  static const std::uint64_t seed = [] {
    std::random_device random;
    return std::uint64_t{random()} << 32 | random();
  }();
  return seed;
}

std::size_t PenHash::operator()(const Pen& pen, std::uint64_t seed) const {
  struct Halves {
    std::uint64_t first, second;
  };
  const auto halves = std::bit_cast<Halves>(pen);
  return mixed(mixed(halves.first ^ seed) ^ halves.second);
}

std::size_t LinkHash::operator()(const Link& link, std::uint64_t seed) const {
  return mixed(mixed(seed, link.id), link.uri);
}

std::size_t ClusterHash::operator()(const std::string& text, std::uint64_t seed) const {
  return mixed(seed, text);
}

void StyleTable::append_text(const Cell& cell, std::string& utf8) const {
  if (cell.width == 0) return;
  if (cell.glyph == 0) {
    utf8 += ' ';
  } else if ((cell.glyph & Cell::kCluster) != 0) {
    utf8 += cluster(cell.glyph);
  } else {
    utf8::append(cell.glyph, utf8);
  }
}

char32_t StyleTable::first_code_point(std::uint32_t glyph) const {
  if ((glyph & Cell::kCluster) == 0) return glyph;
  const std::string_view text = cluster(glyph);
  return utf8::decode(text.substr(0, utf8::character(text)));
}

char32_t StyleTable::last_code_point(std::uint32_t glyph) const {
  if ((glyph & Cell::kCluster) == 0) return glyph;
  const std::string_view text = cluster(glyph);
  std::size_t at = text.size() - 1;
  while ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return utf8::decode(text.substr(at));
}

std::optional<PenId> StyleTable::pen_id(const Pen& pen) {
  const auto id = pens_.id_of(pen);
  return id ? std::optional(static_cast<PenId>(*id)) : std::nullopt;
}

std::optional<PenId> StyleTable::known_pen(const Pen& pen) const {
  const auto id = pens_.find(pen);
  return id ? std::optional(static_cast<PenId>(*id)) : std::nullopt;
}

std::optional<LinkId> StyleTable::link_id(const Link& link) {
  if (const auto known = links_.find(link)) return static_cast<LinkId>(*known);
  if (link_bytes_ + bytes_of(link) > kMaxLinkBytes) return std::nullopt;
  const auto id = links_.id_of(link);
  if (!id) return std::nullopt;
  link_bytes_ += bytes_of(link);
  return static_cast<LinkId>(*id);
}

std::optional<std::uint32_t> StyleTable::cluster_glyph(const std::string& text) {
  const auto id = clusters_.id_of(text);
  return id ? std::optional(*id | Cell::kCluster) : std::nullopt;
}

LookMarks StyleTable::no_marks() const {
  return {std::vector<bool>(pens_.end()), std::vector<bool>(links_.end()), std::vector<bool>(clusters_.end())};
}

void StyleTable::keep_only(const LookMarks& marks) {
  pens_.keep_only(marks.pens, [](const Pen&) {});
  links_.keep_only(marks.links, [this](const Link& link) { link_bytes_ -= bytes_of(link); });
  clusters_.keep_only(marks.clusters, [](const std::string&) {});
}

bool StyleTable::roomy_for_pens() const {
  return has_room(pens_) && has_room(links_) && link_bytes_ <= kMaxLinkBytes / 8 * 7;
}

bool StyleTable::roomy_for_clusters() const {
  return has_room(clusters_);
}

}  // namespace ptyd
