// Texts that strangers put into requests before they have shown a token: paths, queries, cookies, names.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "pty/types.hpp"
#include "server/net/access/auth.hpp"
#include "server/net/access/public_url.hpp"
#include "server/net/access/request_facts.hpp"
#include "server/net/access/site.hpp"
#include "server/net/http/static_files.hpp"
#include "server/net/socket/listen_address.hpp"
#include "tests/fuzz/check.hpp"

namespace {

const ptyd::Site& site() {
  static const ptyd::Site one(
      {{{"127.0.0.1", 7681, ""}}, false, ptyd::parse_public_url("https://a.example/b").value(), "machine"});
  return one;
}

const ptyd::Authenticator& authenticator() {
  static const ptyd::Authenticator one(
      {ptyd::AuthMode::token, "0123456789abcdef0123456789abcdef", "", 7681, "/", false});
  return one;
}

void claim_path(std::string_view path) {
  const auto segments = ptyd::path_segments(path);
  if (!segments) return;
  for (const auto& name : *segments) {
    PTYD_CLAIM(name != ".." && name.find('/') == std::string::npos && name.find('\0') == std::string::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  claim_path(text);
  ptyd::query_value(text, "token");
  ptyd::cookie_values(text, "ptyd_7681");
  ptyd::parse_cursor(text);
  if (const auto decoded = ptyd::percent_decode(text)) PTYD_CLAIM(decoded->size() <= text.size());
  if (const auto address = ptyd::parse_listen_address(text))
    PTYD_CLAIM(ptyd::parse_listen_address(ptyd::to_string(*address)).value() == *address);
  if (const auto url = ptyd::parse_public_url(text)) PTYD_CLAIM(ptyd::parse_public_url(url->text()).value() == *url);
  PTYD_CLAIM(!site().trusts(text, "127.0.0.1:7681") || text.find("127.0.0.1") != text.npos ||
             text.find("localhost") != text.npos || text.find("[::1]") != text.npos ||
             text.find("a.example") != text.npos);
  PTYD_CLAIM(!authenticator().login_of(text, text, 1'000'000'000));
  return 0;
}
