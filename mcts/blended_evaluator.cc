#include "mcts/blended_evaluator.h"

#include <cmath>

namespace makzero::mcts {

void BlendedEvaluator::evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) {
  first_->evaluate(requests, evaluations);
  of_second_.resize(evaluations.size());
  second_->evaluate(requests, of_second_);
  for (size_t i = 0; i < evaluations.size(); ++i) {
    Evaluation& mean = evaluations[i];
    const Evaluation& other = of_second_[i];
    const auto blend = [this](float a, float b) { return std::lerp(a, b, share_); };
    mean.value = {blend(mean.value.win, other.value.win), blend(mean.value.draw, other.value.draw),
                  blend(mean.value.loss, other.value.loss)};
    mean.moves_left = blend(mean.moves_left, other.moves_left);
    for (size_t move = 0; move < mean.priors.size(); ++move)
      mean.priors[move] = blend(mean.priors[move], other.priors[move]);
  }
}

}  // namespace makzero::mcts
