#include "server/execute/refused_commands.hpp"

#include <string>

#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

/// Of a command that is named in an error, in bytes.
constexpr std::size_t kShown = 60;

std::string shown(std::string_view text) {
  if (text.size() <= kShown) return std::string(text);
  const auto cut = text.substr(0, kShown);
  return std::string(cut.substr(0, kShown - utf8::unfinished_tail(cut))) + "...";
}

}  // namespace

Error busy_with(std::string_view command) {
  return Error(Errc::busy, "A command is running in this terminal: " + shown(command) +
                               ". An empty command waits for it, isInput types into it, C-c interrupts it");
}

Error busy_with_a_person() {
  return Error(Errc::busy,
               "A person types at the prompt of this terminal, or runs something there. C-c gives the line up");
}

Error no_integration() {
  return Error(Errc::no_integration, "The shell of this terminal does not tell where its commands begin and end");
}

Error shell_has_ended() {
  return Error(Errc::exited, "The shell of this terminal has ended");
}

Error not_begun() {
  return Error(Errc::busy, "The command did not begin: its line was given up at the prompt. Nothing was executed");
}

}  // namespace ptyd
