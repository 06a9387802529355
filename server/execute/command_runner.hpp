// CommandRunner: one command at a time in one shell, and the clients that wait for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/execute_messages.hpp"
#include "pty/result.hpp"
#include "pty/shell/integration.hpp"
#include "pty/shell/shell_marker.hpp"
#include "pty/text/scanner.hpp"
#include "pty/types.hpp"
#include "server/execute/command_files.hpp"
#include "server/execute/command_output.hpp"
#include "server/execute/program_look.hpp"
#include "server/execute/shell_line.hpp"
#include "server/loop/blocking_pool.hpp"
#include "server/loop/clock.hpp"
#include "server/loop/loops.hpp"

namespace ptyd {

/// Gives commands to one launch of a shell, and answers when they have ended or the time is up.
///
/// Owns    the shell's private files, the command that runs, and the clients that wait. The members of Terminal are
///         borrowed and outlive it.
/// Thread  the loop's. Nothing blocks.
/// Order   on_marker() and on_drawn() only note what the output tells; on_turn() answers and types. The end of a lost
///         command is told when the next one begins.
/// Errors  Errc::busy while a command runs or another client types at the prompt; then nothing is typed.
///         Errc::no_integration when the shell tells nothing. Each call of execute() is answered once, unless its
///         client gives up.
class CommandRunner : public std::enable_shared_from_this<CommandRunner> {
 public:
  /// Its view of its terminal.
  struct Terminal {
    Loop& loop;
    BlockingPool& files;
    /// Types bytes, all or nothing.
    std::function<Result<void>(std::string_view)> type;
    ProgramLook look;
    std::function<Size()> size;
    /// Does what a timer or another thread brings, so that what it throws ends the session alone.
    std::function<void(const std::function<void()>&)> safely;
  };
  /// The way to a client that waits. Once it has given up, output is kept for the next one that asks.
  struct Answer {
    std::function<void(Result<Executed>)> give;
    std::function<bool()> is_given_up;

    void operator()(Result<Executed> answer) const { give(std::move(answer)); }
  };

  /// A shell with all of its user's start files is slow; one that has told nothing for so long, and does not work, is
  /// none of ours, nor is one that reads keys and has told nothing of our line. Such a shell can be typed into.
  static constexpr std::chrono::milliseconds kStartPatience{10000};
  /// The same, of one that works: on a busy machine start files take several times as long.
  static constexpr std::chrono::milliseconds kWorkPatience{60000};
  /// A shell works when it uses kWork of a processor's time between two looks, or waits as long for a processor.
  static constexpr std::chrono::milliseconds kWorkLook{2000}, kWork{20};
  /// From the prompt's marker to the line editor that reads it.
  static constexpr std::chrono::milliseconds kPromptPatience{30};
  /// Longest wait for a prompt's marker after a command, which may have put our hook away, in a shell without a line
  /// editor; for a slow line editor after that marker; for the prompt that a client's own key brings, before a command
  /// is typed; and for the prompt at which a kept key is typed.
  static constexpr std::chrono::milliseconds kUntoldPatience{1000};
  /// Typed input is answered when something has been printed and it is quiet for so long: programs draw their answer
  /// in one go.
  static constexpr std::chrono::milliseconds kQuiet{250};
  /// Quiet time, with the shell in front, before an interrupted command that tells no end counts as lost, or a line at
  /// the prompt as given up.
  static constexpr std::chrono::milliseconds kLostPatience{300};
  /// Clients that wait at the same time.
  static constexpr std::size_t kMaxWaiting = 64;
  /// Bytes of input that wait for their command to begin: the longest text that one request may bring.
  static constexpr std::size_t kMaxKept = 1 << 20;

  /// Private files will be in a folder of their own in `root`. `theirs` as in Integration.
  CommandRunner(Terminal terminal, ShellKind kind, const std::filesystem::path& root, std::string theirs = {});

  /// Writes the shell's start files. `done`: the launch that integrate() makes may begin.
  void prepare(CommandFiles::Done done);
  const Integration& integration() const { return files_.integration(); }

  /// `created`: the shell was launched for this call.
  void execute(const Execute& asked, bool created, Answer answer);

  void on_started();
  void on_marker(const ShellMarker& marker);
  void on_drawn(const Token& token);
  /// Behind each turn of output.
  void on_turn();
  /// Another client has typed.
  void on_others_typed();
  /// A program's question was answered.
  void on_answered(std::string_view answers) { line_.on_answered(answers); }
  /// The shell has ended, and all it printed has been told.
  void on_ended(const ExitStatus& status);
  /// The launch is over for another reason: all that wait are answered `error`, first of all.
  void close(const Error& error);

