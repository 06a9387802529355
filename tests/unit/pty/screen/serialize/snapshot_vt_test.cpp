#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "pty/screen/report/queries.hpp"
#include "pty/screen/serialize/snapshot.hpp"
#include "tests/support/pty/screen/random_stream.hpp"
#include "tests/support/pty/screen/screens.hpp"
#include "tests/support/pty/text/literals.hpp"

namespace ptyd {
namespace {

using test::FedScreen;
using test::Items;

constexpr std::size_t kScrollback = 12;
constexpr const char* kTyped = "a\u4E00\u0301";

Screen::Options options(Size size) {
  return {.size = size, .scrollback = kScrollback};
}

std::string tell(const Screen& all, const Screen& rebuilt, std::string_view snapshot, const char* when,
                 const test::Comparison& what = {}) {
  const std::string found = test::difference(all, rebuilt, what);
  if (found.empty()) return found;
  return std::string(when) + ": " + found + "\nall:\n" + test::draw(all) + "rebuilt:\n" + test::draw(rebuilt) +
         "snapshot: " + test::escaped(snapshot) + "\n";
}

/// How a Screen is recreated, and what of it is the same then.
struct Recreates {
  std::string (*snapshot)(const Screen&);
  test::Comparison same;
};
const Recreates kCheckpoint{[](const Screen& screen) { return vt_checkpoint(screen, SIZE_MAX).value(); }, {}};
/// For a viewer, who is not told of a synchronized update (a mode) and rows that nobody sees.
const Recreates kHistory{[](const Screen& screen) { return vt_snapshot(screen, {}); },
                         {.modes = false, .hidden_alternate = false}};

/// Cuts a stream before every token: there a Screen is rebuilt from the snapshot, and must be the same one, also after
/// the next token. Not where rows wait under the screen, which no snapshot holds.
class CutsEverywhere final : public TokenSink {
 public:
  CutsEverywhere(Size size, const Recreates& how) : how_(how), all_(options(size)) {}

  void on_token(const Token& token) override {
    if (!found.empty() || all_.grid().keeps_below()) return all_.feed(token);
    const std::string snapshot = how_.snapshot(all_);
    FedScreen rebuilt(options(all_.grid().size()));
    rebuilt.feed(snapshot);
    found = trouble(all_, rebuilt.screen, snapshot, "at a cut");
    const Buffer before = all_.grid().active();
    all_.feed(token);
    rebuilt.screen.feed(token);
    const bool shows_hidden = before != all_.grid().active() && !how_.same.hidden_alternate;
    if (found.empty() && !shows_hidden) found = trouble(all_, rebuilt.screen, snapshot, "one token on");
  }
  /// Before the next token.
  void resize(Size size) { all_.resize(size); }
  std::string found;

 private:
  std::string trouble(const Screen& all, const Screen& rebuilt, std::string_view snapshot, const char* when) const {
    return tell(all, rebuilt, snapshot, when, how_.same);
  }

