#include "server/net/websocket/outbox.hpp"

#include <utility>

namespace ptyd {

namespace {

/// Cost of an answer that waits, however short it is.
std::size_t cost(const Outbox::Outgoing& answer) {
  return sizeof(answer) + answer.frame.size();
}

Frame around(Wrap wrap, std::shared_ptr<const EncodedEvent> encoded) {
  const auto* text = &encoded->text.json;
  return {std::move(wrap.head), {std::move(encoded), text}, std::move(wrap.tail)};
}

}  // namespace

Outbox::Outbox(Dialects& dialects, AckTracker& ack_tracker, PassOver pass_over)
    : dialects_(dialects), ack_tracker_(ack_tracker), pass_over_(std::move(pass_over)) {}

void Outbox::add_answer(std::string frame, bool is_large) {
  answers_.push_back({.frame = {std::move(frame), nullptr, {}}, .is_large = is_large});
  if (!is_large) bytes_ += cost(answers_.back());
}

void Outbox::add_in_place(std::string frame, SessionKey shown) {
  Outgoing answer{.frame = {std::move(frame), nullptr, {}}, .is_large = true, .shown = std::move(shown)};
  waiting_.push_back({nullptr, std::make_unique<Outgoing>(std::move(answer))});
}

void Outbox::add_event(SubscriptionId subscription, std::shared_ptr<const EncodedEvent> encoded) {
  waiting_.push_back({std::move(encoded), nullptr, subscription});
  count(waiting_.back(), true);
}

void Outbox::count(const Waiting& event, bool comes) {
  const auto add = [comes](std::size_t& sum, std::size_t more) { sum = comes ? sum + more : sum - more; };
  add(event.encoded->is_output() ? output_bytes_ : bytes_, event.cost());
  if (event.subscription != 0) return;
  add(broadcasts_, 1);
  add(broadcast_bytes_, event.cost());
}

std::optional<Outbox::Outgoing> Outbox::take(bool awaited) {
  prepare(awaited);
  auto& from = answers_.empty() ? prepared_ : answers_;
  if (from.empty()) return std::nullopt;
  auto next = std::move(from.front());
  from.pop_front();
  if (&from == &answers_ && !next.is_large) bytes_ -= cost(next);
  prepare(awaited);
  return next;
}

/// One ahead, so that has_more() is never wrong: what has been prepared is sent, whatever happens to its stream.
void Outbox::prepare(bool awaited) {
  while (prepared_.empty() && !waiting_.empty()) {
    if (is_held(awaited)) {
      gathering_ = true;
      return;
    }
    if (waiting_.front().encoded) {
      prepare_events();
    } else {
      prepared_.push_back(std::move(*waiting_.front().answer));
      waiting_.pop_front();
    }
  }
}

bool Outbox::is_held(bool awaited) const {
  return !awaited && waiting_.front().encoded && ack_tracker_.is_full() && bytes_ + output_bytes_ < kMaxHeld;
}

void Outbox::prepare_events() {
  const auto events = take_gathered();
  for (const auto& [language, dialect] : dialects_) wrap(*language, *dialect, events);
  for (const auto& event : events) {
    const auto bytes = event.encoded->is_output() ? event.encoded->text.byte_length : 0;
    if (prepared_.empty()) {
      pass_over_(event.subscription, bytes);
    } else {
      prepared_.back().parts.push_back({event.subscription, bytes});
    }
  }
}

/// The next event; and where it has been held back, as many as came meanwhile and go into one frame.
Outbox::Events Outbox::take_gathered() {
  Events events;
  std::size_t size = 0;
  do {
    size += waiting_.front().size();
    count(waiting_.front(), false);
    events.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  } while (gathering_ && !waiting_.empty() && waiting_.front().encoded &&
           size + waiting_.front().size() <= kMaxGathered);
  gathering_ = gathering_ && !waiting_.empty();
  return events;
}

void Outbox::wrap(const Language& language, Dialect& dialect, const Events& events) {
  if (language.ack_kind == AckKind::pong) {
    for (const auto& event : events) {
      for (auto& wrap : dialect.wrap_event())
        prepared_.push_back({.frame = around(std::move(wrap), event.encoded), .ack_kind = language.ack_kind});
      if (auto told = dialect.tell(event.encoded->event))
        prepared_.push_back({.frame = {std::move(*told), nullptr, {}}, .ack_kind = language.ack_kind});
    }
    return;
  }
  auto wraps = dialect.wrap_event();
  if (wraps.empty()) return;
  std::string gathered;
  for (const auto& event : events)
    if (events.size() > 1) gathered.append(gathered.empty() ? "" : ",").append(event.encoded->text.json);
  ack_tracker_.begun(events.size() > 1 ? gathered.size() : events.front().size());
  for (auto& wrap : wraps)
    prepared_.push_back({.frame = events.size() > 1
                                      ? Frame{std::move(wrap.head) + gathered, nullptr, std::move(wrap.tail)}
                                      : around(std::move(wrap), events.front().encoded),
                         .ack_kind = language.ack_kind});
}

void Outbox::clear() {
  answers_.clear();
  prepared_.clear();
  waiting_.clear();
  bytes_ = output_bytes_ = broadcasts_ = broadcast_bytes_ = 0;
}

std::string names_of(const Outbox::Dialects& dialects) {
  std::string names;
  for (const auto& [language, dialect] : dialects) names += (names.empty() ? "" : ", ") + std::string(language->name);
  return names;
}

}  // namespace ptyd
