// The one translation unit that holds Asio's separately compiled part.
#include <boost/asio/impl/src.hpp>
