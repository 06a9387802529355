// Sessions and viewers on four loops at once, as the thread sanitizer wants to see them.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>  // layers: allow clock: how long a test may take
#include <cstddef>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "server/loop/loops.hpp"
#include "server/session/routing/session_manager.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/standing_clock.hpp"
#include "tests/support/server/session/session_bench.hpp"
#include "tests/support/waiting.hpp"

namespace ptyd {
namespace {

constexpr std::size_t kLoops = 4, kAskers = 12, kQuestions = 400;

/// Asks one thing after the other, of any of a few terminals, and counts its answers.
///
/// Thread  its loop's, once begun.
class Asker {
 public:
  Asker(Loop& loop, SessionManager& sessions, unsigned seed, std::function<void()> done)
      : loop_(loop),
        sessions_(sessions),
        random_(seed),
        viewer_(std::make_shared<FakeViewer>(loop, "asker " + std::to_string(seed))),
        done_(std::move(done)) {}

  void begin() {
    loop_.post([this] {
      sessions_.add_viewer(viewer_);
      go_on();
    });
  }
  void leave() { sessions_.remove_viewer(viewer_); }

  std::function<void()> halfway = [] {};
  std::size_t asked = 0, answered = 0, failed = 0;

 private:
  void go_on() {
    if (asked == kQuestions) return done_();
    if (++asked == kQuestions / 2) halfway();
    auto counted = std::make_shared<bool>(false);
    sessions_.submit(viewer_, next_question(), [this, counted](const Result<Reply>& reply) {
      EXPECT_FALSE(std::exchange(*counted, true)) << "answered twice";
      answered++;
      const bool of_ours = !reply && reply.error().code() == Errc::internal;
      failed += of_ours ? 1 : 0;
      loop_.post([this] { go_on(); });
    });
  }

  Command next_question() {
    if (random_() % 4 == 0) return next_about_a_program();
    const SessionKey key{"t" + std::to_string(random_() % 3), "n" + std::to_string(random_() % 2)};
    switch (random_() % 16) {
      case 0:
      case 1:
      case 2:
        return Resize{key, {static_cast<std::uint16_t>(20 + random_() % 100), 24}};
      case 3:
        return Clear{key};
      case 4:
        return Restart{key, "/", {80, 24}, {}};
      case 5:
        return Close{key.thread_id, random_() % 4 == 0 ? std::nullopt : std::optional(key.terminal_id), false};
      case 6:
        return TakeSnapshot{key, SnapshotFormat::plain, 100};
      case 7:
        return List{};
      case 8:
      case 9:
      case 10:
        return Write{key, "typed"};
      default:
        return open_of(key, random_() % 3 == 0);
    }
  }
  /// That ends when it is told to, so that nobody waits for it in vain.
  Command next_about_a_program() {
    const SessionKey key{"acp/s" + std::to_string(random_() % 2), "n" + std::to_string(random_() % 2)};
    switch (random_() % 8) {
      case 0:
        return Kill{key};
      case 1:
        return Release{key};
      case 2:
        return Pin{key};
      case 3:
        return Close{key.thread_id, key.terminal_id, false};
      case 4:
      case 5:
        return ReadOutput{key};
      default:
        return run_of(key);
    }
  }
  static Run run_of(const SessionKey& key) {
    Run asked;
    asked.key = key;
    asked.command = "program";
    asked.cwd = "/";
    return asked;
  }
  static Open open_of(const SessionKey& key, bool attach) {
    Open asked;
    asked.key = key;
    asked.cwd = "/";
    asked.attach = attach;
    return asked;
  }

