// Plays tests/transcripts/mcp/*.jsonl. A line is one POST and its meaning:
//   {"in": message} or {"raw": text}, with "headers" in place of those of a client in a session ("" takes one away)
//   {"status": number, "out": body or null}   it is answered at once; with "session": once its session was found
//   {"call": what is asked of which terminal} it is carried out; in a session
//   {"begins": body}                          a session begins with this answer
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "protocol/mcp/mcp.hpp"
#include "tests/support/source_dir.hpp"

namespace ptyd::mcp {
namespace {

namespace json = boost::json;

/// "<string>" stands for any; more members are allowed.
bool agrees(const json::value& expected, const json::value& actual) {
  if (expected.is_string() && expected.get_string() == "<string>") return actual.is_string();
  if (expected.is_object()) {
    const auto& wanted = expected.get_object();
    return actual.is_object() && std::all_of(wanted.begin(), wanted.end(), [&](const auto& each) {
             const auto* found = actual.get_object().if_contains(each.key());
             return found && agrees(each.value(), *found);
           });
  }
  if (expected.is_array())
    return actual.is_array() && std::equal(expected.get_array().begin(), expected.get_array().end(),
                                           actual.get_array().begin(), actual.get_array().end(), agrees);
  return expected == actual;
}

std::vector<std::string> mcp_transcripts() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() + "/tests/transcripts/mcp"))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

Headers headers_of(const json::object& line) {
  Headers headers{"application/json", "application/json, text/event-stream", "2025-11-25", "session"};
  const std::map<std::string_view, std::string*> names = {{"content-type", &headers.content_type},
                                                          {"accept", &headers.accept},
                                                          {"version", &headers.version},
                                                          {"session", &headers.session}};
  if (const auto* given = line.if_contains("headers"))
    for (const auto& [name, value] : given->as_object()) *names.at(name) = std::string(value.as_string());
  return headers;
}

std::string call_text(const Command& command) {
  if (const auto* asked = std::get_if<Execute>(&command))
    return "execute " + asked->command + " in " + asked->key.thread_id;
  if (const auto* asked = std::get_if<TakeSnapshot>(&command)) return "look at " + asked->key.thread_id;
  if (const auto* asked = std::get_if<Resize>(&command)) return "resize " + asked->key.thread_id;
  if (const auto* asked = std::get_if<Close>(&command)) return "close " + asked->thread_id;
  return std::holds_alternative<List>(command) ? "list" : "something else";
}

void expect_body(const json::value& expected, const std::string& body) {
  const bool is_as_expected = expected.is_null() ? body.empty() : agrees(expected, json::parse(body));
  EXPECT_TRUE(is_as_expected) << "expected " << expected << "\n     got " << body;
}

void expect_meaning(const json::object& line, const Meaning& meaning) {
  EXPECT_EQ(line.contains("session") || line.contains("call"), meaning.needs_session) << "whether a session is needed";
  if (const auto* call = std::get_if<Call>(&meaning.outcome)) {
    ASSERT_TRUE(line.contains("call")) << "it calls a tool: " << call_text(call->command);
    EXPECT_EQ(std::string(line.at("call").as_string()), call_text(call->command));
  } else if (const auto* handshake = std::get_if<Handshake>(&meaning.outcome)) {
    ASSERT_TRUE(line.contains("begins")) << "it begins a session";
    expect_body(line.at("begins"), handshake->body);
  } else {
    const auto& answer = std::get<Answer>(meaning.outcome);
    ASSERT_TRUE(line.contains("status")) << "it is answered at once: " << answer.body;
    EXPECT_EQ(line.at("status").as_int64(), answer.status) << answer.body;
    expect_body(line.at("out"), answer.body);
  }
}

class McpTranscript : public testing::TestWithParam<std::string> {};

TEST_P(McpTranscript, IsSpokenAsWritten) {
  std::ifstream file(GetParam());
  std::string text;
  for (int number = 1; std::getline(file, text); number++) {
    SCOPED_TRACE(GetParam() + ":" + std::to_string(number));
    const auto line = json::parse(text).as_object();
    if (line.contains("comment")) continue;
    const auto* raw = line.if_contains("raw");
    expect_meaning(line, read(headers_of(line), raw ? std::string(raw->as_string()) : json::serialize(line.at("in"))));
  }
}

INSTANTIATE_TEST_SUITE_P(All, McpTranscript, testing::ValuesIn(mcp_transcripts()),
                         [](const auto& file) { return std::filesystem::path(file.param).stem().string(); });

}  // namespace
}  // namespace ptyd::mcp
