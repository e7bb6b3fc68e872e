#include "nn/torch/activation.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "nn/bf16.h"

namespace makzero::nn::fused {
namespace {

using torch::Tensor;

// Whether the loops below can work on the tensor: its values lie in memory as [B, 8, 8, C].
bool is_plain(const Tensor& x) {
  return c10::InferenceMode::is_enabled() && x.is_cpu() && x.dim() == 4 &&
         x.is_contiguous(torch::MemoryFormat::ChannelsLast) &&
         (x.scalar_type() == torch::kFloat || x.scalar_type() == torch::kBFloat16);
}

// Calls use(pointers ...) with the data of tensors of the same type.
template <class Use, class... Tensors>
void with_data(const Use& use, const Tensor& first, const Tensors&... rest) {
  if (first.scalar_type() == torch::kFloat) {
    use(first.data_ptr<float>(), rest.template data_ptr<float>()...);
  } else {
    use(static_cast<std::uint16_t*>(first.data_ptr()), static_cast<const std::uint16_t*>(rest.data_ptr())...);
  }
}

}  // namespace

Tensor relu(Tensor y) {
  if (!is_plain(y)) return y.relu_();
  with_data(
      [size = y.numel()](auto* values) {
        for (std::int64_t i = 0; i < size; ++i) store(std::max(load(values[i]), 0.0f), &values[i]);
      },
      y);
  return y;
}

Tensor add_relu(Tensor y, const Tensor& x) {
  if (!x.defined()) return fused::relu(std::move(y));
  if (!is_plain(y) || !is_plain(x)) return y.add_(x).relu_();
  with_data(
      [size = y.numel()](auto* values, const auto* shortcut) {
        for (std::int64_t i = 0; i < size; ++i)
          store(std::max(load(values[i]) + load(shortcut[i]), 0.0f), &values[i]);
      },
      y, x);
  return y;
}

Tensor gate_add_relu(Tensor y, const Tensor& gate, const Tensor& offset, const Tensor& x) {
  if (!is_plain(y) || !is_plain(x) || gate.scalar_type() != torch::kFloat || gate.stride(1) != 1 ||
      offset.stride(1) != 1) {
    // In the type of y: fp32 factors would make the sum fp32, which the next convolution in half precision
    // refuses.
    const auto per_square = [&y](const Tensor& per_channel) {
      return per_channel.to(y.scalar_type()).unsqueeze(-1).unsqueeze(-1);
    };
    return torch::addcmul(per_square(offset), y, per_square(gate)).add_(x).relu_();
  }
  const std::int64_t batch = y.size(0), channels = y.size(1), squares = y.size(2) * y.size(3);
  const float* gates = gate.data_ptr<float>();
  const float* offsets = offset.data_ptr<float>();
  const std::int64_t gate_stride = gate.stride(0), offset_stride = offset.stride(0);
  with_data(
      [=](auto* values, const auto* shortcut) {
        for (std::int64_t row = 0; row < batch * squares; ++row, values += channels, shortcut += channels) {
          const float* row_gates = gates + row / squares * gate_stride;
          const float* row_offsets = offsets + row / squares * offset_stride;
          for (std::int64_t i = 0; i < channels; ++i) {
            const float sum = row_gates[i] * load(values[i]) + row_offsets[i] + load(shortcut[i]);
            store(std::max(sum, 0.0f), &values[i]);
          }
        }
      },
      y, x);
  return y;
}

}  // namespace makzero::nn::fused
