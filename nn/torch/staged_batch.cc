#include "nn/torch/staged_batch.h"

#include <utility>

namespace makzero::nn {
namespace {

using torch::Tensor;

constexpr std::int64_t kByteAlignment = 64;  // Bytes.

std::vector<Tensor*> tensors_of(TensorBatch* batch) {
  std::vector<Tensor*> tensors = {&batch->planes, &batch->rules, &batch->move_index, &batch->move_mask,
                                  &batch->counts};
  for (TensorTarget& target : batch->targets.values)
    tensors.insert(tensors.end(), {&target.values, &target.mask});
  return tensors;
}

std::int64_t bytes_of(const Tensor& tensor) {
  const auto bytes = static_cast<std::int64_t>(tensor.nbytes());
  return (bytes + kByteAlignment - 1) / kByteAlignment * kByteAlignment;
}

// Makes the tensors views of the memory, in order, with the sizes and strides that they have.
void move_into(const Tensor& memory, TensorBatch* batch) {
  std::int64_t at = 0;
  for (Tensor* tensor : tensors_of(batch)) {
    const Tensor place =
        memory.narrow(0, at, static_cast<std::int64_t>(tensor->nbytes())).view(tensor->scalar_type());
    at += bytes_of(*tensor);
    *tensor = place.as_strided(tensor->sizes(), tensor->strides(), place.storage_offset());
  }
}

}  // namespace

StagedRows::StagedRows(TensorBatch batch, torch::Device device) : batch_(std::move(batch)) {
  if (device.is_cpu()) return;
  std::int64_t bytes = 0;
  for (const Tensor* tensor : tensors_of(&batch_)) bytes += bytes_of(*tensor);
  packed_ = torch::empty({bytes}, torch::TensorOptions(torch::kByte).pinned_memory(device.is_cuda()));
  TensorBatch packed = batch_;
  move_into(packed_, &packed);
  const auto from = tensors_of(&batch_), to = tensors_of(&packed);
  for (size_t i = 0; i < from.size(); ++i) to[i]->copy_(*from[i]);
  batch_ = std::move(packed);
}

TensorBatch StagedRows::on(torch::Device device) const {
  Tensor memory;
  return in(&memory, device);
}

TensorBatch StagedRows::in(Tensor* memory, torch::Device device) const {
  if (!packed_.defined()) return batch_;
  if (!memory->defined() || memory->numel() < packed_.numel())
    *memory = torch::empty({packed_.numel()}, torch::TensorOptions(device).dtype(torch::kByte));
  memory->narrow(0, 0, packed_.numel()).copy_(packed_, /*non_blocking=*/true);
  TensorBatch batch = batch_;
  move_into(*memory, &batch);
  return batch;
}

}  // namespace makzero::nn
