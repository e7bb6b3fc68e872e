#include "nn/torch/flat_tensors.h"

namespace makzero::nn {
namespace {

using torch::Tensor;

constexpr std::int64_t kNumberAlignment =
    16;  // Numbers: a cache line, which the kernels of convolutions like.

enum class Group { kDecayed, kLearnt, kStatistics };

Group group_of(const Tensor& tensor) {
  if (!tensor.requires_grad()) return Group::kStatistics;
  return tensor.dim() >= 2 ? Group::kDecayed : Group::kLearnt;
}

std::int64_t aligned(std::int64_t numbers) {
  return (numbers + kNumberAlignment - 1) / kNumberAlignment * kNumberAlignment;
}

std::vector<std::int64_t> strides_of(const Tensor& tensor) {
  const auto order = tensor.dim() == 4 ? torch::MemoryFormat::ChannelsLast : torch::MemoryFormat::Contiguous;
  return torch::empty(tensor.sizes(), torch::TensorOptions().memory_format(order)).strides().vec();
}

}  // namespace

FlatTensors::FlatTensors(const NamedTensors& tensors, torch::Device device) {
  std::vector<std::int64_t> begin(tensors.size());
  std::int64_t end = 0;
  for (const Group group : {Group::kDecayed, Group::kLearnt, Group::kStatistics}) {
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (group_of(tensors[i].second) != group) continue;
      begin[i] = end;
      end += aligned(tensors[i].second.numel());
    }
    if (group == Group::kDecayed) decayed_ = end;
    if (group == Group::kLearnt) learnt_ = end;
  }
  all_ = torch::zeros({end}, device);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto& [name, tensor] = tensors[i];
    parts_.emplace_back(name, all_.as_strided(tensor.sizes(), strides_of(tensor), begin[i]));
  }
}

FlatTensors flatten(torch::nn::Module* module, torch::Device device) {
  torch::NoGradGuard no_grad;
  const NamedTensors tensors = tensors_of(*module);
  FlatTensors flat(tensors, device);
  for (size_t i = 0; i < tensors.size(); ++i) {
    Tensor tensor = tensors[i].second, part = flat.parts()[i].second;
    part.copy_(tensor);
    tensor.set_data(part);
  }
  return flat;
}

}  // namespace makzero::nn
