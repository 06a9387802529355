#include "server/net/websocket/peer.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <set>

#include "server/loop/supervise.hpp"
#include "server/net/websocket/broadcast_batcher.hpp"
#include "server/net/websocket/calls.hpp"
#include "server/net/websocket/handshake_limit.hpp"
#include "server/net/websocket/later_calls.hpp"
#include "server/net/websocket/message_rest.hpp"
#include "server/net/websocket/outbox.hpp"
#include "server/net/websocket/peer_subscriptions.hpp"
#include "server/session/routing/session_manager.hpp"

namespace ptyd {

namespace {

/// Calls carried out in one turn of the loop, which others share; one frame may hold thousands.
constexpr std::size_t kCallsPerTurn = 8;
constexpr std::uint16_t kProtocolError = 1002, kPolicyError = 1008, kInternalError = 1011, kTryAgainLater = 1013;

class SpeakingPeer final : public Peer, public Viewer, public std::enable_shared_from_this<SpeakingPeer> {
 public:
  SpeakingPeer(Loop& loop, SessionManager& sessions, Transport& transport, Options options)
      : loop_(loop),
        sessions_(sessions),
        transport_(&transport),
        options_(std::move(options)),
        calls_(loop, {[this] { guarded(*this, [&] { go_on(); }); }, [this] { return asleep_; }}),
        subscriptions_(loop,
                       [this](std::uint64_t number) {
                         guarded(*this, [&] {
                           if (transport_) transport_->ping(number);
                         });
                       }),
        outbox_(dialects_, subscriptions_.ack_tracker(),
                [this](SubscriptionId id, std::size_t bytes) { pass_over(id, bytes); }),
        gathering_(loop),
        handshake_(loop),
        all_terminals_(options_.all_events) {}

  void start() {
    if (!transport_) return;
    sessions_.add_viewer(shared_from_this());
    for (const auto* language : options_.spoken)
      if (language->speaks_first && !dialect(*language).is_ready()) await_handshake(*language);
    if (!options_.all_events) return;
    (void)dialect(*options_.spoken.front());
    sessions_.submit(shared_from_this(), Subscribe{}, [](const Result<Reply>&) {});
  }

  // Peer
  void on_message(std::string_view text) override;
  void on_pong(std::uint64_t number) override { subscriptions_.pong(number); }
  bool may_read() override { return !(is_blocked_ = !has_room() || rest_.is_under_way()); }
  std::size_t undecoded() const override { return rest_.text().size(); }
  std::optional<Frame> take_frame() override;
  bool has_more() const override { return outbox_.has_more(); }
  void on_written() override;
  void on_goodbye() override;
  void on_closed() override;
  std::string spoken_languages() const override { return names_of(dialects_); }

  // Viewer
  Loop& loop() override { return loop_; }
  const std::string& name() const override { return options_.name; }
  Access access() const override { return options_.access; }
  const std::string& credential() const override { return options_.facts.credential; }
  // Told from inside a session's call: what goes wrong here is not the session's.
  void on_subscribed(const SubscriptionHandle& handle) override {
    guarded(*this, [&] { subscribe(handle); });
  }
  void on_unsubscribed(SubscriptionId id) override { subscriptions_.forget(id); }
  void on_event(SubscriptionId id, std::shared_ptr<const EncodedEvent> encoded) override {
    guarded(*this, [&] { take_event(id, encoded); });
  }
  void on_lifecycle(std::shared_ptr<const EncodedEvent> encoded) override {
    guarded(*this, [&] { take_broadcast(encoded); });
  }
  void on_task_failed(std::string_view what);

