#include "train/run/tensorboard.h"

#include <array>
#include <chrono>

#include "models/error.h"
#include "train/run/tensorboard.pb.h"

namespace makzero::train {
namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table = {};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) ? (crc >> 1) ^ 0x82F63B78u : crc >> 1;
    table[byte] = crc;
  }
  return table;
}

double unix_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Little-endian bytes of a number.
template <class Number>
std::string bytes_of(Number number) {
  std::string bytes;
  for (size_t i = 0; i < sizeof(Number); ++i) bytes += static_cast<char>(number >> (8 * i) & 255);
  return bytes;
}

}  // namespace

std::uint32_t masked_crc32c(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = make_crc_table();
  std::uint32_t crc = ~0u;
  for (const char byte : bytes) crc = kTable[(crc ^ static_cast<unsigned char>(byte)) & 255] ^ (crc >> 8);
  crc = ~crc;
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u;
}

TensorBoardWriter::TensorBoardWriter(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  // A number behind the seconds keeps two starts within one second apart.
  for (int attempt = 0; path_.empty() || std::filesystem::exists(path_); ++attempt) {
    path_ = folder / ("events.out.tfevents." + std::to_string(static_cast<std::int64_t>(unix_seconds())) +
                      ".makzero" + (attempt ? "." + std::to_string(attempt) : ""));
  }
  file_.open(path_, std::ios::binary);
  tensorboard::Event event;
  event.set_wall_time(unix_seconds());
  event.set_file_version("brain.Event:2");
  write(event.SerializeAsString());
}

void TensorBoardWriter::add(std::int64_t step, const std::vector<std::pair<std::string, double>>& scalars) {
  tensorboard::Event event;
  event.set_wall_time(unix_seconds());
  event.set_step(step);
  for (const auto& [tag, number] : scalars) {
    tensorboard::Summary::Value* value = event.mutable_summary()->add_value();
    value->set_tag(tag);
    value->set_simple_value(static_cast<float>(number));
  }
  write(event.SerializeAsString());
}

void TensorBoardWriter::write(const std::string& event) {
  const std::string length = bytes_of<std::uint64_t>(event.size());
  file_ << length << bytes_of(masked_crc32c(length)) << event << bytes_of(masked_crc32c(event)) << std::flush;
  if (!file_) throw models::Error(path_, "cannot write TensorBoard events: is the disk full?");
}

}  // namespace makzero::train
