// Numeric IP addresses as clients and proxies write them.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string_view>

namespace ptyd {

/// An IPv4-mapped address of IPv6 (::ffff:1.2.3.4, RFC 4291 section 2.5.5.2) as IPv4; others as they are. Sockets that
/// take both give their IPv4 peers so.
boost::asio::ip::address unmapped(const boost::asio::ip::address& address);
/// A numeric address, unmapped(); nothing for what is none.
std::optional<boost::asio::ip::address> parse_ip(std::string_view text);
/// `text` belongs to this machine alone: 127.0.0.0/8, mapped or not, or ::1.
bool is_loopback_ip(std::string_view text);

}  // namespace ptyd
