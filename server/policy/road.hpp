// Road: what a Command is to the server: who may ask, how it gets to where it is carried out, and what its answer
// takes. One row each; a Command without a row does not compile.
#pragma once

#include <cstdint>
#include <string>

#include "protocol/messages.hpp"
#include "server/policy/access.hpp"

namespace ptyd {

/// Where a Command is carried out, and after what.
enum class Way : std::uint8_t {
  peer,      ///< by the peer that was asked: it is about the connection
  server,    ///< by what knows all sessions
  thread,    ///< by all sessions of a thread, one after the other with what else starts or ends something there
  in_turn,   ///< by its session, in the same order
  starting,  ///< the same; the session is made where there is none
  straight,  ///< by its session, at once
};

/// What its answer takes.
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

template <Way kWay, Access kNeeds, Answer kAnswer>
struct RoadOf {
  static constexpr Way way = kWay;
  static constexpr Answer answer = kAnswer;
  static Way way_of(const auto&) { return kWay; }
  static Access needs(const auto&) { return kNeeds; }
  /// Whether its session's program runs afterwards, if it did not.
  static bool starts(const auto&) { return kWay == Way::starting; }
};

template <class Asked>
struct Road;

template <>
struct Road<Open> : RoadOf<Way::starting, Access::full, Answer::in_place> {
  /// A client that only attaches waits for no other, and holds up no input.
  static Way way_of(const Open& asked) { return asked.attach ? Way::straight : way; }
  static Access needs(const Open& asked) {
    const bool holds = asked.policy == DeliveryPolicy::lossless || !asked.hold.empty();
    return asked.attach && !holds ? Access::view : Access::full;
  }
  static bool starts(const Open& asked) { return !asked.attach; }
};
template <>
struct Road<Write> : RoadOf<Way::straight, Access::full, Answer::small> {};
template <>
struct Road<AckOutput> : RoadOf<Way::peer, Access::view, Answer::small> {};
template <>
struct Road<Detach> : RoadOf<Way::peer, Access::view, Answer::small> {};
template <>
struct Road<Resize> : RoadOf<Way::straight, Access::full, Answer::small> {};
template <>
struct Road<Clear> : RoadOf<Way::in_turn, Access::full, Answer::small> {};
template <>
struct Road<Rename> : RoadOf<Way::straight, Access::full, Answer::small> {};
template <>
struct Road<Restart> : RoadOf<Way::starting, Access::full, Answer::in_place> {};
template <>
struct Road<Close> : RoadOf<Way::thread, Access::full, Answer::small> {};
template <>
struct Road<Subscribe> : RoadOf<Way::server, Access::view, Answer::small> {};
template <>
struct Road<Unsubscribe> : RoadOf<Way::server, Access::view, Answer::small> {};
template <>
struct Road<TakeSnapshot> : RoadOf<Way::straight, Access::view, Answer::large> {};
template <>
struct Road<List> : RoadOf<Way::server, Access::view, Answer::large> {};
template <>
struct Road<Execute> : RoadOf<Way::starting, Access::full, Answer::later> {
  /// What is typed into a program needs one that runs.
  static bool starts(const Execute& asked) { return !asked.is_input; }
};
template <>
struct Road<Run> : RoadOf<Way::starting, Access::full, Answer::later> {};
/// Of those about a program that Run has started.
template <Answer kAnswer>
struct ProgramRoad : RoadOf<Way::straight, Access::full, kAnswer> {
  static constexpr bool is_for_program = true;
};
template <>
struct Road<ReadOutput> : ProgramRoad<Answer::large> {};
template <>
struct Road<AwaitExit> : ProgramRoad<Answer::later> {};
template <>
struct Road<Kill> : ProgramRoad<Answer::at_end> {};
template <>
struct Road<Release> : ProgramRoad<Answer::at_end> {};
template <>
struct Road<Keep> : ProgramRoad<Answer::small> {};
template <>
struct Road<Pin> : ProgramRoad<Answer::small> {};
template <>
struct Road<Signal> : ProgramRoad<Answer::small> {};

/// Its session carries it out.
template <class Asked>
concept ForSession =
    Road<Asked>::way == Way::straight || Road<Asked>::way == Way::in_turn || Road<Asked>::way == Way::starting;

/// The same, for a program that an agent runs there.
template <class Asked>
concept ForProgram = ForSession<Asked> && requires {
  Road<Asked>::is_for_program;
};

Way way_of(const Command& command);
Access needs(const Command& command);
Answer answer_of(const Command& command);
bool starts(const Command& command);
/// Of those that its session carries out.
const SessionKey& key_of(const Command& command);
/// "" for those that belong to none.
const std::string& thread_of(const Command& command);

}  // namespace ptyd
