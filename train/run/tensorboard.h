// Writes scalars as TensorBoard event files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace makzero::train {

// CRC-32C (Castagnoli) of the bytes, rotated and offset as TensorBoard's record format wants it.
std::uint32_t masked_crc32c(std::string_view bytes);

// One event file; every add() is flushed. Throws models::Error when it cannot be written.
class TensorBoardWriter {
 public:
  // Begins FOLDER/events.out.tfevents.SECONDS.makzero.
  explicit TensorBoardWriter(const std::filesystem::path& folder);

  void add(std::int64_t step, const std::vector<std::pair<std::string, double>>& scalars);

 private:
  void write(const std::string& event);

  std::filesystem::path path_;
  std::ofstream file_;
};

}  // namespace makzero::train
