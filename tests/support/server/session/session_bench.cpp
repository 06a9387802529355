#include "tests/support/server/session/session_bench.hpp"

#include <boost/json.hpp>

#include "tests/support/waiting.hpp"

namespace ptyd {

namespace {

std::string type_of(const EncodedEvent& encoded) {
  return std::string(boost::json::parse(encoded.text.json).at("type").as_string());
}

}  // namespace

std::string output_data(const std::string& event_json) {
  return std::string(boost::json::parse(event_json).at("data").as_string());
}

void FakeViewer::remember(const EncodedEvent& encoded) {
  last_cursor = format_cursor(encoded.event.cursor);
  if (!encoded.is_output()) {
    events.push_back(type_of(encoded));
    all.push_back(encoded.event);
    return;
  }
  if (events.empty() || events.back() != "output") events.push_back("output");
  output += output_data(encoded.text.json);
  largest_frame = std::max(largest_frame, encoded.text.byte_length);
}

SessionBench::SessionBench(SessionManager::Options options, std::size_t blocking_threads)
    : SessionBench(std::move(options), blocking_threads, clock_) {}

SessionBench::SessionBench(SessionManager::Options options, std::size_t blocking_threads, Clock& clock)
    : loops_(1, clock), options_(std::move(options)) {
  options_.blocking_pool.threads = blocking_threads;
  sessions_ = make_sessions();
}

std::unique_ptr<SessionManager> SessionBench::make_sessions() {
  auto make = [this](Loop& loop) {
    auto launcher = std::make_unique<FakeLauncher>(loop.context().get_executor());
    launcher_ = launcher.get();
    return launcher;
  };
  return std::make_unique<SessionManager>(loops_, make, options_);
}

void SessionBench::start_again() {
  bool ended = false;
  sessions_->shutdown("restarted", [&] { ended = true; });
  until([&] { return ended; }, "the server's end");
  settle();
  sessions_.reset();
  sessions_ = make_sessions();
}

SessionBench::~SessionBench() {
  for (const auto& each : viewers_) sessions_->remove_viewer(each);
  settle();
  loops_.stop();
}

std::shared_ptr<FakeViewer> SessionBench::viewer(const std::string& name, Access access) {
  auto made = viewers_.emplace_back(std::make_shared<FakeViewer>(loops_.main(), name, access));
  sessions_->add_viewer(made);
  return made;
}

Result<Reply> SessionBench::ask_as(bool is_agent, const std::shared_ptr<FakeViewer>& viewer, Command command) {
  auto answer = std::make_shared<std::optional<Result<Reply>>>();
  auto take = [answer](Result<Reply> reply) { *answer = std::move(reply); };
  sessions_->submit(Caller(viewer->loop(), viewer, std::move(take), is_agent), Request(std::move(command)));
  until([&] { return answer->has_value(); }, "a reply");
  return answer->has_value() ? std::move(**answer) : Result<Reply>(Error(Errc::internal, "no reply"));
}

Snapshot SessionBench::open_as(const std::shared_ptr<FakeViewer>& viewer, Open asked) {
  if (asked.cwd.empty()) asked.cwd = "/";
  auto reply = ask(viewer, std::move(asked));
  if (reply) return std::get<Snapshot>(*reply);
  ADD_FAILURE() << "open failed: " << reply.error().detail();
  return {};
}

Snapshot SessionBench::open(const std::shared_ptr<FakeViewer>& viewer, const SessionKey& key) {
  Open asked;
  asked.key = key;
  return open_as(viewer, std::move(asked));
}

void SessionBench::until(const std::function<bool()>& met, const std::string& what) {
  if (run_until(loops_.main().context(), met)) return;
  ADD_FAILURE() << "waited in vain for " << what;
  for (const auto& each : viewers_)
    ADD_FAILURE() << each->name() << " has heard " << testing::PrintToString(each->events) << " and read "
                  << each->output.size() << " bytes, at " << each->last_cursor;
}

void SessionBench::settle() {
  loops_.main().context().restart();
  while (loops_.main().context().poll_one() > 0) {
  }
}

}  // namespace ptyd
