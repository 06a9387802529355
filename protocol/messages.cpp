#include "protocol/messages.hpp"

#include "protocol/event_rows.hpp"

namespace ptyd {

std::optional<Feature> needed_feature(const EventBody& body) {
  return std::visit(
      []<class Body>(const Body&) -> std::optional<Feature> {
        if constexpr (requires { schema::Rows<Body>::feature; }) return schema::Rows<Body>::feature;
        return std::nullopt;
      },
      body);
}

}  // namespace ptyd
