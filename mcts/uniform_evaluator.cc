#include "mcts/uniform_evaluator.h"

#include <cassert>

namespace makzero::mcts {

void UniformEvaluator::evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) {
  assert(requests.size() == evaluations.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    const int moves = requests[i].legal->size();
    evaluations[i].value = {0.5f, 0, 0.5f};
    evaluations[i].moves_left = 0;
    evaluations[i].priors.assign(moves, 1.0f / static_cast<float>(moves));
  }
}

}  // namespace makzero::mcts
