#include "train/rating/rater.h"

#include <algorithm>
#include <chrono>

#include "models/error.h"
#include "train/config.h"

namespace makzero::train {
namespace {

// A rung is passed with so much by material, and left downwards below the other.
constexpr double kPassed = 0.6;
constexpr double kTooHard = 0.15;
constexpr int kBestEvery = 3;  // Every third match is against the best network so far ...
constexpr int kBestGames = 4;  // ... and has at most so many times the games of the others.

// By this test a network is better than the best so far.
constexpr SequentialTest kBetter = {.elo0 = 0, .elo1 = 50, .by_material = true};
constexpr double kAlarm = -50;  // Elo.

constexpr int kSmallNodes[] = {100, 1'000, 10'000};  // Positions a move of the small network's rungs.

// ladder(), and above it the zoo's small network, so that the ladder does not end where networks begin.
std::vector<models::PlayerSpec> ladder_of(const std::string& ruleset) {
  std::vector<models::PlayerSpec> rungs;
  for (const std::string& rung : ladder()) rungs.push_back(*models::parse_player(rung, {}));
  if (const auto small = models::parse_player("small", {.ruleset = ruleset})) {
    for (const int nodes : kSmallNodes) rungs.push_back({small->kind, {.nodes = nodes}});
  }
  return rungs;
}

}  // namespace

MatchOptions rating_options(const Config& config, int threads) {
  MatchOptions options;
  options.opening_plies = config.rating().opening_plies();
  options.threads = threads;
  options.backend = backend_of(config, nn::device_names(config.device()).front());
  return options;
}

Rater::Rater(const game::Game& game, const Config& config, const std::filesystem::path& run,
             const std::filesystem::path& store, int threads, Rated rated, bool notes_best)
    : game_(game),
      config_(config),
      checkpoints_(run / "checkpoints"),
      threads_(threads),
      rated_(rated),
      notes_best_(notes_best),
      store_(store),
      ladder_(ladder_of(game.info().ruleset)) {
  while (rung_ < ladder_.size() && store_.latest_score(ladder_[rung_].name()).score_by_material() >= kPassed)
    ++rung_;
}

bool Rater::is_due(double session_seconds) const { return time_.has_room(config_.rating(), session_seconds); }

models::PlayerSpec Rater::network_of(std::int64_t generation) const {
  const std::filesystem::path file = checkpoints_.path(generation);
  if (rated_ == Rated::kTower)
    return models::tower_player({.file = file}, {.nodes = config_.rating().simulations()});
  models::PlayerSpec player =
      models::small_player(file, game_.info().ruleset, {.nodes = config_.self_play().small_nodes()});
  std::get<models::PlayerSpec::Small>(player.kind).generation = generation;
  return player;
}

models::PlayerSpec Rater::next_opponent(std::int64_t generation) const {
  const bool challenges = matches_ % kBestEvery == kBestEvery - 1 && knows_best();
  if (challenges && checkpoints_.best()->generation != generation)
    return network_of(checkpoints_.best()->generation);
  return ladder_[std::min(rung_, ladder_.size() - 1)];
}

std::optional<NetworkRating> Rater::rate(std::int64_t generation, const models::PlayerSpec& opponent,
                                         const std::stop_token& stop,
                                         const std::function<void(int, int)>& progress) {
  const auto begin = std::chrono::steady_clock::now();
  const models::PlayerSpec network = network_of(generation);
  link_ladder(stop, progress);
  const bool challenges = is_best(opponent);
  const MatchResult match = play(network, opponent, config_.rating().games() * (challenges ? kBestGames : 1),
                                 config_.seed() + static_cast<std::uint64_t>(generation),
                                 challenges ? std::optional(kBetter) : std::nullopt, stop, progress);
  const MatchScore& score = match.score;
  time_.add(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  ++matches_;
  if (score.games == 0) return std::nullopt;
  if (rung_ < ladder_.size() && opponent.name() == ladder_[rung_].name()) climb(score);
  NetworkRating result{opponent.name(), score, {}};
  const std::vector<Rating> ratings = store_.ratings();
  for (const Rating& rating : ratings)
    if (rating.player == network.name()) result.rating = rating;
  if (challenges) {
    result.is_best = match.test && match.test->ratio >= match.test->upper;
    if (match.elo.elo <= kAlarm && match.elo.high < 0) result.behind_best = -match.elo.elo;
    if (result.is_best) checkpoints_.set_best(generation);
  } else {
    result.is_best = take_best(result.rating, ratings);
  }
  return result;
}

// True if the newest network is the best by its rating: the highest among the first few, then only one that
// is surely above the best.
bool Rater::take_best(const Rating& newest, const std::vector<Rating>& ratings) {
  if (!notes_best_ || store_.generations().size() < kBestEvery) return false;
  const auto generation_of = [this](const Rating& rating) { return store_.generations().at(rating.player); };
  const auto find = [&](const auto& fits) {
    return std::ranges::find_if(ratings, [&](const Rating& rating) {
      return store_.generations().contains(rating.player) && fits(rating);
    });
  };
  if (!checkpoints_.has_best()) {
    const Rating& first = *find([](const Rating&) { return true; });
    checkpoints_.set_best(generation_of(first));
    return first.player == newest.player;
  }
  const std::int64_t noted = checkpoints_.best()->generation;
  const auto best = find([&](const Rating& rating) { return generation_of(rating) == noted; });
  if (best == ratings.end() || newest.low <= best->elo) return false;
  checkpoints_.set_best(generation_of(newest));
  return true;
}

bool Rater::is_best(const models::PlayerSpec& player) const {
  return player.generation() >= 0 && knows_best() && player.generation() == checkpoints_.best()->generation;
}

MatchResult Rater::play(const models::PlayerSpec& a, const models::PlayerSpec& b, int games,
                        std::uint64_t seed, const std::optional<SequentialTest>& test,
                        const std::stop_token& stop, const std::function<void(int, int)>& progress) {
  MatchOptions options = rating_options(config_, threads_);
  options.games = games;
  options.seed = seed;
  options.test = test;
  options.stop = stop;
  MatchResult match = play_match(game_, a, b, options,
                                 [&](const MatchProgress& now) { progress(now.score.games, now.games); });
  store_.add(match.games);
  return match;
}

void Rater::link_ladder(const std::stop_token& stop, const std::function<void(int, int)>& progress) {
  for (size_t rung = 1; rung <= std::min(rung_, ladder_.size() - 1); ++rung) {
    const models::PlayerSpec &above = ladder_[rung], &below = ladder_[rung - 1];
    const int missing = config_.rating().games() - store_.score(above.name(), below.name()).games;
    if (missing > 0) play(above, below, missing, config_.seed(), std::nullopt, stop, progress);
  }
}

void Rater::climb(const MatchScore& score) {
  if (score.score_by_material() >= kPassed) {
    ++rung_;
  } else if (score.score_by_material() <= kTooHard && rung_ > 0) {
    --rung_;
  }
}

}  // namespace makzero::train
