#include "server/net/websocket/peer.hpp"

#include <spdlog/spdlog.h>

#include <boost/asio/steady_timer.hpp>
#include <list>
#include <map>
#include <set>

#include "server/loop/supervise.hpp"
#include "server/net/websocket/ledger.hpp"
#include "server/session/session_manager.hpp"

namespace ptyd {

namespace {
using namespace std::chrono_literals;

/// Calls without an answer, and answers not yet written, before reading stops: a peer that asks faster than it listens
/// waits for itself.
constexpr std::size_t kMaxCalls = 256;
/// Lifecycle events that wait for a peer that does not read; beyond it the connection is closed and may come back.
constexpr std::size_t kMaxLifecycle = 4096;
constexpr std::uint16_t kInternalError = 1011, kTryAgainLater = 1013;
/// Lifecycle events of terminals that a peer does not hear wait this long for others: with hundreds of connections,
/// each terminal that starts is news for all of them, and nobody sees a side list change sooner.
constexpr auto kGatherNews = 20ms;
/// A quiet line with unproven bytes is asked for a proof after this long.
constexpr auto kProveWhenQuiet = 5ms;

class SpeakingPeer final : public Peer, public Viewer, public std::enable_shared_from_this<SpeakingPeer> {
 public:
  SpeakingPeer(Loop& loop, SessionManager& sessions, Transport& transport, Options options)
      : loop_(loop),
        sessions_(sessions),
        transport_(&transport),
        options_(std::move(options)),
        ledger_([this](SubscriptionId id, std::size_t bytes) { give_credit(id, bytes); }),
        prove_timer_(loop.context()),
        news_timer_(loop.context()) {}

  void start() {
    if (!transport_) return;
    sessions_.add_viewer(shared_from_this());
    for (const auto* language : options_.spoken)
      if (language->speaks_first) (void)dialect(*language);
    if (!options_.all_events) return;
    (void)dialect(*options_.spoken.front());
    sessions_.submit(shared_from_this(), Subscribe{}, [](const Result<Reply>&) {});
  }

  // Peer
  void on_message(std::string_view text) override;
  void on_pong(std::uint64_t number) override;
  bool may_read() const override { return calls_ + replies_.size() < kMaxCalls; }
  std::optional<Frame> take_frame() override;
  bool has_more() const override { return !replies_.empty() || !events_.empty(); }
  void on_written() override;
  void on_closed() override;

  // Viewer
  Loop& loop() override { return loop_; }
  const std::string& name() const override { return options_.name; }
  // Told from inside a session's call: what goes wrong here is not the session's.
  void on_subscribed(const Feed& feed) override {
    guarded(*this, [&] { hear(feed); });
  }
  void on_unsubscribed(SubscriptionId id) override { forget(id); }
  void on_event(SubscriptionId id, std::shared_ptr<const Publication> publication) override {
    guarded(*this, [&] { take_event(id, publication); });
  }
  void on_lifecycle(std::shared_ptr<const Publication> publication) override {
    guarded(*this, [&] { take_news(publication); });
  }
  void on_task_failed(std::string_view what);

 private:
  struct Heard {
    Feed feed;
    bool acks_output = false;  // the client proves this session's output by ackOutput
    std::size_t unacked = 0;   // output bytes written; counted in case it begins to
  };
  struct Queued {
    Frame frame;
    SubscriptionId subscription = 0;  // 0: of none
    std::size_t bytes = 0;
    Proof proof = Proof::pong;
    bool last = false;  // of its event: the session may say more once it is written
  };

  void hear(const Feed& feed);
  void take_event(SubscriptionId id, const std::shared_ptr<const Publication>& publication);
  void take_news(const std::shared_ptr<const Publication>& publication);
  Dialect& dialect(const Language& language);
  void carry_out(const Language& language, Call call);
  void submit(const Language& language, Call call);
  /// Commands about this connection, one overload each.
  Result<Reply> on(const AckOutput& ack);
  void on_reply(const Language& language, CallToken token, const Result<Reply>& reply);
  bool is_wanted(const EventBody& body) const;
  bool queue_event(SubscriptionId id, const std::shared_ptr<const Publication>& publication);
  void give_credit(SubscriptionId id, std::size_t bytes);
  void pass_over(SubscriptionId id, std::size_t bytes);
  void reply_with(std::string frame);
  void unblock();
  void wake();
  void wake_for_news();
  void prove();
  void forget(SubscriptionId id);

