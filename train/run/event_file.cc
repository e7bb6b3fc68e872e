// Reads TensorBoard event files back, to describe and to check them.
#include "train/run/event_file.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "models/file_io.h"
#include "train/run/tensorboard.h"

namespace makzero::train {
namespace {

constexpr std::size_t kLengthBytes = 8, kChecksumBytes = 4;
constexpr std::size_t kAroundEvent = kLengthBytes + 2 * kChecksumBytes;

// REQUIRES: the bytes are there.
template <class Number>
Number number_at(std::string_view bytes, std::size_t offset) {
  Number number;
  std::memcpy(&number, bytes.data() + offset, sizeof(number));
  return number;
}

// The event's bytes at the start of `bytes`; none when they are damaged or end too early.
std::optional<std::string_view> first_event(std::string_view bytes) {
  if (bytes.size() < kAroundEvent) return std::nullopt;
  if (number_at<std::uint32_t>(bytes, kLengthBytes) != masked_crc32c(bytes.substr(0, kLengthBytes)))
    return std::nullopt;
  const auto length = number_at<std::uint64_t>(bytes, 0);
  if (length > bytes.size() - kAroundEvent) return std::nullopt;
  const std::string_view event = bytes.substr(kLengthBytes + kChecksumBytes, length);
  const auto checksum = number_at<std::uint32_t>(bytes, kLengthBytes + kChecksumBytes + length);
  if (checksum != masked_crc32c(event)) return std::nullopt;
  return event;
}

}  // namespace

EventScan scan_events(const std::filesystem::path& path,
                      const std::function<void(const tensorboard::Event&)>& visit) {
  const std::string content = models::read_text_file(path);
  std::string_view rest = content;
  EventScan scan;
  while (!rest.empty()) {
    const std::optional<std::string_view> bytes = first_event(rest);
    tensorboard::Event event;
    if (!bytes || !event.ParseFromArray(bytes->data(), static_cast<int>(bytes->size()))) {
      scan.damage =
          fmt::format("bytes {}-{}: the event is damaged or unfinished", scan.good_bytes, content.size() - 1);
      break;
    }
    visit(event);
    ++scan.events;
    scan.good_bytes += kAroundEvent + bytes->size();
    rest.remove_prefix(kAroundEvent + bytes->size());
  }
  return scan;
}

bool is_event_file(std::string_view bytes) {
  return bytes.size() >= kAroundEvent &&
         number_at<std::uint32_t>(bytes, kLengthBytes) == masked_crc32c(bytes.substr(0, kLengthBytes));
}

}  // namespace makzero::train
