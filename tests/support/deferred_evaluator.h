// An evaluator that computes nothing before its tickets are finished, as if a device did it.
#pragma once

#include <stdexcept>
#include <vector>

#include "mcts/evaluator.h"

namespace makzero::testing {

class DeferredEvaluator : public mcts::AsynchronousEvaluator {
 public:
  explicit DeferredEvaluator(mcts::Evaluator* inner) : inner_(inner) {}

  mcts::Ticket begin(std::span<const mcts::EvalRequest> requests,
                     std::span<mcts::Evaluation> evaluations) override {
    begun.push_back(static_cast<int>(requests.size()));
    return mcts::Ticket([this, requests, evaluations, number = begun.size()] {
      finished.push_back(static_cast<int>(number));
      if (fails) throw std::runtime_error("the device broke");
      inner_->evaluate(requests, evaluations);
    });
  }
  int batches_under_way() const override { return 2; }

  std::vector<int> begun;     // Sizes of the batches.
  std::vector<int> finished;  // Their numbers, from 1.
  bool fails = false;

 private:
  mcts::Evaluator* inner_;
};

}  // namespace makzero::testing