  Loop& loop_;
  SessionManager& sessions_;
  Transport* transport_;  // none once closed
  Options options_;
  std::map<const Language*, std::unique_ptr<Dialect>> dialects_;  // in the order of their rows
  std::map<SubscriptionId, Heard> heard_;
  std::map<SessionKey, SubscriptionId> by_key_;
  std::set<Feature> features_;
  // Lists, here and below a session: an empty one takes no memory, and nearly all are empty nearly always.
  std::list<std::string> replies_;
  std::list<Queued> events_;
  std::optional<Queued> writing_;  // an event being written; nothing while a reply is
  std::size_t calls_ = 0;
  std::size_t lifecycle_ = 0;  // events in events_ that belong to no subscription
  bool is_blocked_ = false;    // the transport does not read
  bool asleep_ = true;         // the transport found nothing at its last asking
  Ledger ledger_;
  boost::asio::steady_timer prove_timer_;
  bool proving_ = false;
  boost::asio::steady_timer news_timer_;
  bool gathering_ = false;
};

// --- in

Dialect& SpeakingPeer::dialect(const Language& language) {
  auto& place = dialects_[&language];
  if (place) return *place;
  place = language.make(options_.facts);
  if (auto welcome = place->welcome(); !welcome.empty()) reply_with(std::move(welcome));
  return *place;
}

void SpeakingPeer::on_message(std::string_view text) {
  const auto self = shared_from_this();
  const auto& language = recognise(options_.spoken, text);
  auto decoded = dialect(language).decode(text);
  if (decoded.proves_receipt) ledger_.rely_on_confirmations();
  if (decoded.acknowledged > 0) ledger_.confirmed(decoded.acknowledged);
  for (auto& frame : decoded.frames) reply_with(std::move(frame));
  for (auto& call : decoded.calls) carry_out(language, std::move(call));
  is_blocked_ = !may_read();
}

void SpeakingPeer::carry_out(const Language& language, Call call) {
  calls_++;
  if (const auto allowed = authorise(options_.access, call.command); !allowed)
    return on_reply(language, call.token, allowed.error());
  std::visit(
      [&]<class Asked>(const Asked& asked) {
        if constexpr (requires { asked.features; }) features_.insert(asked.features.begin(), asked.features.end());
        if constexpr (Road<Asked>::way == Way::peer) {
          on_reply(language, call.token, on(asked));
        } else {
          submit(language, std::move(call));
        }
      },
      call.command);
}

void SpeakingPeer::submit(const Language& language, Call call) {
  sessions_.submit(shared_from_this(), std::move(call.command),
                   [self = shared_from_this(), &language, token = call.token](const Result<Reply>& reply) {
                     guarded(*self, [&] { self->on_reply(language, token, reply); });
                   });
}

/// Acks of a session that is not heard are fine: the reference takes them silently.
Result<Reply> SpeakingPeer::on(const AckOutput& ack) {
  const auto found = by_key_.find(ack.key);
  if (found == by_key_.end()) return Reply(Done{});
  auto& heard = heard_[found->second];
  if (!std::exchange(heard.acks_output, true)) ledger_.drop(found->second);
  const auto bytes = std::min(static_cast<std::size_t>(ack.bytes), heard.unacked);
  heard.unacked -= bytes;
  heard.feed.returned(bytes);
  return Reply(Done{});
}

// --- out

void SpeakingPeer::on_reply(const Language& language, CallToken token, const Result<Reply>& reply) {
  calls_--;
  if (!transport_) return;
  if (auto text = dialect(language).encode_reply(token, reply)) {
    if (reply && std::holds_alternative<Snapshot>(*reply)) {
      events_.push_back({.frame = {std::move(*text), nullptr, {}}, .proof = language.proof});
      wake();
    } else {
      reply_with(std::move(*text));
    }
  }
  unblock();
}

/// The transport asks may_read() after each message, and stops reading until it is told.
void SpeakingPeer::unblock() {
  if (!transport_ || !is_blocked_ || !may_read()) return;
  is_blocked_ = false;
  transport_->resume_reading();
}

void SpeakingPeer::reply_with(std::string frame) {
  replies_.push_back(std::move(frame));
  wake();
}

void SpeakingPeer::wake() {
  if (transport_ && std::exchange(asleep_, false)) transport_->wake();
}

std::optional<Frame> SpeakingPeer::take_frame() {
  if (!replies_.empty()) {
    Frame frame{std::move(replies_.front()), nullptr, {}};
    replies_.pop_front();
    return frame;
  }
  if (events_.empty()) {
    asleep_ = true;
    return std::nullopt;
  }
  writing_ = std::move(events_.front());
  events_.pop_front();
  return std::move(writing_->frame);
}

void SpeakingPeer::on_written() {
  const auto written = std::exchange(writing_, std::nullopt);
  unblock();
  if (!written) return;
  if (written->subscription == 0) lifecycle_ -= written->last ? 1 : 0;
  const auto found = heard_.find(written->subscription);
  const bool by_ack = found != heard_.end() && found->second.acks_output;
  if (found != heard_.end()) found->second.unacked += written->bytes;
  if (written->last) ledger_.sent(written->subscription, by_ack ? 0 : written->bytes, written->proof);
  if (written->last && found != heard_.end()) found->second.feed.taken();
  prove();
}

void SpeakingPeer::on_pong(std::uint64_t number) {
  ledger_.pong(number);
  prove();
}

void SpeakingPeer::prove() {
  if (!transport_) return;
  ledger_.settle();
  if (ledger_.wants_ping(false)) return transport_->ping(ledger_.ping());
  if (!ledger_.wants_ping(true) || std::exchange(proving_, true)) return;
  prove_timer_.expires_after(kProveWhenQuiet);
  prove_timer_.async_wait([self = shared_from_this()](boost::system::error_code cancelled) {
    self->proving_ = false;
    if (cancelled || !self->transport_ || !self->ledger_.wants_ping(true)) return;
    guarded(*self, [&] { self->transport_->ping(self->ledger_.ping()); });
  });
}

void SpeakingPeer::give_credit(SubscriptionId id, std::size_t bytes) {
  const auto found = heard_.find(id);
  if (found == heard_.end()) return;
  found->second.unacked -= std::min(found->second.unacked, bytes);
  found->second.feed.returned(bytes);
}

// --- what sessions say

void SpeakingPeer::on_task_failed(std::string_view what) {
  spdlog::error("{} ended: {}", name(), what);
  if (transport_) transport_->close(kInternalError, "internal error");
}

void SpeakingPeer::hear(const Feed& feed) {
  if (!transport_) return feed.cancel();
  heard_[feed.id()] = {feed, false, 0};
  by_key_[feed.key()] = feed.id();
}

void SpeakingPeer::forget(SubscriptionId id) {
  const auto found = heard_.find(id);
  if (found == heard_.end()) return;
  by_key_.erase(found->second.feed.key());
  heard_.erase(found);
}

bool SpeakingPeer::is_wanted(const EventBody& body) const {
  const auto feature = needed_feature(body);
  return !feature || features_.contains(*feature);
}

void SpeakingPeer::take_event(SubscriptionId id, const std::shared_ptr<const Publication>& publication) {
  if (!transport_ || !heard_.contains(id)) return;
  const auto bytes = publication->is_output() ? publication->text.byte_length : 0;
  if (!is_wanted(publication->event.body) || !queue_event(id, publication)) return pass_over(id, bytes);
  wake();
}

void SpeakingPeer::take_news(const std::shared_ptr<const Publication>& publication) {
  if (!transport_ || by_key_.contains(publication->event.key) || !is_wanted(publication->event.body)) return;
  if (lifecycle_ >= kMaxLifecycle) return transport_->close(kTryAgainLater, "events wait that are not read");
  if (!queue_event(0, publication)) return;
  lifecycle_++;
  wake_for_news();
}

/// Whatever is written before goes together with the news.
void SpeakingPeer::wake_for_news() {
  if (!asleep_ || std::exchange(gathering_, true)) return;
  news_timer_.expires_after(kGatherNews);
  news_timer_.async_wait([self = shared_from_this()](boost::system::error_code cancelled) {
    self->gathering_ = false;
    if (!cancelled) guarded(*self, [&] { self->wake(); });
  });
}

/// False when no language of this peer carries events now.
bool SpeakingPeer::queue_event(SubscriptionId id, const std::shared_ptr<const Publication>& publication) {
  const auto before = events_.size();
  for (auto& [language, dialect] : dialects_)
    for (auto& wrap : dialect->wrap_event())
      events_.push_back({.frame = {std::move(wrap.head), {publication, &publication->text.json}, std::move(wrap.tail)},
                         .subscription = id,
                         .proof = language->proof});
  if (events_.size() == before) return false;
  events_.back().last = true;
  if (publication->is_output()) events_.back().bytes = publication->text.byte_length;
  return true;
}

/// Nothing is sent, so nothing has to be proved. Not at once: the session is in the middle of its round.
void SpeakingPeer::pass_over(SubscriptionId id, std::size_t bytes) {
  loop_.post([self = shared_from_this(), id, bytes] {
    const auto found = self->heard_.find(id);
    if (found == self->heard_.end()) return;
    if (bytes > 0) found->second.feed.returned(bytes);
    found->second.feed.taken();
  });
}

void SpeakingPeer::on_closed() {
  transport_ = nullptr;
  prove_timer_.cancel();
  news_timer_.cancel();
  for (const auto& [id, heard] : std::exchange(heard_, {})) heard.feed.cancel();
  by_key_.clear();
  replies_.clear();
  events_.clear();
  sessions_.remove_viewer(shared_from_this());
}

}  // namespace

std::shared_ptr<Peer> Peer::create(Loop& loop, SessionManager& sessions, Transport& transport, Options options) {
  auto peer = std::make_shared<SpeakingPeer>(loop, sessions, transport, std::move(options));
  // Not at once: the transport does not know its peer yet.
  loop.post([peer] { guarded(*peer, [&] { peer->start(); }); });
  return peer;
}

}  // namespace ptyd
