// Header facts: the RequestFacts of a request's header.
#pragma once

#include <boost/beast/http/message.hpp>
#include <string>

#include "server/net/access/request_facts.hpp"

namespace ptyd {

/// `cookie_name`: of our own cookie, the only one that counts.
RequestFacts facts_of(const boost::beast::http::request_header<>& header, const std::string& cookie_name);

}  // namespace ptyd
