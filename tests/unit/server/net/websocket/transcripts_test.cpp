// Runs tests/transcripts/*/*.jsonl against Dialect + Peer + SessionManager with fake children.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>

#include "server/net/websocket/peer.hpp"
#include "server/session/routing/session_manager.hpp"
#include "tests/support/protocol/agents.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/waiting.hpp"

namespace ptyd {
namespace {

namespace json = boost::json;

/// A frame as a transcript wants it: "<any>" and "<string>" stand for values that differ from run to run.
bool matches(const json::value& expected, const json::value& actual, bool exact) {
  if (expected.is_string() && expected.get_string() == "<any>") return true;
  if (expected.is_string() && expected.get_string() == "<string>") return actual.is_string();
  if (expected.is_object()) {
    if (!actual.is_object() || (exact && expected.get_object().size() != actual.get_object().size())) return false;
    for (const auto& [key, value] : expected.get_object()) {
      const auto* found = actual.get_object().if_contains(key);
      if (!found || !matches(value, *found, exact)) return false;
    }
    return true;
  }
  if (expected.is_array()) {
    if (!actual.is_array() || expected.get_array().size() != actual.get_array().size()) return false;
    for (std::size_t i = 0; i < expected.get_array().size(); i++)
      if (!matches(expected.get_array()[i], actual.get_array()[i], exact)) return false;
    return true;
  }
  return expected == actual;
}

/// MCP has no Dialect: tests/unit/protocol plays those.
bool is_of_mcp(const std::filesystem::path& file) {
  return file.parent_path().filename() == "mcp";
}

std::vector<std::string> transcript_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::source_dir() + "/tests/transcripts"))
    if (entry.path().extension() == ".jsonl" && !is_of_mcp(entry.path())) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

/// A transport that writes into a list.
class ListTransport final : public Transport {
 public:
  void wake() override { drain(); }
  void ping(std::uint64_t number) override { pings_.push_back(number); }
  void close(std::uint16_t code, std::string_view reason) override {
    closed = std::to_string(code) + " " + std::string(reason);
  }
  void resume_reading() override {}

  void drain() {
    if (!peer || draining_) return;
    draining_ = true;
    while (auto frame = peer->take_frame()) {
      frames.push_back(frame->head + (frame->body ? *frame->body : "") + frame->tail);
      peer->on_written();
    }
    draining_ = false;
    for (const auto number : std::exchange(pings_, {})) peer->on_pong(number);
  }

  std::shared_ptr<Peer> peer;
  std::deque<std::string> frames;
  std::string closed;

 private:
  bool draining_ = false;
  std::vector<std::uint64_t> pings_;
};

class TranscriptTest : public testing::TestWithParam<std::string> {
 protected:
  TranscriptTest() {
    auto make = [this](Loop& loop) {
      auto launcher = std::make_unique<FakeLauncher>(loop.context().get_executor());
      launcher_ = launcher.get();
      launcher_->on_child = [this](FakeChild& made) { by_session_[asked_for_] = made.shared_from_this(); };
      return launcher;
    };
    SessionManager::Options plain;
    plain.blocking_pool.threads = 0;
    sessions_ = std::make_unique<SessionManager>(loops_, make, plain);
  }
  ~TranscriptTest() override {
    if (transport_.peer) transport_.peer->on_closed();
    settle();
    loops_.stop();
  }

  void settle() {
    loops_.main().context().restart();
    while (loops_.main().context().poll_one() > 0) {
    }
  }
  bool until(const std::function<bool()>& met) { return run_until(loops_.main().context(), met); }

  void connect(const json::object& first);
  void play(const json::object& line);
  void expect_frame(const json::value& expected, bool exact);
  void act(const json::object& pty);
  FakeChild* child(const json::object& pty);
  void note_session(const json::object& frame);

  ManualClock clock_;
  Loops loops_{1, clock_};
  FakeLauncher* launcher_ = nullptr;
  std::unique_ptr<SessionManager> sessions_;
  ListTransport transport_;
  std::map<std::string, std::shared_ptr<FakeChild>> by_session_;
  std::string asked_for_;
  std::string heard_;  // everything received so far, for a failure's message
};

/// A transcript's first line may say where: {"place": "/acp", "delegate": true}. Else it is /ws. Names are "1", "2" ...
void TranscriptTest::connect(const json::object& first) {
  Peer::Options options;
  options.facts = facts_that_count("/home/someone", "");
  options.facts.delegate = first.contains("delegate");
  options.name = "c1";
  if (const auto* place = first.if_contains("place")) options.spoken = spoken_at(languages(), place->as_string(), {});
  transport_.peer = Peer::create(loops_.main(), *sessions_, transport_, options);
  transport_.drain();
}

