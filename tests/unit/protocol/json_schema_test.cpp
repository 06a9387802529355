#include "protocol/json_schema.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "protocol/methods.hpp"
#include "tests/support/protocol/speaking.hpp"
#include "tests/support/source_dir.hpp"

namespace ptyd {
namespace {

TEST(JsonSchema, TheCommittedOneIsCurrent) {
  const std::string path = test::source_dir() + "/protocol/terminal.schema.json";
  if (std::getenv("PTYD_UPDATE_SCHEMA")) std::ofstream(path, std::ios::binary) << json_schema();
  std::ostringstream committed;
  committed << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_EQ(committed.str(), json_schema())
      << path << " is not what the rows say; run ptyd_protocol_tests once with PTYD_UPDATE_SCHEMA=1";
}

/// Every name that a `$ref` inside `value` points to.
void collect_references(const json::value& value, std::set<std::string>& names) {
  if (const auto* object = value.if_object()) {
    for (const auto& [key, inner] : *object) {
      if (key == "$ref") names.insert(std::string(inner.as_string()));
      collect_references(inner, names);
    }
  } else if (const auto* array = value.if_array()) {
    for (const auto& inner : *array) collect_references(inner, names);
  }
}

TEST(JsonSchema, EveryReferenceOfTheSchemaPointsSomewhere) {
  const json::value schema = json::parse(json_schema());
  std::set<std::string> names;
  collect_references(schema, names);
  EXPECT_GT(names.size(), 20u);
  for (const auto& name : names) {
    ASSERT_TRUE(name.starts_with("#/$defs/")) << name;
    EXPECT_TRUE(schema.at("$defs").as_object().contains(name.substr(8))) << name;
  }
}

TEST(JsonSchema, TheSchemaCarriesTheBounds) {
  const json::value schema = json::parse(json_schema());
  const json::value& open = schema.at("$defs").at("OpenParams").at("properties");
  EXPECT_EQ(open.at("cols").at("minimum"), 20);
  EXPECT_EQ(open.at("cols").at("maximum"), 2000);
  EXPECT_EQ(open.at("terminalId").at("default"), "default");
  EXPECT_EQ(open.at("policy").at("default"), "latest");
  EXPECT_EQ(open.at("env").at("maxProperties"), 128);
  const json::value& id = schema.at("$defs").at("EnvelopeRequest").at("properties").at("id");
  EXPECT_EQ(id.at("minLength"), 1);
  EXPECT_EQ(id.at("maxLength"), limits::kMaxRequestId);
  EXPECT_NE(id.at("description").as_string().find("trimmed"), json::string::npos);
}

TEST(JsonSchema, SaysWhichMethodsAreClosed) {
  const json::value schema = json::parse(json_schema());
  std::string closed;
  for (const Method& method : methods()) {
    const auto& params = schema.at("$defs").at(method.params).as_object();
    if (!params.contains("propertyNames")) continue;
    closed.append(method.name).append(";");
    std::set<std::string> named, known{"_tag"};
    for (const auto& name : params.at("propertyNames").at("enum").as_array()) named.emplace(name.as_string());
    for (const auto& [name, field] : params.at("properties").as_object()) known.emplace(name);
    EXPECT_EQ(named, known);
  }
  EXPECT_EQ(closed, "terminal.execute;");
  const auto& about = schema.at("description").as_string();
  EXPECT_NE(about.find("ignored, but by terminal.execute."), about.npos) << about;
}

}  // namespace
}  // namespace ptyd
