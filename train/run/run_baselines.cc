#include "train/run/run_baselines.h"

#include <string_view>

#include "game/catalog.h"
#include "models/file_io.h"
#include "nn/evaluators/torch_evaluator.h"
#include "train/config.h"

namespace makzero::train {

RunBaselines::RunBaselines(const GamePool& pool, const Config& config, const models::Zoo& zoo)
    : config_(config) {
  for (const game::GamePtr& game : pool.games()) {
    const std::string name(game::game_of(game->info().ruleset));
    const std::filesystem::path file = zoo.entry(name).baseline();
    const bool by_these_rules = game::differ_in_limits_alone((*game::make_game(name))->info(), game->info());
    if (!by_these_rules || !std::filesystem::exists(file)) continue;
    auto baseline = parse_baseline(*game, models::read_text_file(file), file);
    if (baseline)
      entries_.push_back({game, *std::move(baseline)});
    else
      warnings_.push_back(baseline.why() + "; `makzero baseline " + name + "` makes it anew");
  }
}

std::optional<BaselineFigures> RunBaselines::compare(const nn::Network& network) const {
  if (entries_.empty()) return std::nullopt;
  const nn::Backend backend = backend_of(config_, nn::device_names(config_.device()).front());
  BaselineFigures mean;
  for (const auto& [game, baseline] : entries_) {
    nn::TorchEvaluator evaluator(*game, network, {.device = backend.device, .precision = backend.precision});
    const BaselineFigures figures = train::compare(*game, baseline, &evaluator);
    const double weight = 1 / static_cast<double>(entries_.size());
    mean.agreement += weight * figures.agreement;
    mean.policy_loss += weight * figures.policy_loss;
    mean.value_loss += weight * figures.value_loss;
  }
  return mean;
}

}  // namespace makzero::train
