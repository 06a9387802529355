// Program rules: the Commands that an agent's terminal takes, the cuts of its output, and its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/messages.hpp"
#include "pty/result.hpp"
#include "server/policy/command_traits.hpp"

namespace ptyd {

/// Only agents' programs are started in such a thread, and these nowhere else.
bool is_agents(std::string_view thread_id);

/// Whether a Command may start in its thread what it Starts: Errc::bad_request for a shell among agents' terminals or a
/// program among others', Errc::denied for a program that shall start again.
Result<void> may_start_there(const Request& request);

/// Whether a Command with that rule may be carried out on the terminal of a program, which may take input, `by_agent`
/// or by people: Errc::denied for what would disturb it or the agent that reads its text, Errc::busy for one more
/// program.
Result<void> may_be_done_to_program(const OnProgram& rule, bool takes_input, bool by_agent);

/// The command line as a shell would read it, in at most kMaxCommandLine bytes: the end is left out for an ellipsis.
std::string command_line_of(const std::string& command, const std::vector<std::string>& args);
/// As much as a line of a list shows.
inline constexpr std::size_t kMaxCommandLine = 1024;

/// The end of what a program has printed, and whether anything ever was not in it.
///
/// Thread  one.
/// Units   bytes of UTF-8.
class OutputLimit {
 public:
  explicit OutputLimit(std::uint64_t most) : most_(most) {}

  /// The last bytes of `text`, which is valid UTF-8, up to the limit: up to three less, where a character would be cut.
  ProgramOutput cut(std::string text);
  /// Something is not even in the text that will be cut.
  void lose() { truncated_ = true; }
  std::uint64_t most() const { return most_; }

 private:
  std::uint64_t most_;
  bool truncated_ = false;
};

}  // namespace ptyd
