// Rows of marks: their events and sizes.
#include "server/session/recording/mark_rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "server/session/recording/mark_payload.hpp"

namespace ptyd {
namespace {

const StartSnapshot kStart = [](const Mark& mark) {
  Snapshot snapshot;
  snapshot.updated_at = mark.time;
  return snapshot;
};

template <class Body>
std::optional<Body> body_of(MarkKind kind, const std::string& payload = {}) {
  const auto body = row_of(kind).body;
  if (!body) return std::nullopt;
  const auto made = body({0, kind, 42, payload}, kStart);
  const auto* found = std::get_if<Body>(&made);
  return found ? std::optional(*found) : std::nullopt;
}

TEST(MarkRows, AStartShowsTheTerminalAndBeginsAfresh) {
  EXPECT_EQ(body_of<Started>(MarkKind::started)->snapshot.updated_at, 42);
  EXPECT_EQ(body_of<Restarted>(MarkKind::restarted)->snapshot.updated_at, 42);
  for (const auto kind : {MarkKind::started, MarkKind::restarted, MarkKind::cleared})
    EXPECT_TRUE(row_of(kind).resets_client);
  for (const auto kind : {MarkKind::exited, MarkKind::resized, MarkKind::title, MarkKind::activity, MarkKind::error})
    EXPECT_FALSE(row_of(kind).resets_client);
}

TEST(MarkRows, OnlyThePayloadOfClearedIsOutput) {
  for (const MarkTraits& traits : kMarkTraits)
    EXPECT_EQ(row_of(traits.kind).payload_is_output, traits.kind == MarkKind::cleared);
}

TEST(MarkRows, AKindThatHasTraitsHasARow) {
  for (const MarkTraits& traits : kMarkTraits) EXPECT_EQ(row_of(traits.kind).kind, traits.kind);
}

TEST(MarkRows, ADamagedPayloadTellsWhatIsStillKnown) {
  EXPECT_TRUE(body_of<Exited>(MarkKind::exited, "damaged"));
  EXPECT_TRUE(body_of<Resized>(MarkKind::resized, "damaged"));
  EXPECT_TRUE(body_of<Activity>(MarkKind::activity, "damaged"));
  EXPECT_EQ(body_of<Warning>(MarkKind::warning, "damaged")->code, "unknown");
  EXPECT_EQ(body_of<Title>(MarkKind::title, "vim")->title, "vim");
}

TEST(MarkRows, ViewersAreToldOfNoKindThatHasNoRow) {
  for (const auto kind : {MarkKind::forgotten, MarkKind{0}, MarkKind{9}, MarkKind{11}, MarkKind{255}}) {
    EXPECT_EQ(row_of(kind).body, nullptr);
    EXPECT_FALSE(row_of(kind).resets_client);
    EXPECT_EQ(size_told(kind, encode_payload(Size{80, 24})), std::nullopt);
  }
}

TEST(MarkRows, SizesAreToldByStartsAndResizes) {
  const auto start = encode_payload(StartFacts{1, {80, 24}, "/"});
  EXPECT_EQ(size_told(MarkKind::started, start), (Size{80, 24}));
  EXPECT_EQ(size_told(MarkKind::restarted, start), (Size{80, 24}));
  EXPECT_EQ(size_told(MarkKind::resized, encode_payload(Size{7, 3})), (Size{7, 3}));
  EXPECT_EQ(size_told(MarkKind::resized, "damaged"), std::nullopt);
  EXPECT_EQ(size_told(MarkKind::title, encode_payload(Size{7, 3})), std::nullopt);
}

}  // namespace
}  // namespace ptyd
