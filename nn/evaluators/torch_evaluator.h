// The network as an evaluator.
#pragma once

#include <memory>
#include <string>

#include "mcts/evaluator.h"
#include "nn/backend.h"
#include "nn/device.h"
#include "nn/encoder.h"
#include "nn/network.h"

namespace makzero::nn {

enum class TorchOutput;

struct TorchEvaluatorOptions {
  std::string device = "cpu";  // As Backend::device.
  Precision precision = Precision::kAuto;
  int max_batch = 1024;      // Larger requests are split.
  std::string network = {};  // Its name in errors.
};

// Throws std::runtime_error where the device, or one of a list, is missing or does not compute in the
// precision, naming what is possible.
void require_backend(const Backend& backend);

// Raw network outputs of one position, for tests, exports and analysis.
struct RawOutput {
  std::vector<float> policy;  // [kPolicySize] logits from the mover's side.
  std::vector<float> wdl;     // [3] probabilities for the mover.
  float moves_left = 0;       // Plies.
};

// Batch norm folded, channels last, one reused input buffer. One thread at a time; make one per thread. Or
// one for all, as the device of a BatchingEvaluator. Throws std::runtime_error when the weights do not fit
// the architecture, when its planes or rule features do not fit a game (unknown_plane(), missing_plane(),
// unknown_rule_feature()), when the device is missing, and from evaluations when an output is NaN or
// infinite.
class TorchEvaluator : public mcts::Evaluator, public Device {
 public:
  // For one ruleset: its rule features are folded into the weights and cost nothing. REQUIRES: all requests
  // are of this ruleset.
  TorchEvaluator(const game::Game& game, const Network& network, const TorchEvaluatorOptions& options);

  // For several rulesets, which a batch may mix: the rule features come with each request. REQUIRES: all
  // requests are of these rulesets.
  TorchEvaluator(std::span<const game::GamePtr> games, const Network& network,
                 const TorchEvaluatorOptions& options);
  ~TorchEvaluator() override;

  void evaluate(std::span<const mcts::EvalRequest> requests,
                std::span<mcts::Evaluation> evaluations) override;

  std::unique_ptr<DeviceBatch> make_batch(int rows) const override;
  void encode(std::span<const mcts::EvalRequest> requests, int first, DeviceBatch* batch) const override;
  void run(int rows, DeviceBatch* batch) override;
  int row_limit() const override;
  void decode(const DeviceBatch& batch, int first, std::span<const mcts::EvalRequest> requests,
              std::span<mcts::Evaluation> evaluations) const override;

  // The outputs for encoded planes [batch, planes, 8, 8]; for several rulesets with the rule features
  // [batch, features].
  std::vector<RawOutput> forward(const std::vector<float>& planes, int batch,
                                 const std::vector<float>& rule_features = {});

  const Encoder& encoder() const;
  Precision precision() const;

 protected:
  // The same with the output that is read on this device.
  TorchEvaluator(const game::Game& game, const Network& network, const TorchEvaluatorOptions& options,
                 TorchOutput output);
  TorchEvaluator(std::span<const game::GamePtr> games, const Network& network,
                 const TorchEvaluatorOptions& options, TorchOutput output);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace makzero::nn
