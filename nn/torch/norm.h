// Batch norm with what follows it in a residual tower, for training and for unfolded networks. Private to the
// plugin.
#pragma once

#include <torch/torch.h>

#include "nn/torch/replica_exchange.h"

namespace makzero::nn {

// Over B positions of C channels, x [B, C, 8, 8]. Where several replicas learn from parts of one batch, the
// statistics are those of the whole batch.
class NormImpl : public torch::nn::Module {
 public:
  explicit NormImpl(int channels);

  torch::Tensor forward(const torch::Tensor& x) { return apply(x, {}, false); }

  // relu(norm(x) + shortcut); an undefined shortcut is none.
  torch::Tensor activated(const torch::Tensor& x, const torch::Tensor& shortcut) {
    return apply(x, shortcut, true);
  }

  // This is the norm of one of several replicas. The exchange must outlive it.
  void join(ReplicaExchange* exchange, int replica);

  // The factor and the offset [C] that the norm is for its running statistics.
  torch::Tensor factor() const;
  torch::Tensor offset() const;

 private:
  torch::Tensor apply(const torch::Tensor& x, const torch::Tensor& shortcut, bool relu);

  // From operations of the tensor library, which gradients flow through.
  torch::Tensor composed(const torch::Tensor& x);

  torch::Tensor weight_, bias_;               // [C]
  torch::Tensor running_mean_, running_var_;  // [C]
  c10::intrusive_ptr<ReplicaPlace> place_ = c10::make_intrusive<ReplicaPlace>(nullptr, 0);
};
TORCH_MODULE(Norm);

}  // namespace makzero::nn
