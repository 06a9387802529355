// Bytes of any kind: repaired text is valid, valid text is untouched, and the JSON escaper agrees with both.
#include "pty/text/utf8.hpp"

#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/json/escaper.hpp"
#include "tests/fuzz/check.hpp"

namespace {

void claim_units(std::string_view text) {
  while (!text.empty()) {
    const auto whole = ptyd::utf8::character(text);
    const auto taken = ptyd::utf8::unit(text);
    PTYD_CLAIM(taken >= 1 && taken <= 4 && taken <= text.size());
    PTYD_CLAIM(whole == 0 || whole == taken);
    text.remove_prefix(taken);
  }
}

std::string unescaped(std::string_view text) {
  std::string frame(ptyd::escaper::room_for(text.size()), '\0');
  frame.resize(ptyd::escaper::escape(frame.data(), text).written);
  return std::string(boost::json::parse("\"" + frame + "\"").as_string());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto repaired = ptyd::utf8::repair(text);
  PTYD_CLAIM(ptyd::utf8::valid(repaired));
  PTYD_CLAIM(ptyd::utf8::repair(repaired) == repaired);
  PTYD_CLAIM(!ptyd::utf8::valid(text) || repaired == text);
  PTYD_CLAIM(ptyd::utf8::utf16_length(repaired) <= repaired.size());
  PTYD_CLAIM(ptyd::utf8::unfinished_tail(text) <= 3);
  PTYD_CLAIM(unescaped(text) == repaired);
  claim_units(text);
  return 0;
}
