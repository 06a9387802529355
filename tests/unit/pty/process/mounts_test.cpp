#include "pty/process/mounts.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

/// Lines as the kernel writes them, but for what is behind the fifth field.
std::string listed(const std::vector<std::string>& points) {
  std::string text;
  for (const auto& point : points) text += "36 25 0:32 / " + point + " rw,relatime shared:1 - fuse drive rw\n";
  return text;
}

TEST(MountsTest, APathLiesOnTheDriveThatIsMountedNearestAboveIt) {
  const Mounts mounts(listed({"/", "/mnt", "/mnt/far", "/with\\040blank\\134", "/proc"}));
  const std::vector<std::pair<std::string, std::string>> cases{{"/", "/"},
                                                               {"/home/me", "/"},
                                                               {"/mnt", "/mnt"},
                                                               {"/mnt/near", "/mnt"},
                                                               {"/mnt/far/x", "/mnt/far"},
                                                               {"/mnt/farther", "/mnt"},
                                                               {"/mntx", "/"},
                                                               {"/with blank\\/x", "/with blank\\"}};
  for (const auto& [path, mount] : cases) EXPECT_EQ(mounts.of(path), mount) << path;
}

TEST(MountsTest, WithoutAListEverythingLiesOnTheRoot) {
  for (const std::string text : {"", "nonsense", "1 2 3 4", "1 2 3 4 "}) EXPECT_EQ(Mounts(text).of("/mnt/x"), "/");
}

TEST(MountsTest, TheKernelsListIsRead) {
  EXPECT_EQ(Mounts::now().of("/proc/self"), "/proc");
}

/// A folder in which `drive` and `other` count as drives.
class BarredMountTest : public testing::Test {
 protected:
  BarredMountTest() {
    for (const auto* name : {"drive/deep/er", "other", "plain"}) std::filesystem::create_directories(folder_ / name);
    link("to-drive", folder_ / "drive");
    link("to-deep", "drive/deep");
    link("plain/up", "../drive");
    link("round", "round");
    link("drive/out", folder_ / "plain");
  }
  void link(const std::string& name, const std::filesystem::path& to) {
    std::filesystem::create_symlink(to, folder_ / name);
  }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  /// The drives that are asked for, in order, where `barred` may not be entered.
  std::vector<std::string> asked(const std::string& path, const std::string& barred = "none") {
    std::vector<std::string> names;
    barred_ = barred_mount(path, Mounts(listed({"/", at("drive"), at("other")})), [&](const std::string& mount) {
      names.push_back(mount == "/" ? mount : std::filesystem::path(mount).filename().string());
      return names.back() != barred;
    });
    return names;
  }

  test::TemporaryDirectory folder_;
  std::optional<std::string> barred_;
};

using Names = std::vector<std::string>;

TEST_F(BarredMountTest, EachDriveIsAskedForBeforeItIsEntered) {
  const std::vector<std::pair<std::string, Names>> cases{{at("plain"), {}},
                                                         {at("drive"), {"drive"}},
                                                         {at("drive/deep/./er"), {"drive"}},
                                                         {at("plain/../drive/deep"), {"drive"}},
                                                         {at("drive/../other/gone/x"), {"drive", "other"}},
                                                         {at("to-drive/deep"), {"drive"}},
                                                         {at("to-deep/er"), {"drive"}},
                                                         {at("plain/up/deep"), {"drive"}},
                                                         {at("drive/out/up"), {"drive", "/", "drive"}},
                                                         {at("round"), {}},
                                                         {"/../..", {}},
                                                         {"", {}}};
  for (const auto& [path, names] : cases) {
    EXPECT_EQ(asked(path), names) << path;
    EXPECT_EQ(barred_, std::nullopt) << path;
  }
}

TEST_F(BarredMountTest, NoFurtherThanToADriveThatMayNotBeEntered) {
  EXPECT_EQ(asked(at("drive/../other"), "drive"), Names{"drive"});
  EXPECT_EQ(barred_, at("drive"));
  EXPECT_EQ(asked(at("drive/../other"), "other"), (Names{"drive", "other"}));
  EXPECT_EQ(barred_, at("other"));
  EXPECT_EQ(asked(at("to-drive/out"), "drive"), Names{"drive"});
}

}  // namespace
}  // namespace ptyd
