#include "server/session/child/input_queue.hpp"

#include <algorithm>

namespace ptyd {

namespace {

/// Small writes are joined up to this size, so that a burst of keys is one write to the kernel.
constexpr std::size_t kJoin = 4 << 10;

constexpr bool ends_line(char c) {
  return c == '\n' || c == '\r' || c == '\x04';
}

Error too_much(std::size_t waiting, const char* what, std::size_t most) {
  return Error(Errc::busy, "data: " + std::to_string(waiting) + what +
                               " wait already because the program does not read; the limit is " + std::to_string(most));
}

}  // namespace

Result<void> InputQueue::push(std::string_view bytes) {
  if (bytes_ + bytes.size() > kLimit) return too_much(bytes_, " bytes", kLimit);
  auto* last = items_.empty() ? nullptr : std::get_if<std::string>(&items_.back());
  const bool joins = bytes.empty() || (last && last->size() + bytes.size() <= kJoin);
  if (!joins && items_.size() >= kMaxPieces) return too_much(items_.size(), " writes and sizes", kMaxPieces);
  bytes_ += bytes.size();
  if (!joins)
    items_.emplace_back(std::string(bytes));
  else if (last)
    last->append(bytes);
  return {};
}

/// The newer of two neighbours takes the place of the older one: nothing is typed between them.
void InputQueue::push(Size size) {
  if (auto* last = items_.empty() ? nullptr : std::get_if<Size>(&items_.back())) {
    *last = size;
  } else {
    items_.emplace_back(size);
  }
}

void InputQueue::clear() {
  items_.clear();
  offset_ = bytes_ = line_ = 0;
  line_told_ = false;
}

InputQueue::Flushed InputQueue::flush(Pty& pty) {
  Flushed flushed;
  while (!items_.empty() && flush_front(pty, flushed)) {
    items_.pop_front();
    offset_ = 0;
  }
  return flushed;
}

bool InputQueue::flush_front(Pty& pty, Flushed& flushed) {
  if (const auto* size = std::get_if<Size>(&items_.front())) {
    // A size that the kernel refuses belongs to a terminal that is going away; its exit is told elsewhere.
    (void)pty.resize(*size);
    return true;
  }
  const std::string_view rest = std::string_view(std::get<std::string>(items_.front())).substr(offset_);
  const auto taken = pty.write(rest);
  if (!taken) {
    clear();
    return false;
  }
  count_line(pty, rest.substr(0, *taken), flushed);
  flushed.written += *taken;
  bytes_ -= *taken;
  offset_ += *taken;
  flushed.blocked = *taken < rest.size();
  return !flushed.blocked;
}

void InputQueue::count_line(Pty& pty, std::string_view written, Flushed& flushed) {
  for (std::size_t from = 0; from < written.size();) {
    const auto end = std::find_if(written.begin() + static_cast<std::ptrdiff_t>(from), written.end(), ends_line);
    const auto stop = static_cast<std::size_t>(end - written.begin());
    line_ += stop - from;
    if (line_ > kLineLimit && !line_told_ && pty.line_mode().canonical) {
      flushed.line_too_long = line_;
      line_told_ = true;
    }
    if (end == written.end()) return;
    line_ = 0;
    line_told_ = false;
    from = stop + 1;
  }
}

}  // namespace ptyd
