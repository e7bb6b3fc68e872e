#include "train/distill/distill.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "models/error.h"
#include "train/distill/leaf_set.h"

namespace makzero::train {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kProgressSteps = 100;
constexpr std::size_t kMostHeldOut = 100'000;  // That are evaluated at the end.

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The mean entropy of the targets [nats].
double entropy_of(const std::vector<float>& targets) {
  double sum = 0;
  for (const double target : targets) {
    for (const double part : {target, 1 - target})
      if (part > 0) sum -= part * std::log(part);
  }
  return sum / static_cast<double>(targets.size());
}

// Mean over held-out leaves.
void measure(const LeafSet& leaves, const DistillRequest& request, nn::SmallLearner* learner,
             DistillResult* result) {
  nn::SmallBatch batch;
  std::int64_t rows = 0;
  for (std::size_t first = 0; first < std::min(leaves.held_out(), kMostHeldOut); first += request.batch) {
    leaves.take_held_out(first, request.batch, &batch);
    if (batch.rows == 0) continue;
    result->held_out_loss += batch.rows * static_cast<double>(learner->evaluate(batch));
    result->entropy += batch.rows * entropy_of(batch.targets);
    rows += batch.rows;
  }
  result->held_out_loss /= static_cast<double>(std::max<std::int64_t>(rows, 1));
  result->entropy /= static_cast<double>(std::max<std::int64_t>(rows, 1));
}

}  // namespace

DistillResult distill(const DistillRequest& request,
                      const std::function<void(const DistillProgress&)>& progress,
                      const std::stop_token& stop) {
  const LeafSet leaves(request.game, request.runs, request.most_leaves);
  nn::SmallLearner learner(leaves.info(), {.learning_rate = request.learning_rate, .seed = request.seed});
  DistillResult result;
  result.leaves = leaves.size();
  result.held_out = leaves.held_out();
  const Clock::time_point begin = Clock::now();
  mcts::Rng rng(request.seed);
  nn::SmallBatch batch;
  const std::int64_t last_part = request.steps - std::max<std::int64_t>(request.steps / 20, 1);
  double recent = 0, last = 0;
  for (std::int64_t step = 0; step < request.steps; ++step) {
    if (stop.stop_requested()) throw models::Error("stopped: nothing is written");
    const double done = static_cast<double>(step) / static_cast<double>(request.steps);
    learner.scale_learning_rate(static_cast<float>((1 + std::cos(std::numbers::pi * done)) / 2));
    leaves.sample(request.batch, &rng, &batch);
    const double loss = learner.step(batch);
    recent += loss;
    if (step >= last_part) last += loss;
    if ((step + 1) % kProgressSteps != 0 && step + 1 < request.steps) continue;
    const std::int64_t left = request.steps - step - 1;
    const auto steps = static_cast<double>(step % kProgressSteps + 1);
    progress({step + 1, request.steps, leaves.size(), recent / steps,
              seconds_since(begin) / static_cast<double>(step + 1) * static_cast<double>(left)});
    recent = 0;
  }
  result.loss = last / static_cast<double>(request.steps - last_part);
  measure(leaves, request, &learner, &result);
  result.network = learner.network();
  result.network.source = leaves.newest_network();
  result.seconds = seconds_since(begin);
  return result;
}

}  // namespace makzero::train
