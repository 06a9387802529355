#include "protocol/output.hpp"

#include <gtest/gtest.h>

#include <set>

#include "protocol/json_schema.hpp"
#include "protocol/methods.hpp"
#include "tests/support/alternatives.hpp"
#include "tests/support/protocol/speaking.hpp"

namespace ptyd {
namespace {

constexpr UnixMillis kTime = 1781424000123;
const SessionKey kKey{"th \"1\"", "d\xc3\xa9"};
const Cursor kCursor{0xabcdef, 4711};

Event event_with(EventBody body) {
  return {kKey, kTime, kCursor, std::move(body)};
}

std::string type_of(const EventBody& body) {
  return std::string(json::parse(event_text(event_with(body)).json).at("type").as_string());
}

TEST(OutputWriter, WritesAnOutputEvent) {
  const EventText text = OutputWriter(kKey).write(kTime, kCursor, "hello\r\n\x1b[m");
  EXPECT_EQ(text.json, R"({"type":"output","threadId":"th \"1\"","terminalId":"dé",)"
                       R"("createdAt":"2026-06-14T08:00:00.123Z","cursor":"0000000000abcdef.4711",)"
                       R"("data":"hello\r\n\u001b[m","byteLength":10})");
  EXPECT_EQ(text.byte_length, 10u);
}

TEST(OutputWriter, CountsTheBytesAsTheyAreSent) {
  const EventText text = OutputWriter(kKey).write(kTime, kCursor, "\xff\xc3\xa9");
  EXPECT_EQ(text.byte_length, 5u);
  EXPECT_EQ(json::parse(text.json).at("data"), "\uFFFD\u00e9");
  EXPECT_EQ(json::parse(text.json).at("byteLength"), 5);
}

TEST(OutputWriter, WritesWhatTheFieldRowsSay) {
  const EventText fast = OutputWriter(kKey).write(kTime, kCursor, "abc");
  const EventText rows = event_text(event_with(Output{"abc", 3}));
  EXPECT_EQ(json::parse(fast.json), json::parse(rows.json));
  EXPECT_EQ(fast.byte_length, rows.byte_length);
}

std::string fields_of(EventBody body) {
  const json::value event = json::parse(event_text(event_with(std::move(body))).json);
  EXPECT_EQ(event.at("threadId"), "th \"1\"");
  EXPECT_EQ(event.at("terminalId"), "d\u00e9");
  EXPECT_EQ(event.at("createdAt"), "2026-06-14T08:00:00.123Z");
  EXPECT_EQ(event.at("cursor"), "0000000000abcdef.4711");
  json::object own;
  for (const auto& [key, value] : event.as_object())
    if (key != "threadId" && key != "terminalId" && key != "createdAt" && key != "cursor") own[key] = value;
  return json::serialize(own);
}

TEST(EventText, SaysEachEventInTheReferencesWords) {
  EXPECT_EQ(fields_of(Exited{{3, {}}}), R"({"type":"exited","exitCode":3,"exitSignal":null})");
  EXPECT_EQ(fields_of(Exited{{{}, 9}}), R"({"type":"exited","exitCode":null,"exitSignal":9})");
  EXPECT_EQ(fields_of(Failed{"no shell"}), R"({"type":"error","message":"no shell"})");
  EXPECT_EQ(fields_of(Cleared{}), R"({"type":"cleared"})");
  EXPECT_EQ(fields_of(Activity{}),
            R"({"type":"activity","hasRunningSubprocess":false,"cliKind":null,"agentState":null})");
  EXPECT_EQ(fields_of(Activity{true, "claude", "attention"}),
            R"({"type":"activity","hasRunningSubprocess":true,"cliKind":"claude","agentState":"attention"})");
}

TEST(EventText, SaysOurOwnEvents) {
  EXPECT_EQ(fields_of(Resized{{90, 40}}), R"({"type":"resized","cols":90,"rows":40})");
  EXPECT_EQ(fields_of(Title{"vim\x07"}), R"({"type":"title","title":"vim\u0007"})");
  EXPECT_EQ(fields_of(Warning{"line-too-long", "Cut"}), R"({"type":"warning","code":"line-too-long","message":"Cut"})");
  EXPECT_EQ(fields_of(Shutdown{"bye"}), R"({"type":"shutdown","reason":"bye"})");
  EXPECT_EQ(fields_of(Clipboard{"c", "text"}), R"({"type":"clipboard","selection":"c","text":"text"})");
  EXPECT_EQ(fields_of(Process{"vim", "/etc"}), R"({"type":"process","process":"vim","cwd":"/etc"})");
  EXPECT_EQ(fields_of(Resynced{1234}), R"({"type":"resynced","skippedLines":1234})");
  EXPECT_EQ(fields_of(Renamed{"build"}), R"({"type":"renamed","name":"build"})");
  EXPECT_EQ(fields_of(ToolCallUpdated{{"Build", ToolKind::execute, ToolStatus::in_progress}}),
            R"({"type":"toolCall","toolCall":{"title":"Build","kind":"execute","status":"in_progress"}})");
}

TEST(EventText, CarriesTheSnapshotOfAStart) {
  Snapshot snapshot;
  snapshot.key = kKey;
  snapshot.status = Status::running;
  for (const EventBody& body : {EventBody(Started{snapshot}), EventBody(Restarted{snapshot})}) {
    const json::value event = json::parse(event_text(event_with(body)).json);
    EXPECT_EQ(event.at("type"), std::holds_alternative<Started>(body) ? "started" : "restarted");
    EXPECT_EQ(event.at("snapshot").at("status"), "running");
  }
}

TEST(EventText, LeavesOutACursorThatIsNone) {
  Event event = event_with(Shutdown{"bye"});
  event.cursor = {};
  EXPECT_FALSE(json::parse(event_text(event).json).as_object().contains("cursor"));
}

TEST(EventText, HasNothingTheSchemaDoesNotKnow) {
  const json::value schema = json::parse(json_schema());
  std::set<std::string> described;
  for (const auto& reference : schema.at("$defs").at("TerminalEvent").at("oneOf").as_array()) {
    const std::string name = std::string(reference.at("$ref").as_string()).substr(std::string_view("#/$defs/").size());
    described.insert(std::string(schema.at("$defs").at(name).at("properties").at("type").at("const").as_string()));
  }
  for (const auto& body : alternatives<EventBody>()) {
    EXPECT_TRUE(described.contains(type_of(body))) << type_of(body);
  }
}

TEST(Features, OnlyTheReferencesSevenEventsNeedNone) {
  std::set<std::string> without;
  for (const auto& body : alternatives<EventBody>())
    if (!needed_feature(body)) without.insert(type_of(body));
  EXPECT_EQ(without,
            (std::set<std::string>{"started", "restarted", "output", "exited", "error", "cleared", "activity"}));
}

TEST(Features, AreAskedForByTheTypeOfTheirEvent) {
  const Method& subscribe = *find_method("terminal.subscribeEvents");
  for (const auto& body : alternatives<EventBody>()) {
    const json::object params{{"features", json::array{type_of(body)}}};
    const auto feature = needed_feature(body);
    Command asked;
    EXPECT_EQ(!subscribe.decode(params, schema::Nulls::refused, asked), feature.has_value()) << type_of(body);
    EXPECT_EQ(std::get<Subscribe>(asked).features, feature ? std::vector{*feature} : std::vector<Feature>())
        << type_of(body);
  }
  EXPECT_EQ(needed_feature(Clipboard{}), kFeatureOf<Clipboard>);
}

TEST(Events, HaveTheirPlaceInTheOutputUnlessListsTellThem) {
  std::set<std::string> without;
  for (const auto& body : alternatives<EventBody>())
    if (!has_place(body)) without.insert(type_of(body));
  EXPECT_EQ(without, (std::set<std::string>{"process", "renamed", "toolCall"}));
}

}  // namespace
}  // namespace ptyd