  const Recreates& how_;
  Screen all_;
};

std::string cut_everywhere(Size size, const Items& items, const Recreates& how) {
  CutsEverywhere cuts(size, how);
  Scanner scanner;
  std::string rest;
  for (const std::string& item : items) {
    if (const auto to = test::resize_of(item)) cuts.resize(*to);
    rest += item;
    rest.erase(0, scanner.scan(rest, cuts));
  }
  return cuts.found;
}

std::string checkpoint_everywhere(Size size, const Items& items) {
  return cut_everywhere(size, items, kCheckpoint);
}
std::string history_everywhere(Size size, const Items& items) {
  return cut_everywhere(size, items, kHistory);
}

/// Gives `fails` random streams; one on which it tells of trouble is made short and shown.
using Trouble = std::string (*)(Size, const Items&);
void hunt(Size size, unsigned seed, int rounds, const std::set<std::string>& without, Trouble trouble_of) {
  std::mt19937 random(seed);
  for (int round = 0; round < rounds; ++round) {
    Items items = test::random_stream(random, {.size = size, .items = 30, .without = without});
    items.push_back(kTyped);
    if (trouble_of(size, items).empty()) continue;
    const Items few = test::shrunk(items, [&](const Items& less) { return !trouble_of(size, less).empty(); });
    FAIL() << "round " << round << "\n" << test::printed(few) << trouble_of(size, few);
  }
}

// States that no snapshot can hold, by one of the classes that bring it about only together:
/// A double line that a resize made go on in the next one: nothing else lets it. Resizes and double lines are each
/// tried with all the rest.
const std::set<std::string> kWithoutDoubleLines{"line_sizes"};
const std::set<std::string> kWithoutResizes{"resize"};
/// A glyph that would join the one before it when a wrap is pending behind it and no place is left to put it aside, or,
/// on a double line of one column, what is wider than that: only the smallest screens are ever so full.
const std::set<std::string> kWithoutDoubleLinesAndJoined{"line_sizes", "joined"};
const std::set<std::string> kWithoutResizesAndJoined{"resize", "joined"};

TEST(SnapshotVt, RecreatesEverythingAtEveryCut) {
  hunt({12, 6}, 1, 70, kWithoutDoubleLines, checkpoint_everywhere);
  hunt({33, 4}, 2, 70, kWithoutDoubleLines, checkpoint_everywhere);
  hunt({12, 6}, 3, 70, kWithoutResizes, checkpoint_everywhere);
  hunt({33, 4}, 4, 70, kWithoutResizes, checkpoint_everywhere);
  hunt({2, 1}, 5, 70, kWithoutDoubleLinesAndJoined, checkpoint_everywhere);
  hunt({3, 2}, 6, 70, kWithoutDoubleLinesAndJoined, checkpoint_everywhere);
  hunt({2, 1}, 7, 70, kWithoutResizesAndJoined, checkpoint_everywhere);
  hunt({3, 2}, 8, 70, kWithoutResizesAndJoined, checkpoint_everywhere);
}

TEST(SnapshotVt, RecreatesForANewcomerAllThatIsSeenAtEveryCut) {
  hunt({12, 6}, 9, 70, kWithoutDoubleLines, history_everywhere);
  hunt({12, 6}, 10, 70, kWithoutResizes, history_everywhere);
}

/// A wrap that was pending at the end of a double line which is single now, beside one which is not.
TEST(SnapshotVt, AWrapSavedOnADoubleLineIsRestoredAsItWas) {
  const std::string output = "\x1b#6abcdef\x1b\x37\x1b[2;1H\x1b#6\x1b[1;1H\x1b#5";
  for (const std::string next : {"\x1b\x38x", "\x1b#6\x1b\x38x"}) {
    FedScreen all(options({12, 6})), rebuilt(options({12, 6}));
    all.feed(output);
    const std::string snapshot = vt_checkpoint(all.screen, SIZE_MAX).value();
    rebuilt.feed(snapshot + next);
    all.feed(next);
    EXPECT_EQ(tell(all.screen, rebuilt.screen, snapshot, "rebuilt"), "");
  }
}

/// A terminal, and a viewer of it that has seen the first half of a stream.
struct Halfway {
  Halfway(Size size, const Items& items) : all(options(size)), viewer(options(size)) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      all.feed(items[i]);
      if (i < items.size() / 2) viewer.feed(items[i]);
    }
    // Bytes that both have not decided yet are not on the Screen.
    all.feed("\x18");
    viewer.feed("\x18");
  }
  std::string repainted(const RepaintRange& range, test::Comparison what) {
    const std::string repaint = vt_repaint(all.screen, range).text;
    viewer.feed(repaint);
    // Whether carets blink is left to viewers' taste, unless a program wants it, and none is told of an update.
    all.feed("\x1b[?12;2026l");
    viewer.feed("\x1b[?12;2026l");
    what.hidden_alternate = false;
    return tell(all.screen, viewer.screen, repaint, "repainted", what);
  }
  FedScreen all, viewer;
};

std::string repaint_halfway(Size size, const Items& items) {
  Halfway halfway(size, items);
  const std::uint64_t before = halfway.viewer.screen.grid().scrolled_out();
  const std::string found = halfway.repainted({.skipped = 7}, {.scrollback = false});
  const bool has_notice = halfway.viewer.screen.grid().scrolled_out() == before + 1;
  return found.empty() && !has_notice ? "scrollback" : found;
}