void TranscriptTest::expect_frame(const json::value& expected, bool exact) {
  ASSERT_TRUE(until([this] { return !transport_.frames.empty(); })) << "no frame came; expected " << expected << heard_;
  const auto text = transport_.frames.front();
  transport_.frames.pop_front();
  heard_ += "\n  received " + text;
  EXPECT_TRUE(matches(expected, json::parse(text), exact)) << "expected " << expected << heard_;
}

/// The child of {"session": "thread/terminal"}, or the last one.
FakeChild* TranscriptTest::child(const json::object& pty) {
  if (const auto* session = pty.if_contains("session")) return by_session_[std::string(session->as_string())].get();
  return launcher_->children.empty() ? nullptr : launcher_->children.back().get();
}

/// Children are made in the order in which their sessions are asked for.
void TranscriptTest::note_session(const json::object& frame) {
  const auto* asked = frame.if_contains("body") ? frame.if_contains("body") : frame.if_contains("payload");
  if (!asked || !asked->is_object() || !asked->get_object().contains("cwd")) return;
  const auto* thread = asked->get_object().if_contains("threadId");
  const auto* terminal = asked->get_object().if_contains("terminalId");
  if (!thread || !thread->is_string()) return;
  asked_for_ = std::string(thread->get_string()) + "/" +
               (terminal && terminal->is_string() ? std::string(terminal->get_string()) : "default");
}

void TranscriptTest::act(const json::object& pty) {
  if (const auto* detail = pty.if_contains("refuse"))
    return launcher_->refuse(Error(Errc::spawn_failed, std::string(detail->as_string())));
  if (pty.contains("accept")) return launcher_->accept();
  settle();
  auto* of = child(pty);
  ASSERT_NE(of, nullptr) << "no child has been started" << heard_;
  if (const auto* text = pty.if_contains("say")) of->say(text->as_string());
  if (const auto* status = pty.if_contains("exit")) {
    ExitStatus exit;
    if (const auto* code = status->as_object().if_contains("code")) exit.code = static_cast<int>(code->as_int64());
    if (const auto* signal = status->as_object().if_contains("signal"))
      exit.signal = static_cast<int>(signal->as_int64());
    of->exit(exit);
  }
  if (const auto* text = pty.if_contains("expect_input")) {
    const std::string wanted(text->as_string());
    EXPECT_TRUE(until([&] { return of->written.size() >= wanted.size(); }))
        << "the child was not sent " << wanted << heard_;
    EXPECT_EQ(of->take_written(), wanted);
  }
  if (const auto* size = pty.if_contains("expect_size")) {
    settle();
    const auto& both = size->as_array();
    EXPECT_EQ(of->sizes.back(),
              (Size{static_cast<std::uint16_t>(both[0].as_int64()), static_cast<std::uint16_t>(both[1].as_int64())}));
  }
}

void TranscriptTest::play(const json::object& line) {
  if (const auto* in = line.if_contains("in")) {
    heard_ += "\n  sent " + json::serialize(*in);
    if (in->is_object()) note_session(in->get_object());
    transport_.peer->on_message(json::serialize(*in));
  }
  if (const auto* raw = line.if_contains("in_raw")) {
    heard_ += "\n  sent " + std::string(raw->as_string());
    transport_.peer->on_message(raw->as_string());
  }
  transport_.drain();
  const auto* exact = line.if_contains("exact");
  if (const auto* out = line.if_contains("out")) expect_frame(*out, exact && exact->as_bool());
  if (const auto* pty = line.if_contains("pty")) act(pty->as_object());
}

TEST_P(TranscriptTest, IsSpokenAsWritten) {
  std::ifstream file(GetParam());
  std::string text;
  for (int number = 1; std::getline(file, text); number++) {
    if (text.empty()) continue;
    SCOPED_TRACE(GetParam() + ":" + std::to_string(number));
    const auto line = json::parse(text).as_object();
    if (!transport_.peer) connect(line);
    play(line);
    if (HasFailure()) return;
  }
  settle();
  EXPECT_TRUE(transport_.frames.empty()) << "also received " << transport_.frames.front() << heard_;
  EXPECT_EQ(transport_.closed, "");
}

INSTANTIATE_TEST_SUITE_P(All, TranscriptTest, testing::ValuesIn(transcript_files()), [](const auto& file) {
  auto name = std::filesystem::path(file.param).parent_path().filename().string() + "_" +
              std::filesystem::path(file.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace ptyd
