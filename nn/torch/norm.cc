#include "nn/torch/norm.h"

#include "nn/network.h"
#include "nn/torch/activation.h"
#include "nn/torch/autocast.h"
#include "nn/torch/fused_norm.h"

namespace makzero::nn {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr double kMomentum = 0.1;  // As torch::nn::BatchNorm2d's.

// The sum over all replicas, which gradients flow through.
class SumOverReplicas : public torch::autograd::Function<SumOverReplicas> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& part,
                        const c10::intrusive_ptr<ReplicaPlace>& place) {
    context->saved_data["place"] = c10::IValue::make_capsule(place);
    return place->sum(part);
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto place =
        c10::static_intrusive_pointer_cast<ReplicaPlace>(context->saved_data["place"].toCapsule());
    return {place->sum(gradients[0]), {}};
  }
};

// [C] to the shape of x.
Tensor per_channel(const Tensor& values) { return values.view({1, -1, 1, 1}); }

}  // namespace

NormImpl::NormImpl(int channels)
    : weight_(register_parameter("weight", torch::ones(channels))),
      bias_(register_parameter("bias", torch::zeros(channels))),
      running_mean_(register_buffer("running_mean", torch::zeros(channels))),
      running_var_(register_buffer("running_var", torch::ones(channels))) {}

void NormImpl::join(ReplicaExchange* exchange, int replica) {
  place_ = c10::make_intrusive<ReplicaPlace>(exchange, replica);
}

Tensor NormImpl::factor() const { return weight_ / torch::sqrt(running_var_ + kNormEpsilon); }

Tensor NormImpl::offset() const { return bias_ - running_mean_ * factor(); }

Tensor NormImpl::apply(const Tensor& x, const Tensor& shortcut, bool relu) {
  if (is_training() && fits_fused_norm(x)) {
    return fused_norm(x, shortcut, relu, {weight_, bias_, running_mean_, running_var_}, place_);
  }
  Tensor y = is_training() && place_->exchange && place_->exchange->replicas() > 1
                 ? composed(x)
                 : torch::batch_norm(x, weight_, bias_, running_mean_, running_var_, is_training(), kMomentum,
                                     kNormEpsilon, true);
  return relu ? fused::add_relu(y, shortcut) : y;
}

Tensor NormImpl::composed(const Tensor& x) {
  const Autocast full_precision(x.device().type(), false);
  const auto sum = [&](const Tensor& values) {
    return SumOverReplicas::apply(values.sum({0, 2, 3}), place_);
  };
  const Tensor values = x.to(torch::kFloat);
  const Tensor count = sum(torch::ones_like(values.detach()));
  const Tensor mean = sum(values) / count;
  const Tensor centred = values - per_channel(mean);
  const Tensor variance = sum(centred * centred) / count;
  {
    torch::NoGradGuard no_grad;
    running_mean_.lerp_(mean, kMomentum);
    running_var_.lerp_(variance * count / (count - 1).clamp_min(1), kMomentum);
  }
  const Tensor gain = weight_ * torch::rsqrt(variance + kNormEpsilon);
  return (centred * per_channel(gain) + per_channel(bias_)).to(x.scalar_type());
}

}  // namespace makzero::nn
