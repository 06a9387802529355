// In which order a peer is written to, what is held back from a stream, and what goes together.
#include "server/net/websocket/outbox.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/protocol/speaking.hpp"

namespace ptyd {
namespace {

const Language& that_acks_by(AckKind ack_kind) {
  for (const auto& each : languages())
    if (each.ack_kind == ack_kind) return each;
  return languages().front();
}

class OutboxTest : public testing::Test {
 protected:
  void speak(AckKind ack_kind) { dialects_[&that_acks_by(ack_kind)] = that_acks_by(ack_kind).make({}); }
  void subscribe(std::string_view id) {
    speak(AckKind::confirmation);
    (void)dialects_[&that_acks_by(AckKind::confirmation)]->decode(effect_frame(id, "terminal.subscribeEvents"));
  }
  void acknowledge(std::string_view id) {
    const auto ack = json::serialize(json::object{{"_tag", "Ack"}, {"requestId", id}});
    ack_tracker_.confirmed(dialects_[&that_acks_by(AckKind::confirmation)]->decode(ack).acknowledged);
  }
  void say(SubscriptionId id, std::string text) {
    const auto bytes = text.size();
    outbox_.add_event(
        id, std::make_shared<EncodedEvent>(EncodedEvent{{{}, {}, {}, Output{}}, {'"' + std::move(text) + '"', bytes}}));
  }
  /// All that may be written now, one frame each.
  std::vector<std::string> take(bool awaited = false) {
    std::vector<std::string> frames;
    while (auto next = outbox_.take(awaited)) {
      const auto& [head, body, tail] = next->frame;
      frames.push_back(head + (body ? *body : "") + tail);
      for (const auto& part : next->parts) told_.push_back(part.subscription);
    }
    return frames;
  }
  static std::string chunk(std::string_view id, std::string_view values) {
    return R"({"_tag":"Chunk","requestId":")" + std::string(id) + R"(","values":[)" + std::string(values) + "]}";
  }
  /// A first window of one subscription's output is on its way.
  void fill() {
    say(1, std::string(AckTracker::kFirstUnconfirmed, 'x'));
    EXPECT_EQ(take().size(), 1u);
    told_.clear();
  }

