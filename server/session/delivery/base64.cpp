#include "server/session/delivery/base64.hpp"

#include <openssl/evp.h>

#include <algorithm>

#include "pty/text/utf8.hpp"

namespace ptyd {

std::string decoded_base64(std::string_view base64) {
  std::string text(base64.size() / 4 * 3, '\0');
  const int count =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(base64.data()), static_cast<int>(base64.size()));
  // OpenSSL counts the padding as bytes of the text.
  const auto padding = static_cast<std::size_t>(std::count(base64.begin(), base64.end(), '='));
  text.resize(count < 0 ? 0 : static_cast<std::size_t>(count) - padding);
  return utf8::repair(text);
}

}  // namespace ptyd
