#include "nn/runtime.h"

#include <malloc.h>

#include <cstdlib>
#include <stdexcept>

#include "nn/bf16.h"
#include "nn/processors.h"
#include "nn/torch_plugin.h"

namespace makzero::nn {
namespace {

thread_local int threads_of_this = 1;  // See set_thread_count().

}  // namespace

Runtime inspect_runtime() {
  Runtime runtime;
  runtime.bf16 = cpu_has_bf16();
#if defined(__x86_64__)
  runtime.avx2 = __builtin_cpu_supports("avx2");
  runtime.avx512 = __builtin_cpu_supports("avx512f");
#endif
  runtime.cores = usable_processors();
  try {
    require(torch_plugin().inspect_runtime(&runtime));
  } catch (const std::runtime_error& error) {
    runtime.why_no_libtorch = error.what();
  }
  return runtime;
}

void configure_process() {
  // Memory of activations is kept, not handed back to the kernel and faulted in again at every batch.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // The largest that malloc accepts.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  setenv("OMP_WAIT_POLICY", "passive", 0);  // OpenMP reads it when the plugin is opened.
}

void make_deterministic() { require(torch_plugin().make_deterministic()); }

void release_unused_memory() { malloc_trim(0); }

void set_thread_count(int threads) { threads_of_this = threads; }

int thread_count() { return threads_of_this; }

double matrix_product_peak(const Backend& backend) {
  double gigaflops = 0;
  require(torch_plugin().matrix_product_peak(backend, &gigaflops));
  return gigaflops;
}

}  // namespace makzero::nn
