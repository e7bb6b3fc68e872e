#include "play/gzip.h"

#include <zlib.h>

#include "models/error.h"

namespace makzero::play {

std::string gzip(std::string_view bytes) {
  static constexpr int kGzipFormat = 16 + MAX_WBITS;
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipFormat, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw models::Error("zlib cannot begin to compress");
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace makzero::play
