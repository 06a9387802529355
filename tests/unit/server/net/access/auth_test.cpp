#include "server/net/access/auth.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "server/net/access/secrets.hpp"

namespace ptyd {
namespace {

constexpr UnixSeconds kNow = 1'800'000'000;
constexpr const char* kToken = "full-token-full-token";
constexpr const char* kViewToken = "view-token-view-token";

Authenticator::Options options() {
  return {AuthMode::token, kToken, kViewToken, 7681, "/tools/", false};
}

/// The value inside a Set-Cookie line.
std::string value_of(const std::string& set_cookie) {
  const auto from = set_cookie.find('=') + 1;
  return set_cookie.substr(from, set_cookie.find(';') - from);
}

/// The credentials of a page after its login.
struct Shown {
  Shown(const Authenticator& auth, Access access) : Shown(auth.log_in(access, kNow)) {}
  explicit Shown(const NewLogin& login) : cookie(value_of(login.set_cookie)), key(login.page_key) {}
  void add_to(RequestFacts& facts) const {
    facts.cookies = {cookie};
    facts.page_key = key;
  }
  std::string cookie, key;
};

RequestFacts request(bool upgrade = true) {
  RequestFacts facts;
  facts.method = "GET";
  facts.upgrade = upgrade;
  return facts;
}

TEST(Auth, TokensAreTakenFromHeaderAndQuery) {
  const Authenticator auth(options());
  auto by_header = request();
  by_header.bearer = kToken;
  EXPECT_EQ(auth.judge(by_header, kNow).verdict, Verdict::granted);
  EXPECT_EQ(auth.judge(by_header, kNow).access, Access::full);
  auto by_query = request();
  by_query.query = "events=all&token=view%2Dtoken-view-token";
  EXPECT_EQ(auth.judge(by_query, kNow).verdict, Verdict::granted);
  EXPECT_EQ(auth.judge(by_query, kNow).access, Access::view);
}

TEST(Auth, Security6ATokenInAnAddressOpensAnUpgradeOnly) {
  const Authenticator auth(options());
  for (const char* method : {"GET", "HEAD", "POST"}) {
    auto facts = request(false);
    facts.method = method;
    facts.query = std::string("token=") + kToken;
    EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::missing) << method;
    facts.bearer = kToken;
    EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::granted) << "the header counts beside it";
  }
}

TEST(Auth, Security4NothingAndTheWrongThingAreToldApart) {
  const Authenticator auth(options());
  EXPECT_EQ(auth.judge(request(), kNow).verdict, Verdict::missing);
  for (const char* token : {"", "full-token-full-toke", "full-token-full-tokenx", "FULL-TOKEN-FULL-TOKEN"}) {
    auto facts = request();
    facts.bearer = token;
    EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::wrong) << token;
    facts.bearer.reset();
    facts.query = std::string("token=") + token;
    EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::wrong) << token;
  }
}

TEST(Auth, AWrongTokenIsNotRescuedByAGoodCookie) {
  const Authenticator auth(options());
  auto facts = request();
  facts.origin = "http://127.0.0.1:7681";
  Shown(auth, Access::full).add_to(facts);
  facts.bearer = "nonsense";
  EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::wrong);
}

TEST(Auth, AnEmptyViewTokenOpensNothing) {
  auto without_view = options();
  without_view.view_token.clear();
  const Authenticator auth(without_view);
  EXPECT_FALSE(auth.access_of(""));
  const Shown shown(Authenticator(options()), Access::view);
  EXPECT_FALSE(auth.login_of(shown.cookie, shown.key, kNow));
}

TEST(Auth, Security2ACookieAloneIsNotEnough) {
  const Authenticator auth(options());
  auto facts = request();
  Shown(auth, Access::full).add_to(facts);
  EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::cookie_alone);
  facts.fetch_site = "same-origin";
  EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::cookie_alone) << "an upgrade always carries an Origin";
  facts.origin = "http://127.0.0.1:7681";
  EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::granted);
}

TEST(Auth, ABrowserMayVouchForAPlainRead) {
  const Authenticator auth(options());
  auto facts = request(false);
  Shown(auth, Access::full).add_to(facts);
  for (const char* site : {"same-origin", "none"}) {
    facts.fetch_site = site;
    EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::granted) << site;
  }
  for (const char* site : {"", "same-site", "cross-site"}) {
    facts.fetch_site = site;
    EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::cookie_alone) << site;
  }
  facts.method = "POST";
  facts.fetch_site = "same-origin";
  EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::cookie_alone);
}

