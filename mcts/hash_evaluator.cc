#include "mcts/hash_evaluator.h"

#include <cassert>

#include "mcts/rng.h"

namespace makzero::mcts {
namespace {

// Priors differ by up to a factor of about a hundred, as those of a trained network do. The arithmetic is
// exact on every machine but for one rounding per number.
void evaluate_one(const EvalRequest& request, Evaluation* evaluation) {
  Rng rng(game::evaluation_key(*request.position) + static_cast<std::uint64_t>(request.occurrences));
  const double win = rng.uniform(), draw = rng.uniform(), loss = rng.uniform(), sum = win + draw + loss;
  evaluation->value = {static_cast<float>(win / sum), static_cast<float>(draw / sum),
                       static_cast<float>(loss / sum)};
  evaluation->moves_left = static_cast<float>(rng.below(100));
  evaluation->priors.clear();
  double total = 0;
  for (int i = 0; i < request.legal->size(); ++i) {
    const double root = 0.1 + rng.uniform();
    evaluation->priors.push_back(static_cast<float>(root * root));
    total += root * root;
  }
  for (float& prior : evaluation->priors) prior = static_cast<float>(prior / total);
}

}  // namespace

void HashEvaluator::evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) {
  assert(requests.size() == evaluations.size());
  for (size_t i = 0; i < requests.size(); ++i) evaluate_one(requests[i], &evaluations[i]);
}

}  // namespace makzero::mcts
