// NativePens: the names of the pen that is written with, and of what is erased with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "pty/screen/emulator_part.hpp"
#include "pty/text/scanner.hpp"

namespace ptyd {

/// Looks names up once for each change of the pen, and caches what short SGRs make of a pen.
class NativePens final : private EmulatorPart {
 public:
  NativePens(Grid& grid, TerminalState& state) : EmulatorPart(grid, state) {}

  /// To be called after TerminalState::pen was changed by other means than SGR.
  void changed() { known_ = false; }
  /// Looks the names up now, if they are not known.
  void settle() {
    if (!known_) refresh();
  }
  PenId id() {
    settle();
    return pen_;
  }
  PenId blank() {
    settle();
    return blank_;
  }
  void sgr(std::string_view parameters);
  /// Obeys a token that is an SGR and holds nothing else, which is what most sequences are; false for all others.
  bool take_plain_sgr(const Token& token);

 private:
  /// Effect of a short SGR on the pen `before`. Programs repeat few SGRs.
  struct KnownSgr {
    std::uint64_t parameters = ~0ULL;
    std::uint64_t collections = 0;  ///< Names::collections() then: a collection may change names
    PenId before = 0, after = 0, blank = 0;
    Pen pen;
  };
  static constexpr std::size_t kKnownSgr = 64;

  void refresh();
  void short_sgr(std::string_view parameters, std::uint64_t key);

  PenId pen_ = 0, blank_ = 0;
  bool known_ = true;  // pen_ and blank_ are those of TerminalState::pen
  bool exact_ = true;  // and pen_ names that pen and not a plainer one
  std::array<KnownSgr, kKnownSgr> known_sgr_;
};

}  // namespace ptyd
