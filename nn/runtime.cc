#include "nn/runtime.h"

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

void make_deterministic() { require(torch_plugin().make_deterministic()); }

void set_thread_count(int threads) { threads_of_this = threads; }

int thread_count() { return threads_of_this; }

double matrix_product_peak(const Backend& backend) {
  double gigaflops = 0;
  require(torch_plugin().matrix_product_peak(backend, &gigaflops));
  return gigaflops;
}

}  // namespace makzero::nn
