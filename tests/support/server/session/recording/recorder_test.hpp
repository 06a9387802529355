// RecorderTest: a recorder with a child and a folder, for tests of what it does with output.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "pty/screen/serialize/snapshot.hpp"
#include "server/session/recording/recorder.hpp"
#include "server/session/recording/store.hpp"
#include "tests/support/pty/process/fake_pty.hpp"

namespace ptyd {

/// Output of which little is much work: between side margins each line moves the whole screen.
inline std::string slow_to_draw(std::size_t bytes) {
  std::string text = "\x1b[?69h\x1b[2;39s\x1b[6;3H";
  for (char c = 'a'; text.size() < bytes; c = c == 'z' ? 'a' : static_cast<char>(c + 1)) text += {'\n', c};
  return text;
}

class DeafObserver final : public PtyObserver {
 public:
  void on_readable() override {}
  void on_writable() override {}
  void on_exit(ExitStatus) override {}
};

/// A recorder with a child, and a folder for its files.
class RecorderTest : public testing::Test {
 protected:
  RecorderTest() : folder_(std::filesystem::path(testing::TempDir()) / ("recorder-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~RecorderTest() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<Recorder> recorder(std::filesystem::path checkpoint = {}) {
    auto made =
        std::make_unique<Recorder>(*Journal::create({}, "test"), Recorder::Options{},
                                   Checkpoint(std::move(checkpoint), [this](const auto& file, auto text, auto saved) {
                                     saves_ += text ? 1 : 0;
                                     last_saved_ = text;
                                     save_ = [=] { saved(text ? Store::save(file, *text) : Store::remove_file(file)); };
                                     if (!saves_late_) std::exchange(save_, nullptr)();
                                   }));
    made->resize({40, 6});
    return made;
  }
  /// From the file, as it is now, or from the journal.
  void bring_back(Recorder& to) {
    to.bring_back([this](const auto& file, auto loaded) { loads_++, loaded(Store::load(file)); }, [this] { back_++; });
    EXPECT_TRUE(to.redraw());
  }
  Recorder::Turn print(Recorder& to, std::string_view text) {
    bring_back(to);
    child_->say(text);
    return to.take(pty_, 1 << 20, {});
  }
  const Screen& screen(Recorder& of) {
    bring_back(of);
    return of.screen();
  }
  std::string text_of(Recorder& of) { return vt_snapshot(screen(of), {}); }
  std::string plain(Recorder& of) { return plain_snapshot(screen(of), {}); }
  /// The notice above the screen for a viewer that has been shown everything before `behind`.
  std::string notice_since(Recorder& of, Position behind) {
    bring_back(of);
    const auto text = of.repaint_from(behind, 0, 0).text;
    const auto at = text.find("[ptyd: ");
    return at == text.npos ? "" : text.substr(at, text.find(']', at) + 1 - at);
  }

  std::size_t saves_ = 0, loads_ = 0, back_ = 0;
  bool saves_late_ = false;     ///< a parked Screen is in its file once save_ was called
  std::function<void()> save_;  ///< the last one
  std::weak_ptr<const std::string> last_saved_;

  std::filesystem::path folder_;
  boost::asio::io_context context_;
  DeafObserver deaf_;
  std::shared_ptr<FakeChild> child_ = std::make_shared<FakeChild>(context_.get_executor(), LaunchSpec{}, deaf_, 1);
  FakePty pty_{child_};
};

/// Output that a program with a screen of its own leaves: text under it, looks, a title, modes.
inline constexpr std::string_view kPainted =
    "one\r\n\x1b[1;31mtwo\x1b[0m\r\n\x1b]2;name\a\x1b[?2004h\x1b[?1049h\x1b[3;4Hfull screen\x1b[4:3m";

}  // namespace ptyd