std::uint64_t lines_above(const Grid& grid) {
  std::uint64_t lines = 0;
  std::vector<Cell> space;
  bool goes_on = false;
  for (std::size_t i = 0; i < grid.scrollback(); ++i) {
    if (!goes_on) ++lines;
    goes_on = grid.scrollback_line(i, space).wrapped;
  }
  return lines;
}

/// Of a viewer that has nothing in its scrollback, all of it is filled.
std::string repaint_with_all_above(Size size, const Items& items) {
  Halfway halfway(size, items);
  halfway.viewer.feed("\x1b[3J");
  const std::uint64_t lines = lines_above(halfway.all.screen.grid());
  return halfway.repainted({.skipped = lines, .lines = 1000, .max_bytes = 1 << 20}, {});
}

TEST(SnapshotVt, ARepaintBringsAViewerFromAnywhereToThePresent) {
  hunt({12, 6}, 7, 1000, kWithoutResizes, repaint_halfway);
  hunt({3, 2}, 8, 500, kWithoutResizesAndJoined, repaint_halfway);
}

TEST(SnapshotVt, ARepaintDrawsWhatIsAboveTheScreenAsItIs) {
  hunt({12, 6}, 11, 500, kWithoutResizes, repaint_with_all_above);
  hunt({3, 2}, 12, 500, kWithoutResizesAndJoined, repaint_with_all_above);
}

std::string numbered_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "line " + std::to_string(i) + (i + 1 < count ? "\r\n" : "");
  return text;
}

std::size_t scrollback_after(std::string_view snapshot) {
  FedScreen rebuilt({.size = {20, 4}, .scrollback = 1000});
  rebuilt.feed(snapshot);
  return rebuilt.screen.grid().scrollback();
}

TEST(SnapshotVt, HoldsAsManyLinesAboveTheScreenAsAreAskedFor) {
  FedScreen all({.size = {20, 4}, .scrollback = 1000});
  all.feed(numbered_lines(600));
  EXPECT_EQ(scrollback_after(vt_snapshot(all.screen, {})), 596U);
  EXPECT_EQ(scrollback_after(vt_snapshot(all.screen, {.scrollback = 300})), 300U);
  EXPECT_EQ(scrollback_after(vt_snapshot(all.screen, {.scrollback = 0})), 0U);
  EXPECT_EQ(vt_snapshot(all.screen, {.scrollback = 1}).substr(0, 10), "line 595\r\n") << "the last ones";
}

TEST(SnapshotVt, ALineAboveTheScreenIsOneOnHoweverManyRows) {
  FedScreen all({.size = {20, 4}, .scrollback = 1000});
  all.feed("first\r\n" + std::string(50, 'x') + "\r\n2\r\n3\r\n4\r\n5");
  EXPECT_EQ(scrollback_after(vt_snapshot(all.screen, {.scrollback = 1})), 3U);
}

TEST(SnapshotVt, DropsTheOldestLinesWhenItIsTooLongAndNeverAPartOfTheScreen) {
  FedScreen all({.size = {20, 4}, .scrollback = 1000});
  all.feed(numbered_lines(600));
  const std::string screen = vt_snapshot(all.screen, {.scrollback = 0});
  const std::size_t line = std::string("line 595\r\n").size();
  const auto lines_in = [&](std::size_t max_bytes) {
    return scrollback_after(vt_snapshot(all.screen, {.scrollback = 1000, .max_bytes = max_bytes}));
  };
  EXPECT_EQ(lines_in(screen.size() + 300 * line), 300U);
  EXPECT_EQ(lines_in(screen.size() + 300 * line - 1), 299U);
  EXPECT_EQ(lines_in(screen.size()), 0U);
  EXPECT_EQ(vt_snapshot(all.screen, {.scrollback = 1000, .max_bytes = 0}), screen);
}

