// Secrets: making, comparing and signing with what must not be guessed.
#pragma once

#include <string>
#include <string_view>

namespace ptyd {

/// 256 random bits from the kernel, in base64url.
std::string random_secret();
/// 128 random bits in lower-case hex: a name that nobody can guess.
std::string random_name();
/// A random UUID (version 4), as RFC 9562 writes it.
std::string random_uuid();
/// Equal or not, in a time that depends on neither content nor the place of the difference.
bool same_secret(std::string_view one, std::string_view other);
/// HMAC-SHA256 of `message` under `key`, in base64url.
std::string sign(std::string_view key, std::string_view message);

}  // namespace ptyd
