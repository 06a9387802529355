// Handshakes: connections that have not shown yet that they may be there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

namespace ptyd {

/// A connection that has shown no credential, or none for what it asks now.
class Guest {
 public:
  /// Ends the connection now, so that its descriptor is free.
  virtual void cut() = 0;
  /// The name under which it is counted: see PeerAddress.
  virtual const std::string& bucket() const = 0;

 protected:
  ~Guest() = default;
};

/// The guests of one loop. Beyond a number of them one is cut for each that comes: the oldest of the address that has
/// the most. A stranger that opens thousands and says nothing keeps out those of its own address.
///
/// Owns    nothing: guests leave before they go.
/// Thread  the loop's.
class Handshakes {
 public:
  /// Guests of one loop.
  static constexpr std::size_t kMost = 2048;
  /// Guests that are cut where there are no descriptors left, before accepting goes on.
  static constexpr std::size_t kCutWhenExhausted = 16;
  /// Guests of one loop, when there are so many `loops` and a process may have so many `descriptors`: a quarter of
  /// these for all loops together.
  static std::size_t most(std::size_t descriptors, std::size_t loops);

  explicit Handshakes(std::size_t most) : most_(most) {}

  /// The newest from now on; one that is there already leaves its place.
  void enter(Guest& guest);
  /// This one is no guest any more, if it was.
  void leave(Guest& guest);
  /// Cuts one, if there is any.
  void cut_one();
  std::size_t size() const { return numbers_.size(); }

 private:
  using Number = std::uint64_t;
  using Guests = std::map<Number, Guest*>;  // the oldest first

  std::size_t most_;
  Number last_ = 0;
  std::unordered_map<Guest*, Number> numbers_;
  std::unordered_map<std::string, Guests> by_address_;  // none is empty
};

}  // namespace ptyd
