#include "server/net/access/auth.hpp"

#include <array>
#include <charconv>

#include "server/net/access/secrets.hpp"

namespace ptyd {
namespace {

/// Cookie values are `role.issued.number.signature`.
struct CookieParts {
  std::string_view role, number, signature, signed_text;
  UnixSeconds issued = 0;
};

constexpr std::string_view kFullRole = "full", kViewRole = "view";

std::optional<CookieParts> take_apart(std::string_view value) {
  std::array<std::size_t, 3> dots{};
  std::size_t from = 0;
  for (auto& dot : dots) {
    dot = value.find('.', from);
    if (dot == std::string_view::npos) return std::nullopt;
    from = dot + 1;
  }
  CookieParts parts;
  parts.role = value.substr(0, dots[0]);
  parts.number = value.substr(dots[1] + 1, dots[2] - dots[1] - 1);
  parts.signed_text = value.substr(0, dots[2]);
  parts.signature = value.substr(dots[2] + 1);
  const auto issued = value.substr(dots[0] + 1, dots[1] - dots[0] - 1);
  const auto [end, error] = std::from_chars(issued.data(), issued.data() + issued.size(), parts.issued);
  if (error != std::errc() || end != issued.data() + issued.size()) return std::nullopt;
  return parts;
}

/// Letters of a server's id, 6 bits each: enough for the servers of one host name.
constexpr std::size_t kIdLength = 8;

/// A clock that was set back by this much does not lock people out.
constexpr UnixSeconds kClockSlack = 300;

}  // namespace

Authenticator::Authenticator(Options options)
    : options_(std::move(options)),
      cookie_name_("ptyd_" + std::to_string(options_.port) + "_" +
                   sign("ptyd cookie name " + options_.token, "").substr(0, kIdLength)) {}

const std::string& Authenticator::token_for(Access access) const {
  return access == Access::full ? options_.token : options_.view_token;
}

std::optional<Access> Authenticator::access_of(std::string_view token) const {
  // Both are compared in any case: the time tells nothing about which one it was.
  const bool full = !options_.token.empty() && same_secret(token, options_.token);
  const bool view = !options_.view_token.empty() && same_secret(token, options_.view_token);
  if (full) return Access::full;
  if (view) return Access::view;
  return std::nullopt;
}

Judgement Authenticator::judge_token(std::string_view token) const {
  const auto access = access_of(token);
  return access ? Judgement{Verdict::granted, *access} : Judgement{Verdict::wrong, Access::view};
}

Judgement Authenticator::judge(const RequestFacts& facts, UnixSeconds now) const {
  if (options_.mode == AuthMode::none) return {Verdict::granted, Access::full};
  if (facts.bearer) return judge_token(*facts.bearer);
  if (const auto token = facts.upgrade ? query_value(facts.query, "token") : std::nullopt) return judge_token(*token);
  const auto login = login_of(facts, now);
  // An old cookie is what remains in a browser after the token was changed, not an attack.
  if (!login) return {Verdict::missing, Access::view};
  const bool browser_vouches = facts.reads_only() && (facts.fetch_site == "same-origin" || facts.fetch_site == "none");
  if (!facts.origin && !browser_vouches) return {Verdict::cookie_alone, Access::view};
  return {Verdict::granted, login->access, login};
}

std::string Authenticator::attributes() const {
  return "; Path=" + options_.path + "; HttpOnly; SameSite=Strict" + (options_.secure ? "; Secure" : "");
}

std::string Authenticator::signature_of(Access access, std::string_view text, std::string_view page_key) const {
  return sign("ptyd cookie " + token_for(access), std::string(text) + "." + std::string(page_key));
}

NewLogin Authenticator::log_in(Access access, UnixSeconds now) const {
  const auto role = access == Access::full ? kFullRole : kViewRole;
  const auto text = std::string(role) + "." + std::to_string(now) + "." + random_secret();
  const auto page_key = random_secret();
  return {cookie_name_ + "=" + text + "." + signature_of(access, text, page_key) +
              "; Max-Age=" + std::to_string(kCookieLifetime) + attributes(),
          page_key};
}

std::string Authenticator::clear_cookie() const {
  return cookie_name_ + "=; Max-Age=0" + attributes();
}

/// Another server on this host name can plant cookies of our name, which may come first.
std::optional<Login> Authenticator::login_of(const RequestFacts& facts, UnixSeconds now) const {
  if (!facts.page_key) return std::nullopt;
  for (const auto& each : facts.cookies)
    if (const auto login = login_of(each, *facts.page_key, now)) return login;
  return std::nullopt;
}

std::optional<Login> Authenticator::login_of(std::string_view cookie, std::string_view page_key,
                                             UnixSeconds now) const {
  const auto parts = take_apart(cookie);
  if (!parts || (parts->role != kFullRole && parts->role != kViewRole)) return std::nullopt;
  const auto access = parts->role == kFullRole ? Access::full : Access::view;
  if (token_for(access).empty()) return std::nullopt;
  if (!same_secret(parts->signature, signature_of(access, parts->signed_text, page_key))) return std::nullopt;
  if (parts->issued > now + kClockSlack || now - parts->issued > kCookieLifetime) return std::nullopt;
  return Login{access, parts->issued + kCookieLifetime, std::string(parts->number)};
}

}  // namespace ptyd
