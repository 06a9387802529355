#include "server/session/recording/mark_payload.hpp"

#include <charconv>
#include <vector>

namespace ptyd {

namespace {

/// Fields are joined by a byte that no field holds: text fields with control characters are refused on the wire or
/// stripped before they get here, and paths keep theirs because the path is always the last field.
constexpr char kSeparator = '\x1f';

std::string join(std::initializer_list<std::string_view> fields) {
  std::string text;
  for (const auto field : fields) (text += field) += kSeparator;
  text.pop_back();
  return text;
}

/// Exactly `count` fields; the last one takes everything that is left.
std::optional<std::vector<std::string_view>> split(std::string_view text, std::size_t count) {
  std::vector<std::string_view> fields;
  while (fields.size() + 1 < count) {
    const auto at = text.find(kSeparator);
    if (at == text.npos) return std::nullopt;
    fields.push_back(text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  fields.push_back(text);
  return fields;
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string optional_number(std::optional<int> value) {
  return value ? std::to_string(*value) : std::string("-");
}

std::optional<Size> size_of(std::string_view cols, std::string_view rows) {
  const auto c = number(cols), r = number(rows);
  if (!c || !r || *c < 1 || *r < 1 || *c > limits::kMaxCols || *r > limits::kMaxRows) return std::nullopt;
  return Size{static_cast<std::uint16_t>(*c), static_cast<std::uint16_t>(*r)};
}

}  // namespace

std::string encode_payload(const StartFacts& facts) {
  return join({std::to_string(facts.pid), std::to_string(facts.size.cols), std::to_string(facts.size.rows), facts.cwd});
}

std::optional<StartFacts> decode_start(std::string_view payload) {
  const auto fields = split(payload, 4);
  if (!fields) return std::nullopt;
  const auto pid = number((*fields)[0]);
  const auto size = size_of((*fields)[1], (*fields)[2]);
  if (!pid || !size) return std::nullopt;
  return StartFacts{*pid, *size, std::string((*fields)[3])};
}

std::string encode_payload(const ExitStatus& status) {
  return join({optional_number(status.code), optional_number(status.signal)});
}

std::optional<ExitStatus> decode_exit(std::string_view payload) {
  const auto fields = split(payload, 2);
  if (!fields) return std::nullopt;
  return ExitStatus{number((*fields)[0]), number((*fields)[1])};
}

std::string encode_payload(Size size) {
  return join({std::to_string(size.cols), std::to_string(size.rows)});
}

std::optional<Size> decode_size(std::string_view payload) {
  const auto fields = split(payload, 2);
  if (!fields) return std::nullopt;
  return size_of((*fields)[0], (*fields)[1]);
}

std::string encode_payload(const Activity& activity) {
  return join({activity.has_running_subprocess ? "1" : "0", activity.cli_kind, activity.agent_state});
}

std::optional<Activity> decode_activity(std::string_view payload) {
  const auto fields = split(payload, 3);
  if (!fields) return std::nullopt;
  return Activity{(*fields)[0] == "1", std::string((*fields)[1]), std::string((*fields)[2])};
}

std::string encode_payload(const Warning& warning) {
  return join({warning.code, warning.message});
}

std::optional<Warning> decode_warning(std::string_view payload) {
  const auto fields = split(payload, 2);
  if (!fields) return std::nullopt;
  return Warning{std::string((*fields)[0]), std::string((*fields)[1])};
}

}  // namespace ptyd
