#include "protocol/program_kinds.hpp"

#include <array>
#include <cmath>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

namespace ptyd::schema {

namespace {

using Variable = std::pair<std::string, std::string>;

/// What a program may be sent: all that mean something to a terminal's programs, none that only a fault raises.
constexpr std::array<std::string_view, 14> kSignals = {"SIGHUP",  "SIGINT",  "SIGQUIT", "SIGKILL", "SIGUSR1",
                                                       "SIGUSR2", "SIGALRM", "SIGTERM", "SIGCONT", "SIGSTOP",
                                                       "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGWINCH"};
constexpr std::array<int, kSignals.size()> kSignalNumbers = {SIGHUP,  SIGINT,  SIGQUIT, SIGKILL, SIGUSR1,
                                                             SIGUSR2, SIGALRM, SIGTERM, SIGCONT, SIGSTOP,
                                                             SIGTSTP, SIGTTIN, SIGTTOU, SIGWINCH};

/// The name of a variable, in which a program finds no `=`.
struct VariableName {
  Problem decode(const json::value& value, std::string& out, Nulls nulls) const {
    Problem problem = Argument{.min = 1}.decode(value, out, nulls);
    if (!problem && out.find('=') != out.npos) problem = Issue::other("holds an equals sign");
    return problem;
  }
  json::object schema() const { return {{"type", "string"}, {"minLength", 1}, {"pattern", "^[^=]+$"}}; }
};

}  // namespace

template <>
struct Rows<Variable> {
  static constexpr std::string_view name = "EnvVariable";
  static constexpr std::tuple fields{required("name", VariableName{}, "", &Variable::first),
                                     required("value", Argument{}, "taken as it is", &Variable::second)};
};

namespace {

/// The kernel takes name and value as one string.
Problem check_length(const Variable& variable) {
  const std::size_t length = variable.first.size() + 1 + variable.second.size();
  if (length > limits::kMaxArg) return Issue::too_long(variable.first, length, limits::kMaxArg);
  return {};
}

Problem decode_entry(const json::value& value, Variable& out, Nulls nulls) {
  Problem problem = Object<Variable>{}.decode(value, out, nulls);
  return problem ? problem : check_length(out);
}

Problem decode_member(const json::object::value_type& member, Variable& out, Nulls nulls) {
  Problem problem = VariableName{}.decode(json::value(member.key()), out.first, nulls);
  if (!problem) problem = Argument{}.decode(member.value(), out.second, nulls);
  return problem ? problem : check_length(out);
}

Problem decode_members(const json::object& object, Environment& out, Nulls nulls) {
  if (object.size() > limits::kMaxVariables) return Issue::too_many(object.size(), limits::kMaxVariables);
  for (const auto& member : object)
    if (Problem problem = decode_member(member, out.emplace_back(), nulls)) return problem->inside(member.key());
  return {};
}

template <class Item, class Decode>
Problem decode_list(const json::value& value, std::vector<Item>& out, std::size_t most, Decode decode_item) {
  const json::array* array = value.if_array();
  if (!array) return Issue::not_a(value, "an array", "array");
  if (array->size() > most) return Issue::too_many(array->size(), most);
  for (std::size_t i = 0; i < array->size(); ++i)
    if (Problem problem = decode_item((*array)[i], out.emplace_back())) return problem->inside(i);
  return {};
}

json::object list_schema(json::object items, std::size_t most) {
  return {{"type", "array"}, {"items", std::move(items)}, {"maxItems", most}};
}

}  // namespace

Problem Argument::decode(const json::value& value, std::string& out, Nulls nulls) const {
  Problem problem = Text{.min = min, .may_hold_nul = false}.decode(value, out, nulls);
  if (!problem && out.size() > limits::kMaxArg) problem = Issue::too_long(out, out.size(), limits::kMaxArg);
  return problem;
}

json::object Argument::schema() const {
  return Text{.min = min, .max = limits::kMaxArg}.schema();
}

Problem ArgumentList::decode(const json::value& value, std::vector<std::string>& out, Nulls nulls) const {
  return decode_list(value, out, limits::kMaxArgs, [nulls](const json::value& item, std::string& argument) {
    return Argument{}.decode(item, argument, nulls);
  });
}

json::object ArgumentList::schema() const {
  return list_schema(Argument{}.schema(), limits::kMaxArgs);
}

Problem VariableList::decode(const json::value& value, Environment& out, Nulls nulls) const {
  if (const json::object* object = value.if_object()) return decode_members(*object, out, nulls);
  if (!value.is_array()) return Issue::not_a(value, "an array or an object", "array or object");
  return decode_list(value, out, limits::kMaxVariables, [nulls](const json::value& item, Variable& variable) {
    return decode_entry(item, variable, nulls);
  });
}

json::object VariableList::schema() const {
  json::object members{
      {"type", "object"}, {"additionalProperties", Argument{}.schema()}, {"maxProperties", limits::kMaxVariables}};
  json::array both{list_schema(object_schema<Variable>(), limits::kMaxVariables), std::move(members)};
  return {{"anyOf", std::move(both)}};
}

Problem AbsolutePath::decode(const json::value& value, std::string& out, Nulls nulls) const {
  Problem problem = Text{.max = limits::kMaxCwd, .may_hold_nul = false}.decode(value, out, nulls);
  if (!problem && !out.starts_with('/')) problem = Issue::not_a(value, "an absolute path", "an absolute path");
  return problem;
}

json::object AbsolutePath::schema() const {
  return {{"type", "string"}, {"maxLength", limits::kMaxCwd}, {"pattern", "^/"}};
}

Problem ByteCount::decode(const json::value& value, std::uint64_t& out, Nulls nulls) const {
  const double* number = value.if_double();
  const bool is_huge =
      value.is_uint64() || (number && *number >= static_cast<double>(ceiling) && std::trunc(*number) == *number);
  if (is_huge) {
    out = ceiling;
    return {};
  }
  Problem problem = Integer{0}.decode(value, out, nulls);
  if (!problem && out > ceiling) out = ceiling;
  return problem;
}

json::object ByteCount::schema() const {
  return Integer{0}.schema();
}

Problem SignalChoice::decode(const json::value& value, int& out, Nulls) const {
  std::size_t index = 0;
  Problem problem = decode_name(value, kSignals, index);
  if (!problem) out = kSignalNumbers.at(index);
  return problem;
}

json::object SignalChoice::schema() const {
  return names_schema(kSignals);
}

void SignalName::write(std::string& out, int signal) const {
  const char* name = ::sigabbrev_np(signal);
  out += "\"SIG";
  out += name ? std::string(name) : std::to_string(signal);
  out += '"';
}

}  // namespace ptyd::schema
