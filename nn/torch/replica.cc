#include "nn/torch/replica.h"

#include "nn/torch/autocast.h"

namespace makzero::nn {

using torch::Tensor;

TrainOutput forward(NetworkModule network, const LearnerSetup& setup, const TensorBatch& rows) {
  const Autocast autocast(rows.planes.device().type(), setup.mixed_precision);
  return network->forward_train(rows.planes, rows.rules);
}

Replica::Replica(const LearnerSetup& setup, torch::Device device, ReplicaExchange* exchange, int number)
    : setup_(setup),
      device_(device),
      network_(setup.shape),
      weights_(flatten(network_.get(), device)),
      gradients_(parameters_of(*network_), device),
      losses_(torch::zeros({kLosses}, device)) {
  // Gradients are added to what is there.
  const NamedTensors parameters = parameters_of(*network_);
  for (size_t i = 0; i < parameters.size(); ++i) {
    Tensor parameter = parameters[i].second;
    parameter.mutable_grad() = gradients_.parts()[i].second;
  }
  for (const auto& module : network_->modules()) {
    if (auto* norm = module->as<NormImpl>()) norm->join(exchange, number);
  }
  network_->train();
}

void Replica::learn(const StagedRows& rows) {
  const Tensor before = memory_;
  const TensorBatch batch = rows.in(&memory_, device_);
  if (!setup_.records) return compute(batch);
  if (!memory_.is_same(before)) works_.clear();  // They are about the memory before.
  works_[{batch.move_index.size(0), batch.move_index.size(1)}].run(device_, [&] { compute(batch); });
}

void Replica::compute(const TensorBatch& rows) {
  gradients_.all().zero_();
  const auto losses =
      losses_of(forward(network_, setup_, rows), rows, setup_.shape.attention, setup_.options.loss_weights);
  losses[kTotal].backward();
  losses_.copy_(torch::stack(losses).detach());
}

}  // namespace makzero::nn
