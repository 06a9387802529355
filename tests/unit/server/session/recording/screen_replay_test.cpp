// A transcript of an earlier life is drawn again: in turns, and in the sizes it was printed at.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "server/session/recording/mark_payload.hpp"
#include "server/session/session.hpp"
#include "tests/support/server/loop/ticking_clock.hpp"
#include "tests/support/server/session/recording/recorder_test.hpp"
#include "tests/support/server/session/session_test.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

std::string numbered_lines(std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += "line " + std::to_string(text.size()) + "\r\n";
  return text;
}

TEST_F(RecorderTest, ATranscriptComesBackInTheSizeThatItWasPrintedAtHoweverLongThatIsTold) {
  const auto file = folder_ / "journal";
  {
    Recorder made(*Journal::create(file, "test"), {}, {});
    made.resize({200, 50});
    made.mark(MarkKind::resized, 0, encode_payload(Size{200, 50}));
    while (made.journal().tail() <= 1) print(made, numbered_lines(30'000));
    print(made, "\x1b[151GMARK");
  }
  Recorder again(*Journal::open(file), {}, {});
  EXPECT_EQ(screen(again).grid().size(), (Size{200, 50}));
  EXPECT_THAT(plain(again), testing::EndsWith("\n" + std::string(150, ' ') + "MARK"));
}

/// Turns whose time is up at their second look at the clock.
class RedrawTest : public RecorderTest {
 protected:
  /// Turns until the Screen is there.
  std::size_t turns(Recorder& of) {
    std::size_t turns = 1;
    for (; !of.redraw({clock_, 2ms}); ++turns) EXPECT_TRUE(of.is_away());
    EXPECT_FALSE(of.is_away());
    return turns;
  }
  /// The journal of an earlier server, with what it had read and not drawn.
  Journal left(std::string_view text, std::string_view read = {}) {
    auto journal = *Journal::create({}, "test");
    journal.mark(MarkKind::started, 0, encode_payload(StartFacts{1, {40, 6}, "/"}), Size{40, 6});
    journal.append(text);
    while (!read.empty()) {
      const auto space = journal.inbox_space();
      const auto count = read.copy(space.data(), space.size());
      journal.received(count);
      read.remove_prefix(count);
    }
    return journal;
  }

  TickingClock clock_{1ms};
};

TEST_F(RedrawTest, ATranscriptIsDrawnInTurnsAndLooksAsIfItWereDrawnAtOnce) {
  for (const auto& text : {"\x1b]2;name\a" + slow_to_draw(30'000), numbered_lines(30'000),
                           slow_to_draw(5000) + std::string(20'000, 'x')}) {
    Recorder in_turns(left(text), {}, {}), at_once(left(text), {}, {});
    EXPECT_GE(turns(in_turns), 5u);
    EXPECT_TRUE(at_once.redraw());
    EXPECT_EQ(text_of(in_turns), text_of(at_once));
    EXPECT_EQ(in_turns.title(), at_once.title());
    const auto head = in_turns.journal().head();
    EXPECT_EQ(in_turns.scrolled_out_at(head), at_once.scrolled_out_at(head));
  }
}

TEST_F(RedrawTest, WhatAKilledServerHadReadIsDrawnInTurnsToo) {
  const auto read = "\x1b]2;name\a" + slow_to_draw(30'000);
  Recorder made(left("printed\r\n", read + "\x1b["), {}, {});
  EXPECT_GE(turns(made), 5u);
  EXPECT_EQ(made.journal().inbox(), "\x1b[");
  EXPECT_EQ(made.title(), "name");
  Recorder other(left("printed\r\n" + read), {}, {});
  EXPECT_EQ(text_of(made), text_of(other));
}

TEST_F(RedrawTest, ASizeTakesItsTimeUnlessNothingIsPrintedAtIt) {
  auto journal = left("first\r\n");
  for (std::uint16_t i = 0; i < 300; ++i) {
    const Size size{static_cast<std::uint16_t>(40 + i % 7), 6};
    journal.mark(MarkKind::resized, 0, encode_payload(size), size);
    if (i % 10 == 9) journal.append("x");
  }
  Recorder made(std::move(journal), {}, {});
  EXPECT_GE(turns(made), 10u) << "each has all lines broken anew";
  EXPECT_LE(clock_.looks, 100) << "those at which nothing was printed are passed over";
  EXPECT_EQ(made.screen().grid().size(), (Size{40 + 299 % 7, 6}));
}

TEST_F(RedrawTest, AScreenWhoseFileIsGoneIsDrawnInTurns) {
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, slow_to_draw(30'000));
  const auto before = text_of(*made);
  made->park();
  std::filesystem::remove(folder_ / "checkpoint");
  EXPECT_TRUE(made->is_away());
  made->bring_back([](const auto& file, auto loaded) { loaded(Store::load(file)); }, [] {});
  EXPECT_TRUE(made->is_away());
  EXPECT_GE(turns(*made), 5u);
  EXPECT_EQ(made->screen().grid().size(), (Size{40, 6}));
  EXPECT_EQ(text_of(*made), before);
}

TEST_F(RedrawTest, WhatIsForgottenBeforeItIsDrawnIsLeftOut) {
  Recorder made(left(numbered_lines(30'000)), {}, {});
  EXPECT_FALSE(made.redraw({clock_, 2ms}));
  made.journal().move_tail(29'000);
  turns(made);
  EXPECT_THAT(plain(made), testing::EndsWith("line 29996"));
  EXPECT_LT(plain(made).size(), 10'000u);
}

/// Replays that leave out what takes more than so much work.
class BoundedScreenReplayTest : public RedrawTest {
 protected:
  std::string shown_within(const Journal& journal, std::uint64_t most_work) {
    Screen screen({.size = {40, 6}});
    Replay replay(screen, journal, most_work);
    while (!replay.go_on({clock_, 2ms}, [](Position) {})) {
    }
    work_ = screen.grid().work();
    return plain_snapshot(screen, {});
  }

  std::uint64_t work_ = 0;  ///< cells, of the last one
};

TEST_F(BoundedScreenReplayTest, OutputThatIsTooMuchWorkIsLeftOutTheOldestOfIt) {
  const auto journal = left(slow_to_draw(200'000) + "\x1b[?69l\x1b[H\x1b[Jthe end");
  EXPECT_EQ(shown_within(journal, Replay::kMostWork), "the end");
  EXPECT_GT(work_, 20'000'000u);
  EXPECT_EQ(shown_within(journal, 1'000'000), "the end");
  EXPECT_LT(work_, 4'000'000u) << "a sixteenth is left each time";
}

TEST_F(BoundedScreenReplayTest, OutputIsWholeUpToItsBoundAndEndsAlikeBeyondIt) {
  const auto journal = left(numbered_lines(30'000));
  const auto whole = shown_within(journal, Replay::kMostWork);
  const auto work = work_;
  EXPECT_EQ(shown_within(journal, work + 1), whole);
  const auto part = shown_within(journal, work / 4);
  EXPECT_LT(part.size(), whole.size());
  EXPECT_THAT(whole, testing::EndsWith(part.substr(part.find('\n'))));
}

/// Each look at the clock takes longer than a turn may, and transcripts are kept in a folder.
struct WithReplayFolder {
  TickingClock ticking{2 * Session::kTurnTime};
  test::TemporaryDirectory folder;
};

class ScreenReplayTest : protected WithReplayFolder, public SessionTest {
 protected:
  ScreenReplayTest() : SessionTest(kept_in(folder), 0, ticking) {}
  static SessionOptions kept_in(const test::TemporaryDirectory& folder) {
    SessionOptions options;
    options.state_dir = folder.path();
    return options;
  }

  /// A transcript that takes more than one turn to draw, and a server that has not drawn it.
  std::string print_and_start_again() {
    auto someone = viewer();
    open(someone);
    auto text = numbered_lines(64 << 10);
    for (std::size_t at = 0; at < text.size(); at += 4 << 10) {
      child().say(std::string_view(text).substr(at, 4 << 10));
      until([&] { return someone->output == std::string_view(text).substr(0, at + (4 << 10)); }, "all of it");
    }
    start_again();
    return text;
  }
};

TEST_F(ScreenReplayTest, WhoWaitsForAScreenThatIsDrawnIsAnsweredWhenTheServerEnds) {
  print_and_start_again();
  Open asked;
  asked.key = kKey;
  asked.cwd = "/";
  std::string refused;
  bool ended = false;
  sessions_->submit(viewer("back"), asked,
                    [&](const Result<Reply>& reply) { refused = reply ? "opened" : reply.error().detail(); });
  sessions_->shutdown("test", [&] { ended = true; });
  until([&] { return ended && !refused.empty(); }, "the end, and the answer");
  EXPECT_THAT(refused, testing::HasSubstr("ending"));
  EXPECT_TRUE(launcher_->launches.empty());
}

TEST_F(ScreenReplayTest, OthersHaveTheirTurnsWhileATranscriptIsDrawnAgain) {
  const auto text = print_and_start_again();
  auto other = viewer("other"), back = viewer("back");
  open(other, {"another", "default"});
  Open asked;
  asked.key = kKey;
  asked.cwd = "/";
  std::string history;
  sessions_->submit(back, asked, [&](const Result<Reply>& reply) {
    history = reply ? std::get<Snapshot>(*reply).history : reply.error().detail();
  });
  child().say("hello");
  until([&] { return other->output == "hello"; }, "the other's output");
  EXPECT_EQ(launcher_->launches.size(), 1u) << "the shell is started below what is still being drawn";
  until([&] { return !history.empty(); }, "the answer");
  EXPECT_THAT(history, testing::HasSubstr(text.substr(text.size() - 1000)));
  EXPECT_EQ(launcher_->launches.size(), 2u);
}

}  // namespace
}  // namespace ptyd
