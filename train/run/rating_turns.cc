#include "train/run/rating_turns.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace makzero::train {

RatingTurns::RatingTurns(const GamePool& pool, const Config& config, const RunPaths& paths, int threads)
    : config_(config) {
  const float small_share = config.self_play().small_share();
  const auto add = [&](const game::Game& game, Rater::Rated rated, const std::filesystem::path& store) {
    std::filesystem::create_directories(store);
    const bool is_small = rated == Rater::Rated::kSmall;
    const bool is_beside = is_small && small_share < 1;
    turns_.push_back({game.info().ruleset, is_small, is_beside,
                      std::make_unique<Rater>(game, config, paths.root, store, threads, rated, !is_beside)});
  };
  for (const game::GamePtr& game : pool.games()) {
    const std::string& ruleset = game->info().ruleset;
    add(*game, small_share < 1 ? Rater::Rated::kTower : Rater::Rated::kSmall,
        pool.size() > 1 ? paths.ratings_of(ruleset) : paths.root);
    if (small_share > 0 && small_share < 1)
      add(*game, Rater::Rated::kSmall, paths.ratings_of("small/" + ruleset));
  }
}

bool RatingTurns::is_due(double session_seconds) const {
  return turns_[next_].rater->is_due(session_seconds / static_cast<double>(turns_.size()));
}

bool RatingTurns::has_passed(const std::string& opponent) const {
  return std::ranges::all_of(
      turns_, [&](const Turn& turn) { return turn.is_beside || turn.rater->has_passed(opponent); });
}

std::optional<RatedTurn> RatingTurns::rate(std::int64_t generation, const std::stop_token& stop,
                                           const std::function<void(const std::string&)>& begin,
                                           const std::function<void(int, int)>& progress) {
  Turn& turn = turns_[std::exchange(next_, (next_ + 1) % turns_.size())];
  const models::PlayerSpec opponent = turn.rater->next_opponent(generation);
  begin(text_of(turn, opponent));
  auto found = turn.rater->rate(generation, opponent, stop, progress);
  if (!found) return std::nullopt;
  turn.rated = found->rating;
  return RatedTurn{turn.ruleset, turn.is_small, turn.is_beside, *std::move(found)};
}

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
