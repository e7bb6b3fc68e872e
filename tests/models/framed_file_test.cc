// The container: every damage is found and named, good frames survive, a half-written file has no final name.
#include "models/framed_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <xxhash.h>

#include <array>
#include <csignal>
#include <filesystem>

#include "models/error.h"
#include "models/frame.h"
#include "tests/support/file_tools.h"

namespace makzero::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FramedFileTest : public FolderTest {
 protected:
  std::filesystem::path path() const { return folder_ / "file"; }

  // A file with three frames; its bytes.
  std::string write_three() const {
    FrameBuffer buffer(FileKind::kGames);
    for (const char* frame : kFrames) buffer.add(frame);
    write_text_file(path(), buffer.bytes());
    return buffer.bytes();
  }

  static constexpr std::array kFrames = {"first frame", "the second frame, second frame, second frame",
                                         "third"};
};

std::vector<std::string> frames_of(FrameReader* reader) {
  std::vector<std::string> frames;
  while (const std::optional<std::string> frame = reader->next()) frames.push_back(*frame);
  return frames;
}

// Those of a whole file of games.
std::vector<std::string> frames_of(const std::filesystem::path& path) {
  FrameReader reader(path, FileKind::kGames);
  std::vector<std::string> frames = frames_of(&reader);
  EXPECT_EQ(reader.damage(), "");
  EXPECT_EQ(reader.good_bytes(), std::filesystem::file_size(path));
  return frames;
}

TEST_F(FramedFileTest, FramesComeBackAsTheyWereWritten) {
  const std::string large(3'000'000, 'x');
  FrameBuffer buffer(FileKind::kGames);
  buffer.add("");
  buffer.add(large);
  buffer.add(std::string_view("\0\xff", 2));
  write_text_file(path(), buffer.bytes());
  EXPECT_THAT(frames_of(path()), ElementsAre("", large, std::string("\0\xff", 2)));
  EXPECT_EQ(file_kind(path()), FileKind::kGames);
}

TEST_F(FramedFileTest, TheLayoutIsTheDocumentedOne) {
  const std::string bytes = write_three();
  EXPECT_EQ(bytes.substr(0, 16), std::string("MakZero\n\1\0\0\0\3\0\0\0", 16));
  EXPECT_EQ(bytes.substr(28, 4), std::string("\x0b\0\0\0", 4));        // Plain size of "first frame".
  EXPECT_EQ(bytes.substr(40, 4), std::string("\x28\xb5\x2f\xfd", 4));  // zstd.
}

TEST_F(FramedFileTest, AFrameAsBytesIsThatOfAFile) {
  const std::string bytes = write_three();
  EXPECT_EQ(read_text_file(path()), bytes);
  for (const char* frame : kFrames) FrameAppender(folder_ / "appended", FileKind::kGames).add(frame);
  EXPECT_EQ(read_text_file(folder_ / "appended"), bytes);
  const std::string first = encode_frame(kFrames[0]);
  EXPECT_EQ(bytes.substr(24, first.size()), first);
  const DecodedFrame decoded = decode_frame(std::string_view(bytes).substr(24));
  EXPECT_EQ(decoded.state, DecodedFrame::State::kGood);
  EXPECT_EQ(decoded.stored, first.size());
  EXPECT_EQ(decoded.plain, kFrames[0]);
}

TEST_F(FramedFileTest, ADamagedFrameAsBytesIsRefused) {
  const std::string frame = encode_frame(kFrames[1]);
  for (std::size_t offset = 0; offset < frame.size(); ++offset)
    ASSERT_NE(decode_frame(flipped(frame, offset)).state, DecodedFrame::State::kGood) << offset;
  for (std::size_t size = 0; size < frame.size(); ++size)
    ASSERT_NE(decode_frame(frame.substr(0, size)).state, DecodedFrame::State::kGood) << size;
}

TEST_F(FramedFileTest, NoMoreIsUnpackedThanAllowed) {
  const std::string frame = encode_frame(std::string(1000, 'x'));
  EXPECT_EQ(decode_frame(frame, 1000).state, DecodedFrame::State::kGood);
  const DecodedFrame refused = decode_frame(frame, 999);
  EXPECT_EQ(refused.state, DecodedFrame::State::kDamaged);
  EXPECT_THAT(refused.why, HasSubstr("1000 plain bytes is larger than the 999"));
}

TEST_F(FramedFileTest, AFileThatCannotTakeItsNameLeavesNothingBehind) {
  std::filesystem::create_directories(path() / "not empty");
  EXPECT_THAT(error_of([&] { write_text_file(path(), "text"); }), HasSubstr("cannot rename"));
  EXPECT_FALSE(std::filesystem::exists(temporary_name(path())));
}

