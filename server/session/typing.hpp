// Typing: the input of one terminal, and its size.
#pragma once

#include <string_view>

#include "pty/result.hpp"
#include "pty/types.hpp"
#include "server/session/child/child.hpp"
#include "server/session/context/launch_config.hpp"
#include "server/session/context/session_context.hpp"
#include "server/session/delivery/audience.hpp"
#include "server/session/recording/recorder.hpp"

namespace ptyd {

/// Takes what is to be typed into the child of one session, and its sizes, in their order. Answers to queries go past
/// it: a child that floods questions loses answers, not keys.
///
/// Owns    nothing: the terminal's parts are borrowed and outlive it.
/// Thread  the loop's. Nothing blocks.
class Typing {
 public:
  struct Parts {
    SessionContext& context;
    Child& child;
    Recorder& recorder;
    Audience& audience;
    LaunchConfig& launch_config;
  };
  explicit Typing(const Parts& parts) : parts_(parts) {}

  /// Types `bytes`, all or nothing. Errc::busy when too much would wait.
  Result<void> type(std::string_view bytes);
  /// Gives the child what it takes now. Viewers are warned of a line that the kernel cuts.
  void flush();
  /// The child, the Screen and the viewers get `size`.
  void change_size(Size size);

 private:
  const Parts parts_;
};

}  // namespace ptyd
