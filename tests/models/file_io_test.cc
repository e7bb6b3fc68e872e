// Files that people give: texts from wherever they come, and no waiting for a pipe where a size is needed.
#include "models/file_io.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "models/framed_file.h"
#include "models/printable.h"
#include "tests/support/file_tools.h"

namespace makzero::models {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class GivenTextTest : public FolderTest {
 protected:
  std::filesystem::path path() const { return folder_ / "text"; }

  std::string text_of(std::string_view bytes) const {
    put_file(path(), bytes);
    return read_given_text(path());
  }
};

TEST_F(GivenTextTest, IsPlainWhateverProgramWroteIt) {
  EXPECT_EQ(text_of("\xEF\xBB\xBFruleset makyek\r\nmoves\r\n"), "ruleset makyek\nmoves\n");
  EXPECT_EQ(text_of(std::string_view("\xFF\xFEm\0\r\0\n\0", 8)), "m\n");
}

TEST_F(GivenTextTest, AnEmptyFileIsAnError) {
  for (const char* bytes : {"", "\xEF\xBB\xBF", " \r\n\t\n"})
    EXPECT_THAT(error_of([&] { text_of(bytes); }), EndsWith("text: is empty")) << bytes;
}

TEST_F(GivenTextTest, MoreThan64MegabytesAreRefused) {
  put_file(path(), "x");
  std::filesystem::resize_file(path(), std::uintmax_t{30} << 30);  // Without a block on the disk.
  EXPECT_THAT(error_of([&] { read_given_text(path()); }), EndsWith("is longer than 64 MB: divide it"));
}

TEST_F(GivenTextTest, APipeIsReadToItsEnd) {
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  const std::string long_text(300'000, 'x');
  std::thread writer([&] { put_file(path(), long_text + "\r\n"); });
  EXPECT_EQ(read_given_text(path()), long_text + "\n");
  writer.join();
}

TEST_F(GivenTextTest, AFolderIsNamed) {
  EXPECT_THAT(error_of([&] { read_given_text(folder_); }), EndsWith("is a folder, a file is needed"));
  EXPECT_THAT(error_of([&] { read_given_text(path()); }),
              EndsWith("cannot open: No such file or directory; check the name and that its folder exists"));
}

TEST_F(GivenTextTest, ALinkStaysAndADeviceIsWrittenAsItIs) {
  const std::filesystem::path link = folder_ / "link";
  std::filesystem::create_symlink("text", link);
  for (const char* text : {"made", "replaced"}) {
    write_text_file(link, text);
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_EQ(read_text_file(path()), text);
  }
  EXPECT_FALSE(is_stream(link));
  std::filesystem::remove(path());
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  EXPECT_TRUE(is_stream(link));
  std::string text;
  std::thread reader([&] { text = read_given_text(path()); });
  write_text_file(link, "to a pipe");
  reader.join();
  EXPECT_EQ(text, "to a pipe");
  EXPECT_TRUE(std::filesystem::is_fifo(path()));
}

TEST_F(GivenTextTest, APlaceIsTriedAndLeftAsItWas) {
  put_file(path(), "x");
  require_place(path());
  EXPECT_EQ(read_text_file(path()), "x");
  require_place(folder_ / "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  EXPECT_THAT(error_of([&] { require_place(folder_); }), EndsWith("is a folder, a file is needed"));
  EXPECT_THAT(error_of([&] { require_place(folder_ / "none" / "file"); }), HasSubstr("check the name"));
}

// Nobody writes to it: who waited would hang.
TEST_F(GivenTextTest, WhatNeedsASizeRefusesAPipe) {
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  const auto refused = EndsWith("is a pipe or a device: copy what it holds to a file");
  EXPECT_THAT(error_of([&] { find_file_kind(path()); }), refused);
  EXPECT_THAT(error_of([&] { FrameReader(path(), FileKind::kGames); }), refused);
  EXPECT_THAT(error_of([&] { FrameAppender(path(), FileKind::kGames); }), refused);
  EXPECT_THAT(error_of([&] { read_text_file(path()); }), refused);
  EXPECT_THAT(error_of([&] { find_file_kind("/dev/zero"); }), refused);
}

TEST(PrintableTest, OfALongTextBeginAndEndAreShown) {
  EXPECT_EQ(printable_excerpt("\x1b[31mfoo\x07\n"), "\\x1b[31mfoo\\x07\n");
  EXPECT_EQ(printable_excerpt("abcdef", 6), "abcdef");
  EXPECT_EQ(printable_excerpt("abcdefghi", 8), "abcdef... (9 bytes) ...hi");
}

}  // namespace
}  // namespace makzero::models
