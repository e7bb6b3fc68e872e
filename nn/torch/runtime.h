// The runtime of LibTorch in this process. Private to the plugin.
#pragma once

#include "nn/runtime.h"

namespace makzero::nn::library {

// Once, when the plugin is opened.
void set_up();

// The number of intra-op threads of the calling thread.
void use_threads(int threads);

// See nn/runtime.h.
void inspect_runtime(Runtime* runtime);
void make_deterministic();
double matrix_product_peak(const Backend& backend);

}  // namespace makzero::nn::library
