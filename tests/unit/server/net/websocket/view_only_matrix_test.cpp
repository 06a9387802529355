// Effects that a child, and the owner of its terminal, notice of one more connection: of each method with each of its
// optional fields, by full access and by a token that may only view.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <boost/json.hpp>
#include <cctype>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/methods.hpp"
#include "pty/journal/journal.hpp"
#include "server/net/websocket/peer.hpp"
#include "server/session/routing/session_manager.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/net/fake_line.hpp"

namespace ptyd {
namespace {

/// A field, and a value of it that would be noticed if any is. A new field needs one here.
const std::map<std::string_view, std::string_view> kSamples{
    {"threadId", R"("t")"},
    {"terminalId", R"("default")"},
    {"cwd", R"("/")"},
    {"cols", "90"},
    {"rows", "40"},
    {"env", R"({"A":"b"})"},
    {"streamOutput", "true"},
    {"after", R"("00.1")"},
    {"attach", "true"},
    {"policy", R"("lossless")"},
    {"hold", R"("recorder")"},
    {"historyFormat", R"("raw")"},
    {"fromLine", "1"},
    {"scrollback", "7"},
    {"features", R"(["clipboard","resized","title","warning"])"},
    {"colors", R"({"foreground":"#010203","background":"#040506"})"},
    {"cellSize", R"({"width":7,"height":13})"},
    {"emulator", R"("other 1")"},
    {"data", R"("typed")"},
    {"name", R"("theirs")"},
    {"bytes", "1"},
    {"deleteHistory", "true"},
    {"format", R"("cells")"},
    {"command", R"("true")"},
    {"isInput", "true"},
    {"noEnter", "true"},
    {"literal", "true"},
    {"maxOutputChars", "1000"},
    {"timeout", "1"},
    {"shell", R"("bash")"}};

/// A call of `method` with its required fields and `further` ones.
std::string call(const Method& method, const std::vector<std::string>& further) {
  const auto schema = method.params_schema();
  std::string frame = R"({"id":"1","body":{"_tag":")" + std::string(method.name) + '"';
  const auto add = [&frame](const std::string& field) {
    const auto sample = kSamples.find(field);
    if (sample == kSamples.end())
      ADD_FAILURE() << "no sample of " << field;
    else
      frame += ",\"" + field + "\":" + std::string(sample->second);
  };
  if (const auto* required = schema.if_contains("required"))
    for (const auto& field : required->as_array()) add(std::string(field.as_string()));
  for (const auto& field : further) add(field);
  return frame + "}}";
}

/// The question of one more connection.
struct Presence {
  std::string name;
  std::string frame;  ///< "" for none
  bool all_events = false;
};

void PrintTo(const Presence& one, std::ostream* out) {
  *out << one.name << ": " << one.frame;
}

std::vector<Presence> all_presences() {
  std::vector<Presence> all{{"connects", "", false}, {"connects events=all", "", true}};
  for (const auto& method : methods()) {
    const std::string name(method.name.substr(method.name.find('.') + 1));
    const auto plain = call(method, {});
    all.push_back({name, plain, false});
    const auto schema = method.params_schema();
    const auto& fields = schema.at("properties").as_object();
    for (const auto& [key, value] : fields) {
      const std::string field(key);
      if (plain.find('"' + field + "\":") != std::string::npos) continue;
      all.push_back({name + " " + field, call(method, {field}), false});
      // The only open that is allowed to a token that may only view.
      if (fields.contains("attach") && field != "attach")
        all.push_back({name + " attach " + field, call(method, {"attach", field}), false});
    }
  }
  return all;
}

/// Effects that a child and the owner of its terminal have noticed.
struct Noticed {
  std::string typed;
  std::vector<Size> sizes;
  std::size_t launches = 0, unread = 0;
  bool ended = false;
  std::string clipboard;  ///< that the owner was given
  std::string told;       ///< the owner's other events, without its output

  /// In words, where it differs from `usual`.
  std::string beyond(const Noticed& usual) const {
    std::string words;
    const auto add = [&words](bool differs, const char* word) {
      if (differs) words += words.empty() ? word : std::string(" ") + word;
    };
    add(typed != usual.typed, "typed");
    add(sizes != usual.sizes, "resized");
    add(launches != usual.launches, "started");
    add(ended != usual.ended, "ended");
    add(unread != usual.unread, "held");
    add(clipboard != usual.clipboard, "clipboard");
    add(told != usual.told, "told");
    return words.empty() ? "-" : words;
  }
};

/// One terminal, whose owner is there or has left without having typed; one more connection, that takes nothing of
/// what it is sent; a program that asks what there is to ask, gives a text for clipboards, and prints more than is
/// kept.
class Scene {
 public:
  explicit Scene(bool owner_stays) {
    connect(owner_, Access::full, false);
    owner_.bring(R"({"id":"1","body":{"_tag":"terminal.open","threadId":"t","cwd":"/","emulator":"owner 1",)"
                 R"("features":["clipboard","renamed","resized","title","warning"]}})");
    settle();
    if (!owner_stays) std::exchange(owner_.peer, nullptr)->on_closed();
    settle();
  }
  ~Scene() {
    for (auto* line : {&owner_, &other_})
      if (line->peer) line->peer->on_closed();
    settle();
    loops_.stop();
  }

  Noticed play(const std::optional<Presence>& other, Access access) {
    if (other) {
      connect(other_, access, other->all_events);
      other_.takes = false;
      if (!other->frame.empty()) other_.bring(other->frame);
      settle();
    }
    auto& child = *launcher_->children.front();
    child.say("\x1b[>q\x1b]10;?\a\x1b]11;?\a\x1b[16t\x1b]52;c;c2VjcmV0\a" + std::string(kPrinted, 'x'));
    settle();
    Noticed noticed{child.take_written(), child.sizes, launcher_->launches.size(), child.unread(), child.destroyed,
                    clipboard_of(),       told_of()};
    return noticed;
  }