/// Security checklist, line 30.
TEST(SnapshotVt, Line30HoldsNoQuestionWhateverWasPrinted) {
  class NoQuestions final : public TokenSink {
   public:
    void on_token(const Token& token) override {
      EXPECT_EQ(classify(token, screen_, {}).kind, Query::Kind::none) << test::escaped(token.bytes);
      screen_.feed(token);
    }

   private:
    Screen screen_{options({12, 6})};
  };
  std::mt19937 random(31);
  for (int round = 0; round < 300; ++round) {
    FedScreen all(options({12, 6}));
    for (const std::string& item : test::random_stream(random, {.size = {12, 6}, .items = 60, .without = {}})) {
      all.feed(item);
    }
    NoQuestions sink;
    Scanner().scan(vt_snapshot(all.screen, {}), sink);
    NoQuestions repaint_sink;
    Scanner().scan(vt_repaint(all.screen, {.skipped = 3, .lines = 2, .max_bytes = 1000}).text, repaint_sink);
  }
}

TEST(SnapshotVt, ACaretOutsideTheMarginsInOriginModeIsPlacedAtTheirEdge) {
  FedScreen all(options({12, 6}));
  all.feed("\x1b[3;5r\x1b[?6h");
  all.screen.clear();
  for (const std::string& text : {vt_snapshot(all.screen, {}), vt_repaint(all.screen, {}).text})
    EXPECT_EQ(text.find("\x1b[-"), std::string::npos) << test::escaped(text);
}

TEST(SnapshotVt, KeptTitlesAreRecreatedEachByItself) {
  FedScreen all({.size = {20, 4}}), rebuilt({.size = {20, 4}}), viewer({.size = {20, 4}});
  all.feed("\x1b]2;one\a\x1b[22;2t\x1b]0;two\a\x1b[22t\x1b]1;three\a\x1b[22;1t\x1b]2;four\a");
  rebuilt.feed(vt_snapshot(all.screen, {}));
  viewer.feed("\x1b]0;its own\a\x1b[22t\x1b[22;1t");
  viewer.feed(vt_repaint(all.screen, {}).text);
  EXPECT_EQ(test::difference(all.screen, rebuilt.screen), "");
  EXPECT_EQ(test::difference(all.screen, viewer.screen, {.scrollback = false}), "");
  EXPECT_EQ(all.screen.modes().kept_titles().window, (Modes::TitleStack{"one", "two"}));
  EXPECT_EQ(all.screen.modes().kept_titles().icon, (Modes::TitleStack{"two", "three"}));
}

/// To be told they would have to be switched first, which viewers would see, and xterm.js keeps none.
TEST(SnapshotVt, ModesThatXtsaveKeptAreLeftOutAndStayAsTheyAre) {
  FedScreen all({.size = {20, 4}}), rebuilt({.size = {20, 4}});
  all.feed("\x1b[?1s\x1b[?1h");
  rebuilt.feed(vt_snapshot(all.screen, {}));
  all.feed("\x1b[?1r");
  rebuilt.feed("\x1b[?1r");
  EXPECT_EQ(all.screen.mode(1, false), false);
  EXPECT_EQ(rebuilt.screen.mode(1, false), true);
}

TEST(SnapshotVt, TheModesComeLast) {
  FedScreen all({.size = {20, 4}});
  all.feed("\x1b[?2004h\x1b[?1h\x1b[?1003;1006h\x1b[?25l\x1b[4hhello\x1b]2;title\a\x1b[2;3r\x1b[2;2H");
  const std::string snapshot = vt_snapshot(all.screen, {});
  const std::string modes = "\x1b[?25l\x1b[?1h\x1b[?2004h\x1b[4h\x1b[?1003h\x1b[?1006h";
  EXPECT_TRUE(snapshot.ends_with(modes)) << test::escaped(snapshot);
}

/// A Screen of 10 columns that was fed so, for a newcomer and for a viewer that fell behind.
std::vector<std::string> told_to_viewers(std::string_view fed) {
  FedScreen all({.size = {10, 4}});
  all.feed(fed);
  return {vt_snapshot(all.screen, {}), vt_repaint(all.screen, {}).text};
}

