// One checksummed, compressed frame as bytes: in files and in messages.
#include "models/frame.h"

#define XXH_STATIC_LINKING_ONLY  // The hash state as a local variable.
#include <xxhash.h>
#include <zstd.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "models/error.h"

namespace makzero::models {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the format is little-endian and is copied as it lies");

constexpr int kCompressionLevel = 3;

// REQUIRES: the bytes are there.
template <class T>
T get(std::string_view bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

template <class T>
void set(std::string* bytes, std::size_t offset, T value) {
  std::memcpy(bytes->data() + offset, &value, sizeof(value));
}

// Over the sizes and the stored bytes of a whole frame.
std::uint64_t frame_checksum(std::string_view frame) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  XXH3_64bits_update(&state, frame.data(), 8);
  XXH3_64bits_update(&state, frame.data() + kFrameHeaderBytes, frame.size() - kFrameHeaderBytes);
  return XXH3_64bits_digest(&state);
}

DecodedFrame unfinished(std::string_view bytes) {
  DecodedFrame frame;
  frame.state = DecodedFrame::State::kUnfinished;
  frame.why = "the last frame is unfinished, only " + std::to_string(bytes.size()) + " bytes of it are there";
  return frame;
}

DecodedFrame damaged(std::string why) {
  DecodedFrame frame;
  frame.why = std::move(why);
  return frame;
}

}  // namespace

std::string encode_frame(std::string_view plain) {
  if (plain.size() > kMaxFrameBytes) {
    throw Error("a frame of " + std::to_string(plain.size()) + " bytes is larger than the format allows");
  }
  std::string frame(kFrameHeaderBytes + ZSTD_compressBound(plain.size()), '\0');
  const std::size_t stored = ZSTD_compress(frame.data() + kFrameHeaderBytes, frame.size() - kFrameHeaderBytes,
                                           plain.data(), plain.size(), kCompressionLevel);
  if (ZSTD_isError(stored)) throw Error(std::string("cannot compress: ") + ZSTD_getErrorName(stored));
  frame.resize(kFrameHeaderBytes + stored);
  set(&frame, 0, static_cast<std::uint32_t>(stored));
  set(&frame, 4, static_cast<std::uint32_t>(plain.size()));
  set(&frame, 8, frame_checksum(frame));
  return frame;
}

DecodedFrame decode_frame(std::string_view bytes, std::size_t max_plain) {
  if (bytes.size() < kFrameHeaderBytes) return unfinished(bytes);
  const auto stored = get<std::uint32_t>(bytes, 0);
  const auto plain = get<std::uint32_t>(bytes, 4);
  const std::string_view payload = bytes.substr(kFrameHeaderBytes);
  if (stored > payload.size()) {
    // A killed process leaves an unfinished payload; a finished one means that the size is wrong.
    const bool finished = !ZSTD_isError(ZSTD_findFrameCompressedSize(payload.data(), payload.size()));
    return finished ? damaged("the size of the frame is wrong") : unfinished(bytes);
  }
  const std::string_view frame = bytes.substr(0, kFrameHeaderBytes + stored);
  if (get<std::uint64_t>(bytes, 8) != frame_checksum(frame))
    return damaged("the checksum of the frame is wrong");
  if (plain > max_plain) {
    return damaged("the frame of " + std::to_string(plain) + " plain bytes is larger than the " +
                   std::to_string(max_plain) + " that are allowed");
  }

  DecodedFrame decoded;
  decoded.plain.resize(plain);
  const std::size_t size = ZSTD_decompress(decoded.plain.data(), plain, payload.data(), stored);
  if (ZSTD_isError(size) || size != plain) return damaged("the frame cannot be decompressed");
  decoded.state = DecodedFrame::State::kGood;
  decoded.stored = frame.size();
  return decoded;
}

}  // namespace makzero::models
