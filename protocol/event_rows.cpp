#include "protocol/event_rows.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <variant>

namespace ptyd::schema {

namespace {

template <class Body>
concept NeedsFeature = requires {
  Rows<Body>::feature;
};

template <class Body, std::size_t kCount>
constexpr void name_feature(std::array<std::string_view, kCount>& names) {
  if constexpr (NeedsFeature<Body>) names.at(static_cast<std::size_t>(Rows<Body>::feature)) = Rows<Body>::type;
}

template <class... Bodies>
constexpr auto feature_names(const std::variant<Bodies...>*) {
  std::array<std::string_view, (std::size_t{0} + ... + (NeedsFeature<Bodies> ? 1 : 0))> names{};
  (name_feature<Bodies>(names), ...);
  return names;
}

constexpr auto kFeatures = feature_names(static_cast<const EventBody*>(nullptr));
static_assert(std::none_of(kFeatures.begin(), kFeatures.end(), [](std::string_view name) { return name.empty(); }));

}  // namespace

Problem FeatureNames::decode(const json::value& value, std::vector<Feature>& out, Nulls) const {
  const json::array* array = value.if_array();
  if (!array) return Issue::not_a(value, "an array", "array");
  if (array->size() > limits::kMaxFeatures) return Issue::too_many(array->size(), limits::kMaxFeatures);
  for (std::size_t i = 0; i < array->size(); ++i) {
    std::size_t index = 0;
    if (Problem problem = decode_name((*array)[i], kFeatures, index)) return problem->inside(i);
    out.push_back(static_cast<Feature>(index));
  }
  return {};
}

json::object FeatureNames::schema() const {
  return {{"type", "array"}, {"items", names_schema(kFeatures)}, {"maxItems", limits::kMaxFeatures}};
}

}  // namespace ptyd::schema
