// Admission: lets a request in or refuses it, before its target is known.
#pragma once

#include <optional>

#include "server/net/access/auth.hpp"
#include "server/net/access/http_reply.hpp"
#include "server/net/access/request_facts.hpp"
#include "server/net/access/site.hpp"

namespace ptyd {

/// The refusal of a request that cannot be read (400, 501), is not meant for us (421) or comes from a page that is not
/// ours (403), or nothing.
/// `probe`: the request is for a place of health checks, which may come without a Host.
std::optional<HttpReply> refuse_stranger(const RequestFacts& facts, const Site& site, bool probe);

/// The refusal that a verdict on credentials means, or nothing.
std::optional<HttpReply> refuse_verdict(Verdict verdict, bool upgrade);

/// For a client that may only view, and asks for more.
HttpReply refuse_viewer();
/// All places for `access` are taken.
HttpReply refuse_crowd(Access access);
/// The server is to end soon, and takes up no WebSockets.
HttpReply refuse_while_draining();

}  // namespace ptyd
