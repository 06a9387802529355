// MessageRest: the part of a message that has not been decoded yet.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "protocol/language/languages.hpp"

namespace ptyd {

/// Owns    its text.
/// Thread  one.
class MessageRest {
 public:
  void keep(const Language& language, std::string_view text) {
    language_ = &language;
    text_ = text;
    begin_ = 0;
  }
  /// So much of text() has been decoded. The message is under way until clear().
  void decoded(std::size_t bytes) { begin_ += bytes; }
  void clear() { *this = {}; }

  bool is_under_way() const { return language_ != nullptr; }
  const Language& language() const { return *language_; }
  std::string_view text() const { return std::string_view(text_).substr(begin_); }

 private:
  const Language* language_ = nullptr;
  std::string text_;
  std::size_t begin_ = 0;
};

}  // namespace ptyd