 private:
  bool has_room() const { return calls_.size() < Calls::kMost && outbox_.bytes() + calls_.bytes() < kMaxQueued; }
  void take(const Language& language, Decoded decoded, std::size_t bytes);
  void read_rest();
  void tell_time(TimePoint begun) {
    if (transport_) transport_->spent(loop_.clock().now() - begun);
  }
  bool must_pause();
  void subscribe(const SubscriptionHandle& handle);
  void take_event(SubscriptionId id, const std::shared_ptr<const EncodedEvent>& encoded);
  void take_broadcast(const std::shared_ptr<const EncodedEvent>& encoded);
  Dialect& dialect(const Language& language);
  void await_handshake(const Language& language);
  void serve();
  void go_on();
  void carry_out(Calls::ReadyCall next);
  void submit(const Language& language, const Calls::PendingReply& pending, Request request);
  /// Commands about this connection, one overload each.
  Result<Reply> on(const AckOutput& ack) {
    subscriptions_.acked(ack);
    return Reply(Done{});
  }
  Result<Reply> on(const Detach& asked) {
    subscriptions_.leave(asked.key);
    return Reply(Done{});
  }
  void on_reply(const Language& language, const Calls::PendingReply& pending, const Result<Reply>& reply);
  Calls::ReplyOutcome answer(std::string text, const Calls::PendingReply& pending, const Result<Reply>& reply);
  bool is_carried(const EventBody& body) const;
  void pass_over(SubscriptionId id, std::size_t bytes);
  void reply_with(std::string frame);
  void unblock();
  void wake();

