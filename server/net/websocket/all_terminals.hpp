// AllTerminals: the languages of one peer that want the output of every terminal.
#pragma once

#include <set>
#include <variant>

#include "protocol/language/languages.hpp"
#include "protocol/messages.hpp"

namespace ptyd {

/// Sessions know a peer only as a whole: the end of one language's subscription must not end that of another.
class AllTerminals {
 public:
  /// `always`: the address asked for them (?events=all), so no language ends that.
  explicit AllTerminals(bool always) : always_(always) {}

  /// Notes what a language asks. False: it ends what somebody else still wants, so it is not to be carried out.
  bool passes(const Language& language, const Command& command) {
    if (std::holds_alternative<Subscribe>(command)) wanting_.insert(&language);
    if (!std::holds_alternative<Unsubscribe>(command)) return true;
    wanting_.erase(&language);
    return !always_ && wanting_.empty();
  }

 private:
  bool always_;
  std::set<const Language*> wanting_;
};

}  // namespace ptyd
