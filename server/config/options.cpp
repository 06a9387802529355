#include "server/config/options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <sstream>
#include <thread>

#include "pty/screen/screen.hpp"
#include "server/config/config_file.hpp"
#include "server/config/option_rows.hpp"

namespace ptyd {
namespace {

constexpr std::size_t kMaxThreads = 256;          ///< more loops than any machine has use for
constexpr std::size_t kMostSessions = 4096;       ///< the kernel's default number of ptys on a whole machine
constexpr std::size_t kMostConnections = 100000;  ///< each costs a descriptor and some 20 KB
constexpr double kMaxSeconds = 3600;              ///< more is a mistake, for whatever is waited for
constexpr std::size_t kMaxDays = 36500;           ///< "for ever"

/// A word that stands for a value.
template <class Value>
struct Word {
  const char* word;
  Value value;
};
constexpr std::array kAuthModes{Word<AuthMode>{"token", AuthMode::token}, Word<AuthMode>{"none", AuthMode::none}};
constexpr std::array kEmulators{Word<EmulatorKind>{"native", EmulatorKind::native},
                                Word<EmulatorKind>{"libvterm", EmulatorKind::vterm}};

constexpr std::array kSwitch{Word<bool>{"on", true}, Word<bool>{"off", false}};

/// More than any disk holds. A number below 0 wraps around to more than this.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;

// --- kinds of options; the default that is shown is what `value` is now

CLI::Option* add_value(CLI::App& app, const char* flag, auto& value, const char* meaning) {
  return app.add_option(flag, value, meaning)->capture_default_str();
}

/// An empty text leaves what is there.
CLI::Option* add_path(CLI::App& app, const char* flag, std::filesystem::path& value, const char* meaning) {
  return app.add_option_function<std::string>(
      flag,
      [&value](const std::string& text) {
        if (!text.empty()) value = text;
      },
      meaning);
}

template <class Value, std::size_t kCount>
void add_choice(CLI::App& app, const char* flag, Value& value, const std::array<Word<Value>, kCount>& words,
                const char* meaning) {
  std::vector<std::string> known;
  for (const auto& each : words) known.emplace_back(each.word);
  const auto initial = std::find_if(words.begin(), words.end(), [&](const auto& each) { return each.value == value; });
  const auto set = [&value, &words](const std::string& word) {
    value = std::find_if(words.begin(), words.end(), [&](const auto& each) { return word == each.word; })->value;
  };
  app.add_option_function<std::string>(flag, set, meaning)->check(CLI::IsMember(known))->default_str(initial->word);
}

/// Refuses NaN, which passes every comparison with bounds.
std::string refuse_no_number(std::string& text) {
  double number = 0;
  const bool is_one = !CLI::detail::lexical_cast(text, number) || !std::isnan(number);
  return is_one ? "" : text + " is no number";
}

void add_seconds(CLI::App& app, const char* flag, std::chrono::milliseconds& value, const char* meaning) {
  std::ostringstream initially;
  initially << std::chrono::duration<double>(value).count();
  const auto set = [&value](const double& seconds) {
    value = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  };
  app.add_option_function<double>(flag, set, meaning)
      ->check(CLI::Validator(refuse_no_number, ""))
      ->check(CLI::Range(0.01, kMaxSeconds))
      ->default_str(initially.str());
}

/// As `500M` or `2GiB`, in powers of 1024.
void add_bytes(CLI::App& app, const char* flag, std::uint64_t& value, const char* meaning) {
  app.add_option(flag, value, meaning)
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::uint64_t{0}, kMostBytes))
      ->default_str(std::to_string(value >> 20) + "MiB");
}

// --- the rows

void add_reach(ServeOptions& to) {
  add_value(to.app, "--listen", to.listen, "IP:PORT, [IPv6]:PORT or unix:PATH; may be repeated; port 0 picks one")
      ->delimiter(',')
      ->default_str(to.listen.front());
  add_choice(to.app, "--auth", to.config.net.auth, kAuthModes, "none is for loopback addresses and unix sockets only");
  add_path(to.app, "--token-file", to.config.token_file, "File with a token of your own, at least 16 characters")
      ->default_str("made once in the state directory");
  add_path(to.app, "--view-token-file", to.config.view_token_file, "File with a second token, for viewing only")
      ->default_str("no such token");
  add_value(to.app, "--public-url", to.public_url, "Address of the server behind a proxy, base path included");
  add_value(
      to.app, "--trusted-proxies", to.trusted_proxies,
      "Addresses or networks of all proxies in front, whose word on their client's address counts, or unix; may be "
      "repeated")
      ->delimiter(',')
      ->default_str("one proxy on this machine or in a private network with --public-url, else none");
  add_path(to.app, "--tls-cert", to.config.tls_cert,
           "File with the PEM certificate chain; turns on TLS for every address");
  add_path(to.app, "--tls-key", to.config.tls_key, "File with the PEM private key");
}

