// A flood of lines is drawn when somebody looks; nobody can tell.
#include "server/session/recording/deferred_output.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pty/screen/native/native.hpp"
#include "tests/support/pty/screen/screens.hpp"
#include "tests/support/server/loop/ticking_clock.hpp"
#include "tests/support/server/session/recording/recorder_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

/// Bytes of text that emulators have drawn.
std::size_t drawn = 0;

class CountingEmulator final : public Emulator {
 public:
  explicit CountingEmulator(Grid& grid) : emulator_(make_native_emulator(grid)) {}
  void feed(const Token& token) override {
    if (token.kind == TokenKind::text) drawn += token.bytes.size();
    emulator_->feed(token);
  }
  void resize(Size size) override { emulator_->resize(size); }
  void clear() override { emulator_->clear(); }
  void reset() override { emulator_->reset(); }
  const TerminalState& state() const override { return emulator_->state(); }

 private:
  std::unique_ptr<Emulator> emulator_;
};

constexpr std::size_t kTurn = 16 << 10;

class DeferredOutputTest : public RecorderTest {
 protected:
  static std::unique_ptr<Recorder> with(const Screen::Options& screen, std::size_t ring = 1 << 20) {
    Journal::Options options;
    options.ring_bytes = ring;
    return std::make_unique<Recorder>(*Journal::create({}, "test", options), Recorder::Options{screen, {}},
                                      Checkpoint{});
  }
  static std::unique_ptr<Recorder> counting(std::size_t scrollback = Screen::kDefaultScrollback) {
    drawn = 0;
    Screen::Options options{.size = {80, 24}, .scrollback = scrollback};
    options.make = [](Grid& grid) -> std::unique_ptr<Emulator> { return std::make_unique<CountingEmulator>(grid); };
    return with(options);
  }
  /// In turns, as a session does it.
  void flood(Recorder& to, std::string_view text, std::size_t turn = kTurn) {
    child_->say(text);
    while (!to.take(pty_, turn, {}).drained) {
    }
  }
};

/// `count` lines, of about 90 bytes.
std::string lines(std::size_t count, std::size_t from = 0) {
  std::string text;
  for (std::size_t i = from; i < from + count; ++i)
    text += "\x1b[2m[" + std::to_string(i) + "]\x1b[0m \x1b[32mBuilding\x1b[0m " + std::string(50, 'x') + " done\r\n";
  return text;
}

/// Output of a program that prints lines, and now and then something else.
std::string some_output(std::mt19937& random, int columns) {
  const auto below = [&random](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  };
  static const std::array<std::string, 16> kWords{
      "word",   "\t",   "日本語",         "e\xCC\x81",  "\x1b[31m",  "\x1b[0m",  "\x1b[44m",
      "\x1b[m", "\b\b", "\x1b[1;38;5;9m", "back\rover", "\x1b[4:3m", "👩\u200D🔬", "\x1b[38:2::1:2:3m",
      " ",      "\a"};
  static const std::array<std::string, 16> kRare{
      "\n",          "\v",         "\f",          "\x1b[2J",  "\x1b[3;3H", "\x1b[2;4r", "\x1b[r", "\x1b[?1049h",
      "\x1b[?1049l", "\x1b]2;t\a", "\x1b[?45h\b", "\x1b[?7l", "\x1b[?7h",  "\x1b#6",    "\x1b[K", "\x1b[4h"};
  std::string text;
  const auto count = 20 + below(1500);
  for (std::size_t line = 0; line < count; ++line) {
    for (auto words = below(7); words > 0; --words) text += kWords[below(kWords.size())];
    if (below(40) == 0) text += std::string(below(static_cast<std::size_t>(4 * columns)), 'l');
    text += "\r\n";
  }
  if (below(3) != 0) return text;
  for (auto rare = below(6); rare > 0; --rare) text += kRare[below(kRare.size())] + kWords[below(kWords.size())];
  return below(2) == 0 ? text : text + "\x1b[?1049l\x1b[?45l\x1b[4l\x1b[r\x1b[99H\r\n";
}

TEST_F(DeferredOutputTest, TheScreenIsTheSameWheneverItIsLookedAt) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto below = [&random](int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random); };
    const auto any_size = [&] {
      return Size{static_cast<std::uint16_t>(8 + below(60)), static_cast<std::uint16_t>(1 + below(9))};
    };
    Screen::Options options{.size = any_size(), .scrollback = static_cast<std::size_t>(below(90))};
    options.emulator = seed % 4 == 0 ? EmulatorKind::vterm : EmulatorKind::native;
    const auto made = with(options, 256 << 10);
    test::FedScreen judge(options);
    for (int step = 0; step < 12; ++step) {
      const auto text = some_output(random, made->screen().grid().size().cols);
      flood(*made, text, static_cast<std::size_t>(1 + below(kTurn)));
      judge.feed(text);
      if (below(6) == 0) {
        const Size size = any_size();
        made->resize(size);
        judge.screen.resize(size);
      }
      if (below(2) == 0) continue;
      ASSERT_EQ(test::difference(made->screen(), judge.screen), "") << step;
      const auto &ours = made->screen().grid(), &all = judge.screen.grid();
      ASSERT_EQ(ours.scrolled_out(), all.scrolled_out());
      ASSERT_EQ(ours.next_line(), all.next_line());
      ASSERT_EQ(ours.first_line(), all.first_line());
      ASSERT_EQ(ours.has_overflowed(), all.has_overflowed());
    }
  }
}

