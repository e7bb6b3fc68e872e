#include "train/run/goal.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>
#include <vector>

#include "train/match/arena.h"

namespace makzero::train {
namespace {

constexpr int kMostGames = 80;  // Of a match: what is not decided by then waits for the next network.
constexpr std::chrono::milliseconds kTime{10};  // A move, of opponents without a limit.

}  // namespace

Goal::Goal(const game::Game& game, const Config& config, models::PlayerSpec opponent,
           const std::filesystem::path& store, int threads)
    : game_(game),
      config_(config),
      opponent_(with_default_time(std::move(opponent), kTime)),
      store_(store),
      threads_(threads),
      test_({.elo0 = 0, .elo1 = 50, .by_material = game.info().family != "chess"}) {}

std::vector<double> Goal::pair_scores() const {
  return train::pair_scores(store_.latest_games(opponent_.name()), test_.by_material);
}

bool Goal::is_reached() const {
  const SequentialState state = sequential_state(test_, pair_scores());
  return state.ratio >= state.upper;
}

std::string Goal::verdict() const {
  const MatchScore score = store_.latest_score(opponent_.name());
  if (score.games == 0) return opponent_.name() + " was not met yet";
  const EloEstimate elo = estimate_elo(pair_scores());
  return fmt::format("{} is {}: {:.1f} % {}, {:+.0f} Elo ({:+.0f} to {:+.0f}), {} games", opponent_.name(),
                     is_reached() ? "beaten" : "not beaten yet",
                     100 * (test_.by_material ? score.score_by_material() : score.score()),
                     test_.by_material ? "by material" : "by the rules", elo.elo, elo.low, elo.high,
                     score.games);
}

bool Goal::is_due(double session_seconds) const { return time_.has_room(config_.rating(), session_seconds); }

MatchScore Goal::play(models::PlayerSpec network, std::uint64_t seed, const std::stop_token& stop,
                      const std::function<void(int, int)>& progress) {
  const auto begin = std::chrono::steady_clock::now();
  if (opponent_.strength.time || opponent_.strength.nodes) network.strength = opponent_.strength;
  MatchOptions options = rating_options(config_, threads_);
  options.games = kMostGames;
  options.seed = seed;
  options.test = test_;
  options.stop = stop;
  const MatchResult match = play_match(game_, network, opponent_, options, [&](const MatchProgress& now) {
    progress(now.score.games, now.games);
  });
  store_.add(match.games);
  time_.add(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return match.score;
}

}  // namespace makzero::train
