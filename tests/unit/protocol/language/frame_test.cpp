#include "protocol/language/frame.hpp"

#include <gtest/gtest.h>

#include "protocol/language/languages.hpp"
#include "tests/support/protocol/speaking.hpp"

namespace ptyd {
namespace {

std::string error_of(std::string_view text) {
  return Document(text).error();
}

TEST(Document, SaysWhereAFrameStopsToBeJson) {
  EXPECT_EQ(error_of(R"({"a":1})"), "");
  EXPECT_EQ(error_of(""), "not JSON at byte 0: ends too early");
  EXPECT_EQ(error_of(R"({"a")"), "not JSON at byte 4: ends too early");
  EXPECT_EQ(error_of("{} {}").substr(0, 18), "not JSON at byte 3");
  EXPECT_EQ(error_of("nope").substr(0, 16), "not JSON at byte");
  EXPECT_EQ(error_of("{'a':1}").substr(0, 18), "not JSON at byte 1");
  EXPECT_EQ(error_of("\xEF\xBB\xBF{}").substr(0, 18), "not JSON at byte 0");
  EXPECT_NE(error_of("\"a\nb\""), "");
  EXPECT_NE(error_of("[NaN]"), "");
  EXPECT_NE(error_of("\"\xC0\x80\""), "");
}

TEST(Document, RefusesHalfOfASurrogatePair) {
  for (const auto* text : {R"("\ud800")", R"("\ud83dx")", R"("\ud83d\u0041")"})
    EXPECT_NE(error_of(text).find("half of a surrogate pair"), std::string::npos) << error_of(text);
  EXPECT_NE(error_of(R"("\udc00")"), "");
  EXPECT_EQ(error_of(R"("\ud83d\ude00")"), "");
}

TEST(Document, BoundsNesting) {
  EXPECT_EQ(error_of(repeated("[", 32) + repeated("]", 32)), "");
  EXPECT_NE(error_of(repeated("[", 33) + repeated("]", 33)).find("nested too deeply"), std::string::npos);
  EXPECT_NE(error_of(repeated("[", 1 << 16)).find("nested too deeply"), std::string::npos);
  EXPECT_NE(error_of(repeated("{\"a\":", 1 << 15)).find("nested too deeply"), std::string::npos);
  EXPECT_EQ(error_of(repeated("[", 1 << 20)), "more than 65536 values");
}

/// An array of `count` values, itself included.
std::string values(std::size_t count) {
  return "[" + repeated("0,", count - 2) + "0]";
}

TEST(Document, BoundsItsValues) {
  EXPECT_EQ(error_of(values(limits::kMaxValues)), "");
  EXPECT_EQ(error_of(values(limits::kMaxValues + 1)), "more than 65536 values");
  EXPECT_EQ(error_of(R"({"id":"1","a":)" + values(7 << 19) + "}"), "more than 65536 values");
}

TEST(Document, CountsNoValuesInsideOfText) {
  EXPECT_EQ(error_of(R"(["\\",")" + repeated(R"(,[{\")", 1 << 17) + R"("])"), "");
}

std::string listed(std::string_view frame) {
  std::string out;
  for (Members members(frame); members.next();)
    out.append(members.key()).append("=").append(members.value()).append(";");
  return out;
}

TEST(Members, AreToldApartWithoutReadingThem) {
  EXPECT_EQ(listed(R"({"a":1,"b":"x","c":{"d":[1,{}]},"e":null})"), R"(a=1;b="x";c={"d":[1,{}]};e=null;)");
  EXPECT_EQ(listed(" \n{ \"a\" :\t1 , \"b\": [ ] }"), "a=1;b=[ ];");
  EXPECT_EQ(listed(R"({"a":"}\",{\\","b":2})"), R"(a="}\",{\\";b=2;)");
  EXPECT_EQ(listed(R"({"a":["}",{"]":"["}],"b":2})"), R"(a=["}",{"]":"["}];b=2;)");
}