TEST_F(FramedFileTest, AnOldFileStaysWholeWhereTheNewOneCannotBeWritten) {
  const std::string old = write_three();
  std::filesystem::create_directories(temporary_name(path()) / "not empty");
  EXPECT_THAT(error_of([&] { write_text_file(path(), "text"); }), HasSubstr("file.tmp"));
  EXPECT_EQ(read_text_file(path()), old);
}

TEST_F(FramedFileTest, AnyFlippedByteIsFoundAndItsBytesAreNamed) {
  const std::string whole = write_three();
  for (std::size_t offset = 0; offset < whole.size(); ++offset) {
    put_file(path(), flipped(whole, offset));
    FrameReader reader(path(), FileKind::kGames);
    frames_of(&reader);
    const std::string& damage = reader.damage();
    ASSERT_THAT(damage, HasSubstr("bytes ")) << offset;
    ASSERT_LE(reader.good_bytes(), offset);
    const std::size_t begin = std::stoull(damage.substr(6));
    const std::size_t end = std::stoull(damage.substr(damage.find('-') + 1));
    ASSERT_LE(begin, offset) << damage;
    ASSERT_GE(end, offset) << damage;
  }
}

TEST_F(FramedFileTest, AnyFlippedByteCostsOneFrameAtMost) {
  const std::string whole = write_three();
  for (std::size_t offset = 0; offset < whole.size(); ++offset) {
    put_file(path(), flipped(whole, offset));
    std::vector<std::string> kept;
    const Recovery recovery =
        recover_frames(path(), FileKind::kGames, [&](std::string_view frame) { kept.emplace_back(frame); });
    ASSERT_EQ(recovery.damages.size(), 1u) << offset;
    ASSERT_FALSE(recovery.torn) << offset;
    ASSERT_GE(kept.size(), offset < 24 ? 3u : 2u) << offset;
    for (const std::string& frame : kept) ASSERT_THAT(kFrames, testing::Contains(frame));
  }
}

TEST_F(FramedFileTest, TruncationAtAnyLengthKeepsTheFramesBeforeIt) {
  const std::string whole = write_three();
  std::size_t ends_at_frame = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    put_file(path(), whole.substr(0, size));
    const Recovery recovery = recover_frames(path(), FileKind::kGames, [](std::string_view) {});
    if (recovery.damages.empty()) {
      ++ends_at_frame;
      ASSERT_EQ(recovery.good_bytes, size);
      continue;
    }
    ASSERT_TRUE(recovery.torn) << size;
    FrameAppender appender(path(), FileKind::kGames);
    ASSERT_EQ(std::filesystem::file_size(path()), std::max(recovery.good_bytes, std::uint64_t{24})) << size;
    appender.add("next");
    const std::vector<std::string> frames = frames_of(path());
    ASSERT_EQ(frames.size(), recovery.frames + 1);
    ASSERT_EQ(frames.back(), "next");
  }
  EXPECT_EQ(ends_at_frame, 3u) << "after the header, the first and the second frame";
}

TEST_F(FramedFileTest, AppendingGoesOnWhereTheFileEnded) {
  for (const char* frame : {"a", "b", "c"}) FrameAppender(path(), FileKind::kGames).add(frame);
  EXPECT_THAT(frames_of(path()), ElementsAre("a", "b", "c"));
}

TEST_F(FramedFileTest, AnAppenderRefusesADamagedFileAndLeavesItAlone) {
  const std::string damaged = flipped(write_three(), 50);
  put_file(path(), damaged);
  EXPECT_THAT(error_of([&] { FrameAppender(path(), FileKind::kGames); }), HasSubstr("fsck"));
  EXPECT_EQ(read_text_file(path()), damaged);
}

TEST_F(FramedFileTest, RepairSetsTheDamagedFileAsideAndKeepsItsGoodFrames) {
  const std::string damaged = flipped(write_three(), 50);
  put_file(path(), damaged);
  EXPECT_THAT(repair_frames(path(), FileKind::kGames).damages, ElementsAre(HasSubstr("bytes 24-")));
  EXPECT_THAT(frames_of(path()), ElementsAre(kFrames[1], kFrames[2]));
  EXPECT_EQ(read_text_file(path().string() + ".damaged"), damaged);
}

TEST_F(FramedFileTest, EarlierDamagedCopiesAreNotOverwritten) {
  for (int i = 0; i < 2; ++i) {
    put_file(path(), flipped(write_three(), 50 + i));
    repair_frames(path(), FileKind::kGames);
  }
  EXPECT_TRUE(std::filesystem::exists(path().string() + ".damaged"));
  EXPECT_TRUE(std::filesystem::exists(path().string() + ".damaged-2"));
}