TEST_F(DeferredOutputTest, OfAFloodOnlyWhatIsSeenIsDrawn) {
  const auto made = counting();
  const auto text = lines(100'000);
  flood(*made, text);
  EXPECT_LT(drawn, 4 * kTurn) << "before anybody looks";
  static_cast<void>(made->screen());
  EXPECT_LT(drawn, text.size() / 10) << "the scrollback, and what comes before it in its part";
  test::FedScreen judge({.size = {80, 24}});
  judge.feed(text);
  EXPECT_EQ(test::difference(made->screen(), judge.screen), "");
  EXPECT_EQ(made->screen().grid().scrolled_out(), 100'000u - 23);
}

TEST_F(DeferredOutputTest, LinesThatAreTooLongToBeSkippedAreDrawnBeforeTheJournalForgetsThem) {
  const auto made = counting();
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + std::string(400, '-') + "\r\n";
  flood(*made, text);
  static_cast<void>(made->screen());
  EXPECT_EQ(drawn, text.size());
  EXPECT_EQ(made->screen().grid().scrolled_out(), 5000u - 3);
}

TEST_F(DeferredOutputTest, LittleIsDrawnAtOnce) {
  const auto made = counting();
  flood(*made, "a line\r\n");
  flood(*made, "another\r\n");
  EXPECT_EQ(drawn, 17u);
  flood(*made, std::string(Recorder::kDeferredFrom - 1, 'x'));
  EXPECT_EQ(drawn, 17 + Recorder::kDeferredFrom - 1);
  flood(*made, std::string(Recorder::kDeferredFrom, 'x'));
  EXPECT_EQ(drawn, 17 + Recorder::kDeferredFrom - 1);
  flood(*made, "behind it\r\n");
  EXPECT_EQ(drawn, 17 + Recorder::kDeferredFrom - 1);
  static_cast<void>(made->screen());
  EXPECT_EQ(drawn, 17 + 2 * Recorder::kDeferredFrom - 1 + 11);
}

TEST_F(DeferredOutputTest, WhatAsksHasItsAnswerAtItsPlace) {
  const auto made = counting();
  flood(*made, lines(1000));
  child_->say("abc\x1b[6n");
  const auto turn = made->take(pty_, kTurn, {});
  EXPECT_EQ(turn.answers, "\x1b[24;4R");
}

TEST_F(DeferredOutputTest, WhatEndsAFloodIsDrawnInTurnsWhereTimeIsShort) {
  const auto made = counting();
  flood(*made, lines(1000));
  const auto before = drawn;
  TickingClock clock{1ms};
  child_->say("\x1b[2J");
  auto turn = made->take(pty_, kTurn, {}, {clock, 2ms});
  EXPECT_TRUE(turn.waits);
  EXPECT_EQ(turn.kept, 0u);
  EXPECT_GT(drawn, before);
  int turns = 1;
  for (; turn.waits; ++turns) turn = made->take(pty_, kTurn, {}, {clock, 2ms});
  EXPECT_GT(turns, 2);
  EXPECT_EQ(turn.kept, 4u);
  EXPECT_EQ(plain_snapshot(made->screen(), {.scrollback = 0}), "");
}

TEST_F(DeferredOutputTest, WhatComesBetweenDrawsItFirst) {
  const auto text = lines(1000);
  const struct {
    const char* name;
    std::function<void(Recorder&)> what;
  } cases[] = {
      {"resize",
       [](Recorder& to) {
         to.resize({50, 10});
       }},
      {"clear", [](Recorder& to) { to.clear(); }},
      {"park", [](Recorder& to) { to.park(); }},
      {"begin below", [](Recorder& to) { to.begin_below(); }},
      {"say", [](Recorder& to) { to.say("said"); }},
      {"marks",
       [](Recorder& to) {
         for (int i = 0; i < 40; ++i) to.mark(MarkKind::warning, 0, std::string(Journal::kMaxPayload, 'w'));
       }},
      {"start over", [](Recorder& to) { to.start_over(); }},
  };
  for (const auto& each : cases) {
    SCOPED_TRACE(each.name);
    const auto made = recorder(), at_once = recorder();
    flood(*made, text);
    flood(*at_once, text, Recorder::kDeferredFrom - 1);
    for (auto* const one : {made.get(), at_once.get()}) {
      each.what(*one);
      flood(*one, "\x1b[1mnext\r\n");
    }
    EXPECT_EQ(text_of(*made), text_of(*at_once));
  }
}

TEST_F(DeferredOutputTest, SkippedLinesAreCountedForViewers) {
  const auto made = counting(100);
  flood(*made, lines(50));
  const auto then = made->journal().head();
  flood(*made, lines(60'000));
  EXPECT_EQ(notice_since(*made, then), "[ptyd: 60000 lines skipped]");
}

}  // namespace
}  // namespace ptyd
