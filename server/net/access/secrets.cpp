#include "server/net/access/secrets.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <system_error>

namespace ptyd {
namespace {

using Bytes = std::array<unsigned char, 32>;

std::string base64url(std::span<const unsigned char> bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  while (text.ends_with('=')) text.pop_back();
  for (char& c : text) {
    if (c == '+') c = '-';
    if (c == '/') c = '_';
  }
  return text;
}

Bytes random_bytes() {
  Bytes bytes;
  std::size_t have = 0;
  while (have < bytes.size()) {
    const auto count = ::getrandom(bytes.data() + have, bytes.size() - have, 0);
    if (count < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "getrandom");
    if (count > 0) have += static_cast<std::size_t>(count);
  }
  return bytes;
}

Bytes mac(std::string_view key, std::string_view message) {
  Bytes result;
  unsigned int length = 0;
  const auto* done =
      HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(message.data()), message.size(), result.data(), &length);
  if (done == nullptr || length != result.size()) throw std::runtime_error("HMAC-SHA256 is not available");
  return result;
}

std::string hex_text(std::span<const unsigned char> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const auto byte : bytes) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

/// Fresh at each start: what is compared below cannot be prepared from outside.
std::string_view comparison_key() {
  static const Bytes key = random_bytes();
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

/// Bytes of a name that are random, and of its proof.
constexpr std::size_t kHalfName = 8;

/// `random` has no blanks, so that no other scope gives the same message.
std::string proof_of_name(std::string_view scope, std::string_view random) {
  static const Bytes key = random_bytes();
  const auto message = std::string(random) + ' ' + std::string(scope);
  const auto proof = mac({reinterpret_cast<const char*>(key.data()), key.size()}, message);
  return hex_text(std::span(proof).first<kHalfName>());
}

}  // namespace

std::string random_secret() {
  return base64url(random_bytes());
}

std::string make_name(std::string_view scope) {
  const auto bytes = random_bytes();
  const auto random = hex_text(std::span(bytes).first<kHalfName>());
  return random + proof_of_name(scope, random);
}

bool has_made_name(std::string_view scope, std::string_view name) {
  if (name.size() != 4 * kHalfName) return false;
  return same_secret(name.substr(2 * kHalfName), proof_of_name(scope, name.substr(0, 2 * kHalfName)));
}

std::string random_uuid() {
  auto bytes = random_bytes();
  bytes[6] = static_cast<unsigned char>(0x40 | (bytes[6] & 0x0f));
  bytes[8] = static_cast<unsigned char>(0x80 | (bytes[8] & 0x3f));
  auto text = hex_text(std::span(bytes).first<16>());
  for (const std::size_t place : {8U, 13U, 18U, 23U}) text.insert(place, 1, '-');
  return text;
}

bool same_secret(std::string_view one, std::string_view other) {
  const auto a = mac(comparison_key(), one), b = mac(comparison_key(), other);
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string sign(std::string_view key, std::string_view message) {
  return base64url(mac(key, message));
}

}  // namespace ptyd
