// What tests of files share: a folder of their own and files with damage.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "models/error.h"

namespace makzero::models {

// Where tests write: in memory where that exists, as they sync thousands of times.
inline std::filesystem::path test_root() {
  const std::filesystem::path memory = "/dev/shm";
  return access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path();
}

// A fresh folder for each test, removed afterwards.
class FolderTest : public testing::Test {
 protected:
  FolderTest() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    folder_ = test_root() / ("makzero_" + std::string(test.test_suite_name()) + "_" + test.name() + "_" +
                             std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~FolderTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

// Makes a file with these bytes, whatever was there.
inline void put_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// The bytes with one bit flipped.
inline std::string flipped(std::string bytes, std::size_t offset) {
  bytes[offset] = static_cast<char>(bytes[offset] ^ (1 << offset % 8));
  return bytes;
}

// The message of the Error that `action` throws; fails the test when it throws none.
template <class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace makzero::models
