#include "pty/process/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string>

namespace ptyd {
namespace {

constexpr std::string_view kTerm = "xterm-256color";
constexpr std::string_view kUtf8Locale = "C.UTF-8";  // in every C library, no locale package needed

/// Families of names, upper case: ours, the dynamic loader's, socket activation, and the reference's.
constexpr std::array<std::string_view, 5> kKeptPrefixes = {"PTYD_", "LD_", "LISTEN_", "T3CODE_", "VITE_"};

/// Names, upper case.
constexpr std::array kKeptNames = std::to_array<std::string_view>({
    // The service manager's, meant for the server alone.
    "NOTIFY_SOCKET",
    "WATCHDOG_PID",
    "WATCHDOG_USEC",
    "MAINPID",
    "INVOCATION_ID",
    "JOURNAL_STREAM",
    "CREDENTIALS_DIRECTORY",
    // The reference's.
    "PORT",
    "ELECTRON_RENDERER_PORT",
    "ELECTRON_RUN_AS_NODE",
    "TERM",
    "TERMINFO",
    "TERMINFO_DIRS",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TERM_SESSION_ID",
    "GHOSTTY_RESOURCES_DIR",
    "GHOSTTY_BIN_DIR",
    "ITERM_PROFILE",
    "ITERM_SESSION_ID",
    "KITTY_WINDOW_ID",
    "KITTY_PID",
    "KITTY_INSTALLATION_DIR",
    "WEZTERM_EXECUTABLE",
    "WEZTERM_CONFIG_FILE",
    "WEZTERM_PANE",
    "WEZTERM_UNIX_SOCKET",
    "ALACRITTY_SOCKET",
    "ALACRITTY_WINDOW_ID",
    // Of the terminal and the shell the server was started from; a fixed size would beat the real one.
    "COLUMNS",
    "LINES",
    "TERMCAP",
    "COLORTERM",
    "VTE_VERSION",
    "WINDOWID",
    "KONSOLE_VERSION",
    "TMUX",
    "TMUX_PANE",
    "STY",
    "SSH_TTY",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "_",
});

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

/// Keeps the order in which names first came.
class Builder {
 public:
  void set(std::string_view name, std::string_view value) {
    const auto [place, is_new] = index_.emplace(name, result_.size());
    if (is_new) {
      result_.emplace_back(name, value);
    } else {
      result_[place->second].second = value;
    }
  }
  void remove(std::string_view name) {
    const auto place = index_.find(name);
    if (place == index_.end()) return;
    result_[place->second].first.clear();
    index_.erase(place);
  }
  std::string value(std::string_view name) const {
    const auto place = index_.find(name);
    return place == index_.end() ? std::string() : result_[place->second].second;
  }
  Environment take() {
    std::erase_if(result_, [](const auto& entry) { return entry.first.empty(); });
    return std::move(result_);
  }

 private:
  Environment result_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

bool names_utf8(std::string_view locale) {
  const std::string text = upper(locale);
  return text.find("UTF-8") != std::string::npos || text.find("UTF8") != std::string::npos;
}

/// Every terminal of ours speaks UTF-8. Where the locale says otherwise (or nothing, as under a service manager) only
/// the character set is changed: language, formats and sorting stay as they were.
void ensure_utf8(Builder& builder) {
  const std::string all = builder.value("LC_ALL"), ctype = builder.value("LC_CTYPE"), lang = builder.value("LANG");
  if (all.empty() && ctype.empty() && lang.empty()) return builder.set("LANG", kUtf8Locale);
  if (names_utf8(!all.empty() ? all : !ctype.empty() ? ctype : lang)) return;
  if (!all.empty()) {  // it would beat LC_CTYPE
    builder.remove("LC_ALL");
    builder.set("LANG", all);
  }
  builder.set("LC_CTYPE", kUtf8Locale);
}

}  // namespace

Environment current_environment() {
  Environment result;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string_view::npos) continue;
    result.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

bool is_kept_from_children(std::string_view name) {
  const std::string text = upper(name);
  return std::find(kKeptNames.begin(), kKeptNames.end(), text) != kKeptNames.end() ||
         std::any_of(kKeptPrefixes.begin(), kKeptPrefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

std::string_view value_of(const Environment& environment, std::string_view name) {
  const auto last =
      std::find_if(environment.rbegin(), environment.rend(), [&](auto& entry) { return entry.first == name; });
  return last == environment.rend() ? std::string_view() : std::string_view(last->second);
}

Environment child_environment(const Environment& server, const Environment& requested, std::string_view cwd) {
  Builder builder;
  for (const auto& [name, value] : server) {
    if (!is_kept_from_children(name)) builder.set(name, value);
  }
  builder.set("TERM", kTerm);
  builder.set("COLORTERM", "truecolor");
  builder.set("TERM_PROGRAM", "ptyd");
  builder.set("TERM_PROGRAM_VERSION", PTYD_VERSION);
  if (cwd.starts_with('/')) builder.set("PWD", cwd);
  ensure_utf8(builder);
  for (const auto& [name, value] : requested) builder.set(name, value);
  return builder.take();
}

}  // namespace ptyd
