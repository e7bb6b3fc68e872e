#include "train/run/rating_turns.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "nn/backend.h"
#include "train/config.h"

namespace makzero::train {

RatingTurns::RatingTurns(const GamePool& pool, const Config& config, const RunPaths& paths,
                         const std::string& until, int threads)
    : config_(config) {
  const bool has_tower = trains_tower(config);
  const bool has_small = config.self_play().small_share() > 0;
  const auto add = [&](const game::Game& game, Rater::Rated rated, const std::filesystem::path& store) {
    std::filesystem::create_directories(store);
    const bool is_small = rated == Rater::Rated::kSmall;
    const bool is_beside = is_small && has_tower;
    raters_.push_back(std::make_unique<Rater>(game, config, paths.root, store, threads, rated, !is_beside));
    turns_.push_back({game.info().ruleset, is_small, is_beside, raters_.back().get()});
  };
  for (const game::GamePtr& game : pool.games()) {
    const std::string& ruleset = game->info().ruleset;
    const std::filesystem::path first = pool.size() > 1 ? paths.ratings_of(ruleset) : paths.root;
    if (has_tower) add(*game, Rater::Rated::kTower, first);
    if (has_small) add(*game, Rater::Rated::kSmall, has_tower ? paths.ratings_of("small/" + ruleset) : first);
    if (until.empty()) continue;
    const std::filesystem::path store = paths.ratings_of("until/" + ruleset);
    std::filesystem::create_directories(store);
    models::PlayerSpec opponent = models::choose_player(
        until, {.run = paths.root, .ruleset = ruleset, .device = nn::device_names(config.device()).front()});
    const Turn& network = turns_.back();
    turns_.push_back({ruleset, network.is_small, network.is_beside, network.rater,
                      std::make_unique<Goal>(*game, config, std::move(opponent), store, threads)});
  }
}

bool RatingTurns::is_due(std::int64_t generation, double session_seconds) {
  const auto has_met = [&](const Turn& turn) {
    return turn.goal && (turn.met == generation || turn.goal->is_reached());
  };
  while (has_met(turns_[next_])) next_ = (next_ + 1) % turns_.size();
  const Turn& turn = turns_[next_];
  const double share = session_seconds / static_cast<double>(turns_.size());
  return turn.goal ? turn.goal->is_due(share) : turn.rater->is_due(share);
}

bool RatingTurns::has_reached_goal() const {
  const auto has_goal = [](const Turn& turn) { return turn.goal != nullptr; };
  return std::ranges::any_of(turns_, has_goal) && std::ranges::all_of(turns_, [&](const Turn& turn) {
           return !has_goal(turn) || turn.goal->is_reached();
         });
}

std::vector<std::string> RatingTurns::verdicts() const {
  std::vector<std::string> verdicts;
  for (const Turn& turn : turns_) {
    if (turn.goal) verdicts.push_back(turn.ruleset + ": " + turn.goal->verdict());
  }
  return verdicts;
}

std::optional<RatedTurn> RatingTurns::rate(std::int64_t generation, const std::stop_token& stop,
                                           const std::function<void(const std::string&)>& begin,
                                           const std::function<void(int, int)>& progress) {
  Turn& turn = turns_[std::exchange(next_, (next_ + 1) % turns_.size())];
  RatedTurn result{turn.ruleset, turn.is_small, turn.is_beside};
  if (turn.goal) {
    begin(text_of(turn, turn.goal->opponent()));
    turn.met = generation;
    result.found = {turn.goal->opponent().name(),
                    turn.goal->play(turn.rater->network_of(generation),
                                    config_.seed() + static_cast<std::uint64_t>(generation), stop, progress)};
    result.verdict = turn.goal->verdict();
    return result.found.score.games > 0 ? std::optional(result) : std::nullopt;
  }
  const models::PlayerSpec opponent = turn.rater->next_opponent(generation);
  begin(text_of(turn, opponent));
  auto found = turn.rater->rate(generation, opponent, stop, progress);
  if (!found) return std::nullopt;
  turn.rated = found->rating;
  result.found = *std::move(found);
  return result;
}

// Games are named where there are several.
std::string RatingTurns::text_of(const Turn& turn, const models::PlayerSpec& opponent) const {
  const bool is_alone =
      std::ranges::all_of(turns_, [&](const Turn& other) { return other.ruleset == turn.ruleset; });
  return fmt::format(
      "rating {}{}against {}", turn.is_beside ? "small network " : "", is_alone ? "" : turn.ruleset + " ",
      opponent.generation() >= 0 ? fmt::format("generation {}", opponent.generation()) : opponent.name());
}

EloFigures RatingTurns::mean(bool beside, std::int64_t generation) const {
  EloFigures mean;
  double games = 0;
  for (const Turn& turn : turns_) {
    if (!turn.rated || turn.is_beside != beside) continue;
    mean.elo += turn.rated->elo;
    mean.low += turn.rated->low;
    mean.high += turn.rated->high;
    ++games;
  }
  for (double* figure : {&mean.elo, &mean.low, &mean.high}) *figure /= std::max(games, 1.0);
  if (games > 0) mean.generation = generation;
  return mean;
}

}  // namespace makzero::train
