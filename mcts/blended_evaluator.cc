#include "mcts/blended_evaluator.h"

#include <cmath>
#include <utility>

namespace makzero::mcts {

Ticket BlendedEvaluator::begin(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) {
  Ticket first = first_->begin(requests, evaluations);
  if (spare_.empty()) spare_.emplace_back();
  std::vector<Evaluation> of_second = std::move(spare_.back());
  spare_.pop_back();
  of_second.resize(requests.size());
  second_->evaluate(requests, of_second);
  return std::move(first).then([this, evaluations, of_second = std::move(of_second)]() mutable {
    blend(of_second, evaluations);
    spare_.push_back(std::move(of_second));
  });
}

void BlendedEvaluator::blend(std::span<const Evaluation> of_second, std::span<Evaluation> evaluations) const {
  const auto mean_of = [this](float a, float b) { return std::lerp(a, b, share_); };
  for (size_t i = 0; i < evaluations.size(); ++i) {
    Evaluation& mean = evaluations[i];
    const Evaluation& other = of_second[i];
    mean.value = {mean_of(mean.value.win, other.value.win), mean_of(mean.value.draw, other.value.draw),
                  mean_of(mean.value.loss, other.value.loss)};
    mean.moves_left = mean_of(mean.moves_left, other.moves_left);
    for (size_t move = 0; move < mean.priors.size(); ++move)
      mean.priors[move] = mean_of(mean.priors[move], other.priors[move]);
  }
}

}  // namespace makzero::mcts
