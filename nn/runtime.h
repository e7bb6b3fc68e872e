// What the tensor library and the processor offer, for `makzero doctor`, logs and bench.
#pragma once

#include <string>

#include "nn/backend.h"

namespace makzero::nn {

struct Runtime {
  std::string libtorch_version;    // "1.13.1"; empty where it is missing.
  std::string why_no_libtorch;     // Then why, and how to repair it.
  std::string blas;                // "OpenBLAS 0.3.21 (/usr/lib/...)", as loaded by this process.
  bool blas_is_reference = false;  // Some 10 times slower: needs repairing.
  bool bf16 = false;               // The CPU multiplies bf16 in hardware.
  bool avx2 = false, avx512 = false;
  int cores = 0;  // That this process may use: usable_processors().
  int cuda_devices = 0;
  std::string cuda;  // Names of the devices, or why there are none.
};

Runtime inspect_runtime();

// From now on a card computes the same bits for the same input: with the algorithms of LibTorch, cuDNN and
// cuBLAS that always add in the same order. An operation that has none throws and is named. REQUIRES: no
// other thread runs, and nothing has been computed on a card.
void make_deterministic();

// The number of threads with which the tensor library computes what the calling thread evaluates on a CPU: 1
// at first.
void set_thread_count(int threads);
int thread_count();

// Largest matrix-product rate [GFLOP/s] that was seen: of one thread of the CPU, by its processor time,
// 1024^3; of a card by the wall clock, 8192^3. REQUIRES: a precision that is not kAuto.
double matrix_product_peak(const Backend& backend);

}  // namespace makzero::nn
