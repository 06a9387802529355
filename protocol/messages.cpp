#include "protocol/messages.hpp"

namespace ptyd {

namespace {

/// One overload for each event, so that a new one cannot be forgotten.
struct NeededFeature {
  using Answer = std::optional<Feature>;
  Answer operator()(const Started&) const { return {}; }
  Answer operator()(const Restarted&) const { return {}; }
  Answer operator()(const Output&) const { return {}; }
  Answer operator()(const Exited&) const { return {}; }
  Answer operator()(const Failed&) const { return {}; }
  Answer operator()(const Cleared&) const { return {}; }
  Answer operator()(const Activity&) const { return {}; }
  Answer operator()(const Resized&) const { return Feature::resized; }
  Answer operator()(const Title&) const { return Feature::title; }
  Answer operator()(const Warning&) const { return Feature::warning; }
  Answer operator()(const Shutdown&) const { return Feature::shutdown; }
  Answer operator()(const Clipboard&) const { return Feature::clipboard; }
};

}  // namespace

std::optional<Feature> needed_feature(const EventBody& body) {
  return std::visit(NeededFeature{}, body);
}

}  // namespace ptyd
