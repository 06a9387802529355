// Interned: values that many cells share, each kept once and named by a small number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ptyd {

/// A bounded table of distinct values. 0 names Value{}, which is always there.
///
/// `Hash` gives 64 well-mixed bits of a value and `seed`, by which a program that chooses values does not know which of
/// them share a slot.
///
/// Thread  one.
/// Order   a value keeps its number until it is collected.
template <class Value, class Hash>
class Interned {
 public:
  using Id = std::uint32_t;

  Interned(std::size_t max, std::uint64_t seed) : max_(max), seed_(seed) { values_.emplace_back(); }

  /// The number of `value`, which is added when it is new; nothing when it is new and there is no room.
  std::optional<Id> id_of(const Value& value) {
    if (const auto known = find(value)) return known;
    if (count() == max_) return std::nullopt;
    return add(value);
  }
  std::optional<Id> find(const Value& value) const {
    if (!index_.empty()) {
      for (std::size_t at = slot(value); index_[at] != 0; at = next(at))
        if (values_[index_[at]] == value) return index_[at];
    }
    return value == values_[0] ? std::optional<Id>(0) : std::nullopt;
  }
  const Value& operator[](Id id) const { return values_[id]; }
  /// Numbers given so far are below this.
  std::size_t end() const { return values_.size(); }
  /// Values that are there, without the default one.
  std::size_t count() const { return values_.size() - 1 - free_.size(); }
  std::size_t max() const { return max_; }

  /// Forgets every value whose number is not marked; `live` has end() entries. Tells each forgotten value to `on_gone`.
  template <class OnGone>
  void keep_only(const std::vector<bool>& live, OnGone&& on_gone) {
    std::vector<bool> already(values_.size());
    for (const Id id : free_) already[id] = true;
    for (Id id = 1; id < values_.size(); ++id) {
      if (live[id] || already[id]) continue;
      on_gone(values_[id]);
      values_[id] = Value{};
      free_.push_back(id);
    }
    rebuild(index_.size());
  }

 private:
  static constexpr std::size_t kFirstSlots = 16;

  std::size_t slot(const Value& value) const { return Hash{}(value, seed_) & (index_.size() - 1); }
  std::size_t next(std::size_t at) const { return (at + 1) & (index_.size() - 1); }

  Id add(const Value& value) {
    if ((count() + 1) * 2 > index_.size()) rebuild(index_.empty() ? kFirstSlots : index_.size() * 2);
    Id id = static_cast<Id>(values_.size());
    if (free_.empty()) {
      values_.push_back(value);
    } else {
      id = free_.back();
      free_.pop_back();
      values_[id] = value;
    }
    enter(id);
    return id;
  }
  void enter(Id id) {
    std::size_t at = slot(values_[id]);
    while (index_[at] != 0) at = next(at);
    index_[at] = id;
  }
  void rebuild(std::size_t slots) {
    index_.assign(slots, 0);
    for (Id id = 1; id < values_.size(); ++id)
      if (!(values_[id] == values_[0])) enter(id);
  }

  std::size_t max_;
  std::uint64_t seed_;
  std::vector<Value> values_;
  std::vector<Id> free_;
  std::vector<Id> index_;  // open addressing, a power of two, at most half full; 0 is an empty slot
};

}  // namespace ptyd
