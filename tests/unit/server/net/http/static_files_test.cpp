#include "server/net/http/static_files.hpp"

#include <gtest/gtest.h>

#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

namespace fs = std::filesystem;
using test::TemporaryDirectory;

/// A page folder `web` with a secret beside it.
class StaticFilesTest : public ::testing::Test {
 protected:
  StaticFilesTest() {
    temporary_.write("secret.txt", "outside");
    temporary_.write("web/assets/index-DiwrgTda.js", "script");
    temporary_.write("web/.hidden", "hidden");
    temporary_.write("web/sub/index.html", "sub");
    fs::create_symlink(temporary_.path() / "secret.txt", temporary_.path() / "web/link.txt");
    fs::create_directory_symlink(temporary_.path(), temporary_.path() / "web/up");
  }
  std::string content(StaticFiles& files, std::string_view path) {
    const auto file = files.find(path);
    return file ? *file->content : "none";
  }
  TemporaryDirectory temporary_;
  // The folder is opened once, at the start, so it has to be there by then.
  fs::path web_ = temporary_.write("web/index.html", "page").parent_path();
  StaticFiles files_{web_};
};

TEST_F(StaticFilesTest, GivesWhatLiesBelowTheDirectory) {
  EXPECT_EQ(content(files_, "/"), "page");
  EXPECT_EQ(content(files_, "/index.html"), "page");
  EXPECT_EQ(content(files_, "/sub/"), "sub");
  EXPECT_EQ(content(files_, "/%69ndex.html"), "page");
  EXPECT_EQ(content(files_, "/assets/index-DiwrgTda.js"), "script");
}

TEST_F(StaticFilesTest, Security9NoPathLeavesIt) {
  for (const std::string_view path : std::initializer_list<std::string_view>{"/../secret.txt",
                                                                             "/%2e%2e/secret.txt",
                                                                             "/%2E%2E%2Fsecret.txt",
                                                                             "/..%2fsecret.txt",
                                                                             "/..%5csecret.txt",
                                                                             "/.%2e/secret.txt",
                                                                             "/link.txt",
                                                                             "/up/secret.txt",
                                                                             "/sub/../../secret.txt",
                                                                             "//etc/passwd",
                                                                             "/./index.html",
                                                                             "/index.html/",
                                                                             "/index.html%00",
                                                                             "/index.html%00.txt",
                                                                             "/%00",
                                                                             "/.hidden",
                                                                             "/%2ehidden",
                                                                             "/sub",
                                                                             "/nothing",
                                                                             "",
                                                                             "index.html",
                                                                             "/%c0%ae%c0%ae/secret.txt",
                                                                             "/%zz",
                                                                             "/index.html%",
                                                                             "*",
                                                                             "http://x/index.html",
                                                                             "/sub//index.html",
                                                                             "/a/b/c/d/e/f/g/h/i"}) {
    EXPECT_EQ(content(files_, path), "none") << path;
  }
}

TEST_F(StaticFilesTest, OneCopyIsSharedUntilTheFileChanges) {
  const auto first = files_.find("/");
  EXPECT_EQ(files_.find("/"), first);
  temporary_.write("web/index.html", "another page");
  const auto second = files_.find("/");
  EXPECT_EQ(*second->content, "another page");
  EXPECT_NE(second->tag, first->tag);
  EXPECT_EQ(*first->content, "page") << "who still sends it keeps it";
}

TEST_F(StaticFilesTest, KnowsTypesAndWhatNeverChanges) {
  EXPECT_EQ(files_.find("/")->type, "text/html; charset=utf-8");
  EXPECT_FALSE(files_.find("/")->immutable);
  EXPECT_TRUE(files_.find("/assets/index-DiwrgTda.js")->immutable);
  EXPECT_EQ(mime_type("a.woff2"), "font/woff2");
  EXPECT_EQ(mime_type("noextension"), "application/octet-stream");
  EXPECT_TRUE(has_content_hash("/assets/index-XicHhc-i.js"));
  EXPECT_TRUE(has_content_hash("/assets/-DiwrgTda.js"));
  EXPECT_FALSE(has_content_hash("/assets/DiwrgTda.js"));
  EXPECT_FALSE(has_content_hash("/assets/plain.js"));
  EXPECT_FALSE(has_content_hash("/assets/a-short.js"));
  EXPECT_FALSE(has_content_hash("/other/index-DiwrgTda.js"));
}

TEST_F(StaticFilesTest, ThoseThatTakeACompressedFileGetIt) {
  temporary_.write("web/assets/index-DiwrgTda.js.gz", "gzip");
  const auto given = [&](std::string_view accept) {
    const auto file = files_.find("/assets/index-DiwrgTda.js", accept);
    return *file->content + " " + file->coding + " " + file->type + (file->immutable ? " immutable" : "");
  };
  EXPECT_EQ(given(""), "script  text/javascript; charset=utf-8 immutable");
  EXPECT_EQ(given("gzip, deflate, br"), "gzip gzip text/javascript; charset=utf-8 immutable");
  temporary_.write("web/assets/index-DiwrgTda.js.br", "brotli");
  EXPECT_EQ(given("gzip, deflate, br"), "brotli br text/javascript; charset=utf-8 immutable");
  EXPECT_EQ(given("GZIP;q=0.5, br;q=0"), "gzip gzip text/javascript; charset=utf-8 immutable");
  EXPECT_EQ(given("br;q=0.0, gzip;q=0, *"), "script  text/javascript; charset=utf-8 immutable");
  const auto as_it_is = files_.find("/assets/index-DiwrgTda.js.br", "br");
  EXPECT_EQ(as_it_is->coding, "") << "it was asked for by its own name";
}

TEST_F(StaticFilesTest, AFileWhoseNameStaysIsGivenAsItIs) {
  temporary_.write("web/index.html.br", "of an older page");
  EXPECT_EQ(*files_.find("/", "br")->content, "page");
}

TEST_F(StaticFilesTest, WithoutADirectoryThereIsNothing) {
  StaticFiles none{fs::path()};
  EXPECT_EQ(content(none, "/"), "none");
  StaticFiles missing{temporary_.path() / "nowhere"};
  EXPECT_EQ(content(missing, "/"), "none");
}

TEST_F(StaticFilesTest, FilesLongerThanAPageHasAreNotServed) {
  temporary_.write("web/big.txt", "");
  fs::resize_file(temporary_.path() / "web/big.txt", 16 * 1024 * 1024);
  EXPECT_NE(files_.find("/big.txt"), nullptr);
  fs::resize_file(temporary_.path() / "web/big.txt", 16 * 1024 * 1024 + 1);
  EXPECT_EQ(files_.find("/big.txt"), nullptr);
}

}  // namespace
}  // namespace ptyd
