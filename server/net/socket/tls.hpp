// TLS: certificates and streams.
#pragma once

#include <filesystem>
#include <memory>

#include "pty/result.hpp"
#include "server/net/socket/channel.hpp"

namespace ptyd {

/// A certificate chain and its key, for all connections.
///
/// Thread  any, once loaded.
class TlsContext {
 public:
  static Result<std::shared_ptr<TlsContext>> load(const std::filesystem::path& certificate,
                                                  const std::filesystem::path& key);
  virtual ~TlsContext() = default;
  /// The server's end of a TLS connection on `socket`. It keeps what it needs of this.
  virtual std::unique_ptr<TlsStream> make_stream(StreamSocket socket) = 0;
};

}  // namespace ptyd
