// ShellLine: state of one shell between prompt and command, as far as its markers tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pty/shell/shell_marker.hpp"

namespace ptyd {

/// The states of one launch of a shell. Only markers with its nonce count, and of an end only one with the token of the
/// command that was typed last.
///
/// Thread  one. Pure: no clock, no terminal.
class ShellLine {
 public:
  enum class State : std::uint8_t {
    starting,
    idle,     ///< the prompt stands, and nothing but ours was typed there
    touched,  ///< another client has typed at the prompt: the line is that client's until the next prompt
    typed,    ///< our line was typed, and its command has not begun
    running,
    ending,   ///< the command has ended, and the prompt was not told yet
    foreign,  ///< it told nothing in time, of its start or of our line: it may be no shell of ours
    gone,
  };
  /// Outcome of a marker, or of the end of the shell.
  enum class Step : std::uint8_t { nothing, ready, begun, ended, never_begun };

  explicit ShellLine(std::string nonce) : nonce_(std::move(nonce)) {}

  Step on_marker(const ShellMarker& marker);
  /// Something but our line was typed: at the prompt, or into what runs there.
  void on_others_typed();
  /// A program's questions were answered: an answer that it does not read waits at the prompt, and is no client's line.
  /// Each BEL there gives up a line, for line editors take it for a command.
  void on_answered(std::string_view answers);
  /// While it is running or ending: the prompt stands, as the terminal shows, though the hook that would tell it may be
  /// gone. It may still be told later. While it is touched: the line there was given up.
  void on_prompt_seen();
  /// Our line was typed at the prompt, for the command `token`.
  void on_typed(std::string token);
  /// It has told nothing for too long.
  void on_silence();
  /// The shell has ended with `status`, and with it the command that was running.
  Step on_gone(int status);

  State state() const { return state_; }
  /// Of what ended last.
  int status() const { return status_; }
  /// As it was told last; "" before that.
  const std::string& cwd() const { return cwd_; }
  /// Input that others typed while something ran may wait at the prompt.
  bool may_hold_typing() const { return lines_ahead_ > 0; }

 private:
  Step on_prompt();

  const std::string nonce_;
  State state_ = State::starting;
  std::string token_;  // of the command that was typed last
  int status_ = 0;
  std::string cwd_;
  bool prompt_is_owed_ = false;  // it was seen, and not told
  std::size_t lines_ahead_ = 0;  // of which each may bring a prompt: typed since the last command began
};

}  // namespace ptyd
