#include "server/session/routing/session_host.hpp"

#include <spdlog/spdlog.h>

#include <exception>
#include <utility>
#include <vector>

#include "server/loop/clock.hpp"
#include "server/loop/memory_return.hpp"
#include "server/session/context/refusals.hpp"
#include "server/session/recording/opened_journal.hpp"

namespace ptyd {

namespace {
using namespace std::chrono_literals;

/// Interval at which sessions are looked through for Screens to park, while there may be some: a Screen is parked that
/// much later at most.
constexpr std::chrono::milliseconds kRestRound{500};
/// Time that looks at processes take of a turn: some 10 us a session.
constexpr std::chrono::milliseconds kPollTime{2};
constexpr std::chrono::milliseconds kFastPoll = ActivityTracker::kBusyPoll, kSlowPoll = ActivityTracker::kIdlePoll;

/// A terminal as it is on the disk.
struct Stored {
  OpenedJournal journal;
  std::string name;  // that people gave it, "" for none
};

Result<Stored> stored(const Store& store, const SessionKey& key) {
  auto journal = opened_and_read(store, key);
  if (!journal) return journal.error();
  return Stored{std::move(*journal), store.name_of(key)};
}

}  // namespace

SessionHost::SessionHost(Loop& loop, std::unique_ptr<Launcher> launcher, const HostSettings& settings)
    : loop_(loop),
      launcher_(std::move(launcher)),
      settings_(settings),
      context_(loop, *launcher_, settings,
               {[this] { expect_activity(); }, [this] { expect_rest(); }, [this] { tidy(); }}),
      poll_timer_(loop.make_timer()),
      rest_timer_(loop.make_timer()) {}

SessionHost::~SessionHost() = default;

Session* SessionHost::find(const SessionKey& key) {
  const auto found = sessions_.find(key);
  return found == sessions_.end() ? nullptr : found->second.get();
}

void SessionHost::find_or_make(const SessionKey& key, SessionCallback made) {
  if (const auto found = sessions_.find(key); found != sessions_.end()) return made(found->second);
  settings_.files.run(
      loop_, key.thread_id,
      BlockingPool::Patience{settings_.file_patience,
                             Error(Errc::internal, "The disk with the transcripts did not answer")},
      [store = settings_.store, key] { return stored(store, key); },
      [this, key, made = std::move(made)](Result<Stored> found) {
        if (!found) return made(found.error());
        if (ending_) return made(server_is_ending());
        made(make_session(key, taken(std::move(found->journal)), std::move(found->name)));
      });
}

/// The asker is told of what is thrown, too.
Result<std::shared_ptr<Session>> SessionHost::make_session(const SessionKey& key, Journal journal, std::string name) {
  try {
    auto session = std::make_shared<Session>(context_, key, std::move(journal), std::move(name));
    sessions_[key] = session;
    return session;
  } catch (const std::exception& error) {
    spdlog::error("a terminal could not be made: {}", error.what());
    return Error(Errc::internal, std::string("The server could not make this terminal: ") + error.what());
  }
}

void SessionHost::forget(const SessionKey& key) {
  const auto found = sessions_.find(key);
  if (found == sessions_.end()) return;
  found->second->close();
  sessions_.erase(found);
}

void SessionHost::add_viewer(const std::shared_ptr<Viewer>& viewer) {
  viewers_.insert(viewer);
}

void SessionHost::remove_viewer(const std::shared_ptr<Viewer>& viewer) {
  viewers_.erase(viewer);
  disconnect_callbacks_.left(viewer);
}

void SessionHost::when_gone(const std::shared_ptr<Viewer>& viewer,
                            const std::shared_ptr<const DisconnectCallbacks::Callback>& told) {
  if (!viewers_.contains(viewer)) return (*told)();
  disconnect_callbacks_.await(viewer, told);
}

void SessionHost::tell_viewers(const std::shared_ptr<const EncodedEvent>& encoded) {
  // Viewers may come and go by what they are told.
  const std::vector<std::shared_ptr<Viewer>> told(viewers_.begin(), viewers_.end());
  for (const auto& viewer : told) viewer->on_lifecycle(encoded);
}

/// Something happened in a session: processes are looked at again soon.
void SessionHost::expect_activity() {
  if (poll_round_) poll_round_->any_active = true;
  if (poll_round_ || polls_fast_) return;
  polls_fast_ = true;
  schedule_poll(0ms);
}

void SessionHost::schedule_poll(std::chrono::milliseconds delay) {
  poll_timer_->wait_until(loop_.clock().now() + delay, [this] { poll(); });
}

void SessionHost::poll() {
  processes_.refresh();
  poll_round_.emplace(last_pid());
  poll_some();
}

/// As many sessions in a turn as kPollTime allows: the processes of thousands take their time.
void SessionHost::poll_some() {
  const auto now = loop_.clock().now();
  auto next = poll_round_->polled ? sessions_.upper_bound(*poll_round_->polled) : sessions_.begin();
  // A listener to what a session announces may have another one made, but none ended, inside this turn.
  for (; next != sessions_.end() && !ending_; ++next) {
    poll(*next->second, now);
    if (loop_.clock().now() - now < kPollTime) continue;
    poll_round_->polled = next->first;
    return context_.queue([this] { poll_some(); });
  }
  const auto round = *poll_round_;
  poll_round_.reset();
  if (ending_) return;
  if (std::exchange(polls_fast_, round.any_active) && !round.any_active) give_memory_back();
  if (round.any_live) schedule_poll(round.any_active ? kFastPoll : kSlowPoll);
}

void SessionHost::poll(Session& session, TimePoint now) {
  if (!session.is_live()) return;
  session.poll(processes_, now, poll_round_->last_pid);
  poll_round_->any_live = true;
  poll_round_->any_active = poll_round_->any_active || session.is_active(now);
}

/// A Screen is in use: it is to be parked some time after that.
void SessionHost::expect_rest() {
  if (std::exchange(rest_expected_, true)) return;
  rest_timer_->wait_until(loop_.clock().now() + kRestRound, [this] {
    someone_awake_ = false;
    put_to_rest();
  });
}

/// One Screen in a turn, or a part of one, since each takes its time; a round is over when everybody has been asked.
void SessionHost::put_to_rest() {
  auto next = put_to_rest_ ? sessions_.upper_bound(*put_to_rest_) : sessions_.begin();
  for (; next != sessions_.end() && !ending_; ++next) {
    const auto how = next->second->rest();
    someone_awake_ = someone_awake_ || how == Parking::Rest::later || how == Parking::Rest::drawn;
    if (how == Parking::Rest::later || how == Parking::Rest::settled) continue;
    holes_ = holes_ || how == Parking::Rest::parked;
    if (how != Parking::Rest::unfinished) put_to_rest_ = next->first;
    return context_.queue([this] { put_to_rest(); });
  }
  put_to_rest_.reset();
  rest_expected_ = false;
  tidy();
  if (someone_awake_ || holes_) expect_rest();
}

/// While something goes on in sessions, not in each round.
void SessionHost::tidy() {
  const auto now = loop_.clock().now();
  if (!holes_ || put_to_rest_ || context_.saves() || (polls_fast_ && now - tidied_at_ < kSlowPoll)) return;
  holes_ = false;
  tidied_at_ = now;
  give_memory_back();
}

void SessionHost::shut_down(std::function<void()> done) {
  ending_ = true;
  poll_timer_->cancel();
  rest_timer_->cancel();
  auto left = std::make_shared<std::size_t>(sessions_.size() + 1);
  auto one_less = [left, done = std::move(done)] {
    if (--*left == 0) done();
  };
  const auto sessions = sessions_;
  for (const auto& [key, session] : sessions) session->shut_down(one_less);
  one_less();
}

SessionMetrics SessionHost::metrics() const {
  auto sum = context_.totals();
  sum.sessions = sessions_.size();
  for (const auto& [key, session] : sessions_) {
    sum.running += session->is_live() ? 1 : 0;
    sum.journals_in_memory += settings_.store.keeps() && session->is_in_memory() ? 1 : 0;
    sum.subscriptions += static_cast<std::uint64_t>(session->audience().viewers());
    sum.resyncs += session->audience().resyncs();
  }
  return sum;
}

}  // namespace ptyd
