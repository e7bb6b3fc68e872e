// Mixed precision in both supported generations of LibTorch. Private to the plugin.
#pragma once

#include <ATen/autocast_mode.h>
#include <torch/torch.h>
#include <torch/version.h>

namespace makzero::nn {

// While it lives, the operations of this thread on the device compute in bf16 where that is safe, or in fp32
// throughout.
class Autocast {
 public:
  Autocast(torch::DeviceType device, bool enabled) : device_(device), before_(get(device)) {
    set(device, enabled);
  }
  ~Autocast() {
    set(device_, before_);
    if (!before_) at::autocast::clear_cache();
  }
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
#if TORCH_VERSION_MAJOR >= 2
  static bool get(torch::DeviceType device) { return at::autocast::is_autocast_enabled(device); }
  static void set(torch::DeviceType device, bool enabled) {
    at::autocast::set_autocast_enabled(device, enabled);
    at::autocast::set_autocast_dtype(device, torch::kBFloat16);
  }
#else
  static bool get(torch::DeviceType device) {
    return device == torch::kCPU ? at::autocast::is_cpu_enabled() : at::autocast::is_enabled();
  }
  static void set(torch::DeviceType device, bool enabled) {
    if (device == torch::kCPU) {
      at::autocast::set_cpu_enabled(enabled);
      at::autocast::set_autocast_cpu_dtype(torch::kBFloat16);
    } else {
      at::autocast::set_enabled(enabled);
      at::autocast::set_autocast_gpu_dtype(torch::kBFloat16);
    }
  }
#endif

  torch::DeviceType device_;
  bool before_;
};

}  // namespace makzero::nn
