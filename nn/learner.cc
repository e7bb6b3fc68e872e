#include "nn/learner.h"

#include "nn/torch_plugin.h"

namespace makzero::nn {

Learner::Learner(const NetworkArchitecture& shape, const LearnerOptions& options, std::uint64_t seed) {
  require(torch_plugin().make_learner(shape, options, seed, &torch_));
}

Learner::~Learner() = default;

std::shared_ptr<const StagedBatch> Learner::stage(const TrainBatch& batch) const {
  std::shared_ptr<const StagedBatch> staged;
  require(torch_->stage(batch, &staged));
  return staged;
}

void Learner::step(const StagedBatch& batch) { require(torch_->step(batch)); }

Losses Learner::losses() {
  Losses losses;
  require(torch_->losses(&losses));
  return losses;
}

Validation Learner::evaluate(const StagedBatch& batch) {
  Validation validation;
  require(torch_->evaluate(batch, &validation));
  return validation;
}

void Learner::scale_learning_rate(float factor) { torch_->scale_learning_rate(factor); }

std::int64_t Learner::steps() const { return torch_->steps(); }
bool Learner::in_bf16() const { return torch_->in_bf16(); }

Network Learner::network() const {
  Network network;
  require(torch_->network(&network));
  return network;
}

LearnerState Learner::state() const {
  LearnerState state;
  require(torch_->state(&state));
  return state;
}

void Learner::load(const LearnerState& state) { require(torch_->load(state)); }

}  // namespace makzero::nn
