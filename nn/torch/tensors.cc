#include "nn/torch/tensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "mcts/rng.h"

namespace makzero::nn {
namespace {

std::string shape_text(at::IntArrayRef shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

[[noreturn]] void refuse(const std::string& what) {
  throw std::runtime_error("the weights do not fit the network: " + what +
                           "; build it with the shape they were made for");
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// The layers whose outputs are logits start near zero: an untrained network knows nothing and says so.
bool is_output(const std::string& name) {
  for (const char* layer : {"project.weight", "pass.weight", "excite.weight"})
    if (ends_with(name, layer)) return true;
  return std::ranges::any_of(kHeads, [&](const HeadInfo& info) {
    return info.kind != HeadKind::kMoves && name == std::string(info.module) + ".weight";
  });
}

}  // namespace

NamedTensors parameters_of(const torch::nn::Module& module) {
  NamedTensors tensors;
  for (const auto& item : module.named_parameters()) tensors.emplace_back(item.key(), item.value());
  return tensors;
}

NamedTensors tensors_of(const torch::nn::Module& module) {
  NamedTensors tensors = parameters_of(module);
  for (const auto& item : module.named_buffers()) {
    if (item.value().is_floating_point()) tensors.emplace_back(item.key(), item.value());
  }
  return tensors;
}

Weights to_weights(const NamedTensors& tensors) {
  Weights weights;
  for (const auto& [name, tensor] : tensors) {
    const torch::Tensor plain = tensor.detach().to(torch::kCPU, torch::kFloat).contiguous();
    const float* data = plain.data_ptr<float>();
    weights.push_back({name, tensor.sizes().vec(), {data, data + plain.numel()}});
  }
  return weights;
}

void copy_weights(const Weights& weights, const NamedTensors& tensors) {
  torch::NoGradGuard no_grad;
  for (size_t i = 0; i < std::max(weights.size(), tensors.size()); ++i) {
    if (i == weights.size()) refuse("'" + tensors[i].first + "' is missing");
    if (i == tensors.size()) refuse("'" + weights[i].name + "' has no place in it");
    const auto& [name, tensor] = tensors[i];
    const NamedTensor& weight = weights[i];
    if (weight.name != name) refuse("found '" + weight.name + "' where '" + name + "' is expected");
    if (tensor.sizes() != at::IntArrayRef(weight.shape) ||
        static_cast<std::int64_t>(weight.data.size()) != tensor.numel()) {
      refuse("'" + name + "' has the shape " + shape_text(weight.shape) + " with " +
             std::to_string(weight.data.size()) + " numbers, the network expects " +
             shape_text(tensor.sizes()));
    }
    torch::Tensor target = tensor;
    target.copy_(torch::from_blob(const_cast<float*>(weight.data.data()), weight.shape, torch::kFloat));
  }
}

Weights library::initial_weights(const NetworkArchitecture& shape, std::uint64_t seed) {
  const NetworkModule network(shape);
  Weights weights = to_weights(tensors_of(*network));
  mcts::Rng rng(seed);
  for (NamedTensor& weight : weights) {
    const bool norm = weight.name.find("norm.") != std::string::npos;
    if (weight.name ==
        kRulesWeight) {  // Begins without influence; the other weights are those of a network without.
      weight.data.assign(weight.data.size(), 0.0f);
      continue;
    }
    if (weight.shape.size() < 2) {  // Biases and offsets 0; gains and variances 1.
      const bool one = norm && (ends_with(weight.name, ".weight") || ends_with(weight.name, "running_var"));
      weight.data.assign(weight.data.size(), one ? 1.0f : 0.0f);
      continue;
    }
    const double inputs = static_cast<double>(weight.data.size()) / static_cast<double>(weight.shape[0]);
    const double deviation = (is_output(weight.name) ? 0.3 : std::sqrt(2.0)) / std::sqrt(inputs);
    for (float& value : weight.data) value = static_cast<float>(deviation * rng.normal());
  }
  return weights;
}

torch::ScalarType scalar_type(Precision precision) {
  switch (precision) {
    case Precision::kBf16:
      return torch::kBFloat16;
    case Precision::kFp16:
      return torch::kHalf;
    default:
      return torch::kFloat;
  }
}

}  // namespace makzero::nn
