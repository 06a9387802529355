// Languages: one row each, with the places where it is spoken and what it changes for a connection.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "protocol/language/dialect.hpp"

namespace ptyd {

/// How a client acks an event.
enum class AckKind : std::uint8_t {
  pong,          ///< by the pong of a ping that went behind it
  confirmation,  ///< by saying so (Decoded::acknowledged), from the first on; a client that never does is sent a window
                 ///< and no more
};

struct Language {
  std::string_view name;
  std::span<const std::string_view> places;  ///< paths below the base at which it is spoken
  std::string_view subprotocol;              ///< a client that offers it speaks this language alone; "" for none
  /// Whether a frame is in this language, by its shape alone; null: it takes what no other language of the place does.
  bool (*recognises)(std::string_view frame);
  AckKind ack_kind;
  bool is_of_agents;  ///< its calls come from agents, each of which reaches the terminals of its own programs alone
  bool speaks_first;  ///< its welcome goes out before the client has said anything
  std::unique_ptr<Dialect> (*make)(const WelcomeFacts& facts);
  /// Binary messages are ignored where this is the first language of the connection; else they are read as text.
  bool ignores_binary = false;
};

std::span<const Language> languages();

/// Languages of one connection; the first answers frames without a shape, also those that are no JSON at all.
using Spoken = std::vector<const Language*>;

/// Languages at `place` of a client that offers `subprotocols`: the first language it offers, else those of the
/// place; nothing where none is spoken.
Spoken spoken_at(std::span<const Language> languages, std::string_view place,
                 std::span<const std::string_view> subprotocols);
/// Which of `spoken` a frame is in.
const Language& recognise(const Spoken& spoken, std::string_view frame);

}  // namespace ptyd
