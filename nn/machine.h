// The machine in a line, for records of what was trained and measured on it.
#pragma once

#include <string>

namespace makzero::nn {

// "AMD EPYC 7B13, 2 cores, 8 GB, LibTorch 1.13.1", and its GPUs; without LibTorch where that is missing.
std::string machine_text();

}  // namespace makzero::nn
