// How tests of dialects talk: frames in, calls and parsed answers out.
#pragma once

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "protocol/language/languages.hpp"

namespace ptyd {

namespace json = boost::json;

inline std::string repeated(std::string_view unit, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += unit;
  return text;
}

/// A connection in the language that is called so in its row.
inline std::unique_ptr<Dialect> speaking(std::string_view language, const WelcomeFacts& facts = {}) {
  const auto rows = languages();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Language& each) { return each.name == language; });
  if (row == rows.end()) throw std::invalid_argument("no language is called " + std::string(language));
  return row->make(facts);
}

/// Parameters that a method takes, with some of them replaced: values are JSON text, "" takes the key away.
inline std::string params_with(std::string_view method,
                               std::initializer_list<std::pair<std::string_view, std::string>> changes = {}) {
  json::object params{{"threadId", "th"}};
  if (method == "terminal.open") params.insert({{"cwd", "/srv"}});
  if (method == "terminal.write") params.insert({{"data", "ls\r"}});
  if (method == "terminal.ackOutput") params.insert({{"bytes", 1}});
  if (method == "terminal.resize") params.insert({{"cols", 80}, {"rows", 24}});
  if (method == "terminal.restart") params.insert({{"cwd", "/srv"}, {"cols", 80}, {"rows", 24}});
  if (method == "terminal.subscribeEvents") params.clear();
  for (const auto& [key, value] : changes) {
    if (value.empty())
      params.erase(key);
    else
      params[key] = json::parse(value);
  }
  return json::serialize(params);
}

inline std::string in_quotes(std::string_view text) {
  return json::serialize(json::string(text));
}

/// `{"id":id,"body":{params,"_tag":method}}`.
inline std::string envelope_frame(std::string_view id, std::string_view method, std::string_view params = "{}") {
  json::object body = json::parse(params).as_object();
  body["_tag"] = method;
  return json::serialize(json::object{{"id", id}, {"body", std::move(body)}});
}

/// `{"_tag":"Request",...}`.
inline std::string effect_frame(std::string_view id, std::string_view method, std::string_view params = "{}") {
  return json::serialize(json::object{
      {"_tag", "Request"}, {"id", id}, {"tag", method}, {"payload", json::parse(params)}, {"headers", json::array()}});
}

/// The only frame a Decoded answers with, parsed; null when there are more or fewer.
inline json::value only_answer(const Decoded& decoded) {
  return decoded.frames.size() == 1 ? json::parse(decoded.frames.front()) : json::value();
}

}  // namespace ptyd
