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

constexpr std::string_view kLoaderPrefix = "LD_";

/// Families of names, upper case: ours, the dynamic loader's, socket activation, and the reference's.
constexpr std::array<std::string_view, 5> kKeptPrefixes = {"PTYD_", kLoaderPrefix, "LISTEN_", "T3CODE_", "VITE_"};

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

/// The variables of the server that programs of agents get: user, place, language, and paths. None is a secret, or
/// leads to something that runs (key agents, buses, displays). Proxies are left out, since their URLs may hold
/// passwords, and so is every LC_* that a C library does not know, since it may hold anything.
constexpr std::array kAgentNames = std::to_array<std::string_view>({
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TMPDIR",
    "TZ",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_ADDRESS",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_IDENTIFICATION",
    "LC_MEASUREMENT",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NAME",
    "LC_NUMERIC",
    "LC_PAPER",
    "LC_TELEPHONE",
    "LC_TIME",
    "LOCALE_ARCHIVE",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_CONFIG_HOME",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    // Certificates: without these nothing is fetched where they are a site's own.
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "NIX_SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    // Needed by programs in PATH to find the rest of themselves.
    "CARGO_HOME",
    "GOPATH",
    "GOROOT",
    "JAVA_HOME",
    "NVM_DIR",
    "PYENV_ROOT",
    "RUSTUP_HOME",
});

/// Beside the loader's: files that shells and Python run before what they were started for.
constexpr std::array kRefusedNames = std::to_array<std::string_view>({"BASH_ENV", "ENV", "PYTHONSTARTUP"});

template <class Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

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

/// Makes UTF-8 the character set. Where the locale names another one (or none, as under a service manager), language,
/// formats and sorting stay as they were.
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

/// The server's own variables for which `is_given`, and those by which our terminals name themselves.
template <class IsGiven>
Builder builder_of(const Environment& server, IsGiven is_given, std::string_view cwd) {
  Builder builder;
  for (const auto& [name, value] : server) {
    if (is_given(name)) builder.set(name, value);
  }
  builder.set("TERM", kTerm);
  builder.set("COLORTERM", "truecolor");
  builder.set("TERM_PROGRAM", "ptyd");
  builder.set("TERM_PROGRAM_VERSION", PTYD_VERSION);
  if (cwd.starts_with('/')) builder.set("PWD", cwd);
  ensure_utf8(builder);
  return builder;
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
  return is_one_of(kKeptNames, text) || std::any_of(kKeptPrefixes.begin(), kKeptPrefixes.end(),
                                                    [&](std::string_view prefix) { return text.starts_with(prefix); });
}

bool is_refused_to_agents(std::string_view name) {
  return name.starts_with(kLoaderPrefix) || is_one_of(kRefusedNames, name);
}

std::string_view value_of(const Environment& environment, std::string_view name, std::string_view otherwise) {
  const auto last =
      std::find_if(environment.rbegin(), environment.rend(), [&](auto& entry) { return entry.first == name; });
  return last == environment.rend() ? otherwise : std::string_view(last->second);
}

Environment child_environment(const Environment& server, const Environment& requested, std::string_view cwd) {
  Builder builder = builder_of(
      server, [](auto& name) { return !is_kept_from_children(name); }, cwd);
  for (const auto& [name, value] : requested) builder.set(name, value);
  return builder.take();
}

Environment agent_environment(const Environment& server, const Environment& requested, std::string_view cwd) {
  Builder builder = builder_of(
      server, [](auto& name) { return is_one_of(kAgentNames, name); }, cwd);
  if (builder.value("PATH").empty()) builder.set("PATH", kDefaultPath);
  // No person is there to turn a page or to type a password.
  builder.set("PAGER", "");
  builder.set("GIT_PAGER", "cat");
  builder.set("GIT_TERMINAL_PROMPT", "0");
  for (const auto& [name, value] : requested) {
    if (!is_refused_to_agents(name)) builder.set(name, value);
  }
  return builder.take();
}

}  // namespace ptyd
