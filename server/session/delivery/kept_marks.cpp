#include "server/session/delivery/kept_marks.hpp"

namespace ptyd {

namespace {

bool is_told(MarkKind kind) {
  switch (kind) {
    case MarkKind::started:
    case MarkKind::exited:
    case MarkKind::restarted:
    case MarkKind::cleared:
    case MarkKind::resized:
    case MarkKind::title:
    case MarkKind::activity:
    case MarkKind::error:
    case MarkKind::warning:
      return true;
    case MarkKind::command_begun:
    case MarkKind::command_ended:
    case MarkKind::cwd:
    case MarkKind::forgotten:
      break;
  }
  return false;
}

/// A newer one says all that an older one said.
bool is_superseded(MarkKind kind) {
  return kind == MarkKind::title || kind == MarkKind::activity;
}

}  // namespace

void KeptMarks::keep(const Mark& mark) {
  if (!is_told(mark.kind) || (!kept_.empty() && mark.position <= kept_.back().position)) return;
  if (is_superseded(mark.kind)) std::erase_if(kept_, [&mark](const Kept& each) { return each.kind == mark.kind; });
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