  Loop& loop_;
  SessionManager& sessions_;
  Transport* transport_;  // none once closed
  Options options_;
  Outbox::Dialects dialects_;  // in the order of their rows
  std::set<Feature> features_;
  Calls calls_;
  LaterCalls later_;
  MessageRest rest_;
  bool rest_comes_ = false;  // in a turn of its own
  bool serving_ = false;
  bool is_blocked_ = false;  // the transport was told not to read, at its last asking
  bool asleep_ = true;       // the transport found nothing at its last asking
  PeerSubscriptions subscriptions_;
  Outbox outbox_;
  std::optional<Outbox::Outgoing> writing_;
  BroadcastBatcher gathering_;
  std::unique_ptr<Timer> pause_;  // none before it is needed
  HandshakeLimit handshake_;
  AllTerminals all_terminals_;
};

// --- in

Dialect& SpeakingPeer::dialect(const Language& language) {
  auto& place = dialects_[&language];
  if (place) return *place;
  place = language.make(options_.facts);
  if (auto welcome = place->welcome(); !welcome.empty()) reply_with(std::move(welcome));
  return *place;
}

void SpeakingPeer::await_handshake(const Language& language) {
  handshake_.begin([self = shared_from_this(), &language] {
    guarded(*self, [&] {
      if (self->transport_ && !self->dialect(language).is_ready())
        self->transport_->close(kPolicyError, HandshakeLimit::kReason);
    });
  });
}

void SpeakingPeer::on_message(std::string_view text) {
  const auto self = shared_from_this();
  const auto& language = recognise(options_.spoken, text);
  auto decoded = dialect(language).decode(text);
  const auto left = decoded.rest.size();
  if (left > 0) rest_.keep(language, decoded.rest);
  take(language, std::move(decoded), text.size() - left);
  if (!may_read()) unblock();
}

/// The next part of a message, once what the parts before it asked for leaves room.
void SpeakingPeer::read_rest() {
  rest_comes_ = false;
  if (!transport_ || !rest_.is_under_way() || !has_room() || must_pause()) return;
  const auto begun = loop_.clock().now();
  auto decoded = dialect(rest_.language()).decode_rest(rest_.text());
  const auto bytes = rest_.text().size() - decoded.rest.size();
  rest_.decoded(bytes);
  take(rest_.language(), std::move(decoded), bytes);
  if (rest_.text().empty()) rest_.clear();  // not sooner: until then nothing else is read
  unblock();
  tell_time(begun);
}

/// `bytes` of a message have been decoded.
void SpeakingPeer::take(const Language& language, Decoded decoded, std::size_t bytes) {
  if (decoded.acknowledged > 0) {
    subscriptions_.ack_tracker().confirmed(decoded.acknowledged);
    wake();  // for what a full stream held back
  }
  for (auto& frame : decoded.frames) reply_with(std::move(frame));
  if (!decoded.refusal.empty() && transport_) return transport_->close(kProtocolError, decoded.refusal);
  for (const auto token : decoded.given_up)
    if (!calls_.drop(language, token)) later_.give_up(language, token);
  for (const auto token : decoded.cancelled) {
    later_.cancel(language, token);
    if (!calls_.drop(language, token)) continue;
    on_reply(language, {token, Answer::later, 0}, Error(Errc::internal, "The request was cancelled"));
  }
  const auto share = sizeof(CallQueue::Waiting) + bytes / std::max<std::size_t>(decoded.calls.size(), 1);
  for (auto& call : decoded.calls) calls_.add(language, std::move(call), share);
  serve();
}

/// Room for a call that has to wait comes by an answer, or by bytes that are written: never by something to be read.
void SpeakingPeer::serve() {
  if (std::exchange(serving_, true)) return;
  for (std::size_t served = 0; served < kCallsPerTurn; served++) {
    if (!transport_ || outbox_.bytes() >= kMaxQueued) break;
    auto next = calls_.next();
    if (!next) break;
    carry_out(std::move(*next));
    if (served + 1 == kCallsPerTurn) calls_.go_on_later();
  }
  serving_ = false;
}

void SpeakingPeer::go_on() {
  if (must_pause()) return;
  const auto begun = loop_.clock().now();
  serve();
  unblock();
  tell_time(begun);
}

/// Calls and parts of messages wait when messages have taken their part of the loop's time.
bool SpeakingPeer::must_pause() {
  const auto turn = transport_ ? transport_->next_turn() : TimePoint::min();
  if (turn <= loop_.clock().now()) return false;
  if (!pause_) pause_ = loop_.make_timer();
  pause_->wait_until(turn, [this] { guarded(*this, [&] { go_on(); }); });
  return true;
}

void SpeakingPeer::carry_out(Calls::ReadyCall next) {
  auto& [language, request, pending] = next;
  if (pending.kind == Answer::in_place) wake();  // for what a full stream held back
  if (const auto allowed = authorise(options_.access, request.row()); !allowed)
    return on_reply(language, pending, allowed.error());
  if (!all_terminals_.passes(language, request.command())) return on_reply(language, pending, Reply(Done{}));
  std::visit(
      [&]<class Asked>(const Asked& asked) {
        if constexpr (requires { asked.features; }) features_.insert(asked.features.begin(), asked.features.end());
        if constexpr (CommandTraits<Asked>::dispatch == Dispatch::peer) {
          on_reply(next.language, next.pending, on(asked));
        } else {
          submit(next.language, next.pending, std::move(next.request));
        }
      },
      request.command());
}

void SpeakingPeer::submit(const Language& language, const Calls::PendingReply& pending, Request request) {
  if (is_late(pending.kind) && later_.is_full(pending.kind))
    return on_reply(language, pending, LaterCalls::too_many(pending.kind));
  // A call that was given up is no more in later_: its client waits for no answer.
  auto answered = [self = shared_from_this(), &language, pending](const Result<Reply>& reply) {
    guarded(*self, [&] {
      if (!is_late(pending.kind) || self->later_.take(language, pending.token))
        self->on_reply(language, pending, reply);
    });
  };
  Caller caller(loop_, shared_from_this(), std::move(answered), language.is_of_agents);
  if (is_late(pending.kind)) later_.add(language, pending.token, pending.kind, caller);
  sessions_.submit(std::move(caller), std::move(request));
}

// --- out

void SpeakingPeer::on_reply(const Language& language, const Calls::PendingReply& pending, const Result<Reply>& reply) {
  auto text = transport_ ? dialect(language).encode_reply(pending.token, reply) : std::nullopt;
  const auto made = text ? answer(std::move(*text), pending, reply) : Calls::ReplyOutcome::nothing;
  calls_.answered(pending, made);
  if (!transport_) return;
  if (made != Calls::ReplyOutcome::nothing) wake();
  calls_.go_on_later();
  unblock();
}

Calls::ReplyOutcome SpeakingPeer::answer(std::string text, const Calls::PendingReply& pending,
                                         const Result<Reply>& reply) {
  const auto* shown = reply ? std::get_if<Snapshot>(&*reply) : nullptr;
  if (shown) {
    subscriptions_.await_reply(shown->key);
    outbox_.add_in_place(std::move(text), shown->key);
  } else {
    outbox_.add_answer(std::move(text), is_large(pending.kind));
  }
  return shown ? Calls::ReplyOutcome::in_place : Calls::ReplyOutcome::sent;
}

/// Lets a transport that has stopped reading go on, once the rest of the last message is decoded.
void SpeakingPeer::unblock() {
  if (!transport_ || !is_blocked_ || !has_room()) return;
  if (rest_.is_under_way()) {
    if (!std::exchange(rest_comes_, true))
      loop_.post([self = shared_from_this()] { guarded(*self, [&] { self->read_rest(); }); });
    return;
  }
  is_blocked_ = false;
  transport_->resume_reading();
}

void SpeakingPeer::reply_with(std::string frame) {
  outbox_.add_answer(std::move(frame), false);
  wake();
}

void SpeakingPeer::wake() {
  if (transport_ && std::exchange(asleep_, false)) transport_->wake();
}

std::optional<Frame> SpeakingPeer::take_frame() {
  writing_ = outbox_.take(calls_.any_in_place());
  asleep_ = !writing_;
  if (!writing_) return std::nullopt;
  return std::move(writing_->frame);
}

void SpeakingPeer::on_written() {
  if (const auto written = std::exchange(writing_, std::nullopt)) {
    calls_.written(written->is_large, written->shown.has_value());
    if (written->shown) subscriptions_.reset_credit(*written->shown);
    subscriptions_.written(written->parts, written->ack_kind);
  }
  calls_.go_on_later();
  unblock();
}

// --- what sessions say

void SpeakingPeer::on_task_failed(std::string_view what) {
  spdlog::error("{} ended: {}", name(), what);
  if (transport_) transport_->close(kInternalError, "internal error");
}

void SpeakingPeer::subscribe(const SubscriptionHandle& handle) {
  if (!transport_) return handle.cancel();
  subscriptions_.add(handle);
}

/// Whether this peer is told of such events, and a language of its carries any now.
bool SpeakingPeer::is_carried(const EventBody& body) const {
  const auto feature = needed_feature(body);
  if (feature && !features_.contains(*feature)) return false;
  return std::any_of(dialects_.begin(), dialects_.end(), [](const auto& each) { return each.second->wants_events(); });
}

void SpeakingPeer::take_event(SubscriptionId id, const std::shared_ptr<const EncodedEvent>& encoded) {
  if (!transport_ || !subscriptions_.is_subscribed(id)) return;
  const auto bytes = encoded->is_output() ? encoded->text.byte_length : 0;
  if (!is_carried(encoded->event.body)) return pass_over(id, bytes);
  outbox_.add_event(id, encoded);
  wake();
}

void SpeakingPeer::take_broadcast(const std::shared_ptr<const EncodedEvent>& encoded) {
  const auto& event = encoded->event;
  const bool comes_in_its_place = subscriptions_.is_subscribed(event.key) && has_place(event.body);
  if (!transport_ || comes_in_its_place || !is_carried(event.body)) return;
  if (outbox_.broadcasts() >= kMaxBroadcasts || outbox_.broadcast_bytes() >= kMaxBroadcastBytes)
    return transport_->close(kTryAgainLater, "events wait that are not read");
  outbox_.add_event(0, encoded);
  if (asleep_) gathering_.begin([self = shared_from_this()] { guarded(*self, [&] { self->wake(); }); });
}

/// Nothing is sent, so nothing has to be acked. Not at once: the session is in the middle of its round.
void SpeakingPeer::pass_over(SubscriptionId id, std::size_t bytes) {
  loop_.post([self = shared_from_this(), id, bytes] { self->subscriptions_.passed_over(id, bytes); });
}

void SpeakingPeer::on_goodbye() {
  calls_.clear();
  rest_.clear();
  unblock();
}

void SpeakingPeer::on_closed() {
  transport_ = nullptr;
  gathering_.cancel();
  if (pause_) pause_->cancel();
  handshake_.cancel();
  later_.give_up_all();
  subscriptions_.cancel();
  on_goodbye();
  outbox_.clear();
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
