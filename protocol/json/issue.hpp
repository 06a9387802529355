// Issue: one fault of one value in a request, in our words and in those of Effect.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ptyd {

/// One value that breaks its contract: where it is, what it is, and what it should have been.
///
/// Made at the value and carried outwards; each level adds its place with inside().
class Issue {
 public:
  static Issue missing();
  /// A field that its object does not have.
  static Issue unknown();
  /// `value` is not `what` ("a string"); `effect_what` is how Effect calls it ("string").
  static Issue not_a(const boost::json::value& value, std::string_view what, std::string_view effect_what);
  static Issue below(const boost::json::value& value, std::int64_t minimum);
  static Issue above(const boost::json::value& value, std::int64_t maximum);
  static Issue too_short(std::string_view text, std::size_t length, std::size_t minimum);
  static Issue too_long(std::string_view text, std::size_t length, std::size_t maximum);
  static Issue too_many(std::size_t count, std::size_t maximum);
  static Issue holds_nul();
  /// `text` has not the form `form` ("#rrggbb").
  static Issue not_like(std::string_view text, std::string_view form);
  /// Anything else; `sentence` is the same in both languages.
  static Issue other(std::string sentence);

  Issue& inside(std::string_view key);
  Issue& inside(std::size_t index);

  /// `body.cols: 3 is below 20`.
  std::string words() const;
  /// `Expected a value greater than or equal to 20, got 3\n  at ["cols"]`, as Effect's Schema says it.
  std::string effect_words() const;

 private:
  Issue(std::string sentence, std::string effect_sentence);

  std::string sentence_, effect_sentence_;
  std::string dotted_, bracketed_;  // the path, in either notation
};

using Problem = std::optional<Issue>;

/// A value as a person recognises it: numbers and short strings as they are, long strings cut.
std::string shown(const boost::json::value& value);
/// At most 48 bytes of `text`, of whole characters, and "..." where it was cut.
std::string cut_short(std::string_view text);

}  // namespace ptyd
