#include "train/rater.h"

#include <algorithm>
#include <chrono>

#include "models/error.h"

namespace makzero::train {
namespace {

// A rung is passed with so much by material, and left downwards below the other.
constexpr double kPassed = 0.8;
constexpr double kTooHard = 0.15;
constexpr int kEarlierEvery = 3;  // Every third match is against an earlier network.

PlayerSpec read_player(const std::string& text, const std::filesystem::path& run) {
  const auto player = parse_player(text, run);
  if (!player) throw models::Error("rating: " + player.why());
  return *player;
}

}  // namespace

Rater::Rater(const game::Game& game, const Config& config, std::filesystem::path run, int threads)
    : game_(game), config_(config), run_(std::move(run)), threads_(threads), store_(run_) {}

bool Rater::is_due(double session_seconds) const {
  return seconds_ + last_seconds_ < config_.rating().time_share() * session_seconds;
}

std::string Rater::next_opponent(std::int64_t generation) const {
  const std::int64_t earlier = generation - config_.rating().earlier_generations();
  if (matches_ % kEarlierEvery == kEarlierEvery - 1 && earlier >= 0)
    return std::to_string(earlier) + ":" + std::to_string(config_.rating().simulations());
  return ladder()[rung_];
}

std::optional<NetworkRating> Rater::rate(std::int64_t generation,
                                         const std::function<bool(int, int)>& progress) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string opponent = next_opponent(generation);
  const PlayerSpec network =
      read_player(std::to_string(generation) + ":" + std::to_string(config_.rating().simulations()), run_);
  MatchOptions options;
  options.games = config_.rating().games();
  options.opening_plies = config_.rating().opening_plies();
  options.seed = config_.seed() + static_cast<std::uint64_t>(generation);
  options.threads = threads_;
  options.device = config_.device();
  const MatchResult match =
      play_match(game_, network, read_player(opponent, run_), options,
                 [&](const MatchProgress& now) { return progress(now.score.games, now.games); });
  store_.add(match.games);
  last_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  seconds_ += last_seconds_;
  ++matches_;
  if (match.score.games == 0) return std::nullopt;
  if (opponent == ladder()[rung_]) {
    const double score = match.score.score_by_material();
    if (score >= kPassed && rung_ + 1 < ladder().size()) ++rung_;
    if (score <= kTooHard && rung_ > 0) --rung_;
  }
  NetworkRating result{opponent, match.score, {}};
  for (const Rating& rating : store_.ratings())
    if (rating.player == network.name) result.rating = rating;
  return result;
}

}  // namespace makzero::train
