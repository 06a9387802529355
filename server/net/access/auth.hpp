// Authenticator: identity of a request, from the credential that it carries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/net/access/request_facts.hpp"
#include "server/net/access/site.hpp"
#include "server/policy/policy.hpp"

namespace ptyd {

enum class AuthMode : std::uint8_t {
  token,
  none,  ///< only where this machine's users alone can connect
};

/// Judgement of a request's credentials.
enum class Verdict : std::uint8_t {
  granted,
  missing,       ///< none given, or a cookie that counts no more: 401 at once
  wrong,         ///< given and refused: 401, delayed, counted
  cookie_alone,  ///< a good cookie without proof that the page is ours: 403
};

/// Seconds since 1970.
using UnixSeconds = std::int64_t;

/// A page's login, as its cookie tells it.
struct Login {
  Access access;
  UnixSeconds until;   ///< its last second
  std::string number;  ///< no other login has the same
};

struct Judgement {
  Verdict verdict = Verdict::missing;
  Access access = Access::view;
  std::optional<Login> login = {};  ///< by which it was granted; none for a token
};

/// Credentials for a page that showed a token. Browsers send the cookie to every port of this host name; the key stays
/// in the storage of the page's origin. Either alone opens nothing.
struct NewLogin {
  std::string set_cookie;
  std::string page_key;
};

/// A page's login lasts this long, and as long as the token is the same: cookies are signed with it.
inline constexpr UnixSeconds kCookieLifetime = 30 * 24 * 3600;

/// Knows the tokens: one for everything, one for looking on.
///
/// Thread  any; never changes.
class Authenticator {
 public:
  struct Options {
    AuthMode mode = AuthMode::token;
    std::string token;       ///< Access::full
    std::string view_token;  ///< Access::view; "" for none
    std::uint16_t port = 0;  ///< in the cookie's name, before an id that differs between servers with the same port
    std::string path = "/";  ///< the cookie's path
    bool secure = false;     ///< cookies over https only
  };
  explicit Authenticator(Options options);

  AuthMode mode() const { return options_.mode; }
  const std::string& cookie_name() const { return cookie_name_; }
  /// Access that `token` gives, if it is one of ours.
  std::optional<Access> access_of(std::string_view token) const;
  /// Tokens count by themselves; in a query only for an upgrade, where the reference's clients send it: addresses of
  /// other places stand in histories, bookmarks and proxies' logs. A cookie counts only with its page's key and from
  /// our own page: together with an Origin (that it is ours has been checked before), or where the browser itself says
  /// so.
  Judgement judge(const RequestFacts& facts, UnixSeconds now) const;

  /// For a page that showed a token. The cookie holds no token: role, time and a number, signed together with the key.
  NewLogin log_in(Access access, UnixSeconds now) const;
  std::string clear_cookie() const;
  /// Nothing unless the cookie is ours, belongs to `page_key`, and its login has not ended.
  std::optional<Login> login_of(std::string_view cookie, std::string_view page_key, UnixSeconds now) const;

 private:
  std::optional<Login> login_of(const RequestFacts& facts, UnixSeconds now) const;
  Judgement judge_token(std::string_view token) const;
  const std::string& token_for(Access access) const;
  std::string signature_of(Access access, std::string_view text, std::string_view page_key) const;
  std::string attributes() const;

  Options options_;
  std::string cookie_name_;
};

}  // namespace ptyd
