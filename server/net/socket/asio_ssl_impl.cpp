// The one translation unit that holds the separately compiled part of Asio's TLS.
#include <boost/asio/ssl/impl/src.hpp>
