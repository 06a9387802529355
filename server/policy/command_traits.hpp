// CommandTraits: what a Command is to the server: who may ask, how it gets to where it is carried out, and what its
// answer takes. One row each; a Command without a row does not compile.
#pragma once

#include <cstdint>
#include <string>

#include "protocol/messages.hpp"
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

template <Dispatch kDispatch, Access kNeeds, Answer kAnswer>
struct TraitsOf {
  static constexpr Dispatch dispatch = kDispatch;
  static constexpr Answer answer = kAnswer;
  static Dispatch dispatch_of(const auto&) { return kDispatch; }
  static Access needs(const auto&) { return kNeeds; }
  /// Whether its session's program runs afterwards, if it did not.
  static bool starts(const auto&) { return kDispatch == Dispatch::starting; }
};

template <class Asked>
struct CommandTraits;

template <>
struct CommandTraits<Open> : TraitsOf<Dispatch::starting, Access::full, Answer::in_place> {
  /// A client that only attaches waits for no other, and holds up no input.
  static Dispatch dispatch_of(const Open& asked) { return asked.attach ? Dispatch::straight : dispatch; }
  static Access needs(const Open& asked) {
    const bool holds = asked.policy == DeliveryPolicy::lossless || !asked.hold.empty();
    return asked.attach && !holds ? Access::view : Access::full;
  }
  static bool starts(const Open& asked) { return !asked.attach; }
};
template <>
struct CommandTraits<Write> : TraitsOf<Dispatch::straight, Access::full, Answer::small> {};
template <>
struct CommandTraits<AckOutput> : TraitsOf<Dispatch::peer, Access::view, Answer::small> {};
template <>
struct CommandTraits<Detach> : TraitsOf<Dispatch::peer, Access::view, Answer::small> {};
template <>
struct CommandTraits<Resize> : TraitsOf<Dispatch::straight, Access::full, Answer::small> {};
template <>
struct CommandTraits<Clear> : TraitsOf<Dispatch::in_turn, Access::full, Answer::small> {};
template <>
struct CommandTraits<Rename> : TraitsOf<Dispatch::straight, Access::full, Answer::small> {};
template <>
struct CommandTraits<Restart> : TraitsOf<Dispatch::starting, Access::full, Answer::in_place> {};
template <>
struct CommandTraits<Close> : TraitsOf<Dispatch::thread, Access::full, Answer::small> {};
template <>
struct CommandTraits<Subscribe> : TraitsOf<Dispatch::server, Access::view, Answer::small> {};
template <>
struct CommandTraits<Unsubscribe> : TraitsOf<Dispatch::server, Access::view, Answer::small> {};
template <>
struct CommandTraits<TakeSnapshot> : TraitsOf<Dispatch::straight, Access::view, Answer::large> {};
template <>
struct CommandTraits<List> : TraitsOf<Dispatch::server, Access::view, Answer::large> {};
template <>
struct CommandTraits<Execute> : TraitsOf<Dispatch::starting, Access::full, Answer::later> {
  /// Typing needs a program that runs.
  static bool starts(const Execute& asked) { return !asked.is_input; }
};
template <>
struct CommandTraits<Run> : TraitsOf<Dispatch::starting, Access::full, Answer::later> {};
/// Of those about a program that Run has started.
template <Answer kAnswer>
struct ProgramTraits : TraitsOf<Dispatch::straight, Access::full, kAnswer> {
  static constexpr bool is_for_program = true;
};
template <>
struct CommandTraits<ReadOutput> : ProgramTraits<Answer::large> {};
template <>
struct CommandTraits<AwaitExit> : ProgramTraits<Answer::later> {};
template <>
struct CommandTraits<Kill> : ProgramTraits<Answer::at_end> {};
template <>
struct CommandTraits<Release> : ProgramTraits<Answer::at_end> {};
template <>
struct CommandTraits<Keep> : ProgramTraits<Answer::small> {};
template <>
struct CommandTraits<Pin> : ProgramTraits<Answer::small> {};
template <>
struct CommandTraits<Signal> : ProgramTraits<Answer::small> {};

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

Dispatch dispatch_of(const Command& command);
Access needs(const Command& command);
Answer answer_of(const Command& command);
bool starts(const Command& command);
/// Of those that its session carries out.
const SessionKey& key_of(const Command& command);
/// "" for those that belong to none.
const std::string& thread_of(const Command& command);

}  // namespace ptyd