TEST(Auth, CookiesHoldTheirRoleAndEnd) {
  const Authenticator auth(options());
  const Shown full(auth, Access::full), view(auth, Access::view);
  EXPECT_EQ(auth.login_of(full.cookie, full.key, kNow).value().access, Access::full);
  EXPECT_EQ(auth.login_of(view.cookie, view.key, kNow).value().access, Access::view);
  EXPECT_TRUE(auth.login_of(full.cookie, full.key, kNow + kCookieLifetime));
  EXPECT_FALSE(auth.login_of(full.cookie, full.key, kNow + kCookieLifetime + 1));
  EXPECT_FALSE(auth.login_of(full.cookie, full.key, kNow - 301)) << "from the future";
}

TEST(Auth, Security7NeitherTheCookieNorThePagesKeyOpensAnythingAlone) {
  const Authenticator auth(options());
  const Shown shown(auth, Access::full), other(auth, Access::full);
  auto facts = request();
  facts.origin = "http://127.0.0.1:7681";
  shown.add_to(facts);
  EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::granted);
  for (const auto& key : {std::optional<std::string>(), std::optional<std::string>(""), std::optional(other.key)}) {
    facts.page_key = key;
    EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::missing) << key.value_or("none");
  }
  facts.page_key = shown.key;
  facts.cookies.clear();
  EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::missing);
}

TEST(Auth, APlantedCookieOfOurNameKeepsNobodyOut) {
  const Authenticator auth(options());
  auto facts = request();
  facts.origin = "http://127.0.0.1:7681";
  const Shown shown(auth, Access::view);
  const auto& ours = shown.cookie;
  facts.page_key = shown.key;
  const std::vector<std::vector<std::string>> together{
      {"planted", ours}, {ours, "full.1.2.3"}, {"", "full.1.2.3", ours}};
  for (const auto& cookies : together) {
    facts.cookies = cookies;
    EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::granted);
    EXPECT_EQ(auth.judge(facts, kNow).access, Access::view);
  }
  facts.cookies = {"planted", "full.1.2.3"};
  EXPECT_EQ(auth.judge(facts, kNow).verdict, Verdict::missing);
}

TEST(Auth, AJudgementTellsItsLogin) {
  const Authenticator auth(options());
  auto facts = request();
  facts.origin = "http://127.0.0.1:7681";
  const Shown shown(auth, Access::full), other(auth, Access::full);
  shown.add_to(facts);
  const auto login = auth.judge(facts, kNow + 100).login.value();
  EXPECT_EQ(login.until, kNow + kCookieLifetime);
  EXPECT_NE(login.number, auth.login_of(other.cookie, other.key, kNow).value().number);
  facts.bearer = kToken;
  EXPECT_FALSE(auth.judge(facts, kNow).login) << "a token has no end";
}

TEST(Auth, CookiesSurviveARestartButNotAnotherToken) {
  const Shown shown(Authenticator(options()), Access::full);
  EXPECT_TRUE(Authenticator(options()).login_of(shown.cookie, shown.key, kNow));
  auto changed = options();
  changed.token = "another-token-another";
  EXPECT_FALSE(Authenticator(changed).login_of(shown.cookie, shown.key, kNow));
}

TEST(Auth, EveryChangedByteOfACookieIsNoticed) {
  const Authenticator auth(options());
  const Shown shown(auth, Access::view);
  const auto& cookie = shown.cookie;
  for (std::size_t i = 0; i < cookie.size(); i++) {
    auto changed = cookie;
    changed[i] = changed[i] == 'x' ? 'y' : 'x';
    EXPECT_FALSE(auth.login_of(changed, shown.key, kNow)) << "byte " << i;
  }
  const auto as_full = "full" + cookie.substr(4);
  for (const auto& text :
       {std::string(), std::string("."), std::string("..."), cookie + "x", as_full, std::string("full.1.2")}) {
    EXPECT_FALSE(auth.login_of(text, shown.key, kNow)) << text;
  }
}

TEST(Auth, CookiesAreOutOfReachOfScriptsAndOtherSites) {
  const Authenticator auth(options());
  const auto [line, key] = auth.log_in(Access::full, kNow);
  EXPECT_TRUE(line.starts_with(auth.cookie_name() + "=full.")) << line;
  EXPECT_NE(line.find("; Path=/tools/; HttpOnly; SameSite=Strict"), std::string::npos) << line;
  EXPECT_EQ(line.find("Secure"), std::string::npos) << line;
  EXPECT_EQ(line.find(kToken), std::string::npos) << "the token itself is not in it";
  EXPECT_EQ(line.find(key), std::string::npos) << "nor what the page keeps";
  auto over_tls = options();
  over_tls.secure = true;
  EXPECT_NE(Authenticator(over_tls).log_in(Access::full, kNow).set_cookie.find("; Secure"), std::string::npos);
}

