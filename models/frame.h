// One checksummed, compressed frame as bytes: in files and in messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace makzero::models {

// u32 stored size, u32 plain size, u64 xxh3 of sizes and stored bytes, then the zstd-compressed bytes;
// little-endian.
inline constexpr std::size_t kFrameHeaderBytes = 16;

// The largest frame, in plain bytes; larger data is split by its writer.
inline constexpr std::size_t kMaxFrameBytes = std::size_t{256} << 20;

// The frame of these bytes. Throws Error where they are too many.
std::string encode_frame(std::string_view plain);

// What lies where a frame should begin.
struct DecodedFrame {
  enum class State { kGood, kUnfinished, kDamaged };
  State state = State::kDamaged;
  std::size_t stored = 0;  // Bytes of the whole frame.
  std::string plain;
  std::string why;  // Not good.
};

// The frame at the beginning of `bytes`, which may go on behind it. No more than `max_plain` bytes are
// unpacked: a frame that says it has more is damaged.
DecodedFrame decode_frame(std::string_view bytes, std::size_t max_plain = kMaxFrameBytes);

}  // namespace makzero::models
