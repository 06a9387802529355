// Payloads of a session's marks: the facts an event is made from when a cursor passes the mark.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/messages.hpp"

namespace ptyd {

/// Facts of `started` and `restarted`.
struct StartFacts {
  int pid = 0;
  Size size;
  std::string cwd;
  bool operator==(const StartFacts&) const = default;
};

// Decoders give nothing where a field is missing, or a pid or size is none: files can be damaged.
std::string encode_payload(const StartFacts& facts);
std::optional<StartFacts> decode_start(std::string_view payload);
std::string encode_payload(const ExitStatus& status);
std::optional<ExitStatus> decode_exit(std::string_view payload);
std::string encode_payload(Size size);
std::optional<Size> decode_size(std::string_view payload);
std::string encode_payload(const Activity& activity);
std::optional<Activity> decode_activity(std::string_view payload);
std::string encode_payload(const Warning& warning);
std::optional<Warning> decode_warning(std::string_view payload);

}  // namespace ptyd
