// Marks that are kept for those whose cursor is beyond them.
#include "server/session/delivery/kept_marks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace ptyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Position> positions(const KeptMarks& marks) {
  std::vector<Position> found;
  for (std::size_t i = 0; i < marks.size(); i++) found.push_back(marks[i].position);
  return found;
}

TEST(KeptMarks, AreThoseThatViewersAreToldOf) {
  KeptMarks marks;
  marks.keep({1, MarkKind::exited, 42, "payload"});
  marks.keep({2, MarkKind{99}, 42, "/"});
  marks.keep({3, MarkKind::forgotten, 0, {}});
  ASSERT_THAT(positions(marks), ElementsAre(1));
  EXPECT_EQ(marks[0].kind, MarkKind::exited);
  EXPECT_EQ(marks[0].time, 42);
  EXPECT_EQ(marks[0].payload, "payload");
}

TEST(KeptMarks, AreKeptOnceAndInOrder) {
  KeptMarks marks;
  for (const Position position : {1, 3, 3, 2}) marks.keep({position, MarkKind::resized, 0, {}});
  EXPECT_THAT(positions(marks), ElementsAre(1, 3));
}

TEST(KeptMarks, ThoseThatWereForgottenFromAPlaceOnMayBeKeptAgain) {
  KeptMarks marks;
  for (const Position position : {1, 3, 5}) marks.keep({position, MarkKind::resized, 0, {}});
  marks.forget_from(3);
  for (const Position position : {1, 3, 5}) marks.keep({position, MarkKind::resized, 0, {}});
  EXPECT_THAT(positions(marks), ElementsAre(1, 3, 5));
}

TEST(KeptMarks, OfTitleAndActivityOnlyTheNewestIsKept) {
  KeptMarks marks;
  marks.keep({1, MarkKind::title, 0, "old"});
  marks.keep({2, MarkKind::activity, 0, {}});
  marks.keep({3, MarkKind::resized, 0, {}});
  marks.keep({4, MarkKind::title, 0, "new"});
  marks.keep({5, MarkKind::resized, 0, {}});
  EXPECT_THAT(positions(marks), ElementsAre(2, 3, 4, 5));
}

TEST(KeptMarks, TheOldestGoesWhereTheyAreTooMany) {
  KeptMarks marks;
  for (Position position = 0; position <= KeptMarks::kMost; position++) marks.keep({position, MarkKind::error, 0, {}});
  EXPECT_EQ(marks.size(), KeptMarks::kMost);
  EXPECT_EQ(marks[0].position, 1u);
}

TEST(KeptMarks, AreForgottenWhenTheyMatterToNobody) {
  KeptMarks marks;
  for (const Position position : {1, 2, 3}) marks.keep({position, MarkKind::error, 0, {}});
  marks.forget_before(2);
  EXPECT_THAT(positions(marks), ElementsAre(2, 3));
  marks.drop_oldest();
  EXPECT_THAT(positions(marks), ElementsAre(3));
  marks.forget_all();
  EXPECT_THAT(positions(marks), IsEmpty());
}

}  // namespace
}  // namespace ptyd
