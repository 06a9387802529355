#include "server/config/state_dir.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <future>

#include "server/config/private_file.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

namespace fs = std::filesystem;
using test::TemporaryDirectory;

unsigned mode_of(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

TEST(StateDir, IsMadePrivateWithAllThatLeadsToIt) {
  const TemporaryDirectory temporary;
  const auto state = StateDir::open(temporary.path() / "a/b/ptyd");
  ASSERT_TRUE(state) << state.error().detail();
  EXPECT_EQ(mode_of(temporary.path() / "a/b/ptyd"), 0700U);
  EXPECT_EQ(mode_of(temporary.path() / "a/b/ptyd/lock"), 0600U);
}

TEST(StateDir, BelongsToOneServerAndSaysToWhich) {
  const TemporaryDirectory temporary;
  const auto path = temporary.path() / "ptyd";
  {
    const auto first = StateDir::open(path);
    ASSERT_TRUE(first);
    const auto second = StateDir::open(path);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code(), Errc::busy);
    EXPECT_NE(second.error().detail().find("pid " + std::to_string(::getpid())), std::string::npos)
        << second.error().detail();
  }
  EXPECT_TRUE(StateDir::open(path)) << "free again after the first is gone";
}

TEST(StateDir, TellsOthersThatItsServerDrainsAndForgetsWhatAKilledOneTold) {
  const TemporaryDirectory temporary;
  const auto path = temporary.path() / "ptyd";
  {
    const auto state = StateDir::open(path);
    ASSERT_TRUE(state);
    ASSERT_TRUE(state->tell_drain(3));
    EXPECT_EQ(*read_private_file(AT_FDCWD, (path / StateDir::kDrainName).string()), "3\n");
    EXPECT_TRUE(state->tell_drain(std::nullopt));
    EXPECT_FALSE(fs::exists(path / StateDir::kDrainName));
    EXPECT_TRUE(state->tell_drain(std::nullopt)) << "it does not drain anyway";
    ASSERT_TRUE(state->tell_drain(2));
  }
  const auto next = StateDir::open(path);
  ASSERT_TRUE(next);
  EXPECT_FALSE(fs::exists(path / StateDir::kDrainName));
}

TEST(StateDir, TellsOthersWhereItsServerListensAndForgetsThatAtTheNextStart) {
  const TemporaryDirectory temporary;
  const auto path = temporary.path() / "ptyd";
  const auto told = [&path] { return *read_private_file(AT_FDCWD, (path / StateDir::kPlaceName).string()); };
  {
    const auto state = StateDir::open(path);
    ASSERT_TRUE(state);
    ASSERT_TRUE(state->tell_place({.ip = "127.0.0.1", .port = 7681, .path = ""}, false));
    EXPECT_EQ(told(), "127.0.0.1:7681\n");
    ASSERT_TRUE(state->tell_place({.ip = "::1", .port = 443, .path = ""}, true));
    EXPECT_EQ(told(), "tls [::1]:443\n");
    ASSERT_TRUE(state->tell_place({.ip = "", .port = 0, .path = "own/p.sock"}, true));
    EXPECT_EQ(told(), "tls unix:" + fs::absolute("own/p.sock").string() + "\n") << "wherever the reader stands";
  }
  EXPECT_TRUE(StateDir::open(path));
  EXPECT_FALSE(fs::exists(path / StateDir::kPlaceName));
}

TEST(StateDir, Security35IsNotReachedThroughALink) {
  const TemporaryDirectory temporary;
  fs::create_directory(temporary.path() / "real");
  fs::create_directory_symlink(temporary.path() / "real", temporary.path() / "link");
  for (const char* name : {"link", "link/"}) {
    const auto state = StateDir::open(temporary.path() / name);
    ASSERT_FALSE(state) << name;
    EXPECT_EQ(state.error().code(), Errc::denied);
  }
}

