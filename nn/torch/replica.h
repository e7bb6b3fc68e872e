// A network in training on one device, which learns from its part of every batch. Private to the plugin.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "nn/learner.h"
#include "nn/torch/card_work.h"
#include "nn/torch/flat_tensors.h"
#include "nn/torch/losses.h"
#include "nn/torch/network_module.h"
#include "nn/torch/staged_batch.h"

namespace makzero::nn {

// What networks of a learner have in common.
struct LearnerSetup {
  NetworkArchitecture shape;
  LearnerOptions options;
  bool mixed_precision = false;  // As the options ask for and the device offers.
  bool records = false;          // A card's work, of one replica, which waits for no other.
};

// The outputs for rows on their network's device.
TrainOutput forward(NetworkModule network, const LearnerSetup& setup, const TensorBatch& rows);

// Used by one thread at a time.
class Replica {
 public:
  // Replica `number` of the exchange: statistics are those of all. Setup and exchange must outlive it.
  Replica(const LearnerSetup& setup, torch::Device device, ReplicaExchange* exchange, int number);

  // Computes what the rows add to gradients and losses of their batch. Throws std::runtime_error, also where
  // another replica has failed.
  void learn(const StagedRows& rows);

  const FlatTensors& weights() const { return weights_; }
  const FlatTensors& gradients() const { return gradients_; }
  const torch::Tensor& losses() const { return losses_; }  // [kLosses] of the last learn().

 private:
  void compute(const TensorBatch& rows);

  const LearnerSetup& setup_;
  torch::Device device_;
  NetworkModule network_;
  FlatTensors weights_;    // All tensors of the network.
  FlatTensors gradients_;  // Of its parameters.
  torch::Tensor losses_;
  torch::Tensor memory_;                                                 // Of the rows, on a card.
  std::map<std::pair<std::int64_t, std::int64_t>, RepeatedWork> works_;  // By rows and moves that they list.
};

}  // namespace makzero::nn
