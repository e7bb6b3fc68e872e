// Compression of files for browsers.
#pragma once

#include <string>
#include <string_view>

namespace makzero::play {

// In the format of gzip; the same bytes give the same result.
std::string gzip(std::string_view bytes);

}  // namespace makzero::play
