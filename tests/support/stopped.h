// A stop that was requested before anything began.
#pragma once

#include <stop_token>

namespace makzero {

inline std::stop_token stopped() {
  std::stop_source source;
  source.request_stop();
  return source.get_token();
}

}  // namespace makzero
