#include "pty/process/command_identity.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace ptyd {
namespace {

constexpr std::string_view kSpace = " \t\r\n\v\f";

constexpr std::array<std::string_view, 7> kWrappers = {"builtin",   "command", "env", "noglob",
                                                       "nocorrect", "sudo",    "exec"};
constexpr auto kSilent =
    std::to_array<std::string_view>({".", "alias", "cd", "clear", "exit", "export", "history", "la", "ll", "logout",
                                     "ls", "pwd", "reset", "source", "unalias", "unset"});
constexpr auto kShells = std::to_array<std::string_view>(
    {"bash", "dash", "fish", "ksh", "login", "nu", "screen", "sh", "tcsh", "tmux", "zellij", "zsh"});
constexpr auto kScriptExtensions =
    std::to_array<std::string_view>({".js", ".mjs", ".cjs", ".ts", ".sh", ".py", ".cmd", ".exe", ".bat", ".ps1"});
struct Name {
  std::string_view name;
  CliKind kind;
};
constexpr std::array<Name, 5> kAgents = {{{"codex", CliKind::codex},
                                          {"codex-cli", CliKind::codex},
                                          {"claude", CliKind::claude},
                                          {"claude-code", CliKind::claude},
                                          {"claude_code", CliKind::claude}}};
constexpr std::array<Name, 2> kPackages = {
    {{"@openai/codex", CliKind::codex}, {"@anthropic-ai/claude-code", CliKind::claude}}};

template <class List>
bool contains(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string_view trim(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

/// `@openai/codex@latest` -> codex, `/opt/Claude.js` -> claude.
std::string base_name(std::string_view word) {
  std::string name = lower(word.substr(word.rfind('/') + 1));
  if (const std::size_t version = name.find('@'); version != std::string::npos && version > 0) name.resize(version);
  for (const std::string_view extension : kScriptExtensions) {
    if (name.size() > extension.size() && name.ends_with(extension)) {
      name.resize(name.size() - extension.size());
      break;
    }
  }
  return name;
}

CliKind agent(std::string_view word) {
  const std::string name = base_name(word);
  const auto known = std::find_if(kAgents.begin(), kAgents.end(), [&](const Name& row) { return row.name == name; });
  return known == kAgents.end() ? CliKind::none : known->kind;
}

CliKind any_agent(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (const CliKind kind = agent(word); kind != CliKind::none) return kind;
  }
  return CliKind::none;
}

bool is_assignment(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == 0 || equals == std::string_view::npos || std::isdigit(static_cast<unsigned char>(word[0])))
    return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                     [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

/// Number of words that only say how a package's program is fetched: npx X, bunx X, pnpm dlx X, npm exec X.
std::size_t fetcher_length(const std::vector<std::string>& words, std::size_t at) {
  const std::string name = base_name(words[at]);
  if (name == "npx" || name == "bunx") return 1;
  const std::string verb = at + 1 < words.size() ? words[at + 1] : "";
  return (name == "pnpm" && verb == "dlx") || (name == "npm" && verb == "exec") ? 2 : 0;
}

/// The program that a line runs, without assignments, wrappers and fetchers; "" when there is none.
std::string program_of(const std::vector<std::string>& words) {
  std::size_t at = 0;
  while (at < words.size() && (is_assignment(words[at]) || contains(kWrappers, words[at]))) ++at;
  if (at == words.size()) return "";
  const std::size_t fetcher = fetcher_length(words, at);
  at += fetcher;
  while (fetcher > 0 && at < words.size() && words[at].starts_with('-')) ++at;
  return at < words.size() ? words[at] : "";
}

}  // namespace

std::string_view wire_name(CliKind kind) {
  switch (kind) {
    case CliKind::none:
      return "";
    case CliKind::codex:
      return "codex";
    case CliKind::claude:
      return "claude";
  }
  return "";
}

CliKind cli_kind_from(std::string_view name) {
  const std::string text = lower(trim(name));
  return text == "codex" ? CliKind::codex : text == "claude" ? CliKind::claude : CliKind::none;
}

std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool breaks = quote == 0 && kSpace.find(c) != std::string_view::npos;
    if (breaks) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      words.back() += line[++i];
    } else if (quote != 0 ? c == quote : (c == '"' || c == '\'')) {
      quote = quote != 0 ? '\0' : c;
    } else {
      words.back() += c;
    }
  }
  return words;
}

std::optional<CliKind> identify_typed(std::string_view line) {
  const std::vector<std::string> words = split_words(line);
  if (const CliKind kind = any_agent(words); kind != CliKind::none) return kind;
  const std::string program = program_of(words);
  if (program.empty() || contains(kSilent, program)) return std::nullopt;
  return CliKind::none;
}

CliKind identify_process(std::string_view command_line) {
  for (const Name& package : kPackages) {
    if (command_line.find(package.name) != std::string_view::npos) return package.kind;
  }
  return any_agent(split_words(command_line));
}

bool is_shell_like(std::string_view command_line) {
  command_line = trim(command_line);
  std::string_view program = command_line.substr(0, command_line.find_first_of(kSpace));
  program = program.substr(program.rfind('/') + 1);
  if (program.starts_with('-')) program.remove_prefix(1);
  if (program.ends_with(':')) program.remove_suffix(1);  // `tmux: server`, as multiplexers name themselves
  return contains(kShells, lower(program));
}

}  // namespace ptyd
