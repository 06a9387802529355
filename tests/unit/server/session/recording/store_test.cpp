// Names and files of transcripts and parked Screens.
#include "server/session/recording/store.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>

#include "protocol/messages.hpp"
#include "server/session/recording/opened_journal.hpp"
#include "tests/support/lower_limit.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

namespace fs = std::filesystem;

const SessionKey kStored{"thread", "terminal"};

Result<Journal> open_without_descriptors(const Store& store) {
  const test::LowerLimit none(RLIMIT_NOFILE, 0);
  return store.open(kStored);
}

/// A write beyond the limit fails, as in the server: the signal is ignored.
bool save_on_a_full_disk(const fs::path& file) {
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  const test::LowerLimit none(RLIMIT_FSIZE, 0);
  const bool saved = Store::save(file, "new");
  std::signal(SIGXFSZ, before);
  return saved;
}

class StoreTest : public testing::Test {
 protected:
  std::size_t files() const {
    const fs::directory_iterator all(store_.folder());
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

  test::TemporaryDirectory folder_;
  Store store_{folder_.path()};
  fs::path parked_ = store_.checkpoint_of(kStored), unfinished_ = fs::path(parked_).concat(".new");
};

TEST_F(StoreTest, ATranscriptThatNobodyTakesIsClosedInGoodOrder) {
  std::uint64_t incarnation = 0;
  {
    auto journal = *store_.open(kStored);
    journal.append("text");
    journal.hold({0, 1, {7}});
    incarnation = journal.incarnation();
    journal.close_in_order();
  }
  ASSERT_TRUE(opened_and_read(store_, kStored));
  {
    const auto journal = taken(*opened_and_read(store_, kStored));
    EXPECT_EQ(journal.incarnation(), incarnation);
    EXPECT_EQ(journal.held(), (Journal::Held{0, 1, {7}}));
  }
  EXPECT_NE(store_.open(kStored)->incarnation(), incarnation) << "the one that was taken is its taker's to close";
}

TEST_F(StoreTest, AFileIsMadeAnewAndNobodyElsesToRead) {
  const auto other = folder_.write("other", "somebody's");
  fs::create_hard_link(other, parked_);
  const mode_t before = ::umask(0);
  EXPECT_TRUE(Store::save(parked_, "text"));
  ::umask(before);
  EXPECT_EQ(Store::load(parked_), "text");
  EXPECT_EQ(Store::load(other), "somebody's") << "what stood there was written into";
  EXPECT_EQ(fs::status(parked_).permissions(), fs::perms(0600));
}

TEST_F(StoreTest, ALinkIsReplacedAndNotFollowed) {
  const auto other = folder_.write("other", "somebody's");
  fs::create_symlink(other, parked_);
  EXPECT_TRUE(Store::save(parked_, "text"));
  EXPECT_EQ(Store::load(other), "somebody's");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(parked_)));
}

TEST_F(StoreTest, WhatCannotBeSavedLeavesNoFile) {
  EXPECT_FALSE(Store::save(folder_ / "no such folder" / "file", "text"));
  EXPECT_FALSE(fs::exists(folder_ / "no such folder"));
}

TEST_F(StoreTest, AnEarlierFileStaysWhereTheNewOneCannotBeWritten) {
  ASSERT_TRUE(Store::save(parked_, "earlier"));
  EXPECT_FALSE(save_on_a_full_disk(parked_));
  EXPECT_EQ(Store::load(parked_), "earlier");
  EXPECT_EQ(files(), 1u) << "nothing half written is left";
  fs::create_directory(unfinished_);
  EXPECT_FALSE(Store::save(parked_, "new"));
  EXPECT_EQ(Store::load(parked_), "earlier");
}

TEST_F(StoreTest, WhatWasLeftHalfWrittenIsInNobodysWay) {
  const auto other = folder_.write("other", "somebody's");
  fs::create_hard_link(other, unfinished_);
  EXPECT_TRUE(Store::save(parked_, "text"));
  EXPECT_EQ(Store::load(parked_), "text");
  EXPECT_EQ(Store::load(other), "somebody's") << "what stood there was written into";
  EXPECT_EQ(files(), 1u);
}

TEST_F(StoreTest, ANewFileThatCannotTakeItsPlaceIsNotLeft) {
  fs::create_directory(parked_);
  EXPECT_FALSE(Store::save(parked_, "text"));
  EXPECT_TRUE(fs::is_directory(parked_));
  EXPECT_EQ(files(), 1u);
}

TEST_F(StoreTest, WhatIsNotThereIsRemovedAlready) {
  EXPECT_TRUE(Store::remove_file(parked_));
  EXPECT_FALSE(Store::remove_file(folder_.path())) << "a folder stays";
}

TEST_F(StoreTest, AParkedScreenOfAnEarlierSessionGoesWhenItsTerminalIsOpened) {
  ASSERT_TRUE(Store::save(parked_, "of an earlier life"));
  fs::copy_file(parked_, unfinished_);
  const auto journal = store_.open(kStored);
  ASSERT_TRUE(journal);
  EXPECT_FALSE(fs::exists(parked_));
  EXPECT_FALSE(fs::exists(unfinished_));
}

TEST_F(StoreTest, AnEmptyFileIsNoDamagedTranscript) {
  folder_.write("sessions/" + store_.file_of(kStored).filename().string(), "");
  const auto journal = store_.open(kStored);
  ASSERT_TRUE(journal);
  EXPECT_FALSE(journal->in_memory());
  EXPECT_EQ(files(), 1u) << "nothing is set aside";
}

TEST_F(StoreTest, AnExhaustedMachineMakesNoTranscriptADamagedOne) {
  {
    auto journal = *store_.open(kStored);
    journal.append("text");
    journal.close_in_order();
  }
  const auto refused = open_without_descriptors(store_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Errc::limit);
  EXPECT_TRUE(fs::exists(store_.file_of(kStored)));
  EXPECT_EQ(files(), 1u) << "nothing is set aside";
  const auto again = store_.open(kStored);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->read(again->tail(), 100).bytes, "text");
}

TEST_F(StoreTest, ANameIsKeptThatRenameCouldHaveGiven) {
  const auto file = store_.name_file_of(kStored);
  EXPECT_EQ(store_.name_of(kStored), "") << "there is none";
  std::string longest;
  for (std::size_t i = 0; i < limits::kMaxName; i++) longest += "\u20ac";
  for (const auto& name : {std::string("build \U0001f680"), longest}) {
    ASSERT_TRUE(Store::save(file, name));
    EXPECT_EQ(store_.name_of(kStored), name);
  }
  for (const auto& damaged : {std::string("\xff\xfe"), longest + "x"}) {
    ASSERT_TRUE(Store::save(file, damaged));
    EXPECT_EQ(store_.name_of(kStored), "");
  }
  EXPECT_EQ(Store("").name_of(kStored), "") << "nothing is kept on disk";
}

TEST_F(StoreTest, RemovingATerminalTakesAllItsFiles) {
  folder_.write("sessions/" + store_.file_of(kStored).filename().string(), "no journal");
  ASSERT_TRUE(store_.open(kStored));
  ASSERT_TRUE(Store::save(parked_, "text"));
  ASSERT_TRUE(Store::save(store_.name_file_of(kStored), "name"));
  fs::copy_file(parked_, unfinished_);
  fs::copy_file(parked_, store_.name_file_of(kStored).concat(".new"));
  EXPECT_EQ(files(), 6u) << "a journal, a damaged one, a parked Screen, a name, and both half written";
  store_.remove(kStored);
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace ptyd