TEST_F(FramedFileTest, RepairOfAWholeFileChangesNothing) {
  const std::string whole = write_three();
  EXPECT_THAT(repair_frames(path(), FileKind::kGames).damages, IsEmpty());
  EXPECT_EQ(read_text_file(path()), whole);
  EXPECT_FALSE(std::filesystem::exists(path().string() + ".damaged"));
}

TEST_F(FramedFileTest, AFlippedSizeOfTheLastFrameIsDamageAndNotATornTail) {
  std::string bytes = write_three();
  const Recovery before = recover_frames(path(), FileKind::kGames, [](std::string_view) {});
  ASSERT_EQ(before.frames, 3u);
  const std::size_t last = bytes.rfind(std::string("\x28\xb5\x2f\xfd", 4)) - 16;
  bytes[last + 1] = 1;  // 256 bytes more than there are.
  put_file(path(), bytes);
  const Recovery recovery = recover_frames(path(), FileKind::kGames, [](std::string_view) {});
  EXPECT_FALSE(recovery.torn);
  EXPECT_THAT(recovery.damages, ElementsAre(HasSubstr("the size of the frame is wrong")));
}

TEST_F(FramedFileTest, ForeignFilesAreRefusedByName) {
  for (const char* content : {"PK\3\4 a zip file", "{\"json\": 1}", "x"}) {
    put_file(path(), content);
    EXPECT_THAT(error_of([&] { file_kind(path()); }),
                HasSubstr(path().string() + ": is not a file of MakZero"));
    EXPECT_THAT(error_of([&] { frames_of(path()); }), HasSubstr("is not a file of MakZero"));
    EXPECT_THAT(error_of([&] { repair_frames(path(), FileKind::kGames); }),
                HasSubstr("is not a file of MakZero"));
    EXPECT_EQ(read_text_file(path()), content);
    EXPECT_EQ(find_file_kind(path()), std::nullopt);
  }
}

TEST_F(FramedFileTest, AnotherKindIsRefusedNamingBoth) {
  write_three();
  EXPECT_THAT(error_of([&] { FrameReader(path(), FileKind::kCheckpoint); }),
              HasSubstr("holds game records, not checkpoint"));
}

TEST_F(FramedFileTest, MissingFilesAndFoldersAreNamed) {
  EXPECT_THAT(error_of([&] { file_kind(folder_ / "none"); }), HasSubstr("No such file"));
  EXPECT_THAT(error_of([&] { write_text_file(folder_ / "none" / "file", ""); }),
              HasSubstr("check the name and that its folder exists"));
  EXPECT_THAT(error_of([&] { FrameReader(folder_, FileKind::kGames); }), HasSubstr("is a folder"));
}

TEST_F(FramedFileTest, AFullDiskSaysWhatToDo) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  std::filesystem::create_symlink("/dev/full", folder_ / "full.tmp");
  const std::string message = error_of([&] { write_text_file(folder_ / "full", std::string(100, 'x')); });
  EXPECT_THAT(message, HasSubstr("No space left on device; free some space"));
}

TEST_F(FramedFileTest, AFailedAppendLeavesTheFileAsItWas) {
  FrameAppender appender(path(), FileKind::kGames);
  appender.add("kept");
  const std::string before = read_text_file(path());
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit = {};
  getrlimit(RLIMIT_FSIZE, &old_limit);
  const rlimit limit = {before.size() + 20, old_limit.rlim_max};  // A part of the frame fits.
  setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_THAT(error_of([&] { appender.add("a frame that does not fit any more"); }),
              HasSubstr("File too large"));
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(read_text_file(path()), before);
  appender.add("next");
  EXPECT_THAT(frames_of(path()), ElementsAre("kept", "next"));
}

TEST_F(FramedFileTest, ANewerVersionIsRefusedNamingBoth) {
  std::string header("MakZero\n\2\0\0\0\3\0\0\0", 16);
  const std::uint64_t checksum = XXH3_64bits(header.data(), header.size());
  header.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
  put_file(path(), header);
  EXPECT_THAT(error_of([&] { frames_of(path()); }),
              HasSubstr("format version 2, this program reads up to 1"));
}

TEST_F(FramedFileTest, TextFilesAreReplacedAsAWhole) {
  write_text_file(path(), "one");
  write_text_file(path(), "two");
  EXPECT_EQ(read_text_file(path()), "two");
  EXPECT_FALSE(std::filesystem::exists(temporary_name(path())));
}

}  // namespace
}  // namespace makzero::models
