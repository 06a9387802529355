#include "server/net/socket/ip_address.hpp"

#include <string>

namespace ptyd {

namespace ip = boost::asio::ip;

ip::address unmapped(const ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return ip::make_address_v4(ip::v4_mapped, address.to_v6());
}

std::optional<ip::address> parse_ip(std::string_view text) {
  boost::system::error_code error;
  const auto address = ip::make_address(std::string(text), error);
  if (error) return std::nullopt;
  return unmapped(address);
}

bool is_loopback_ip(std::string_view text) {
  const auto address = parse_ip(text);
  return address && address->is_loopback();
}

}  // namespace ptyd
