#include "train/learning/small_trainer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "game/catalog.h"

namespace makzero::train {
namespace {

constexpr int kBatch = 4096;          // Rows of a step.
constexpr int kHeldOutRows = 50'000;  // Of a game, that are evaluated after the steps.

// The mean entropy of the targets [nats].
double entropy_of(const std::vector<float>& targets) {
  double sum = 0;
  for (const double target : targets) {
    for (const double part : {target, 1 - target})
      if (part > 0) sum -= part * std::log(part);
  }
  return sum / static_cast<double>(std::max<std::size_t>(targets.size(), 1));
}

std::vector<std::filesystem::path> folders(const Config& config, const RunPaths& paths) {
  std::vector<std::filesystem::path> folders = {paths.small_replay()};
  if (config.learning().small_from_tower()) folders.push_back(paths.replay());
  return folders;
}

}  // namespace

SmallTrainer::SmallTrainer(GamePool* pool, const Config& config, const RunPaths& paths, int threads)
    : pool_(pool),
      config_(config),
      rows_(pool,
            {.folders = folders(config, paths),
             .window = config.replay().small_window(),
             .validation_share = config.replay().validation_share(),
             .lambda = config.learning().small_lambda(),
             .exact_endings = config.learning().exact_endings()},
            config.seed()) {
  const int own = config.learning().threads();
  for (const game::GamePtr& game : pool->games()) {
    const nn::SmallLearnerOptions options{.learning_rate = config.learning().small_learning_rate(),
                                          .weight_decay = config.learning().small_weight_decay(),
                                          .seed = config.seed(),
                                          .threads = own > 0 ? own : threads};
    learners_.try_emplace(std::string(game::game_of(game->info().ruleset)), game->info(), options);
  }
}

std::int64_t SmallTrainer::steps_for(std::int64_t new_rows) const {
  const double rows = config_.learning().small_replay_ratio() * static_cast<double>(new_rows);
  const auto games = static_cast<std::int64_t>(learners_.size());
  return games * std::max<std::int64_t>(1, std::llround(rows / static_cast<double>(kBatch * games)));
}

SmallLosses SmallTrainer::learn(std::int64_t steps, const Progress& progress) {
  rows_.update();
  SmallLosses losses;
  nn::SmallBatch batch;
  auto turn = learners_.begin();
  for (std::int64_t step = 0; step < steps; ++step) {
    auto& [game, learner] = *turn;
    if (++turn == learners_.end()) turn = learners_.begin();
    const double done = static_cast<double>(step) / static_cast<double>(steps);
    learner.scale_learning_rate(static_cast<float>((1 + std::cos(std::numbers::pi * done)) / 2));
    rows_.draw(game, kBatch, &batch);
    if (batch.rows == 0) continue;
    losses.learning += learner.step(batch);
    ++losses.steps;
    if (!progress(step + 1)) break;
  }
  losses.learning /= static_cast<double>(std::max<std::int64_t>(losses.steps, 1));
  measure(&losses);
  return losses;
}

void SmallTrainer::measure(SmallLosses* losses) {
  nn::SmallBatch batch;
  double games = 0;
  for (auto& [game, learner] : learners_) {
    rows_.held_out(game, kHeldOutRows, &batch);
    if (batch.rows == 0) continue;
    losses->validation += learner.evaluate(batch);
    losses->entropy += entropy_of(batch.targets);
    ++games;
  }
  for (double* loss : {&losses->validation, &losses->entropy}) *loss /= std::max(games, 1.0);
}

SmallNetworks SmallTrainer::networks() const {
  SmallNetworks networks;
  for (const auto& [game, learner] : learners_) networks.emplace(game, learner.network());
  return networks;
}

std::int64_t SmallTrainer::steps() const {
  std::int64_t steps = 0;
  for (const auto& [game, learner] : learners_) steps += learner.steps();
  return steps;
}

std::vector<nn::SmallLearnerState> SmallTrainer::states() const {
  std::vector<nn::SmallLearnerState> states;
  std::ranges::transform(learners_, std::back_inserter(states),
                         [](const auto& each) { return each.second.state(); });
  return states;
}

void SmallTrainer::load(const std::vector<nn::SmallLearnerState>& states) {
  for (const nn::SmallLearnerState& state : states) {
    const auto learner = learners_.find(state.game);
    if (learner != learners_.end()) learner->second.load(state);
  }
}

void SmallTrainer::load(const std::vector<mcts::SmallNetwork>& networks) {
  if (networks.empty()) return;
  has_begun_ = true;
  for (const game::GamePtr& game : pool_->games()) {
    const std::string name(game::game_of(game->info().ruleset));
    const auto own = std::ranges::find(networks, name, &mcts::SmallNetwork::game);
    const mcts::SmallNetwork& network = own == networks.end() ? networks.front() : *own;
    learners_.at(name).load(nn::state_from(game->info(), network));
  }
}

}  // namespace makzero::train
