#include "protocol/event_rows.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <variant>

namespace ptyd::schema {

namespace {

template <class Body>
constexpr bool kIsAskedFor = Rows<Body>::told_to == ToldTo::asking;

template <class... Bodies>
constexpr auto features_of(const std::variant<Bodies...>*) {
  struct {
    std::array<std::string_view, (std::size_t{kIsAskedFor<Bodies>} + ...)> names;
    std::array<Feature, (std::size_t{kIsAskedFor<Bodies>} + ...)> features;
  } found{};
  std::size_t next = 0;
  const auto add = [&]<class Body>(const Body*) {
    if constexpr (kIsAskedFor<Body>) {
      found.names[next] = Rows<Body>::type;
      found.features[next++] = kFeatureOf<Body>;
    }
  };
  (add(static_cast<const Bodies*>(nullptr)), ...);
  return found;
}

constexpr auto kFeatures = features_of(static_cast<const EventBody*>(nullptr));

}  // namespace

Problem FeatureNames::decode(const json::value& value, std::vector<Feature>& out, Nulls) const {
  const json::array* array = value.if_array();
  if (!array) return Issue::not_a(value, "an array", "array");
  if (array->size() > limits::kMaxFeatures) return Issue::too_many(array->size(), limits::kMaxFeatures);
  for (std::size_t i = 0; i < array->size(); ++i) {
    std::size_t index = 0;
    if (Problem problem = decode_name((*array)[i], kFeatures.names, index)) return problem->inside(i);
    out.push_back(kFeatures.features[index]);
  }
  return {};
}

json::object FeatureNames::schema() const {
  return {{"type", "array"}, {"items", names_schema(kFeatures.names)}, {"maxItems", limits::kMaxFeatures}};
}

}  // namespace ptyd::schema
