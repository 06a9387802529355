// Secrets: making, comparing and signing with what must not be guessed.
#pragma once

#include <string>
#include <string_view>

namespace ptyd {

/// 256 random bits from the kernel, in base64url.
std::string random_secret();
/// A name that cannot be guessed, 32 digits of lower-case hex: half of it is random, half proves that it was made here
/// for `scope`, so that no list of all names has to be kept.
std::string make_name(std::string_view scope);
/// Whether make_name() has made `name` for `scope` since this program began.
bool has_made_name(std::string_view scope, std::string_view name);
/// A random UUID (version 4), as RFC 9562 writes it.
std::string random_uuid();
/// Equal or not, in a time that depends on neither content nor the place of the difference.
bool same_secret(std::string_view one, std::string_view other);
/// HMAC-SHA256 of `message` under `key`, in base64url.
std::string sign(std::string_view key, std::string_view message);

}  // namespace ptyd
