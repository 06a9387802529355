#include "server/net/access/trusted_proxies.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "server/net/socket/ip_address.hpp"

namespace ptyd {
namespace {

/// 4 or 16 bytes; nothing for what is no address.
std::optional<std::string> bytes_of(std::string_view text) {
  const auto address = parse_ip(text);
  if (!address) return std::nullopt;
  const auto as_text = [](const auto& bytes) { return std::string(bytes.begin(), bytes.end()); };
  return address->is_v4() ? as_text(address->to_v4().to_bytes()) : as_text(address->to_v6().to_bytes());
}

bool same_bits(const std::string& one, const std::string& other, std::size_t bits) {
  const auto whole = bits / 8, rest = bits % 8;
  if (one.compare(0, whole, other, 0, whole) != 0) return false;
  if (rest == 0) return true;
  const auto differing = static_cast<unsigned char>(one[whole] ^ other[whole]);
  return differing >> (8 - rest) == 0;
}

}  // namespace

Result<TrustedProxies::Network> TrustedProxies::parse_network(const std::string& text) {
  const auto slash = text.find('/');
  auto base = bytes_of(text.substr(0, slash));
  if (!base) return Error(Errc::bad_request, text + " is no address, no network as 10.0.0.0/8, and not unix");
  const auto most = base->size() * 8;
  auto bits = most;
  if (slash != std::string::npos) {
    const auto* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + slash + 1, end, bits);
    if (parsed.ec != std::errc() || parsed.ptr != end || bits > most)
      return Error(Errc::bad_request, text + ": behind the slash stands a number from 0 to " + std::to_string(most));
  }
  return Network{std::move(*base), bits};
}

Result<TrustedProxies> TrustedProxies::parse(const std::vector<std::string>& texts) {
  TrustedProxies proxies;
  for (const auto& text : texts) {
    if (text == "unix") {
      proxies.unix_ = true;
      continue;
    }
    auto network = parse_network(text);
    if (!network) return network.error();
    proxies.networks_.push_back(std::move(*network));
  }
  return proxies;
}

TrustedProxies TrustedProxies::nearby() {
  auto proxies = *parse({"unix", "127.0.0.0/8", "::1", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"});
  proxies.believes_chains_ = false;
  return proxies;
}

bool TrustedProxies::has(std::string_view ip) const {
  if (ip.empty()) return unix_;
  const auto bytes = bytes_of(ip);
  return bytes && std::any_of(networks_.begin(), networks_.end(), [&bytes](const Network& network) {
           return network.base.size() == bytes->size() && same_bits(network.base, *bytes, network.bits);
         });
}

std::optional<std::string> TrustedProxies::client_of(const std::string& peer,
                                                     const std::vector<std::string>& forwarded) const {
  std::optional<std::string> client;
  for (auto said = forwarded.rbegin(); said != forwarded.rend() && has(client.value_or(peer)); ++said) {
    if (!bytes_of(*said)) break;
    client = *said;
    if (!believes_chains_) break;
  }
  return client;
}

}  // namespace ptyd
