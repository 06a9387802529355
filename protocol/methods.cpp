#include "protocol/methods.hpp"

#include <algorithm>
#include <array>

#include "protocol/execute_rows.hpp"
#include "protocol/program_rows.hpp"

namespace ptyd {

namespace {

/// The key of the method's name, which the envelope has among the parameters.
constexpr std::string_view kTag = "_tag";

template <class Message>
constexpr bool kIsClosed = requires {
  schema::Rows<Message>::is_closed;
};

/// Refuses keys that are neither fields of the table nor the method's name.
template <class Message>
Problem only_known(const boost::json::object& params) {
  for (const auto& [key, value] : params)
    if (key != kTag && !schema::has_field<Message>(key)) return Issue::unknown().inside(key);
  return {};
}

template <class Message>
Problem decode_params(const boost::json::object& params, schema::Nulls nulls, Command& command) {
  if constexpr (kIsClosed<Message>)
    if (Problem problem = only_known<Message>(params)) return problem;
  return schema::decode<Message>(params, command.emplace<Message>(), nulls);
}

template <class Message>
boost::json::object params_schema() {
  auto schema = schema::object_schema<Message>();
  if constexpr (kIsClosed<Message>) {
    boost::json::array names{kTag};
    std::apply([&](const auto&... rows) { (names.emplace_back(rows.name), ...); }, schema::Rows<Message>::fields);
    schema["propertyNames"] = {{"enum", std::move(names)}};
  }
  return schema;
}

/// "" where nothing is answered.
template <class Answered>
constexpr std::string_view result_name() {
  if constexpr (std::is_same_v<Answered, Done>)
    return {};
  else
    return schema::Rows<Answered>::name;
}

template <class Message>
constexpr Method row() {
  return {schema::Rows<Message>::method,
          result_name<typename decltype(schema::Rows<Message>::method)::Answered>(),
          std::is_same_v<Message, Subscribe>,
          decode_params<Message>,
          schema::Rows<Message>::name,
          params_schema<Message>,
          kIsClosed<Message>};
}

template <class Message>
constexpr bool kIsMethod = requires {
  schema::Rows<Message>::method;
};

template <class... Messages>
constexpr auto rows_of(const std::variant<Messages...>*) {
  std::array<Method, (std::size_t{kIsMethod<Messages>} + ...)> rows{};
  std::size_t next = 0;
  const auto add = [&]<class Message>(const Message*) {
    if constexpr (kIsMethod<Message>) rows[next++] = row<Message>();
  };
  (add(static_cast<const Messages*>(nullptr)), ...);
  return rows;
}

constexpr std::array kMethods = rows_of(static_cast<const Command*>(nullptr));

}  // namespace

std::span<const Method> methods() {
  return kMethods;
}

const Method* find_method(std::string_view name) {
  const auto found = std::find_if(kMethods.begin(), kMethods.end(), [&](const Method& m) { return m.name == name; });
  return found == kMethods.end() ? nullptr : &*found;
}

/// A Reply without rows does not compile.
void write_reply(std::string& out, const Reply& reply) {
  std::visit(
      [&out]<class Answer>(const Answer& answer) {
        if constexpr (std::is_same_v<Answer, Done>)
          out += "null";
        else
          schema::write<Answer>(out, answer);
      },
      reply);
}

}  // namespace ptyd