  Outbox::Dialects dialects_;
  AckTracker ack_tracker_{[](SubscriptionId, std::size_t) {}};
  std::vector<SubscriptionId> passed_over_, told_;
  Outbox outbox_{dialects_, ack_tracker_, [this](SubscriptionId id, std::size_t) { passed_over_.push_back(id); }};
};

TEST_F(OutboxTest, AnswersGoAheadOfEventsUnlessTheyTakeTheirPlaceAmongThem) {
  subscribe("s");
  say(1, "before");
  outbox_.add_in_place("snapshot", {"t", "default"});
  say(1, "after");
  outbox_.add_answer("answer", false);
  EXPECT_EQ(take(),
            (std::vector<std::string>{"answer", chunk("s", R"("before")"), "snapshot", chunk("s", R"("after")")}));
}

/// Tells of all but the terminal `silent`, in words of its own.
class TellingDialect final : public Dialect {
 public:
  Decoded decode(std::string_view) override { return {}; }
  std::optional<std::string> encode_reply(CallToken, const Result<Reply>&) override { return std::nullopt; }
  std::vector<Wrap> wrap_event() override { return {}; }
  bool wants_events() const override { return true; }
  std::optional<std::string> tell(const Event& event) override {
    if (event.key.terminal_id == "silent") return std::nullopt;
    return "told " + event.key.terminal_id;
  }
};

TEST_F(OutboxTest, ALanguageWithItsOwnFormTellsInItAndWhatItDoesNotTellIsPassedOver) {
  dialects_[&that_acks_by(AckKind::pong)] = std::make_unique<TellingDialect>();
  for (const auto* name : {"one", "silent", "two"})
    outbox_.add_event(name[0] == 's' ? 2 : 1,
                      std::make_shared<EncodedEvent>(EncodedEvent{{{"t", name}, {}, {}, Output{}}, {"{}", 2}}));
  EXPECT_EQ(take(), (std::vector<std::string>{"told one", "told two"}));
  EXPECT_EQ(told_, (std::vector<SubscriptionId>{1, 1}));
  EXPECT_EQ(passed_over_, (std::vector<SubscriptionId>{2}));
}

TEST_F(OutboxTest, EachEventIsAFrameWhileNothingIsHeldBack) {
  subscribe("s");
  say(1, "a");
  say(2, "b");
  EXPECT_EQ(take(), (std::vector<std::string>{chunk("s", R"("a")"), chunk("s", R"("b")")}));
  EXPECT_EQ(told_, (std::vector<SubscriptionId>{1, 2}));
}

TEST_F(OutboxTest, WhatGathersWhileAStreamIsFullComesAsOneChunk) {
  subscribe("s");
  fill();
  say(2, "a");
  say(3, "b");
  EXPECT_TRUE(take().empty());
  EXPECT_FALSE(outbox_.has_more());
  acknowledge("s");
  EXPECT_EQ(take(), (std::vector<std::string>{chunk("s", R"("a","b")")}));
  EXPECT_EQ(told_, (std::vector<SubscriptionId>{2, 3}));
  say(4, "c");
  say(5, "d");
  EXPECT_EQ(take().size(), 2u) << "nothing was held back any more";
}

TEST_F(OutboxTest, EachStreamIsSentWhatHasGathered) {
  subscribe("s");
  (void)dialects_[&that_acks_by(AckKind::confirmation)]->decode(effect_frame("r", "terminal.subscribeEvents"));
  say(1, std::string(AckTracker::kFirstUnconfirmed, 'x'));
  EXPECT_EQ(take().size(), 2u);
  say(2, "a");
  say(3, "b");
  EXPECT_TRUE(take().empty());
  acknowledge("s");
  EXPECT_TRUE(take().empty()) << "the slower stream counts";
  acknowledge("r");
  EXPECT_EQ(take(), (std::vector<std::string>{chunk("s", R"("a","b")"), chunk("r", R"("a","b")")}));
}

TEST_F(OutboxTest, WhatHasGatheredIsNoLongerThanAFrameOfOutput) {
  subscribe("s");
  fill();
  for (SubscriptionId id = 2; id <= 7; id++) say(id, std::string(Outbox::kMaxGathered / 4, 'y'));
  EXPECT_TRUE(take().empty());
  acknowledge("s");
  const auto frames = take();
  ASSERT_EQ(frames.size(), 2u) << "four of these are longer than a frame";
  EXPECT_LE(frames.front().size(), Outbox::kMaxGathered);
}

TEST_F(OutboxTest, AFullStreamHoldsNothingBackFromAnAnswerThatIsAwaited) {
  subscribe("s");
  fill();
  say(2, "before");
  EXPECT_TRUE(take().empty());
  outbox_.add_in_place("snapshot", {"t", "default"});
  EXPECT_EQ(take(true), (std::vector<std::string>{chunk("s", R"("before")"), "snapshot"}));
}

TEST_F(OutboxTest, MoreThanMayBeHeldIsSentAllTheSame) {
  subscribe("s");
  fill();
  for (std::size_t held = 0; held < Outbox::kMaxHeld; held += Outbox::kMaxGathered)
    say(2, std::string(Outbox::kMaxGathered, 'y'));
  EXPECT_FALSE(take().empty());
}

TEST_F(OutboxTest, WhatNoLanguageCarriesWhenItIsItsTurnIsPassedOver) {
  subscribe("s");
  say(1, "a");
  (void)dialects_[&that_acks_by(AckKind::confirmation)]->decode(R"({"_tag":"Interrupt","requestId":"s"})");
  EXPECT_TRUE(take().empty());
  EXPECT_EQ(passed_over_, std::vector<SubscriptionId>{1});
}

TEST_F(OutboxTest, CountsWhatWaitsButOutputAndLargeAnswers) {
  speak(AckKind::pong);
  say(1, "output");
  outbox_.add_answer("large", true);
  outbox_.add_in_place("snapshot", {"t", "default"});
  EXPECT_EQ(outbox_.bytes(), 0u);
  outbox_.add_answer(std::string(100, 'a'), false);
  outbox_.add_event(0,
                    std::make_shared<EncodedEvent>(EncodedEvent{{{}, {}, {}, Cleared{}}, {std::string(200, 'n'), 0}}));
  EXPECT_GE(outbox_.bytes(), 300u);
  EXPECT_EQ(outbox_.broadcasts(), 1u);
  EXPECT_GE(outbox_.broadcast_bytes(), 200u);
  take();
  EXPECT_EQ(outbox_.bytes(), 0u);
  EXPECT_EQ(outbox_.broadcast_bytes(), 0u);
}

}  // namespace
}  // namespace ptyd
