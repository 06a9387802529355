// CommandTraits: a row for each Command: the access that it needs, its dispatch, the cost of its answer, the child that
// it starts, and the terminals that it may be done to. A Command without a row does not compile. Request: a Command
// with its row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "protocol/messages.hpp"
#include "pty/result.hpp"
#include "server/policy/access.hpp"

namespace ptyd {

/// Where a Command is carried out, and after what.
enum class Dispatch : std::uint8_t {
  peer,      ///< by the peer that was asked: it is about the connection
  server,    ///< by what knows all sessions
  thread,    ///< by all sessions of a thread, one after the other with what else starts or ends something there
  in_turn,   ///< by its session, in the same order
  starting,  ///< the same; the session is made where there is none
  straight,  ///< by its session, at once
};

/// Needs of its answer.
enum class Answer : std::uint8_t {
  small,
  large,     ///< grows with what there is to tell: made when it can be sent
  in_place,  ///< the same, and it takes its place in a session's output
  later,     ///< small, and may take as long as a program runs: others are not kept back by it
  at_end,    ///< the same, within seconds, since it ends a program: it is not kept back by others that come later
};

/// Of a connection's calls with such answers one is carried out at a time.
constexpr bool is_large(Answer answer) {
  return answer == Answer::large || answer == Answer::in_place;
}

/// Others are not kept back by it.
constexpr bool is_late(Answer answer) {
  return answer == Answer::later || answer == Answer::at_end;
}

/// Whether its session needs its Screen first. Input must not wait for a disk, nor a Command that ends a program or
/// waits for its end.
enum class ScreenUse : std::uint8_t { none, needed };

/// Kind of program that it starts in its session, where none runs. may_start_there() says in which threads.
enum class Starts : std::uint8_t {
  nothing,
  shell,
  again,    ///< a shell, in place of what ran there
  program,  ///< of an agent
};

/// Whether it may be done to a terminal in which an agent runs a program.
struct OnProgram {
  bool allowed = false;
  bool with_input = false;  ///< it may where the program takes input
  bool by_agent = false;    ///< the agent itself may
  Errc code = Errc::denied;
  std::string_view refusal = {};  ///< otherwise
};
namespace on_program {
inline constexpr OnProgram kAllowed{.allowed = true};
inline constexpr OnProgram kNeedsInput{.with_input = true,
                                       .refusal = "An agent runs a program in this terminal: it takes no input"};
inline constexpr OnProgram kKeepsSize{
    .with_input = true, .by_agent = true, .refusal = "An agent runs a program in this terminal: it keeps its size"};
inline constexpr OnProgram kCleared{.refusal = "An agent runs a program in this terminal: its text cannot be cleared"};
inline constexpr OnProgram kRestarted{.refusal =
                                          "An agent runs a program in this terminal: it cannot be started again"};
inline constexpr OnProgram kCommands{.refusal =
                                         "An agent runs a program in this terminal: no commands are given to it"};
inline constexpr OnProgram kAlreadyStarted{.code = Errc::busy,
                                           .refusal = "A program was already started in this terminal"};
}  // namespace on_program

template <Dispatch kDispatch, Access kNeeds, Answer kAnswer, ScreenUse kScreen, Starts kStarts,
          const OnProgram& kOnProgram>
struct TraitsOf {
  static_assert((kDispatch == Dispatch::starting) == (kStarts != Starts::nothing));
  static constexpr Dispatch dispatch = kDispatch;
  static constexpr Answer answer = kAnswer;
  static constexpr ScreenUse screen = kScreen;
  static constexpr const OnProgram& on_program = kOnProgram;
  /// People do not ask for it: where it is carried out, it is decided whether this agent may.
  static constexpr bool is_agents_own = false;
  static Access needs(const auto&) { return kNeeds; }
  static Starts starts_of(const auto&) { return kStarts; }
  /// Whether it is refused where nothing runs, though it starts a shell otherwise.
  static bool needs_running(const auto&) { return false; }
};

template <class Asked>
struct CommandTraits;

template <>
struct CommandTraits<Open> : TraitsOf<Dispatch::starting, Access::full, Answer::in_place, ScreenUse::needed,
                                      Starts::shell, on_program::kAllowed> {
  static Access needs(const Open& asked) {
    const bool holds = asked.policy == DeliveryPolicy::lossless || !asked.hold.empty();
    return asked.attach && !holds ? Access::view : Access::full;
  }
  static Starts starts_of(const Open& asked) { return asked.attach ? Starts::nothing : Starts::shell; }
};
template <>
struct CommandTraits<Write> : TraitsOf<Dispatch::straight, Access::full, Answer::small, ScreenUse::none,
                                       Starts::nothing, on_program::kNeedsInput> {};
template <>
struct CommandTraits<AckOutput>
    : TraitsOf<Dispatch::peer, Access::view, Answer::small, ScreenUse::none, Starts::nothing, on_program::kAllowed> {};
template <>
struct CommandTraits<Detach>
    : TraitsOf<Dispatch::peer, Access::view, Answer::small, ScreenUse::none, Starts::nothing, on_program::kAllowed> {};
template <>
struct CommandTraits<Resize> : TraitsOf<Dispatch::straight, Access::full, Answer::small, ScreenUse::needed,
                                        Starts::nothing, on_program::kKeepsSize> {};
template <>
struct CommandTraits<Clear> : TraitsOf<Dispatch::in_turn, Access::full, Answer::small, ScreenUse::needed,
                                       Starts::nothing, on_program::kCleared> {};
template <>
struct CommandTraits<Rename> : TraitsOf<Dispatch::straight, Access::full, Answer::small, ScreenUse::none,
                                        Starts::nothing, on_program::kAllowed> {};
template <>
struct CommandTraits<Restart> : TraitsOf<Dispatch::starting, Access::full, Answer::in_place, ScreenUse::needed,
                                         Starts::again, on_program::kRestarted> {};
template <>
struct CommandTraits<Close>
    : TraitsOf<Dispatch::thread, Access::full, Answer::small, ScreenUse::none, Starts::nothing, on_program::kAllowed> {
};
template <>
struct CommandTraits<Subscribe>
    : TraitsOf<Dispatch::server, Access::view, Answer::small, ScreenUse::none, Starts::nothing, on_program::kAllowed> {
};
template <>
struct CommandTraits<Unsubscribe>
    : TraitsOf<Dispatch::server, Access::view, Answer::small, ScreenUse::none, Starts::nothing, on_program::kAllowed> {
};
template <>
struct CommandTraits<TakeSnapshot> : TraitsOf<Dispatch::straight, Access::view, Answer::large, ScreenUse::needed,
                                              Starts::nothing, on_program::kAllowed> {};
template <>
struct CommandTraits<List>
    : TraitsOf<Dispatch::server, Access::view, Answer::large, ScreenUse::none, Starts::nothing, on_program::kAllowed> {
};
template <>
struct CommandTraits<Execute> : TraitsOf<Dispatch::starting, Access::full, Answer::later, ScreenUse::needed,
                                         Starts::shell, on_program::kCommands> {
  /// As Write does.
  static bool needs_running(const Execute& asked) { return asked.is_input; }
};
template <>
struct CommandTraits<Run> : TraitsOf<Dispatch::starting, Access::full, Answer::later, ScreenUse::needed,
                                     Starts::program, on_program::kAlreadyStarted> {
  static constexpr bool is_agents_own = true;
};
/// Of those about a program that Run has started.
template <Answer kAnswer, ScreenUse kScreen>
struct ProgramTraits
    : TraitsOf<Dispatch::straight, Access::full, kAnswer, kScreen, Starts::nothing, on_program::kAllowed> {
  static constexpr bool is_agents_own = true;
  static constexpr bool is_for_program = true;
};
template <>
struct CommandTraits<ReadOutput> : ProgramTraits<Answer::large, ScreenUse::needed> {};
template <>
struct CommandTraits<AwaitExit> : ProgramTraits<Answer::later, ScreenUse::none> {};
template <>
struct CommandTraits<Kill> : ProgramTraits<Answer::at_end, ScreenUse::none> {};
template <>
struct CommandTraits<Release> : ProgramTraits<Answer::at_end, ScreenUse::none> {};
template <>
struct CommandTraits<Keep> : ProgramTraits<Answer::small, ScreenUse::none> {};
template <>
struct CommandTraits<Pin> : ProgramTraits<Answer::small, ScreenUse::none> {};
template <>
struct CommandTraits<Signal> : ProgramTraits<Answer::small, ScreenUse::none> {};

/// Its session carries it out.
template <class Asked>
concept ForSession =
    CommandTraits<Asked>::dispatch == Dispatch::straight || CommandTraits<Asked>::dispatch == Dispatch::in_turn ||
    CommandTraits<Asked>::dispatch == Dispatch::starting;

/// The same, for a program that an agent runs there.
template <class Asked>
concept ForProgram = ForSession<Asked> && requires {
  CommandTraits<Asked>::is_for_program;
};

/// The row of one Command, with what depends on its fields decided.
struct CommandRow {
  Dispatch dispatch;
  Access needs;
  Answer answer;
  ScreenUse screen;
  Starts starts;
  bool starts_now;  ///< its session's program runs afterwards, if it did not
  bool is_agents_own;
  const OnProgram* on_program;  ///< never null
};
CommandRow row_of(const Command& command);

/// A Command as it is asked: its row is looked up here, once, and goes with it to wherever it is carried out.
class Request {
 public:
  explicit Request(Command command) : command_(std::move(command)), row_(row_of(command_)) {}

  const Command& command() const { return command_; }
  const CommandRow& row() const { return row_; }

 private:
  Command command_;
  CommandRow row_;
};

/// Of those that its session carries out.
const SessionKey& key_of(const Command& command);
/// "" for those that belong to none.
const std::string& thread_of(const Command& command);

}  // namespace ptyd
