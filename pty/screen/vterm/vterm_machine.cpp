#include "pty/screen/vterm/vterm_machine.hpp"

#include <vterm.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace ptyd {
namespace {

constexpr std::size_t kMaxWrite = 256;

// Stand-ins: every version of libvterm takes them as of the same width.
constexpr std::string_view kNarrow = "\xC3\xA9", kWide = "\xE4\xB8\x80";

// Sequences that move, erase, insert, delete, scroll, and the modes and margins that go with them.
constexpr std::string_view kFinals = "@ABCDEFGHIJKLMPSTXZ`adefghjklrsq}~";
constexpr std::string_view kEscapes = "DEHMNOno|}~", kIntermediates = "#()*+";

}  // namespace

/// Called from C, which no exception may cross: noexcept, so that lack of memory ends the program and nothing worse.
struct VtermMachine::Callbacks {
  static VtermMachine& self(void* user) { return *static_cast<VtermMachine*>(user); }

  static Area inside(const VtermMachine& machine, const VTermRect& rect) {
    const int rows = machine.size_.rows, columns = machine.size_.cols;
    return {std::clamp(rect.start_row, 0, rows), std::clamp(rect.start_col, 0, columns),
            std::clamp(rect.end_row, 0, rows), std::clamp(rect.end_col, 0, columns)};
  }
  static bool empty(const Area& area) { return area.top >= area.bottom || area.left >= area.right; }

  static int put(VTermGlyphInfo* info, VTermPos pos, void* user) noexcept {
    VtermMachine& machine = self(user);
    const int width = std::clamp(info->width, 1, 2);
    if (pos.row < 0 || pos.row >= machine.size_.rows || pos.col < 0 || pos.col + width > machine.size_.cols) return 1;
    machine.canvas_.put(static_cast<char32_t>(info->chars[0]), width, pos.row, pos.col);
    return 1;
  }

  static int scroll(VTermRect rect, int downward, int rightward, void* user) noexcept {
    VtermMachine& machine = self(user);
    const Area area = inside(machine, rect);
    if (empty(area)) return 1;
    const int rows = area.bottom - area.top, columns = area.right - area.left;
    machine.canvas_.scroll(area, std::clamp(downward, -rows, rows), std::clamp(rightward, -columns, columns));
    return 1;
  }

  static int erase(VTermRect rect, int selective, void* user) noexcept {
    VtermMachine& machine = self(user);
    if (const Area area = inside(machine, rect); !empty(area)) machine.canvas_.erase(area, selective != 0);
    return 1;
  }

  static const VTermStateCallbacks* table() {
    static const VTermStateCallbacks callbacks = [] {
      VTermStateCallbacks made{};
      made.putglyph = put;
      made.scrollrect = scroll;
      made.erase = erase;
      return made;
    }();
    return &callbacks;
  }
};

void VtermMachine::Free::operator()(VTerm* vterm) const {
  vterm_free(vterm);
}

VtermMachine::VtermMachine(Size size, VtermCanvas& canvas)
    : size_{std::max<std::uint16_t>(size.cols, 2), std::max<std::uint16_t>(size.rows, 1)},
      canvas_(canvas),
      vterm_(vterm_new(size_.rows, size_.cols)) {
  vterm_set_utf8(vterm_.get(), 1);
  state_ = vterm_obtain_state(vterm_.get());
  // Before there is a listener: a reset erases.
  vterm_state_reset(state_, 1);
  vterm_state_set_callbacks(state_, Callbacks::table(), this);
}

VtermMachine::~VtermMachine() = default;

void VtermMachine::write(std::string_view bytes) {
  vterm_input_write(vterm_.get(), bytes.data(), bytes.size());
}

void VtermMachine::print(std::string_view ascii) {
  std::array<char, kMaxWrite> piece;
  std::size_t size = 0;
  for (const char c : ascii) {
    if (c < 0x20 || c > 0x7E) continue;
    piece[size++] = c;
    if (size < piece.size()) continue;
    write({piece.data(), size});
    size = 0;
  }
  if (size > 0) write({piece.data(), size});
}

void VtermMachine::print_stand_in(int width) {
  write(width == 2 ? kWide : kNarrow);
}

void VtermMachine::control(char c) {
  if (c >= 0x08 && c <= 0x0F) write({&c, 1});
}

void VtermMachine::escape(char intermediate, char final) {
  if (intermediate == 0 ? kEscapes.find(final) == std::string_view::npos
                        : kIntermediates.find(intermediate) == std::string_view::npos)
    return;
  if (final < 0x30 || final > 0x7E) return;
  const char whole[] = {'\x1B', intermediate, final}, simple[] = {'\x1B', final};
  write(intermediate == 0 ? std::string_view(simple, 2) : std::string_view(whole, 3));
}

void VtermMachine::csi(char final, std::initializer_list<int> params, char leader, char intermediate) {
  if (kFinals.find(final) == std::string_view::npos || params.size() > kMaxParams) return;
  std::array<char, 8 + kMaxParams * 8> text{'\x1B', '['};
  char* end = text.data() + 2;
  if (leader == '?') *end++ = leader;
  for (const int* param = params.begin(); param != params.end(); ++param) {
    if (param != params.begin()) *end++ = ';';
    if (*param >= 0) end = std::to_chars(end, end + 6, std::min(*param, kMaxParam)).ptr;
  }
  if (intermediate == '"' || intermediate == '\'') *end++ = intermediate;
  *end++ = final;
  write({text.data(), static_cast<std::size_t>(end - text.data())});
}

int VtermMachine::row() const {
  VTermPos pos;
  vterm_state_get_cursorpos(state_, &pos);
  return std::clamp(pos.row, 0, size_.rows - 1);
}

int VtermMachine::column() const {
  VTermPos pos;
  vterm_state_get_cursorpos(state_, &pos);
  return std::clamp(pos.col, 0, size_.cols - 1);
}

}  // namespace ptyd