  Loop& loop_;
  SessionManager& sessions_;
  std::mt19937 random_;
  std::shared_ptr<FakeViewer> viewer_;
  std::function<void()> done_;
};

/// Four loops with fake children, of which every third ends by itself once it has printed something.
class LoopsTest : public testing::Test {
 protected:
  LoopsTest() : loops_(kLoops, clock_) {
    SessionManager::Options options;
    options.retained_sessions = 1;
    const auto make = [this](Loop& loop) {
      auto launcher = std::make_unique<FakeLauncher>(loop.context().get_executor());
      launcher->on_child = [count = std::size_t{0}](FakeChild& child) mutable {
        child.say("hello from child " + std::to_string(++count) + "\r\n");
        if (count % 3 == 0) child.exit({0, {}});
      };
      launchers_.push_back(launcher.get());
      return launcher;
    };
    sessions_ = std::make_unique<SessionManager>(loops_, make, std::move(options));
  }

  ~LoopsTest() override {
    for (const auto& asker : askers_) asker->leave();
    settle();
  }

  /// Everybody asks everything; then `finished` is called on loop 0, and `halfway` when the first one is there.
  void ask_everything(
      std::function<void()> finished, std::function<void()> halfway = [] {}) {
    for (unsigned n = 0; n < kAskers; ++n)
      askers_.push_back(std::make_unique<Asker>(loops_.at(n % kLoops), *sessions_, n, [this, finished] {
        loops_.main().post([this, finished] {
          if (++done_ == kAskers) finished();
        });
      }));
    askers_.front()->halfway = std::move(halfway);
    for (const auto& asker : askers_) asker->begin();
  }
  /// Runs the loops until they are stopped, or for as long as a test may take.
  void run() {
    boost::asio::steady_timer deadline(loops_.main().context(), deadline_from_now());
    deadline.async_wait([this](const boost::system::error_code& cancelled) {
      if (cancelled) return;
      ADD_FAILURE() << "not everybody was answered";
      loops_.stop();
    });
    loops_.run();
  }
  /// Once no loop runs any more: what is left is done here, one loop after the other, until nothing is.
  void settle() {
    std::size_t done = 0;
    do {
      done = 0;
      for (std::size_t i = 0; i < loops_.size(); ++i) {
        loops_.at(i).context().restart();
        done += loops_.at(i).context().poll();
      }
    } while (done > 0);
  }
  /// Terminals of which a list says that they run.
  std::size_t listed_as_running() {
    std::size_t running = 0;
    sessions_->submit(std::make_shared<FakeViewer>(loops_.main(), "someone"), List{}, [&](const Result<Reply>& reply) {
      for (const auto& info : std::get<TerminalList>(*reply).terminals) running += info.status == Status::running;
    });
    settle();
    return running;
  }
  std::size_t living() const {
    const auto lives = [](const auto& child) { return !child->has_exited() && !child->destroyed; };
    std::size_t count = 0;
    for (const auto* launcher : launchers_)
      count += static_cast<std::size_t>(std::count_if(launcher->children.begin(), launcher->children.end(), lives));
    return count;
  }

  StandingClock clock_;
  Loops loops_;
  std::vector<FakeLauncher*> launchers_;
  std::unique_ptr<SessionManager> sessions_;
  std::vector<std::unique_ptr<Asker>> askers_;
  std::size_t done_ = 0;
};

TEST_F(LoopsTest, EveryQuestionIsAnsweredOnceAndWhatIsListedAsRunningIsWhatRuns) {
  ask_everything([this] { loops_.stop(); });
  run();
  settle();
  EXPECT_EQ(listed_as_running(), living());
  for (const auto& asker : askers_) {
    EXPECT_EQ(asker->answered, kQuestions);
    EXPECT_EQ(asker->failed, 0u);
  }
}

TEST_F(LoopsTest, TheEndOfTheServerInTheMiddleOfItLeavesNoChild) {
  const auto end = [this] { loops_.main().post([this] { sessions_->shutdown("test", [this] { loops_.stop(); }); }); };
  ask_everything([] {}, end);
  run();
  settle();
  EXPECT_EQ(living(), 0u);
}

}  // namespace
}  // namespace ptyd
