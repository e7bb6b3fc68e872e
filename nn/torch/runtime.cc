#include "nn/torch/runtime.h"

#include <dlfcn.h>
#include <torch/torch.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "nn/system.h"
#include "nn/torch/devices.h"
#include "nn/torch/tensors.h"

namespace makzero::nn::library {
namespace {

constexpr int kRepetitions = 20;  // Of the measured matrix product.

std::int64_t wall_nanoseconds() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

// The path of the first library mapped into this process whose file name begins so; empty when there is none.
std::string loaded_library(const std::string& prefix) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const size_t slash = line.find('/');
    if (slash == std::string::npos) continue;
    std::string path = line.substr(slash);
    if (path.compare(path.rfind('/') + 1, prefix.size(), prefix) == 0) return path;
  }
  return "";
}

// "OpenBLAS 0.3.21": the first two words of what the library says of itself.
std::string openblas_name() {
  using Config = char* (*)();
  const auto config = reinterpret_cast<Config>(dlsym(RTLD_DEFAULT, "openblas_get_config"));
  if (!config) return "OpenBLAS";
  const std::string text = config();
  return text.substr(0, text.find(' ', text.find(' ') + 1));
}

void inspect_blas(Runtime* environment) {
  const std::string openblas = loaded_library("libopenblas"), mkl = loaded_library("libmkl_"),
                    blas = loaded_library("libblas");
  if (!openblas.empty() || dlsym(RTLD_DEFAULT, "openblas_get_config")) {
    environment->blas = openblas_name() + (openblas.empty() ? "" : " (" + openblas + ")");
  } else if (at::hasMKL()) {
    environment->blas = "MKL (" + (mkl.empty() ? std::string("inside LibTorch") : mkl) + ")";
  } else if (!blas.empty() && blas.find("blis") == std::string::npos &&
             blas.find("atlas") == std::string::npos) {
    environment->blas = "reference BLAS (" + blas + ")";
    environment->blas_is_reference = true;
  } else {
    environment->blas = blas.empty() ? "inside LibTorch" : blas;
  }
}

// "NVIDIA H100, NVIDIA H100": what the driver says, since LibTorch's own query needs CUDA's headers.
std::string cuda_names(int devices) {
  std::string names;
  std::error_code missing;
  for (const auto& gpu : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", missing)) {
    std::ifstream information(gpu.path() / "information");
    for (std::string line; std::getline(information, line);) {
      if (line.rfind("Model:", 0) != 0) continue;
      names += (names.empty() ? "" : ", ") + line.substr(line.find_first_not_of(" \t", 6));
    }
  }
  return names.empty() ? std::to_string(devices) + " devices" : names;
}

// OpenBLAS has threads of its own, which LibTorch does not know of: on two cores two workers would run four.
void keep_blas_single_threaded() {
  using SetThreads = void (*)(int);
  const auto set_threads = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set_threads) set_threads(1);
}

}  // namespace

void set_up() {
  at::globalContext().setAllowTF32CuDNN(false);  // On a card fp32 shall be fp32.
  at::set_num_threads(1);                        // Of all threads, until they say otherwise.
  keep_blas_single_threaded();
}

void inspect_runtime(Runtime* runtime) {
  runtime->libtorch_version = TORCH_VERSION;
  inspect_blas(runtime);
  runtime->cuda = why_no_cuda();
  if (!runtime->cuda.empty()) return;
  // LibTorch 2 counts devices in a signed char.
  runtime->cuda_devices =
      static_cast<int>(torch::cuda::device_count());  // NOLINT(bugprone-signed-char-misuse)
  runtime->cuda = cuda_names(runtime->cuda_devices);
}

void make_deterministic() {
  // cuBLAS reads this when it starts: with the default workspace it may sum in another order each time.
  setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
  at::globalContext().setDeterministicCuDNN(true);
  at::globalContext().setBenchmarkCuDNN(false);
}

void use_threads(int threads) {
  // LibTorch forgets its prepared convolutions on every call.
  if (at::get_num_threads() != threads) at::set_num_threads(threads);
}

double matrix_product_peak(const Backend& backend) {
  const c10::InferenceMode inference;
  const torch::Device device = find_device(backend.device);
  const std::int64_t size = device.is_cuda() ? 8192 : 1024;
  use_threads(1);
  const auto options = torch::TensorOptions(device).dtype(scalar_type(backend.precision));
  const torch::Tensor a = torch::rand({size, size}).to(options), b = torch::rand({size, size}).to(options);
  torch::Tensor product = torch::mm(a, b);
  const auto now = [&] {
    if (device.is_cpu()) return thread_cpu_nanoseconds();
    torch::cuda::synchronize(device.index());
    return wall_nanoseconds();
  };
  double best = 0;
  for (int i = 0; i < kRepetitions; ++i) {
    const std::int64_t start = now();
    torch::mm_out(product, a, b);
    best = std::max(best, 2.0 * std::pow(size, 3) / static_cast<double>(now() - start));
  }
  return best;
}

}  // namespace makzero::nn::library
