#include "server/session/delivery/kept_marks.hpp"

#include "server/session/recording/mark_rows.hpp"

namespace ptyd {

void KeptMarks::keep(const Mark& mark) {
  if (!row_of(mark.kind).body || (!kept_.empty() && mark.position <= kept_.back().position)) return;
  if (traits_of(mark.kind).supersedes_older)
    std::erase_if(kept_, [&mark](const Kept& each) { return each.kind == mark.kind; });
  if (kept_.size() == kMost) drop_oldest();
  kept_.push_back({mark.position, mark.kind, mark.time, std::string(mark.payload)});
}

void KeptMarks::forget_before(Position position) {
  std::erase_if(kept_, [position](const Kept& each) { return each.position < position; });
}

void KeptMarks::forget_from(Position position) {
  std::erase_if(kept_, [position](const Kept& each) { return each.position >= position; });
}

Mark KeptMarks::operator[](std::size_t index) const {
  const auto& kept = kept_[index];
  return {kept.position, kept.kind, kept.time, kept.payload};
}

}  // namespace ptyd
