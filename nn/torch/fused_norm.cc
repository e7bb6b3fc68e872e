#include "nn/torch/fused_norm.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "nn/bf16.h"
#include "nn/network.h"

namespace makzero::nn {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// Squares whose partial sums are fp32, and that stay in the first cache while their channels are worked on.
constexpr std::int64_t kBlock = 128;

// Not a number stays one: the losses must show it.
Lanes rectified(const Lanes& lanes) { return lanes < 0 ? Lanes{} : lanes; }

// Activations as they lie in memory: a row of channels for each square of each position.
struct Extent {
  std::int64_t rows = 0, channels = 0;
};

Extent extent_of(const Tensor& x) { return {x.size(0) * x.size(2) * x.size(3), x.size(1)}; }

// Calls use(first row, end, channel) for blocks of rows and groups of channels.
template <class Use>
void for_each_block(const Extent& extent, const Use& use) {
  for (std::int64_t row = 0; row < extent.rows; row += kBlock) {
    const std::int64_t end = std::min(row + kBlock, extent.rows);
    for (std::int64_t channel = 0; channel < extent.channels; channel += kLanes) use(row, end, channel);
  }
}

// Two sums over the rows for each channel, and the number of rows: [2 C + 1] fp64. pair(place, channel, &a,
// &b) gives what is added for kLanes channels from that place of the activations on.
template <class Pair>
Tensor sums_of(const Extent& extent, const Pair& pair) {
  Tensor sums = torch::zeros({2 * extent.channels + 1}, torch::kDouble);
  double* first = sums.data_ptr<double>();
  double* second = first + extent.channels;
  for_each_block(extent, [&](std::int64_t row, std::int64_t end, std::int64_t channel) {
    Lanes a = {}, b = {};
    for (; row < end; ++row) pair(row * extent.channels + channel, channel, &a, &b);
    for (int i = 0; i < kLanes; ++i) {
      first[channel + i] += a[i];
      second[channel + i] += b[i];
    }
  });
  second[extent.channels] = static_cast<double>(extent.rows);
  return sums;
}

// Mean and 1 / sqrt(variance + eps) of every channel.
struct Statistics {
  Tensor mean, scale;  // [C] fp32
};

// From the sums of x - mean and its square about the running mean, which is near; updates the running
// statistics.
Statistics statistics_of(const Tensor& sums, const NormTensors& norm) {
  static constexpr float kMomentum = 0.1f;  // As torch::nn::BatchNorm2d's.
  const std::int64_t channels = norm.weight.numel();
  const double* values = sums.data_ptr<double>();
  const double count = values[2 * channels];
  Statistics statistics = {torch::empty({channels}), torch::empty({channels})};
  float* running_mean = norm.running_mean.data_ptr<float>();
  float* running_var = norm.running_var.data_ptr<float>();
  for (std::int64_t i = 0; i < channels; ++i) {
    const double difference = values[i] / count;
    const double mean = running_mean[i] + difference;
    const double variance = std::max(0.0, values[channels + i] / count - difference * difference);
    statistics.mean.data_ptr<float>()[i] = static_cast<float>(mean);
    statistics.scale.data_ptr<float>()[i] = static_cast<float>(1 / std::sqrt(variance + kNormEpsilon));
    running_mean[i] += kMomentum * static_cast<float>(difference);
    running_var[i] +=
        kMomentum * (static_cast<float>(variance * count / std::max(1.0, count - 1)) - running_var[i]);
  }
  return statistics;
}

template <class T>
Tensor sums_about(const T* x, const Extent& extent, const float* centre) {
  return sums_of(extent, [=](std::int64_t at, std::int64_t channel, Lanes* a, Lanes* b) {
    const Lanes difference = load_lanes(x + at) - load_lanes(centre + channel);
    *a += difference;
    *b += difference * difference;
  });
}

// out = factor x + offset [+ shortcut] [then relu].
template <class T>
void transform(const T* x, const T* shortcut, bool relu, const Extent& extent, const float* factor,
               const float* offset, T* out) {
  for_each_block(extent, [=](std::int64_t row, std::int64_t end, std::int64_t channel) {
    const Lanes by = load_lanes(factor + channel), plus = load_lanes(offset + channel);
    for (; row < end; ++row) {
      const std::int64_t at = row * extent.channels + channel;
      Lanes y = by * load_lanes(x + at) + plus;
      if (shortcut) y += load_lanes(shortcut + at);
      store_lanes(relu ? rectified(y) : y, out + at);
    }
  });
}

// The gradient before the relu, whose output is `out`; null: there is none.
template <class T>
Lanes gradient_at(const T* gradient, const T* out, std::int64_t at) {
  const Lanes lanes = load_lanes(gradient + at);
  return out ? (load_lanes(out + at) == 0 ? Lanes{} : lanes) : lanes;
}

template <class T>
Tensor gradient_sums(const T* gradient, const T* out, const T* x, const Extent& extent, const float* mean) {
  return sums_of(extent, [=](std::int64_t at, std::int64_t channel, Lanes* a, Lanes* b) {
    const Lanes lanes = gradient_at(gradient, out, at);
    *a += lanes;
    *b += lanes * (load_lanes(x + at) - load_lanes(mean + channel));
  });
}

// dx = by_gradient g + by_x (x - mean) + plus, and the gradient g of the shortcut where there is one.
template <class T>
void transform_back(const T* gradient, const T* out, const T* x, const Extent& extent, const float* mean,
                    const std::vector<float>& factors, T* dx, T* dshortcut) {
  const float* by_gradient = factors.data();
  const float* by_x = by_gradient + extent.channels;
  const float* plus = by_x + extent.channels;
  for_each_block(extent, [=](std::int64_t row, std::int64_t end, std::int64_t channel) {
    const Lanes a = load_lanes(by_gradient + channel), b = load_lanes(by_x + channel);
    const Lanes c = load_lanes(plus + channel) - b * load_lanes(mean + channel);
    for (; row < end; ++row) {
      const std::int64_t at = row * extent.channels + channel;
      const Lanes lanes = gradient_at(gradient, out, at);
      store_lanes(a * lanes + b * load_lanes(x + at) + c, dx + at);
      if (dshortcut) store_lanes(lanes, dshortcut + at);
    }
  });
}

// From the sums of the gradients: what transform_back() needs, [3, C].
std::vector<float> backward_factors(const Tensor& sums, const float* weight, const float* scale,
                                    std::int64_t channels) {
  std::vector<float> factors(3 * channels);
  const double* values = sums.data_ptr<double>();
  const double count = values[2 * channels];
  for (std::int64_t i = 0; i < channels; ++i) {
    const double gain = static_cast<double>(weight[i]) * scale[i];
    factors[i] = static_cast<float>(gain);
    factors[channels + i] = static_cast<float>(-gain * scale[i] * scale[i] * values[channels + i] / count);
    factors[2 * channels + i] = static_cast<float>(-gain * values[i] / count);
  }
  return factors;
}

// Calls use(null pointer of the element type of x).
template <class Use>
void with_type(const Tensor& x, const Use& use) {
  if (x.scalar_type() == torch::kFloat) return use(static_cast<float*>(nullptr));
  use(static_cast<std::uint16_t*>(nullptr));
}

template <class T>
T* data_of(const Tensor& x) {
  return x.defined() ? static_cast<T*>(x.data_ptr()) : nullptr;
}

Tensor plain(const Tensor& x) { return x.contiguous(torch::MemoryFormat::ChannelsLast); }

class FusedNorm : public torch::autograd::Function<FusedNorm> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& shortcut,
                        const Tensor& weight, const Tensor& bias, const NormTensors& norm, bool relu,
                        const c10::intrusive_ptr<ReplicaPlace>& place) {
    const Extent extent = extent_of(x);
    Tensor out = torch::empty_like(x);
    Statistics statistics;
    with_type(x, [&]<class T>(T*) {
      const T* values = data_of<T>(x);
      statistics =
          statistics_of(place->sum(sums_about(values, extent, norm.running_mean.data_ptr<float>())), norm);
      const Tensor factor = weight * statistics.scale, offset = bias - statistics.mean * factor;
      transform(values, shortcut.numel() ? data_of<T>(shortcut) : nullptr, relu, extent,
                factor.data_ptr<float>(), offset.data_ptr<float>(), data_of<T>(out));
    });
    context->save_for_backward({x, relu ? out : Tensor(), weight, statistics.mean, statistics.scale});
    context->saved_data["shortcut"] = shortcut.numel() > 0;
    context->saved_data["place"] = c10::IValue::make_capsule(place);
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &x = saved[0], &out = saved[1], &weight = saved[2], &mean = saved[3], &scale = saved[4];
    const auto place =
        c10::static_intrusive_pointer_cast<ReplicaPlace>(context->saved_data["place"].toCapsule());
    const Extent extent = extent_of(x);
    const Tensor gradient = plain(gradients[0].to(x.scalar_type()));
    const Tensor dx = torch::empty_like(x);
    const Tensor dshortcut = context->saved_data["shortcut"].toBool() ? torch::empty_like(x) : Tensor();
    Tensor sums;
    with_type(x, [&]<class T>(T*) {
      const T *g = data_of<T>(gradient), *relu = data_of<T>(out), *values = data_of<T>(x);
      sums = gradient_sums(g, relu, values, extent, mean.data_ptr<float>());
      const std::vector<float> factors = backward_factors(place->sum(sums), weight.data_ptr<float>(),
                                                          scale.data_ptr<float>(), extent.channels);
      transform_back(g, relu, values, extent, mean.data_ptr<float>(), factors, data_of<T>(dx),
                     data_of<T>(dshortcut));
    });
    const Tensor own = sums.narrow(0, 0, 2 * extent.channels).to(torch::kFloat).view({2, extent.channels});
    return {dx, dshortcut, own[1] * scale, own[0], {}, {}, {}};
  }
};

}  // namespace

bool fits_fused_norm(const Tensor& x) {
  return x.is_cpu() && x.dim() == 4 && x.size(1) % kLanes == 0 &&
         x.is_contiguous(torch::MemoryFormat::ChannelsLast) &&
         (x.scalar_type() == torch::kFloat || x.scalar_type() == torch::kBFloat16);
}

Tensor fused_norm(const Tensor& x, const Tensor& shortcut, bool relu, const NormTensors& norm,
                  const c10::intrusive_ptr<ReplicaPlace>& place) {
  // Undefined tensors cannot be handed to a function.
  const Tensor added = shortcut.defined() ? plain(shortcut) : torch::empty({0});
  return FusedNorm::apply(x, added, norm.weight, norm.bias, norm, relu, place);
}

}  // namespace makzero::nn
