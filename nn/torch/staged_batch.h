// A training batch on its way to the devices of a learner. Private to the plugin.
#pragma once

#include <vector>

#include "nn/torch/losses.h"

namespace makzero::nn {

// Rows for one replica. For a card all tensors lie in one piece of pinned memory: one copy that the processor
// does not wait for, instead of a dozen that it does.
class StagedRows {
 public:
  StagedRows(TensorBatch batch, torch::Device device);

  // The tensors there. The copy goes through the current stream of the device.
  TensorBatch on(torch::Device device) const;

  // The same in that memory, [bytes] on the device, which is replaced where it is too small.
  TensorBatch in(torch::Tensor* memory, torch::Device device) const;

 private:
  TensorBatch batch_;
  torch::Tensor packed_;  // [bytes], which those of batch_ are views of; undefined for a CPU.
};

struct StagedBatch {
  std::vector<StagedRows> parts;  // One for each replica that takes part.
};

}  // namespace makzero::nn