 private:
  static constexpr std::size_t kPrinted = Journal::Options().ring_bytes;

  void connect(FakeLine& line, Access access, bool all_events) {
    line.peer = Peer::create(loops_.main(), *sessions_, line, {access, all_events, {"/srv", "/", "srv"}, "c"});
    settle();
  }
  void settle() {
    do {
      loops_.main().context().restart();
      while (loops_.main().context().poll_one() > 0) {
      }
    } while (owner_.peer && owner_.answer_pings());
  }
  std::unique_ptr<SessionManager> make_sessions() {
    SessionManager::Options options;
    options.blocking_pool.threads = 0;
    auto make = [this](Loop& loop) {
      auto launcher = std::make_unique<FakeLauncher>(loop.context().get_executor());
      launcher_ = launcher.get();
      return launcher;
    };
    return std::make_unique<SessionManager>(loops_, make, options);
  }
  std::string events_of(bool clipboards) const {
    std::string all;
    for (const auto& frame : owner_.frames) {
      const auto value = boost::json::parse(frame);
      const auto* event = value.as_object().if_contains("data");
      if (!event || value.at("channel") != "terminal.event" || event->at("type") == "output") continue;
      auto told = event->as_object();  // but the journal's random number
      told.erase("cursor");
      if (auto* snapshot = told.if_contains("snapshot")) snapshot->as_object().erase("cursor");
      if ((told.at("type") == "clipboard") == clipboards) all += boost::json::serialize(told) + "\n";
    }
    return all;
  }
  std::string clipboard_of() const { return events_of(true); }
  std::string told_of() const { return events_of(false); }

  ManualClock clock_;
  Loops loops_{1, clock_};
  FakeLauncher* launcher_ = nullptr;
  std::unique_ptr<SessionManager> sessions_ = make_sessions();
  FakeLine owner_, other_;
};

std::string effect_of(const Presence& other, Access access, bool owner_stays) {
  static const std::array usual{Scene(false).play({}, Access::view), Scene(true).play({}, Access::view)};
  return Scene(owner_stays).play(other, access).beyond(usual.at(owner_stays ? 1 : 0));
}

class ViewOnlyMatrix : public testing::TestWithParam<Presence> {};

TEST_P(ViewOnlyMatrix, NothingIsNoticedOfATokenThatMayOnlyView) {
  EXPECT_EQ(effect_of(GetParam(), Access::view, true), "-") << "beside the owner: " << GetParam().frame;
  EXPECT_EQ(effect_of(GetParam(), Access::view, false), "-") << "while the owner is away: " << GetParam().frame;
}

std::string test_name(const testing::TestParamInfo<Presence>& tested) {
  std::string name = tested.param.name;
  for (auto& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, ViewOnlyMatrix, testing::ValuesIn(all_presences()), test_name);

/// The effects of full access beside the owner | while the owner is away. It shows what the instrument sees: beside
/// another that may act no traits count but defaults, which are typed as answers; execute is refused in a terminal of
/// people.
constexpr std::string_view kByFullAccess = R"(
connects: - | -
connects events=all: typed | held
open: typed | held
open terminalId: typed | held
open attach terminalId: typed | held
open cols: typed resized told | resized held
open attach cols: typed | held
open rows: typed resized told | resized held
open attach rows: typed | held
open env: typed | held
open attach env: typed | held
open streamOutput: typed | held
open attach streamOutput: typed | held
open after: typed | held
open attach after: typed | held
open attach: typed | held
open policy: typed held | held
open attach policy: typed held | held
open hold: typed | held
open attach hold: typed | held
open historyFormat: typed | held
open attach historyFormat: typed | held
open fromLine: typed | held
open attach fromLine: typed | held
open scrollback: typed | held
open attach scrollback: typed | held
open features: typed clipboard | held
open attach features: typed clipboard | held
open colors: typed | typed held
open attach colors: typed | typed held
open cellSize: typed | typed held
open attach cellSize: typed | typed held
open emulator: typed | typed held
open attach emulator: typed | typed held
write: typed | typed
write terminalId: typed | typed
ackOutput: - | -
ackOutput terminalId: - | -
resize: resized told | resized
resize terminalId: resized told | resized
clear: told | -
clear terminalId: told | -
restart: typed started ended held clipboard told | typed started ended held
restart terminalId: typed started ended held clipboard told | typed started ended held
restart env: typed started ended held clipboard told | typed started ended held
close: typed ended held clipboard | typed ended held
close terminalId: typed ended held clipboard | typed ended held
close deleteHistory: typed ended held clipboard | typed ended held
subscribeEvents: typed | held
subscribeEvents features: typed | held
snapshot: - | -
snapshot terminalId: - | -
snapshot format: - | -
snapshot fromLine: - | -
snapshot scrollback: - | -
list: - | -
list threadId: - | -
rename: told | -
rename terminalId: told | -
execute: - | -
execute terminalId: - | -
execute isInput: - | -
execute noEnter: - | -
execute literal: - | -
execute timeout: - | -
execute maxOutputChars: - | -
execute cwd: - | -
execute shell: - | -
execute cols: - | -
execute rows: - | -
execute env: - | -
)";

TEST(FullAccess, IsNoticed) {
  std::string noticed = "\n";
  for (const auto& each : all_presences())
    noticed +=
        each.name + ": " + effect_of(each, Access::full, true) + " | " + effect_of(each, Access::full, false) + "\n";
  EXPECT_EQ(noticed, kByFullAccess);
}

}  // namespace
}  // namespace ptyd
