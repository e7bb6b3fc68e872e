// What the plugin exports: its build id and its table.
#include "nn/torch/devices.h"
#include "nn/torch/guarded.h"
#include "nn/torch/learners.h"
#include "nn/torch/network.h"
#include "nn/torch/runtime.h"
#include "nn/torch/tensors.h"

namespace makzero::nn {
namespace {

bool says(const std::exception& error, std::string_view part) {
  return std::string_view(error.what()).find(part) != std::string_view::npos;
}

// LibTorch's own message is one of a class for all errors.
bool is_out_of_memory(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) || dynamic_cast<const std::length_error*>(&error) ||
         says(error, "can't allocate memory");
}

// The allocator of a card has a class of its own; CUDA, cuBLAS and cuDNN, which take some besides, have
// texts.
bool is_out_of_device_memory(const std::exception& error) {
  return dynamic_cast<const c10::OutOfMemoryError*>(&error) || says(error, "CUDA error: out of memory") ||
         says(error, "CUBLAS_STATUS_ALLOC_FAILED") || says(error, "CUDNN_STATUS_ALLOC_FAILED");
}

std::string text_of(const std::exception& error) {
  const auto* torch = dynamic_cast<const c10::Error*>(&error);
  return torch ? torch->what_without_backtrace() : error.what();
}

constexpr TorchTable kTable = {
    .make_network =
        [](const Network& network, const TorchNetworkOptions& options,
           std::unique_ptr<TorchNetwork>* made) noexcept {
          return guarded([&] { *made = make_network(network, options); });
        },
    .make_learner =
        [](const NetworkArchitecture& shape, const LearnerOptions& options, std::uint64_t seed,
           std::unique_ptr<TorchLearner>* made) noexcept {
          return guarded([&] { *made = make_learner(shape, options, seed); });
        },
    .initial_weights =
        [](const NetworkArchitecture& shape, std::uint64_t seed, Weights* weights) noexcept {
          return guarded([&] { *weights = library::initial_weights(shape, seed); });
        },
    .require_backend =
        [](const Backend& backend) noexcept {
          return guarded([&] {
            for (const torch::Device device : find_devices(backend.device))
              choose_precision(backend.precision, device);
          });
        },
    .inspect_runtime =
        [](Runtime* runtime) noexcept { return guarded([&] { library::inspect_runtime(runtime); }); },
    .make_deterministic = []() noexcept { return guarded([] { library::make_deterministic(); }); },
    .matrix_product_peak =
        [](const Backend& backend, double* gigaflops) noexcept {
          return guarded([&] { *gigaflops = library::matrix_product_peak(backend); });
        },
};

}  // namespace

TorchStatus status_of_exception() noexcept {
  using Code = TorchStatus::Code;
  try {
    throw;
  } catch (const std::exception& error) {
    if (is_out_of_device_memory(error)) return {Code::kOutOfDeviceMemory};
    if (!is_out_of_memory(error)) {
      try {
        return {Code::kFailed, text_of(error)};
      } catch (...) {  // No memory for the text.
      }
    }
    return {Code::kOutOfMemory};
  } catch (...) {
    return {Code::kFailed, "unknown error"};
  }
}

}  // namespace makzero::nn

extern "C" {

[[gnu::visibility("default")]] const char* makzero_torch_build_id() { return makzero::nn::build_id(); }

[[gnu::visibility("default")]] const makzero::nn::TorchTable* makzero_torch_table() {
  makzero::nn::library::set_up();
  return &makzero::nn::kTable;
}
}
