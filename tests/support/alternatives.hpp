// One of each alternative of a variant, so that no list in a test forgets one.
#pragma once

#include <variant>
#include <vector>

namespace ptyd {

template <class... Types>
std::vector<std::variant<Types...>> one_of_each(const std::variant<Types...>*) {
  return {std::variant<Types...>(std::in_place_type<Types>)...};
}

/// Each alternative as it is made without arguments, in the order of `Variant`.
template <class Variant>
std::vector<Variant> alternatives() {
  return one_of_each(static_cast<const Variant*>(nullptr));
}

}  // namespace ptyd