/// As `ptyd health` and `ptyd drain` do, to see whether a server is there.
TEST(StateDir, AStartWaitsForALookWhetherAServerIsThere) {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "state";
  { ASSERT_TRUE(StateDir::open(path)); }
  UniqueFd looked(::open((path / StateDir::kLockName).c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::flock(looked.get(), LOCK_SH), 0);
  auto opened = std::async(std::launch::async, [&path] { return StateDir::open(path).has_value(); });
  looked.reset();
  EXPECT_TRUE(opened.get());
}

TEST(StateDir, Security35OfSomebodyElseIsRefused) {
  const TemporaryDirectory temporary;
  // Only root can give a directory away; to everybody else root's own is foreign.
  const bool is_root = ::geteuid() == 0;
  const fs::path foreign = is_root ? temporary.path() / "foreign" : fs::path("/usr");
  if (is_root) {
    fs::create_directory(foreign);
    ASSERT_EQ(::chown(foreign.c_str(), 12345, 12345), 0);
  }
  const auto state = StateDir::open(foreign);
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().code(), Errc::denied);
  EXPECT_NE(state.error().detail().find(is_root ? "12345" : "0"), std::string::npos);
}

TEST(StateDir, OpenToOthersIsClosedWhenItIsOursAndRefusedWhenNot) {
  const TemporaryDirectory temporary;
  fs::create_directory(temporary.path() / "empty");
  ::chmod((temporary.path() / "empty").c_str(), 0755);
  EXPECT_TRUE(StateDir::open(temporary.path() / "empty"));
  EXPECT_EQ(mode_of(temporary.path() / "empty"), 0700U);

  temporary.write("shared/thesis.txt", "years of work");
  ::chmod((temporary.path() / "shared").c_str(), 0755);
  EXPECT_FALSE(StateDir::open(temporary.path() / "shared"));
  EXPECT_EQ(mode_of(temporary.path() / "shared"), 0755U) << "left as it was";
}

TEST(StateDir, IsJudgedBeforehandAsAtTheOpening) {
  const TemporaryDirectory temporary;
  const auto path = temporary.path() / "state";
  EXPECT_EQ(StateDir::is_private(path).error().code(), Errc::denied) << "there is none";
  fs::create_directory(path);
  ::chmod(path.c_str(), 0755);
  EXPECT_FALSE(*StateDir::is_private(path)) << "an empty one is for us to close";
  EXPECT_EQ(mode_of(path), 0755U) << "it was judged only";
  temporary.write("state/thesis.txt", "years of work");
  const auto refused = StateDir::is_private(path.string() + "/");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().detail(), StateDir::open(path).error().detail());
  temporary.write("state/lock", "");
  EXPECT_FALSE(*StateDir::is_private(path)) << "our lock shows that it is ours";
  ::chmod(path.c_str(), 0700);
  EXPECT_TRUE(*StateDir::is_private(path));
}

TEST(StateDir, AKeptSecretIsJudgedBeforehandAsAtItsReading) {
  const TemporaryDirectory temporary;
  const auto path = temporary.path() / "state";
  EXPECT_TRUE(StateDir::check_secret(path, "token")) << "there is none";
  const auto state = StateDir::open(path);
  EXPECT_TRUE(StateDir::check_secret(path, "token"));
  EXPECT_FALSE(state->has_secret("token")) << "it was judged only";
  for (const auto& text : {std::string("0123456789abcde"), std::string("0123456789abc def"), std::string(65537, 'x')}) {
    ASSERT_TRUE(write_private_file(AT_FDCWD, (path / "token").string(), text));
    const auto judged = StateDir::check_secret(path, "token");
    ASSERT_FALSE(judged) << text.size();
    EXPECT_EQ(judged.error().detail(), state->secret("token").error().detail());
  }
  ASSERT_TRUE(write_private_file(AT_FDCWD, (path / "token").string(), "0123456789abcdef"));
  EXPECT_TRUE(StateDir::check_secret(path, "token"));
}

