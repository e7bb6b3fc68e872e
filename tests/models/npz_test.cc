// Archives of arrays: whole or not there. That NumPy reads them: tests/export/arrays_test.py.
#include "models/npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "tests/support/file_tools.h"

namespace makzero::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class NpzTest : public FolderTest {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.push_back(entry.path().filename());
    return names;
  }

  std::filesystem::path path_ = folder_ / "rows.npz";
};

TEST_F(NpzTest, AnArrayStandsBehindAHeaderOfAMultipleOf64Bytes) {
  NpzWriter npz(path_);
  npz.add<float>("values", {2, 1}, {1.5f, -2});
  npz.add<std::int64_t>("none", {0}, {});
  npz.add_texts("names", {"own M", "board"});
  EXPECT_THAT(npz.contents(), ElementsAre("values <f4 (2, 1)", "none <i8 (0,)", "names <U5 (2,)"));
  npz.finish();
  const std::string bytes = read_text_file(path_);
  const std::size_t header = bytes.find("\x93NUMPY");
  ASSERT_NE(header, std::string::npos);
  EXPECT_THAT(bytes, HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }"));
  const std::size_t end = bytes.find('\n', header) + 1;
  EXPECT_EQ((end - header) % 64, 0u);
  EXPECT_EQ(bytes.substr(end, 8), std::string("\0\0\xC0\x3F\0\0\0\xC0", 8));
  EXPECT_EQ(bytes.substr(end + 8, 4), "PK\x03\x04") << "the next file follows at once";
}

TEST_F(NpzTest, TheFileHasItsNameOnceItIsWhole) {
  {
    NpzWriter npz(path_);
    npz.add<float>("values", {1}, {1});
    EXPECT_THAT(names(), ElementsAre("rows.npz.tmp"));
    npz.finish();
  }
  EXPECT_THAT(names(), ElementsAre("rows.npz"));
}

TEST_F(NpzTest, ALinkStays) {
  std::filesystem::create_directory(folder_ / "elsewhere");
  std::filesystem::create_symlink("elsewhere/rows", path_);
  for (int i = 0; i < 2; ++i) {
    NpzWriter npz(path_);
    npz.add<float>("values", {1}, {1});
    EXPECT_TRUE(std::filesystem::exists(folder_ / "elsewhere/rows.tmp"));
    npz.finish();
    EXPECT_TRUE(std::filesystem::is_symlink(path_));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "elsewhere/rows.tmp"));
    EXPECT_THAT(read_text_file(folder_ / "elsewhere/rows"), HasSubstr("NUMPY"));
  }
}

TEST_F(NpzTest, AnArchiveThatIsGivenUpLeavesTheFormerOne) {
  put_file(path_, "former");
  {
    NpzWriter npz(path_);
    npz.add<float>("values", {1}, {1});
  }
  EXPECT_THAT(names(), ElementsAre("rows.npz"));
  EXPECT_EQ(read_text_file(path_), "former");
}

}  // namespace
}  // namespace makzero::models