void add_places(ServeOptions& to) {
  add_path(to.app, "--state-dir", to.config.sessions.state_dir,
           "Directory of tokens and journals; one server at a time uses it")
      ->default_str("$XDG_STATE_HOME/ptyd, else ~/.local/state/ptyd");
  auto& retention = to.config.sessions.retention;
  add_value(to.app, "--retain-days", retention.days,
            "Days of a running server for which a closed terminal's transcript is kept; 0 keeps none")
      ->check(CLI::Range(std::size_t{0}, kMaxDays));
  add_bytes(to.app, "--retain-size", retention.bytes,
            "Space for the transcripts of all closed terminals; the longest unused go first");
  add_value(to.app, "--web-dir", to.web_dir, "Directory of the page's files; none serves no page")
      ->default_str("beside the program");
}

void add_terminals(ServeOptions& to) {
  auto& sessions = to.config.sessions;
  add_value(to.app, "--shell", sessions.shell, "The shell to start; falls back to zsh, bash, sh")
      ->default_str("$SHELL, else bash");
  add_choice(to.app, "--emulator", sessions.screen.emulator, kEmulators,
             "Emulator of the server's screens: native or libvterm");
  add_value(to.app, "--scrollback", sessions.screen.scrollback,
            "Lines kept above each screen; a wrapped line counts once")
      ->check(CLI::Range(std::size_t{0}, Screen::kMaxScrollback));
  add_seconds(to.app, "--agent-linger", sessions.agent_linger,
              "Seconds for which an agent's programs run on after it lost its connection");
  to.app.add_flag("--answer-checksums", sessions.queries.answer_checksums,
                  "Lets programs read their own screen (DECRQCRA); for conformance suites only");
}

void add_limits(ServeOptions& to) {
  auto& net = to.config.net;
  add_value(to.app, "--threads", to.config.threads, "Event loops")
      ->check(CLI::Range(std::size_t{1}, kMaxThreads))
      ->default_str("one per core");
  add_value(to.app, "--max-sessions", to.config.sessions.max_sessions, "Terminals running at once")
      ->check(CLI::Range(std::size_t{1}, kMostSessions));
  add_value(to.app, "--max-connections", net.max_connections,
            "WebSockets open at once, and half as many more that may only view")
      ->check(CLI::Range(std::size_t{1}, kMostConnections));
  add_value(to.app, "--max-per-address", net.shares.of_address,
            "WebSockets open at once from one address with each of the two tokens; this machine's own do not count")
      ->check(CLI::Range(std::size_t{1}, kMostConnections));
  add_value(to.app, "--max-per-token", net.shares.of_token,
            "WebSockets open at once by one token, and by logins that showed it")
      ->check(CLI::Range(std::size_t{1}, kMostConnections));
  add_seconds(to.app, "--ping-interval", net.ping_interval, "Seconds between pings on a quiet connection");
  add_seconds(to.app, "--ping-timeout", net.ping_timeout,
              "Seconds without an answer after which a connection is closed");
  add_seconds(to.app, "--linger", to.config.sessions.linger,
              "Seconds to wait for a disconnected lossless viewer, also after a restart of the server");
  to.app.add_flag("--deflate", net.deflate, "Offers compression to clients on other machines");
}

void add_telling(ServeOptions& to) {
  add_path(to.app, "--ready-file", to.config.ready_file,
           "File that gets {url, port, pid, token} as JSON once the server accepts connections");
  add_value(to.app, "--log-level", to.config.log_level,
            "Detail of the log on standard error; it never holds what was typed or printed")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}));
  add_choice(to.app, "--access-log", to.config.net.access_log, kSwitch,
             "Logs one line per WebSocket and per connection that shows a token, at its end");
  to.app.add_flag("--trace", to.config.net.trace, "Logs one line per frame: direction, kind, size; never content");
}

/// `--state-dir` is PTYD_STATE_DIR.
std::string environment_name(const std::string& flag) {
  std::string name = "PTYD_";
  for (const char c : flag.substr(2)) {
    name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

std::vector<CLI::Option*> all_but_help(CLI::App& app) {
  return app.get_options([&app](const CLI::Option* option) { return option != app.get_help_ptr(); });
}

std::string words_or(const std::string& words, const char* otherwise) {
  return words.empty() ? otherwise : words;
}

}  // namespace

ServeOptions::ServeOptions()
    : app("Serves terminals. Each option can also be set as PTYD_<NAME> and in the file that --config names; "
          "a flag counts more than the environment, the environment more than the file.",
          "ptyd serve") {
  config.threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMaxThreads);
  config.sessions.state_dir = default_state_dir();
  for (const auto& address : config.net.listen) listen.push_back(to_string(address));
  add_reach(*this);
  add_places(*this);
  add_terminals(*this);
  add_limits(*this);
  add_telling(*this);
  app.set_config("--config", "", "A file of name = value lines");
  app.config_formatter(std::make_shared<ConfigFile>());
  app.allow_config_extras(CLI::config_extras_mode::error);
  for (auto* option : all_but_help(app)) option->envname(environment_name(option->get_name()));
}

std::vector<OptionRow> option_rows() {
  ServeOptions options;
  std::vector<OptionRow> rows;
  for (const auto* option : all_but_help(options.app)) {
    const bool is_flag = option->get_expected_max() == 0;
    rows.push_back({option->get_name(), option->get_envname(),
                    words_or(option->get_default_str(), is_flag ? "off" : "none"), option->get_description()});
  }
  return rows;
}

}  // namespace ptyd
