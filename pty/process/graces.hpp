// Graces: time limits for processes that are being ended.
#pragma once

#include <chrono>

namespace ptyd {

/// From the hang-up to TERM: editors save on the hang-up, and a second signal in the middle of that would end them.
inline constexpr std::chrono::milliseconds kTermAfter{100};
/// From the hang-up to the KILL of what is left: the reference's number.
inline constexpr std::chrono::milliseconds kKillGrace{1000};

/// From TERM to the KILL of what has no controlling terminal, and so cannot be hung up: servers finish what they are
/// asked at the moment.
inline constexpr std::chrono::milliseconds kPlainKillGrace{1500};

/// Time that a Reaper gives the programs it ends. Where `kill` is not longer than `term`, no TERM is sent.
struct Graces {
  std::chrono::milliseconds term = kTermAfter;  ///< from the hang-up to TERM, and from then on between hang-ups
  std::chrono::milliseconds kill = kKillGrace;  ///< from the hang-up to the KILL
  std::chrono::milliseconds plain_kill = kPlainKillGrace;  ///< from TERM to the KILL, where there was no hang-up
};

}  // namespace ptyd