TEST(StateDir, SecretsAreMadeOnceAndPrivate) {
  const TemporaryDirectory temporary;
  const auto path = temporary.path() / "ptyd";
  std::string token;
  {
    const auto state = StateDir::open(path);
    EXPECT_FALSE(state->has_secret("token"));
    const auto made = state->secret("token");
    EXPECT_TRUE(state->has_secret("token"));
    ASSERT_TRUE(made) << made.error().detail();
    token = *made;
    EXPECT_EQ(token.size(), 43U);
    EXPECT_EQ(mode_of(path / "token"), 0600U);
    EXPECT_NE(*state->secret("view-token"), token);
  }
  EXPECT_EQ(*StateDir::open(path)->secret("token"), token);
}

TEST(StateDir, SecretsThatOthersCouldSeeOrPlantAreRefused) {
  const TemporaryDirectory temporary;
  const auto path = temporary.path() / "ptyd";
  const auto state = StateDir::open(path);
  ASSERT_TRUE(state->secret("token"));
  ::chmod((path / "token").c_str(), 0640);
  EXPECT_EQ(state->secret("token").error().code(), Errc::denied);
  fs::create_symlink("/etc/hostname", path / "linked");
  EXPECT_EQ(state->secret("linked").error().code(), Errc::denied);
  fs::create_directory(path / "directory");
  EXPECT_FALSE(state->secret("directory"));
}

TEST(StateDir, WrittenFilesReplaceAtOnceAndLeaveNothingBehind) {
  const TemporaryDirectory temporary;
  const auto file = (temporary.path() / "ready").string();
  ASSERT_TRUE(write_private_file(AT_FDCWD, file, "one"));
  ASSERT_TRUE(write_private_file(AT_FDCWD, file, "two"));
  EXPECT_EQ(*read_private_file(AT_FDCWD, file), "two");
  EXPECT_EQ(mode_of(file), 0600U);
  EXPECT_EQ(std::distance(fs::directory_iterator(temporary.path()), fs::directory_iterator()), 1);
  EXPECT_FALSE(write_private_file(AT_FDCWD, "/nonexistent/ready", "x"));
}

TEST(TokenFile, IsReadWithoutTheWhiteSpaceAroundIt) {
  const TemporaryDirectory temporary;
  EXPECT_EQ(*read_token_file(temporary.write("t", "  0123456789abcdef\n")), "0123456789abcdef");
  EXPECT_FALSE(read_token_file(temporary.write("short", "0123456789abcde\n"))) << "15 characters";
  EXPECT_FALSE(read_token_file(temporary.write("odd", "0123456789abc def\n")));
  EXPECT_FALSE(read_token_file(temporary.write("empty", "")));
  EXPECT_EQ(read_token_file(temporary.path() / "none").error().code(), Errc::not_found);
}

TEST(SecretFile, ThatOthersCouldHaveWrittenIsRefusedAndOneThatTheyCanReadIsWarnedAbout) {
  const TemporaryDirectory temporary;
  const auto file = temporary.write("secret", "0123456789abcdef");
  const auto warning_at = [&](mode_t mode) {
    ::chmod(file.c_str(), mode);
    return secret_warning(file.string());
  };
  EXPECT_EQ(*warning_at(0600), "");
  EXPECT_EQ(*warning_at(0400), "");
  for (const mode_t mode : {0444U, 0640U, 0604U})
    EXPECT_EQ(*warning_at(mode), file.string() + ": can be read by other users") << mode;
  for (const mode_t mode : {0620U, 0602U, 0666U}) EXPECT_EQ(warning_at(mode).error().code(), Errc::denied) << mode;
  EXPECT_EQ(secret_warning((temporary / "none").string()).error().code(), Errc::not_found);
  ::chmod(file.c_str(), 0600);
  fs::create_symlink(file, temporary / "link");
  EXPECT_EQ(*secret_warning((temporary / "link").string()), "") << "as containers have them";
}

TEST(TokenFile, OfAShortTokenIsWarnedAbout) {
  EXPECT_EQ(token_warning("/t", std::string(kSafeTokenLength, 'x')), "");
  EXPECT_NE(token_warning("/t", std::string(kSafeTokenLength - 1, 'x')).find("/t: a token of 21 characters"),
            std::string::npos);
}

}  // namespace
}  // namespace ptyd
