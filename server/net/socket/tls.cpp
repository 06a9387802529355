#include "server/net/socket/tls.hpp"

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

namespace ptyd {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

class Stream final : public TlsStream {
 public:
  Stream(StreamSocket socket, std::shared_ptr<ssl::context> context)
      : context_(std::move(context)), stream_(std::move(socket), *context_) {}

  StreamSocket& socket() override { return stream_.next_layer(); }
  void handshake(IoDone done) override {
    stream_.async_handshake(ssl::stream_base::server,
                            [done = std::move(done)](error_code error) mutable { done(error); });
  }
  void read_some(boost::asio::mutable_buffer space, IoDone done) override {
    stream_.async_read_some(space, std::move(done));
  }
  void write_some(boost::asio::const_buffer bytes, IoDone done) override {
    stream_.async_write_some(bytes, std::move(done));
  }
  void shutdown(IoDone done) override {
    stream_.async_shutdown([done = std::move(done)](error_code error) mutable { done(error); });
  }

 private:
  std::shared_ptr<ssl::context> context_;
  ssl::stream<StreamSocket> stream_;
};

class Context final : public TlsContext {
 public:
  Context() {
    context_->set_options(ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1 | ssl::context::no_compression);
    // Idle connections give their 34 KB of buffers back.
    SSL_CTX_set_mode(context_->native_handle(), SSL_MODE_RELEASE_BUFFERS);
  }

  Result<void> load(const std::filesystem::path& certificate, const std::filesystem::path& key) {
    error_code error;
    context_->use_certificate_chain_file(certificate.string(), error);
    if (error) return failure(certificate, error);
    context_->use_private_key_file(key.string(), ssl::context::pem, error);
    if (error) return failure(key, error);
    if (SSL_CTX_check_private_key(context_->native_handle()) != 1) {
      return Error(Errc::bad_request, key.string() + ": is not the key of " + certificate.string());
    }
    return {};
  }

  std::unique_ptr<TlsStream> make_stream(StreamSocket socket) override {
    return std::make_unique<Stream>(std::move(socket), context_);
  }

 private:
  static Error failure(const std::filesystem::path& file, const error_code& error) {
    return Error(Errc::bad_request, file.string() + ": " + error.message());
  }

  std::shared_ptr<ssl::context> context_ = std::make_shared<ssl::context>(ssl::context::tls_server);
};

}  // namespace

Result<std::shared_ptr<TlsContext>> TlsContext::load(const std::filesystem::path& certificate,
                                                     const std::filesystem::path& key) {
  auto context = std::make_shared<Context>();
  if (const auto loaded = context->load(certificate, key); !loaded) return loaded.error();
  return std::shared_ptr<TlsContext>(std::move(context));
}

}  // namespace ptyd
