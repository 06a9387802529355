#include "protocol/language/jsonrpc.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/protocol/agents.hpp"

namespace ptyd {
namespace {

/// The kind of a frame, on one line.
std::string rpc_seen(std::string_view frame) {
  const Document document(frame);
  const auto text = [](const json::value* value) { return value ? json::serialize(*value) : std::string("none"); };
  struct Tell {
    decltype(text)& as_text;
    std::string operator()(const jsonrpc::Request& it) const {
      return "request " + it.id + " " + std::string(it.method) + " " + as_text(it.params);
    }
    std::string operator()(const jsonrpc::Notification& it) const {
      return "notification " + std::string(it.method) + " " + as_text(it.params);
    }
    std::string operator()(const jsonrpc::Response& it) const { return "response " + it.id + " " + as_text(it.result); }
    std::string operator()(const jsonrpc::Broken& it) const {
      return std::to_string(it.code) + " " + it.id + " " + it.sentence;
    }
  };
  return std::visit(Tell{text}, jsonrpc::read(frame, document));
}

struct RpcShape {
  std::string frame;
  std::string is;
};

void PrintTo(const RpcShape& one, std::ostream* out) {
  *out << one.frame.substr(0, 80);
}

class RpcShapes : public testing::TestWithParam<RpcShape> {};

TEST_P(RpcShapes, AreToldApart) {
  EXPECT_EQ(rpc_seen(GetParam().frame), GetParam().is);
}

const std::string kLongId = repeated("x", 1024), kWideId = repeated("\U0001F600", 512);

INSTANTIATE_TEST_SUITE_P(
    Requests, RpcShapes,
    testing::Values(
        RpcShape{R"({"jsonrpc":"2.0","id":0,"method":"a/b","params":{"c":1}})", R"(request 0 a/b {"c":1})"},
        RpcShape{R"({"method":"a","id":"0","jsonrpc":"2.0"})", R"(request "0" a none)"},
        RpcShape{R"({"jsonrpc":"2.0","id":-7,"method":"a","params":null})", "request -7 a null"},
        RpcShape{R"({"jsonrpc":"2.0","id":1.0,"method":"a","params":[1]})", "request 1 a [1]"},
        RpcShape{R"({"jsonrpc":"2.0","id":1e3,"method":"a"})", "request 1000 a none"},
        RpcShape{R"({"jsonrpc":"2.0","id":-0.0,"method":"a"})", "request 0 a none"},
        RpcShape{R"({"jsonrpc":"2.0","id":18446744073709551615,"method":"a"})", "request 18446744073709551615 a none"},
        RpcShape{R"({"jsonrpc":"2.0","id":"","method":""})", R"(request ""  none)"},
        RpcShape{R"({"jsonrpc":"2.0","id":"\u0062\n","method":"a"})", R"(request "b\n" a none)"},
        RpcShape{R"({"jsonrpc":"2.0","id":")" + kLongId + R"(","method":"a"})", "request \"" + kLongId + "\" a none"},
        RpcShape{R"({"jsonrpc":"2.0","id":")" + kWideId + R"(","method":"a"})", "request \"" + kWideId + "\" a none"},
        RpcShape{R"({"jsonrpc":"2.0","id":1,"method":"a","result":1})", "request 1 a none"}));

INSTANTIATE_TEST_SUITE_P(Notifications, RpcShapes,
                         testing::Values(RpcShape{R"({"jsonrpc":"2.0","method":"a","params":{}})", "notification a {}"},
                                         RpcShape{R"({"jsonrpc":"2.0","method":"a"})", "notification a none"}));

INSTANTIATE_TEST_SUITE_P(
    Responses, RpcShapes,
    testing::Values(RpcShape{R"({"jsonrpc":"2.0","id":0,"result":{"a":1}})", R"(response 0 {"a":1})"},
                    RpcShape{R"({"jsonrpc":"2.0","id":0,"result":null})", "response 0 null"},
                    RpcShape{R"({"jsonrpc":"2.0","id":"0","error":{"code":1}})", R"(response "0" none)"},
                    RpcShape{R"({"jsonrpc":"2.0","id":0,"error":null,"result":5})", "response 0 5"},
                    RpcShape{R"({"jsonrpc":"2.0","id":0,"error":{},"result":5})", "response 0 none"},
                    RpcShape{R"({"jsonrpc":"2.0","id":null,"error":{}})", "response null none"},
                    RpcShape{R"({"id":[],"result":1})", "response null 1"},
                    RpcShape{R"({"result":1})", "response null 1"}));

INSTANTIATE_TEST_SUITE_P(
    BrokenOnes, RpcShapes,
    testing::Values(
        RpcShape{"[]", "-32600 null an array is not an object"},
        RpcShape{R"([{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"a"}])",
                 "-32600 null an array is not an object"},
        RpcShape{"null", "-32600 null null is not an object"}, RpcShape{"17", "-32600 null 17 is not an object"},
        RpcShape{R"("text")", R"(-32600 null "text" is not an object)"},
        RpcShape{"{}", "-32600 null jsonrpc: is missing"},
        RpcShape{R"({"jsonrpc":"2.0"})", "-32600 null method: is missing"},
        RpcShape{R"({"jsonrpc":"2.0","id":4})", "-32600 4 method: is missing"},
        RpcShape{R"({"jsonrpc":"2.0","id":4,"method":5})", "-32600 4 method: 5 is not a string"},
        RpcShape{R"({"jsonrpc":"2.0","method":null})", "-32600 null method: null is not a string"},
        RpcShape{R"({"id":"x","method":"a"})", R"(-32600 "x" jsonrpc: is missing)"},
        RpcShape{R"({"jsonrpc":"1.0","id":4,"method":"a"})", R"(-32600 4 jsonrpc: "1.0" is not "2.0")"},
        RpcShape{R"({"jsonrpc":2.0,"id":4,"method":"a"})", R"(-32600 4 jsonrpc: 2 is not "2.0")"},
        RpcShape{R"({"jsonrpc":"2.0","id":null,"method":"a"})", "-32600 null id: null is not an integer or a string"},
        RpcShape{R"({"jsonrpc":"2.0","id":1.5,"method":"a"})", "-32600 null id: 1.5 is not an integer or a string"},
        RpcShape{R"({"jsonrpc":"2.0","id":1e400,"method":"a"})",
                 "-32600 null id: a number too large is not an integer or a string"},
        RpcShape{R"({"jsonrpc":"2.0","id":true,"method":"a"})", "-32600 null id: true is not an integer or a string"},
        RpcShape{R"({"jsonrpc":"2.0","id":{},"method":"a"})",
                 "-32600 null id: an object is not an integer or a string"},
        RpcShape{R"({"jsonrpc":"2.0","id":")" + kLongId + R"(x","method":"a"})",
                 "-32600 null id: length 1025 is above 1024"},
        RpcShape{R"({"jsonrpc":"2.0","id":")" + kWideId + R"(x","method":"a"})",
                 "-32600 null id: length 1025 is above 1024"}));

INSTANTIATE_TEST_SUITE_P(NoJson, RpcShapes,
                         testing::Values(RpcShape{"", "-32700 null not JSON at byte 0: ends too early"},
                                         RpcShape{R"({"jsonrpc":"2.0","id":5,"method":"a")",
                                                  "-32700 null not JSON at byte 36: ends too early"},
                                         RpcShape{R"({"jsonrpc":"2.0","id":"x","method":"a","params":{"b":"\ud800"}})",
                                                  R"(-32600 "x" not JSON at byte 60: half of a surrogate pair)"},
                                         RpcShape{R"({"jsonrpc":"2.0","method":"a","id":1.5,)",
                                                  "-32700 null not JSON at byte 39: ends too early"},
                                         RpcShape{R"({"jsonrpc":"2.0","id":5)",
                                                  "-32700 null not JSON at byte 23: ends too early"},
                                         RpcShape{R"({"jsonrpc":"2.0","id":5,"result":{"method":1})",
                                                  "-32700 null not JSON at byte 45: ends too early"}));

TEST(JsonRpcFrames, AreOneObjectOfJson) {
  EXPECT_EQ(jsonrpc::request_frame("0", "initialize", R"({"a":1})"),
            R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"a":1}})");
  EXPECT_EQ(jsonrpc::result_frame(R"("x")", "{}"), R"({"jsonrpc":"2.0","id":"x","result":{}})");
  EXPECT_EQ(jsonrpc::error_frame("3", -32601, "no \"such\"\n\xff"),
            R"({"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no \"such\"\n)"
            "\uFFFD\"}}");
  EXPECT_EQ(jsonrpc::error_frame("null", -32002, "gone", R"({"b":2})"),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32002,"message":"gone","data":{"b":2}}})");
}

TEST(JsonRpcFrames, OfAnyBytesAreReadWithoutHarmAndAnsweredInJson) {
  std::mt19937 random(20260614);
  const std::string_view parts[] = {"{",          "}",          "[",           "]",       ",",    ":",    "\"",
                                    "\"id\"",     "\"method\"", "\"jsonrpc\"", "\"2.0\"", "1",    "-1.5", "null",
                                    "\"params\"", "\"result\"", "\"error\"",   "\\ud800", "\xff", "true", "\"a\""};
  for (int round = 0; round < 20000; ++round) {
    std::string frame = round % 2 == 0 ? "{" : "";
    for (auto length = random() % 24; length > 0; --length) frame += parts[random() % std::size(parts)];
    const Document document(frame);
    const auto message = jsonrpc::read(frame, document);
    if (const auto* broken = std::get_if<jsonrpc::Broken>(&message)) {
      json::error_code error;
      json::parse(jsonrpc::error_frame(broken->id, broken->code, broken->sentence), error);
      ASSERT_FALSE(error) << frame;
    }
  }
}

}  // namespace
}  // namespace ptyd
