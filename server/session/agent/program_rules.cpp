#include "server/session/agent/program_rules.hpp"

namespace ptyd {

namespace {

constexpr std::string_view kEllipsis = "\u2026";
constexpr std::string_view kMeansItself = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+:,./-_";

/// The first place at or after `at` where a character of `text` begins.
std::size_t boundary_from(std::string_view text, std::size_t at) {
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) at++;
  return at;
}

/// The last one at or before `at`.
std::size_t boundary_until(std::string_view text, std::size_t at) {
  while (at > 0 && boundary_from(text, at) != at) at--;
  return at;
}

std::string shell_quoted(std::string_view word) {
  if (!word.empty() && word.find_first_not_of(kMeansItself) == std::string_view::npos) return std::string(word);
  std::string text = "'";
  for (const char c : word) c == '\'' ? text += "'\\''" : text += c;
  return text += '\'';
}

}  // namespace

bool is_agents(std::string_view thread_id) {
  return thread_id.starts_with(kAgentThreads);
}

Result<void> may_start_there(const Request& request) {
  const auto& row = request.row();
  if (row.starts == Starts::nothing || is_agents(thread_of(request.command())) == (row.starts == Starts::program))
    return {};
  const std::string prefix(kAgentThreads);
  switch (row.starts) {
    case Starts::again:
      return may_be_done_to_program(*row.on_program, false, false);
    case Starts::program:
      return Error(Errc::bad_request, "threadId: for an agent's program it must begin with " + prefix);
    default:
      return Error(Errc::bad_request, "threadId: no shell starts in a thread that begins with " + prefix +
                                          ", which is for agents' programs; attach opens their terminals");
  }
}

Result<void> may_be_done_to_program(const OnProgram& rule, bool takes_input, bool by_agent) {
  const bool may = rule.allowed || (rule.with_input && takes_input) || (rule.by_agent && by_agent);
  if (may) return {};
  return Error(rule.code, std::string(rule.refusal));
}

std::string command_line_of(const std::string& command, const std::vector<std::string>& args) {
  // Without arguments it may be a whole line.
  std::string line = args.empty() ? command : shell_quoted(command);
  for (auto each = args.begin(); each != args.end() && line.size() <= kMaxCommandLine; ++each)
    line += ' ' + shell_quoted(*each);
  if (line.size() <= kMaxCommandLine) return line;
  line.resize(boundary_until(line, kMaxCommandLine - kEllipsis.size()));
  return line += kEllipsis;
}

ProgramOutput OutputLimit::cut(std::string text) {
  if (text.size() > most_) {
    truncated_ = true;
    text.erase(0, boundary_from(text, text.size() - static_cast<std::size_t>(most_)));
  }
  return {std::move(text), truncated_, std::nullopt};
}

}  // namespace ptyd
