// Why no card can be used, in words that say how to repair it.
#pragma once

#include <string>

namespace makzero::nn {

// CUDA on a machine where LibTorch finds no card.
struct CudaFacts {
  std::string libtorch_version = {};  // "2.11.0"
  int cuda_version = 0;               // That LibTorch was built for, 13000 for 13.0; 0: for CPUs alone.
  std::string driver = {};            // Version of the NVIDIA driver; empty: none is loaded.
};

// The number in the text of /proc/driver/nvidia/version, as "550.54.14"; empty where there is none.
std::string driver_version(const std::string& text);

std::string cuda_fault(const CudaFacts& facts);

}  // namespace makzero::nn