TEST(Auth, CookiesOfOtherServersHaveOtherNames) {
  const Authenticator auth(options()), again(options());
  EXPECT_THAT(auth.cookie_name(), testing::MatchesRegex("ptyd_7681_[A-Za-z0-9_-]{8}"));
  EXPECT_EQ(auth.cookie_name(), again.cookie_name()) << "also after a restart";
  auto other = options();
  other.port = 7682;
  EXPECT_NE(Authenticator(other).cookie_name(), auth.cookie_name());
  other = options();
  other.token = "another-token-another";
  EXPECT_NE(Authenticator(other).cookie_name(), auth.cookie_name()) << "containers have the same port inside";
}

TEST(Auth, WithoutAuthenticationEveryoneIsGranted) {
  auto open = options();
  open.mode = AuthMode::none;
  EXPECT_EQ(Authenticator(open).judge(request(), kNow).verdict, Verdict::granted);
  EXPECT_EQ(Authenticator(open).judge(request(), kNow).access, Access::full);
}

TEST(Secrets, AreLongDifferentAndComparedWhole) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; i++) {
    const auto secret = random_secret();
    EXPECT_EQ(secret.size(), 43U);
    EXPECT_EQ(secret.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
              std::string::npos);
    EXPECT_TRUE(seen.insert(secret).second);
  }
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abcd"));
  EXPECT_FALSE(same_secret("abc", ""));
  EXPECT_EQ(sign("key", "The quick brown fox jumps over the lazy dog"), "97yD9DBThCSxMpjmqm-xQ-9NWaFJRhdZl0edvC0aPNg");
}

TEST(Secrets, NamesHave128BitsInHexThatCannotBeGuessed) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; i++) {
    EXPECT_THAT(make_name("a"), testing::MatchesRegex("[0-9a-f]{32}"));
    EXPECT_TRUE(seen.insert(make_name("a")).second);
    EXPECT_THAT(random_uuid(),
                testing::MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
    EXPECT_TRUE(seen.insert(random_uuid()).second);
  }
}

/// Of 32 random digits fewer than 4 values would be a chance of one in 10^20; the first digits of a counter have one.
TEST(Secrets, NamesAreThoseOfNoCounter) {
  std::vector<std::set<char>> values(32);
  for (int i = 0; i < 32; i++) {
    const auto name = make_name("a");
    for (std::size_t place = 0; place < name.size(); place++) values.at(place).insert(name[place]);
  }
  EXPECT_THAT(values, testing::Each(testing::SizeIs(testing::Ge(4u))));
}

TEST(Secrets, ANameIsKnownAgainInItsScopeAlone) {
  const auto name = make_name("a");
  EXPECT_TRUE(has_made_name("a", name));
  EXPECT_FALSE(has_made_name("b", name));
  EXPECT_FALSE(has_made_name("", name));
  for (std::size_t place = 0; place < name.size(); place++) {
    auto other = name;
    other[place] = other[place] == '0' ? '1' : '0';
    EXPECT_FALSE(has_made_name("a", other)) << other;
  }
  for (const auto& other : {std::string(), name.substr(1), name + '0', std::string(32, '0')})
    EXPECT_FALSE(has_made_name("a", other)) << other;
}

TEST(RequestFacts, QueriesAndCookiesAreTakenApart) {
  EXPECT_EQ(query_value("a=1&token=x%2By&b", "token"), "x+y");
  EXPECT_EQ(query_value("token=first&token=second", "token"), "first");
  EXPECT_EQ(query_value("xtoken=1", "token"), std::nullopt);
  EXPECT_EQ(query_value("token=%zz", "token"), std::nullopt);
  EXPECT_EQ(query_value("token", "token"), "");
  EXPECT_THAT(cookie_values("a=1; ptyd_7681=v.w ;b=2; ptyd_7681=", "ptyd_7681"), testing::ElementsAre("v.w", ""));
  EXPECT_THAT(cookie_values("ptyd_76810=x", "ptyd_7681"), testing::IsEmpty());
  EXPECT_EQ(percent_decode("%41b%2"), std::nullopt);
  EXPECT_EQ(percent_decode("%00"), std::string(1, '\0'));
  EXPECT_EQ(percent_encode("aZ9-._~+/= \x80"), "aZ9-._~%2B%2F%3D%20%80");
}

}  // namespace
}  // namespace ptyd