TEST(SnapshotVt, EndsWithTheGlyphThatTheNextCodePointMayJoinOrRepeat) {
  for (const auto& [fed, end] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"a\x1b[31mb", "\x1b[1;2Hb"},
           {"\x1b[2;4r\x1b[?6h\x1b[2;2Hab", "\x1b[2;3Hb"},
           {"\x1b[?1h0123456789", "\x1b[1;10H9"},
           {"\x1b[?1h01234567\u4E00", "\x1b[1;9H\u4E00"},
           {"\x1b[?1he\u0301", "\x1b[1;1He\u0301"},
           {"\x1b(0q", "\x1b[1;1H\u2500"}}) {
    for (const auto& told : told_to_viewers(fed)) EXPECT_TRUE(told.ends_with(end)) << test::escaped(told);
  }
}

TEST(SnapshotVt, HoldsTheLastGlyphOnceWhereItsTextEndsAtTheCaret) {
  EXPECT_EQ(told_to_viewers("ab").front(), "ab");
  EXPECT_EQ(told_to_viewers("\x1b[?2004hab").front(), "a\x1b[?2004hb");
  EXPECT_EQ(told_to_viewers("\x1b[?2004hone\r\n$ ").front(), "one\r\n$\x1b[?2004h ");
  EXPECT_TRUE(told_to_viewers("\x1b[?2004hab").back().ends_with("\x1b[1;2Hb")) << "a repaint places its caret";
}

TEST(SnapshotVt, PrintsNoGlyphOnceMoreThatWouldLookOtherwiseOrMoveOthers) {
  for (const std::string_view fed : {"\x1b[?1h\x1b[31mb\x1b[m", "\x1b[4hb", "\x1b[?1h\x1b[2;2H", "\x1b[?1hb\r",
                                     "b\x1b(0", "b\x1bN", "\x1b#6b", "\x1b[?69h\x1b[1;4sb", "\x1b[1\"qb\x1b[0\"q"}) {
    for (const auto& told : told_to_viewers(fed)) EXPECT_FALSE(told.ends_with("b")) << test::escaped(told);
  }
}

TEST(SnapshotVt, WhatIsAboveTheScreenAndGoesOnInItStaysOneLine) {
  FedScreen all({.size = {5, 2}});
  all.feed("abcdefghijklmnopqrs");
  FedScreen rebuilt({.size = {5, 2}});
  rebuilt.feed(vt_snapshot(all.screen, {}));
  rebuilt.screen.resize({30, 2});
  EXPECT_EQ(plain_snapshot(rebuilt.screen, {}), "abcdefghijklmnopqrs");
}

/// The fault of a snapshot of `output` for an emulator that restores no pending wrap with the caret: xterm.js.
std::string trouble_without_saved_wrap(std::string_view output) {
  FedScreen all(options({8, 3})), rebuilt(options({8, 3}));
  all.feed(output);
  const std::string snapshot = vt_snapshot(all.screen, {});
  rebuilt.feed(snapshot);
  if (snapshot.find("\x1b\x38") != snapshot.npos) return "a caret is restored: " + test::escaped(snapshot);
  return tell(all.screen, rebuilt.screen, snapshot, "rebuilt");
}

TEST(SnapshotVt, ARowOfGlyphsThatWouldJoinWrapsWithoutASavedCaret) {
  EXPECT_EQ(trouble_without_saved_wrap("abc\U0001F1EFxyzw\x1b[1;2H\U0001F1E9\x1b[2;3H"), "");
}

TEST(SnapshotVt, ARowThatEndsInAColouredBlankWrapsWithoutASavedCaret) {
  EXPECT_EQ(trouble_without_saved_wrap("\x1b[44mabcdefg\u4E00w"), "");
  EXPECT_EQ(trouble_without_saved_wrap("\n\n\x1b[44mabcdefg\u4E00w"), "");
  EXPECT_EQ(trouble_without_saved_wrap("\n\n\x1b[44m\U0001F1E9\x1b[1;5H\U0001F1EF\x1b[1;3H\U0001F1EAg\u4E00w"), "");
}

}  // namespace
}  // namespace ptyd
