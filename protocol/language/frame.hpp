// Frames as text: read as JSON, or looked over without reading.
#pragma once

#include <array>
#include <boost/json/error.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/storage_ptr.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace ptyd {

/// A frame read as JSON: its value, or what is wrong with it.
///
/// Owns    the memory of the value; small frames need none beside the object itself.
/// Errors  error() names the byte where the frame breaks the rules of JSON, or our limit of 32 levels. A frame of more
///         than limits::kMaxValues values is not read at all: their memory would be many times the frame's.
class Document {
 public:
  explicit Document(std::string_view frame);
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  /// Null when the frame is no JSON, or more than we read; then error() says why.
  const boost::json::value* value() const { return error_.empty() ? &value_ : nullptr; }
  const std::string& error() const { return error_; }
  /// The error is a bound of ours: up to there it was JSON.
  bool is_beyond_us() const { return is_beyond_us_; }

 private:
  void refuse(const boost::json::error_code& error, std::string_view before);

  std::array<unsigned char, 4096> memory_;
  boost::json::monotonic_resource resource_{memory_.data(), memory_.size()};
  boost::json::value value_;
  std::string error_;
  bool is_beyond_us_ = false;
};

/// `text` from its first character on that is no blank of JSON.
std::string_view without_space(std::string_view text);
/// The length of the JSON value at the start of `text`, as far as it can be told apart without reading it.
std::size_t value_length(std::string_view text);

/// The members of a frame's outermost object, one after the other, as raw text: for what must be known before a frame
/// is read, or when it cannot be. Goes on as long as the text looks like JSON; allocates nothing.
class Members {
 public:
  explicit Members(std::string_view frame);
  /// Goes to the next member; false when there is none.
  bool next();
  /// Without quotes, escapes as they are.
  std::string_view key() const { return key_; }
  /// The member's value as far as it can be told apart.
  std::string_view value() const;

 private:
  std::string_view rest_;  // from the value of the current member on
  std::string_view key_;
  bool begun_ = false;
};

/// The value of the outermost member `name`, when it is a string or a number which a Document would read. Takes memory
/// for nothing else.
std::optional<boost::json::value> find_scalar(std::string_view frame, std::string_view name,
                                              boost::json::storage_ptr memory = {});

}  // namespace ptyd