TEST(Members, EndWhereTheTextStopsToLookLikeJson) {
  EXPECT_EQ(listed(""), "");
  EXPECT_EQ(listed("{"), "");
  EXPECT_EQ(listed("{}"), "");
  EXPECT_EQ(listed("[1]"), "");
  EXPECT_EQ(listed(R"({"a)"), "");
  EXPECT_EQ(listed(R"({"a")"), "");
  EXPECT_EQ(listed(R"({"a":)"), "a=;");
  EXPECT_EQ(listed(R"({"a":1 2,"b":3})"), "a=1;");
  EXPECT_EQ(listed(R"({"a":"x)"), R"(a="x;)");
  EXPECT_EQ(listed(R"({"a":"\)"), R"(a="\;)");
  EXPECT_EQ(listed(R"({"a":[[,"b":1)"), R"(a=[[,"b":1;)");
  EXPECT_EQ(listed(R"({"a":1,})"), "a=1;");
  EXPECT_EQ(listed(R"({")"), "");
}

struct Shape {
  std::string_view frame;
  std::string_view language;
};

TEST(Recognise, TellsTheLanguageByTheShapeOfTheFrame) {
  constexpr std::string_view kEnvelope = "envelope", kEffect = "effect rpc", kAgent = "acp delegate";
  const Shape shapes[] = {
      {R"({"_tag":"Request","id":"0"})", kEffect},
      {R"({"_tag":"Ack","requestId":"0"})", kEffect},
      {R"({"_tag":"Interrupt","requestId":"0"})", kEffect},
      {R"({"_tag":"Ping"})", kEffect},
      {R"({"_tag":"Eof"})", kEffect},
      {R"( { "id" : "0", "payload": {"body":{}, "_tag":"x"}, "_tag" : "Request" })", kEffect},
      {R"([{"_tag":"Ping"},{"id":"1","body":{}}])", kEffect},
      {R"({"_tag":"Request",)", kEffect},
      {R"({"id":"1","body":{"_tag":"Request"}})", kEnvelope},
      {R"({"body":{"_tag":"Ping"},"id":"1","_tag":"Ping"})", kEnvelope},
      {R"({"_tag":"terminal.open"})", kEnvelope},
      {R"({"_tag":5})", kEnvelope},
      {R"([])", kEnvelope},
      {R"([5])", kEnvelope},
      {"", kEnvelope},
      {"5", kEnvelope},
      {"null", kEnvelope},
      {"not JSON", kEnvelope},
      {R"(["_tag":"Ping"])", kEnvelope},
      {R"({"jsonrpc":"2.0","id":0,"method":"terminal/kill","params":{"body":{}}})", kAgent},
      {R"({"id":0,"params":{"_tag":"Ping"},"jsonrpc":5})", kAgent},
      {R"([{"jsonrpc":"2.0"}])", kAgent},
      {R"({"jsonrpc":"2.0","id":)", kAgent},
      {R"({"id":"1","body":{"jsonrpc":"2.0"}})", kEnvelope},
      {R"({"id":"1","body":{},"jsonrpc":"2.0"})", kEnvelope},
      {R"({"id":"1","method":"terminal/kill"})", kEnvelope},
  };
  for (const auto& [frame, language] : shapes)
    EXPECT_EQ(recognise(spoken_at(languages(), "/ws", {}), frame).name, language) << frame;
}

constexpr std::array<std::string_view, 1> kHere{"/here"}, kThere{"/there"};
constexpr std::array kTwo{Language{"plain", kHere, "", nullptr, AckKind::pong, false, false, nullptr},
                          Language{"agents", kThere, "agents.v1", nullptr, AckKind::pong, true, true, nullptr}};

std::string spoken(std::string_view place, std::vector<std::string_view> subprotocols = {}) {
  std::string names;
  for (const auto* language : spoken_at(kTwo, place, subprotocols)) names += std::string(language->name) + ";";
  return names;
}

TEST(Spoken, AgentsIgnoreBinaryMessages) {
  const auto ignores = [](std::string_view place, std::vector<std::string_view> subprotocols) {
    return spoken_at(languages(), place, subprotocols).front()->ignores_binary;
  };
  EXPECT_TRUE(ignores("/acp", {}));
  EXPECT_TRUE(ignores("/ws", {"acp"}));
  EXPECT_FALSE(ignores("/ws", {}));
}

TEST(Spoken, WhatIsAskedByJsonRpcIsAskedByAgents) {
  for (const auto& language : languages()) {
    const bool is_acp = language.name == "acp" || language.name == "acp delegate";
    EXPECT_EQ(language.is_of_agents, is_acp) << language.name;
  }
}

TEST(Documents, SayWhetherJsonIsBeyondUs) {
  const auto beyond = [](const std::string& frame) {
    const Document document(frame);
    EXPECT_EQ(document.value(), nullptr) << frame;
    return document.is_beyond_us();
  };
  EXPECT_TRUE(beyond(R"(["\ud800"])"));
  EXPECT_TRUE(beyond(R"(["\udc00"])"));
  EXPECT_TRUE(beyond(std::string(33, '[') + std::string(33, ']')));
  for (const char* frame : {R"(["\ud800)", "", "[", "nope", R"(["\u12"])", "[1]]"})
    EXPECT_FALSE(beyond(frame)) << frame;
}

TEST(Spoken, AllLanguagesAreSpokenAtTwoPlacesAndAgentsHaveTheirOwn) {
  for (const char* place : {"/ws", "/"}) EXPECT_EQ(spoken_at(languages(), place, {}).size(), 3u) << place;
  EXPECT_EQ(spoken_at(languages(), "/acp", {}).size(), 1u);
  for (const char* place : {"/ws/", "/api", "/acp/", ""})
    EXPECT_TRUE(spoken_at(languages(), place, {}).empty()) << place;
}

TEST(Spoken, IsWhatThePlaceIsForOrWhatTheClientOffersByName) {
  EXPECT_EQ(spoken("/here"), "plain;");
  EXPECT_EQ(spoken("/there"), "agents;");
  EXPECT_EQ(spoken("/nowhere"), "");
  EXPECT_EQ(spoken("/here", {"chat", "agents.v1"}), "agents;");
  EXPECT_EQ(spoken("/nowhere", {"agents.v1"}), "");
  EXPECT_EQ(spoken("/here", {"chat"}), "plain;");
}

TEST(FindScalar, FindsAnIdInAFrameThatIsNoJson) {
  EXPECT_EQ(find_scalar(R"({"id":"a\u0062","body":{"data":"\ud800"}})", "id"), json::value("ab"));
  EXPECT_EQ(find_scalar(R"({"body":{"id":"x"},"id":7,)", "id"), json::value(7));
  EXPECT_EQ(find_scalar(R"({"id":[1]})", "id"), std::nullopt);
  EXPECT_EQ(find_scalar(R"({"id":"\ud800"})", "id"), std::nullopt);
  EXPECT_EQ(find_scalar(R"({"body":{"id":"x"}})", "id"), std::nullopt);
}

/// Memory that counts what was taken of it.
class CountedMemory final : public json::memory_resource {
 public:
  std::size_t taken = 0;

 private:
  void* do_allocate(std::size_t size, std::size_t) override {
    taken += size;
    return ::operator new(size);
  }
  void do_deallocate(void* memory, std::size_t, std::size_t) override { ::operator delete(memory); }
  bool do_is_equal(const json::memory_resource& other) const noexcept override { return this == &other; }
};

TEST(FindScalar, TakesNoMemoryForAnythingElse) {
  CountedMemory memory;
  for (const auto& value : {values(100), std::string(R"({"a":1})"), std::string(" [1]"), std::string("true")}) {
    EXPECT_EQ(find_scalar(R"({"id":)" + value + R"(,"a":"\ud800"})", "id", &memory), std::nullopt) << value;
    EXPECT_EQ(memory.taken, 0u) << value;
  }
  EXPECT_EQ(find_scalar(R"({"id":-1,)", "id", &memory), json::value(-1));
}

}  // namespace
}  // namespace ptyd
