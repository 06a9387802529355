// Field rows of other files with their names in snake_case, also those of nested objects.
#pragma once

#include <array>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "protocol/rows.hpp"

namespace ptyd::schema {

/// Tag's table with names in snake_case: `exit_code` for `exitCode`.
template <class Tag>
struct InSnake;

struct SnakeName {
  static constexpr std::size_t kMost = 32;  ///< letters of the longest one; more do not compile
  std::array<char, kMost> letters{};
  std::size_t size = 0;

  constexpr SnakeName(std::string_view name) {
    for (const char c : name) {
      const bool is_upper = c >= 'A' && c <= 'Z';
      if (is_upper) letters.at(size++) = '_';
      letters.at(size++) = is_upper ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  constexpr std::string_view view() const { return {letters.data(), size}; }
};

/// An object, or an array of objects, with names in snake_case. Only written. The schema contains the schemas of its
/// parts: a client gets it alone, without definitions to which it could refer.
template <class Tag>
struct SnakeObject {
  template <class Message>
  void write(std::string& out, const Message& message) const {
    schema::write<InSnake<Tag>>(out, message);
  }
  json::object schema() const { return object_schema<InSnake<Tag>, Tag>(); }
};
template <class Tag>
struct SnakeArray {
  void write(std::string& out, const std::vector<Tag>& items) const {
    out += '[';
    for (bool first = true; const auto& item : items) {
      if (!std::exchange(first, false)) out += ',';
      schema::write<InSnake<Tag>>(out, item);
    }
    out += ']';
  }
  json::object schema() const { return {{"type", "array"}, {"items", SnakeObject<Tag>{}.schema()}}; }
};

template <class Kind>
constexpr Kind snake_kind(const Kind& kind) {
  return kind;
}
template <class Tag>
constexpr SnakeObject<Tag> snake_kind(const Object<Tag>&) {
  return {};
}
template <class Tag>
constexpr SnakeArray<Tag> snake_kind(const ArrayOf<Tag>&) {
  return {};
}

template <class Tag>
inline constexpr auto kSnakeNames = std::apply([](const auto&... rows) { return std::array{SnakeName(rows.name)...}; },
                                               Rows<Tag>::fields);

template <class Kind, class... Members>
constexpr auto in_snake(const Row<Kind, Members...>& row, std::string_view name) {
  return Row<decltype(snake_kind(row.kind)), Members...>{name,     row.presence, snake_kind(row.kind),
                                                         row.note, row.fallback, row.members};
}
template <class Tag, std::size_t... kPlaces>
constexpr auto rows_in_snake(std::index_sequence<kPlaces...>) {
  return std::tuple{in_snake(std::get<kPlaces>(Rows<Tag>::fields), kSnakeNames<Tag>[kPlaces].view())...};
}

template <class Tag>
struct Rows<InSnake<Tag>> {
  static constexpr std::string_view name = Rows<Tag>::name;
  static constexpr auto fields =
      rows_in_snake<Tag>(std::make_index_sequence<std::tuple_size_v<decltype(Rows<Tag>::fields)>>{});
};

}  // namespace ptyd::schema
