#include "nn/torch/devices.h"

#include <ATen/detail/CUDAHooksInterface.h>
#include <dlfcn.h>
#include <torch/version.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "nn/bf16.h"
#include "nn/cuda_fault.h"
#include "nn/torch/tensors.h"

namespace makzero::nn {

std::string why_no_cuda() {
  if (torch::cuda::is_available()) return "";
  CudaFacts facts = {.libtorch_version = TORCH_VERSION};
  if (dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_NOLOAD))
    facts.cuda_version = static_cast<int>(at::detail::getCUDAHooks().versionCUDART());
  std::ifstream driver("/proc/driver/nvidia/version");
  facts.driver = driver_version({std::istreambuf_iterator<char>(driver), {}});
  return cuda_fault(facts);
}

torch::Device find_device(const std::string& name) {
  try {
    const torch::Device device(name);
    if (device.is_cpu()) return device;
    if (!device.is_cuda())
      throw std::runtime_error("device '" + name + "' is not supported: use cpu, cuda or cuda:N");
    const std::string reason = why_no_cuda();
    if (!reason.empty()) throw std::runtime_error("device '" + name + "': " + reason);
    if (device.has_index() && device.index() >= static_cast<int>(torch::cuda::device_count())) {
      throw std::runtime_error("device '" + name + "' does not exist: there are " +
                               std::to_string(torch::cuda::device_count()) + " CUDA devices");
    }
    return device.has_index() ? device : torch::Device(torch::kCUDA, 0);
  } catch (const c10::Error&) {
    throw std::runtime_error("'" + name + "' names no device: use cpu, cuda or cuda:N");
  }
}

std::vector<torch::Device> find_devices(const std::string& names) {
  std::vector<torch::Device> devices;
  for (const std::string& name : device_names(names)) {
    const torch::Device device = find_device(name);
    if (!device.is_cpu() && std::find(devices.begin(), devices.end(), device) != devices.end())
      throw std::runtime_error("'" + names + "' names a card twice");
    devices.push_back(device);
    if (devices.back().type() != devices.front().type())
      throw std::runtime_error("'" + names + "' mixes CPU and cards: name devices of one kind");
  }
  if (devices.empty()) throw std::runtime_error("no device is named: use cpu, cuda or cuda:N");
  return devices;
}

std::string why_no_convolution(Precision precision, torch::Device device) {
  const c10::InferenceMode inference;
  const auto options = torch::TensorOptions(device).dtype(scalar_type(precision));
  try {
    const torch::Tensor output =
        torch::conv2d(torch::zeros({1, 8, 8, 8}, options), torch::zeros({8, 8, 3, 3}, options), {}, 1, 1);
    output.cpu();  // A card reports what fails when it is waited for.
    return "";
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    return text.substr(0, text.find('\n'));
  }
}

bool multiplies_bf16(torch::Device device) {
  return device.is_cpu() ? cpu_has_bf16() : why_no_convolution(Precision::kBf16, device).empty();
}

Precision choose_precision(Precision wanted, torch::Device device) {
  std::string possible = "auto", why;
  const auto computes = [&](Precision precision) {
    why = why_no_convolution(precision, device);
    return why.empty();
  };
  if (wanted == Precision::kAuto && device.is_cpu())
    return cpu_has_bf16() ? Precision::kBf16 : Precision::kFp32;
  if (wanted == Precision::kAuto) {
    for (const Precision precision : {Precision::kFp16, Precision::kFp32})
      if (computes(precision)) return precision;
    throw std::runtime_error("LibTorch " TORCH_VERSION " computes nothing on device '" + device.str() +
                             "' (" + why +
                             "): it has no kernels for cards of this age: take another version");
  }
  if (computes(wanted)) return wanted;
  for (const Precision other : {Precision::kFp32, Precision::kBf16, Precision::kFp16})
    if (computes(other)) possible += " or " + std::string(precision_name(other));
  throw std::runtime_error("LibTorch " TORCH_VERSION " does not compute in " +
                           std::string(precision_name(wanted)) + " on device '" + device.str() + "': use " +
                           possible);
}

}  // namespace makzero::nn
