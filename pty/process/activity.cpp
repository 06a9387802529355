#include "pty/process/activity.hpp"

#include <algorithm>
#include <functional>

namespace ptyd {
namespace {

/// Visible characters at the end of the output that are compared to tell a redraw from news; the number is the
/// reference's.
constexpr std::size_t kSignatureChars = 256;
/// Raw bytes in which these characters are looked for.
constexpr std::size_t kSignatureBytes = 2048;

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

std::size_t characters(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_continuation));
}

std::size_t sequence_end(std::string_view bytes, std::size_t at) {
  const char kind = at < bytes.size() ? bytes[at] : '\0';
  if (kind == '[') {
    while (++at < bytes.size() && !(bytes[at] >= '@' && bytes[at] <= '~')) {
    }
    return at + 1;
  }
  if (kind == ']' || kind == 'P' || kind == '^' || kind == '_') {
    while (++at < bytes.size() && bytes[at] != '\a' && bytes[at] != '\x1b') {
    }
    return at < bytes.size() && bytes[at] == '\x1b' ? at + 2 : at + 1;
  }
  return at + 1;
}

/// The last visible characters of `bytes`, with blanks in a row as one.
std::string visible_tail(std::string_view bytes) {
  bytes = bytes.substr(bytes.size() - std::min(bytes.size(), kSignatureBytes));
  std::string text;
  for (std::size_t i = 0; i < bytes.size();) {
    const auto c = static_cast<unsigned char>(bytes[i]);
    if (c == 0x1b) {
      i = sequence_end(bytes, i + 1);
      continue;
    }
    if (c > ' ' && c != 0x7f) text += bytes[i];
    if (c == ' ' && !text.empty() && text.back() != ' ') text += ' ';
    ++i;
  }
  while (text.ends_with(' ')) text.pop_back();
  return text.substr(text.size() - std::min(text.size(), kSignatureChars));
}

}  // namespace

std::string_view wire_name(AgentState state) {
  switch (state) {
    case AgentState::none:
      return "";
    case AgentState::running:
      return "running";
    case AgentState::attention:
      return "attention";
    case AgentState::review:
      return "review";
  }
  return "";
}

bool ActivityTracker::reset(std::string_view cli_kind) {
  *this = ActivityTracker();
  cli_kind_ = cli_kind_from(cli_kind);
  return cli_kind_ != CliKind::none;
}

void ActivityTracker::on_clear() {
  typed_.clear();
  hook_ = AgentState::none;
}

ActivityState ActivityTracker::state() const {
  AgentState agent = hook_;
  if (agent == AgentState::none && busy_ && cli_kind_ != CliKind::none) agent = AgentState::running;
  return {busy_, cli_kind_, agent};
}

bool ActivityTracker::agent_is_reading() const {
  return provider_runs_ || hook_ == AgentState::running || hook_ == AgentState::attention;
}

void ActivityTracker::take_line() {
  const auto kind = agent_is_reading() ? std::nullopt : identify_typed(typed_);
  typed_.clear();
  if (!kind || *kind == cli_kind_) return;
  cli_kind_ = *kind;
  provider_seen_ = false;
}

void ActivityTracker::type(unsigned char c) {
  constexpr unsigned char kDelete = 0x7f, kInterrupt = 3, kEndOfFile = 4, kKillLine = 21;
  if (c == '\b' || c == kDelete) {
    while (!typed_.empty() && is_continuation(typed_.back())) typed_.pop_back();
    if (!typed_.empty()) typed_.pop_back();
  } else if (c == kInterrupt || c == kEndOfFile || c == kKillLine) {
    typed_.clear();
  } else if (c == '\t') {
    typed_ += ' ';
  } else if (c >= ' ') {
    typed_ += static_cast<char>(c);
  }
  if (typed_.size() <= kMaxTypedLine || characters(typed_) <= kMaxTypedLine) return;
  std::size_t first = 1;
  while (first < typed_.size() && is_continuation(typed_[first])) ++first;
  typed_.erase(0, first);
}

void ActivityTracker::type_line(std::string_view line) {
  constexpr std::size_t kLongestCharacter = 4;
  if (const std::size_t most = kMaxTypedLine * kLongestCharacter; line.size() > most)
    line.remove_prefix(line.size() - most);
  for (const char c : line) type(static_cast<unsigned char>(c));
}

bool ActivityTracker::on_input(std::string_view text, Time now) {
  const ActivityState before = state();
  const bool is_typing = text.find('\x1b') == std::string_view::npos;
  bool enters = false;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    // Of a pasted line only the end is looked at: a paste must not cost more than its copy.
    if (is_typing) type_line(text.substr(0, end));
    if (end == std::string_view::npos) break;
    enters = true;
    if (is_typing) take_line();
    text.remove_prefix(end + 1);
  }
  if (enters && cli_kind_ != CliKind::none) busy_ = true;
  last_input_ = last_sign_ = now;
  return state() != before;
}

bool ActivityTracker::on_agent_event(std::string_view name) {
  const ActivityState before = state();
  if (name == "Start" || name == "PermissionRequest") {
    hook_ = name == "Start" ? AgentState::running : AgentState::attention;
    busy_ = true;
  } else if (name == "Stop") {
    hook_ = AgentState::review;
    busy_ = false;
    cli_kind_ = CliKind::none;
  }
  return state() != before;
}

void ActivityTracker::on_output(std::string_view bytes, Time now) {
  last_sign_ = now;
  if (cli_kind_ == CliKind::none && !provider_runs_) {  // a change interests no client
    last_output_ = now;
    return;
  }
  const std::string visible = visible_tail(bytes);
  const std::size_t signature = std::hash<std::string>()(visible);
  if (visible.empty() || signature == output_signature_) return;
  output_signature_ = signature;
  last_output_ = now;
}

bool ActivityTracker::is_recent(Time now) const {
  if (last_input_ > last_output_) return now - *last_input_ <= kInputGrace;
  return last_output_ && now - *last_output_ <= kOutputGrace;
}

bool ActivityTracker::on_processes(std::span<const ProcessInfo> descendants, Time now) {
  const ActivityState before = state();
  provider_runs_ = false;
  bool runs_other = false;
  for (const ProcessInfo& process : descendants) {
    const std::string_view command = process.command_line.empty() ? process.name : process.command_line;
    const bool is_provider = identify_process(command) != CliKind::none;
    provider_runs_ = provider_runs_ || is_provider;
    runs_other = runs_other || (!is_provider && !is_shell_like(command));
  }
  if (hook_ != AgentState::none) {
    busy_ = runs_other || hook_ == AgentState::running || hook_ == AgentState::attention;
  } else {
    busy_ = runs_other || (provider_runs_ && is_recent(now));
  }
  if (!provider_runs_ && (provider_seen_ || !is_recent(now))) cli_kind_ = CliKind::none;
  provider_seen_ = provider_runs_ || (provider_seen_ && cli_kind_ != CliKind::none);
  return state() != before;
}

ActivityTracker::Milliseconds ActivityTracker::poll_delay(Time now) const {
  if (busy_) return kBusyPoll;
  if (!last_sign_) return kIdlePoll;
  return std::clamp(std::chrono::duration_cast<Milliseconds>(now - *last_sign_), kBusyPoll, kIdlePoll);
}

}  // namespace ptyd
