#include "pty/process/command_line.hpp"

#include <algorithm>
#include <cctype>
#include <system_error>

#include "pty/process/exec_plan.hpp"

namespace ptyd {
namespace {

/// Characters that POSIX has quoted, always or sometimes, to mean itself to a shell.
constexpr std::string_view kMeansSomething = "|&;<>()$`\\\"' \t\r\n*?[#~=%";

/// Bytes of a command that a sentence shows: its sender knows the rest.
constexpr std::size_t kShownCommand = 200;

constexpr int kCannotExecute = 126, kNotFound = 127;

/// Cut between characters.
std::string_view cut(std::string_view text) {
  if (text.size() <= kShownCommand) return text;
  std::size_t end = kShownCommand;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

std::string shown(std::string_view command) {
  std::string result(cut(command));
  std::replace_if(
      result.begin(), result.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
  return result.size() < command.size() ? result + "..." : result;
}

/// A script may exist that names an interpreter which does not: the kernel says the same of both.
std::string reason(int error, std::string_view command) {
  if (!means_not_found(error)) return std::generic_category().message(error);
  if (command.find('/') == std::string_view::npos) return "there is no such program in PATH";
  return "it does not exist, or the interpreter that it names does not";
}

}  // namespace

std::vector<Program> programs_for(const std::string& command, const std::vector<std::string>& args) {
  std::vector<Program> result{{command, args}};
  if (!args.empty() || command.find_first_of(kMeansSomething) == std::string::npos) return result;
  // "--": a line may begin with '-'.
  result.push_back({"/bin/sh", {"-c", "--", command}});
  return result;
}

std::optional<LaunchFailure> launch_failure(const Error& error, std::string_view command) {
  const int why = error.exec_error();
  if (why == 0) return std::nullopt;
  return LaunchFailure{means_not_found(why) ? kNotFound : kCannotExecute,
                       "Failed to start " + shown(command) + ": " + reason(why, command)};
}

}  // namespace ptyd
