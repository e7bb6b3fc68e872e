#include "train/run/metrics.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "game/outcome.h"

namespace makzero::train {

void GameStatistics::add(const GameRecord& game, int pieces_taken) {
  const auto result = static_cast<game::Result>(game.result());
  const auto reason = static_cast<game::Reason>(game.reason());
  ++games_;
  plies_ += game.plies_size();
  captures_ += pieces_taken;
  for (const PlyRecord& ply : game.plies()) {
    if (!ply.full_search()) continue;
    ++rows_;
    surprise_ += ply.surprise();
  }
  draws_ += result == game::Result::kDraw;
  white_ += result == game::Result::kWhiteWins;
  decided_ += result != game::Result::kDraw && reason != game::Reason::kMaterialAtPlyCap;
  cut_ += reason == game::Reason::kCut;
  adjudicated_ += reason == game::Reason::kMaterialAtPlyCap;
  reasons_[game.reason() % reasons_.size()]++;
}

std::vector<std::pair<std::string, std::int64_t>> GameStatistics::reasons() const {
  std::vector<std::pair<std::string, std::int64_t>> named;
  for (size_t i = 0; i < reasons_.size(); ++i)
    if (reasons_[i] > 0) named.emplace_back(game::reason_text(static_cast<game::Reason>(i)), reasons_[i]);
  return named;
}

double GenerationMetrics::replay_ratio() const {
  return played.rows() > 0 ? static_cast<double>(rows_learnt) / static_cast<double>(played.rows()) : 0;
}

double GenerationMetrics::core_share() const {
  return self_play_seconds > 0 ? self_play.cpu_seconds / (self_play_seconds * threads) : 0;
}

double GenerationMetrics::card_share() const {
  return self_play_seconds > 0 ? self_play.card_seconds / self_play_seconds : 0;
}

namespace {

using Scalars = std::vector<std::pair<std::string, double>>;

void add(const nn::Losses& losses, const std::string& prefix, Scalars* all) {
  all->emplace_back(prefix + "total", losses.total);
  for (const nn::HeadInfo& info : nn::kHeads)
    all->emplace_back(prefix + std::string(info.name), losses[info.head]);
}

void add(const BaselineFigures& figures, const std::string& prefix, Scalars* all) {
  for (const BaselineFigure& figure : kBaselineFigures)
    all->emplace_back(prefix + std::string(figure.name), figures.*figure.value);
}

}  // namespace

std::vector<std::pair<std::string, double>> scalars(const GenerationMetrics& metrics) {
  const double seconds = metrics.self_play_seconds > 0 ? metrics.self_play_seconds : 1;
  const auto number = [](auto value) { return static_cast<double>(value); };
  std::vector<std::pair<std::string, double>> all = {
      {"seconds", metrics.seconds},
      {"games", number(metrics.games)},
      {"rows", number(metrics.rows)},
      {"evaluations", number(metrics.evaluations)},
      {"steps", number(metrics.steps)},
      {"window_rows", number(metrics.window_rows)},
      {"time/self_play", metrics.self_play_seconds},
      {"time/learning", metrics.learning_seconds},
      {"time/rating", metrics.rating_seconds},
      {"self_play/games_per_second", number(metrics.played.games()) / seconds},
      {"self_play/evaluations_per_second", number(metrics.self_play.evaluations) / seconds},
      {"self_play/rows_per_batch", metrics.self_play.rows_per_batch()},
      {"self_play/forward_share", metrics.self_play.forward_share()},
      {"self_play/core_share", metrics.core_share()},
      {"games/new", number(metrics.played.games())},
      {"games/new_rows", number(metrics.played.rows())},
      {"learning_rate", metrics.learning.learning_rate},
      {"policy_entropy", metrics.learning.policy_entropy},
      {"gradient_norm", metrics.learning.gradient_norm},
      {"replay_ratio", metrics.replay_ratio()},
  };
  for (const GameFigure& figure : kGameFigures)
    all.emplace_back("games/" + std::string(figure.name), (metrics.played.*figure.value)());
  if (metrics.self_play.card_seconds > 0) all.emplace_back("self_play/card_share", metrics.card_share());
  add(metrics.learning, "loss/", &all);
  add(metrics.validation, "validation/", &all);
  if (metrics.small_rows > 0) {
    const SelfPlayStatistics& played = metrics.self_play;
    all.insert(
        all.end(),
        {{"small/new_rows", number(metrics.small_rows)},
         {"small/steps", number(metrics.small.steps)},
         {"small/nodes_per_second", number(played.small_nodes) / std::max(played.small_cpu_seconds, 1e-3)},
         {"small/time_share", played.small_cpu_seconds / std::max(played.cpu_seconds, 1e-3)},
         {"small/loss", metrics.small.learning},
         {"small/validation", metrics.small.validation},
         {"small/entropy", metrics.small.entropy}});
  }
  if (metrics.baseline) add(*metrics.baseline, "baseline/", &all);
  if (metrics.annealed) {
    add(metrics.annealed->validation, "annealed/", &all);
    if (metrics.annealed->baseline) add(*metrics.annealed->baseline, "annealed/baseline_", &all);
  }
  const auto add_elo = [&](const EloFigures& rating, const std::string& prefix) {
    if (!rating.known()) return;
    all.insert(all.end(), {{prefix + "elo", rating.elo},
                           {prefix + "elo_low", rating.low},
                           {prefix + "elo_high", rating.high},
                           {prefix + "rated_generation", number(rating.generation)}});
  };
  add_elo(metrics.elo, "");
  add_elo(metrics.small_elo, "small/");
  return all;
}

std::string metrics_json(const GenerationMetrics& metrics) {
  nlohmann::ordered_json line;
  line["generation"] = metrics.generation;
  for (const auto& [name, value] : scalars(metrics)) {
    const auto whole = static_cast<std::int64_t>(value);
    if (static_cast<double>(whole) == value)
      line[name] = whole;
    else
      line[name] = value;
  }
  for (const auto& [reason, games] : metrics.played.reasons()) line["reasons"][reason] = games;
  return line.dump();
}

}  // namespace makzero::train
