// TensorBoard files: framing, checksums and content as its reader sees them.
#include "train/run/tensorboard.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "tests/support/file_tools.h"
#include "train/run/tensorboard.pb.h"

namespace makzero::train {
namespace {

class TensorBoardTest : public models::FolderTest {};

template <class Number>
Number read_number(const std::string& bytes, size_t offset) {
  Number number = 0;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

// The events of the only file, every length and checksum compared.
std::vector<tensorboard::Event> read_events(const std::filesystem::path& folder) {
  std::ifstream file(std::filesystem::directory_iterator(folder)->path(), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<tensorboard::Event> events;
  for (size_t offset = 0; offset < bytes.size();) {
    const auto length = read_number<std::uint64_t>(bytes, offset);
    EXPECT_EQ(read_number<std::uint32_t>(bytes, offset + 8), masked_crc32c(bytes.substr(offset, 8)));
    const std::string event = bytes.substr(offset + 12, length);
    EXPECT_EQ(read_number<std::uint32_t>(bytes, offset + 12 + length), masked_crc32c(event));
    EXPECT_TRUE(events.emplace_back().ParseFromString(event));
    offset += 16 + length;
  }
  return events;
}

// CRC-32C of "123456789" is 0xE3069283 (RFC 3720 and every catalogue of checksums).
TEST_F(TensorBoardTest, TheChecksumIsTheMaskedCastagnoliOne) {
  const std::uint32_t crc = 0xE3069283u;
  EXPECT_EQ(masked_crc32c("123456789"), ((crc >> 15) | (crc << 17)) + 0xA282EAD8u);
}

TEST_F(TensorBoardTest, AFileBeginsWithItsVersionAndHoldsTheScalars) {
  TensorBoardWriter writer(folder_ / "tb");
  writer.add(7, {{"loss/policy", 2.5}, {"elo", -10}});
  const std::vector<tensorboard::Event> events = read_events(folder_ / "tb");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].file_version(), "brain.Event:2");
  EXPECT_EQ(events[1].step(), 7);
  ASSERT_EQ(events[1].summary().value_size(), 2);
  EXPECT_EQ(events[1].summary().value(0).tag(), "loss/policy");
  EXPECT_FLOAT_EQ(events[1].summary().value(0).simple_value(), 2.5f);
  EXPECT_FLOAT_EQ(events[1].summary().value(1).simple_value(), -10);
}

TEST_F(TensorBoardTest, TwoStartsInOneSecondDoNotShareAFile) {
  const TensorBoardWriter first(folder_ / "tb"), second(folder_ / "tb");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "tb"),
                          std::filesystem::directory_iterator()),
            2);
}

}  // namespace
}  // namespace makzero::train