  /// Whether a client waits, or a launch that waits for its start files.
  bool is_waited_for() const { return is_preparing_ || !waiting_.empty() || !kept_keys_.empty(); }
  /// The shell has ended with a command, of which no client has heard yet.
  bool has_untold_end() const { return command_ && line_.state() == ShellLine::State::gone; }

 private:
  using State = ShellLine::State;
  using Step = ShellLine::Step;
  enum class Stage : std::uint8_t { writing, written, typed, ended, never_begun };
  struct Command {
    std::string text, token;
    Stage stage = Stage::writing;
    TimePoint begun_at;
    int status = 0;                                   ///< once it has ended
    std::unique_ptr<CommandOutput> output = nullptr;  ///< once it has begun
    std::string input = {};                           ///< for it, typed when it begins
  };
  struct Waiting {
    Execute asked;
    bool created;
    Answer answer;
    std::unique_ptr<Timer> timer;
    TimePoint until = {};    ///< it is answered then, whatever runs
    std::string token = {};  ///< of the command that it asked for, or that was there
    bool is_typed = false;   ///< as a key, or into what runs
    bool is_heard = false;   ///< and something was printed since
  };
  using Place = std::list<Waiting>::iterator;

  void run(Waiting waiting);
  void poll(Waiting waiting);
  void type_key(Waiting waiting);
  bool may_type_keys();
  void type_key_now(Waiting waiting);
  void type_kept_keys();
  void refuse_kept_keys(const Error& error);
  void type_input(Waiting waiting);
  void wait(Waiting waiting, std::chrono::milliseconds otherwise);
  void arm(Place place, TimePoint when);
  void on_due(Place place);
  void on_time_up(Place place);
  void note_printed();
  bool has_worked();
  void begin_work_looks();
  void await_sign(std::function<void()> look);
  void look_again_for_sign(std::function<void()> look);
  bool has_been_silent();
  void look_at_start();
  void on_silence();
  void on_written(const std::string& token, const Result<void>& written);
  void type_command();
  bool waits_to_be_typed() const;
  void look_for_begin();
  void wait_for_touched();
  bool may_type();
  bool may_be_slow(TimePoint now) const;
  bool look_again(TimePoint when);
  bool give_way();
  void look_for_prompt();
  void forget_given_up();
  void answer_ended();
  void answer_lost();
  void tell_output(Executed& answer, const Command* command, std::size_t max_chars);
  void tell_end(Command ended, std::list<Waiting> waiting);
  std::list<Waiting> take_waiting_for(const Command& command);
  void answer_idle();
  void answer_all(const std::function<Result<Executed>(const Waiting&)>& answer);
  void drop(const Error& error);
  Result<void> may_run() const;
  bool shell_reads_keys() const;
  bool looks_idle() const;
  bool is_lost() const;
  bool is_given_up() const;
  Result<void> may_type_input() const;
  Result<void> keep_or_type(Waiting& waiting);
  Result<void> type_into(std::string_view bytes);
  void type_kept();
  bool is_pending() const;
  static bool is_pending(const Command& command);
  void lose();
  void begin(int status_before);
  static void end(Command& command, int status);
  Command* command_of(const Waiting& waiting);
  Executed answer_to(const Waiting& waiting, CommandStatus status, const Command* command) const;
  void later(Timer& timer, TimePoint when, std::function<void()> work);

  const Terminal terminal_;
  const ShellKind kind_;
  CommandFiles files_;
  ShellLine line_;
  std::optional<Command> command_;         // from its Execute until its end has been told
  std::unique_ptr<CommandOutput> untold_;  // output until the shell's first marker
  std::optional<Command> lost_;            // the command before, until the next one begins
  std::optional<TimePoint> given_up_at_;   // when a client typed C-c, and nothing but Enter since
  bool is_preparing_ = false;
  bool is_touched_by_key_ = false;              // by clients' keys alone
  std::optional<std::string> since_interrupt_;  // the first bytes that were printed since a client's C-c
  std::list<Waiting> waiting_, kept_keys_;      // kept keys are typed once the prompt reads
  TimePoint silent_since_, work_look_at_;
  std::chrono::milliseconds time_used_{0};   // by the shell, at the last look
  TimePoint ended_at_, prompt_at_;           // when the last end and the last prompt were told
  TimePoint printed_at_;                     // when anything was printed last ...
  bool has_printed_ = false;                 // ... and whether something was in this turn
  bool has_editor_ = false;                  // it was seen to read a line with an editor
  std::unique_ptr<Timer> silence_, prompt_;  // for looks at what is to be told, and at the prompt
};

}  // namespace ptyd
