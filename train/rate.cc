#include "train/rate.h"

#include "game/catalog.h"
#include "models/checkpoint.h"
#include "models/error.h"
#include "models/store.h"
#include "train/rating.h"

namespace makzero::train {

namespace {

constexpr double kHopeless = 0.1;  // Below this score stronger opponents say nothing more.

// At most `count` of the checkpoints, evenly spread, the first and the last among them.
std::vector<models::StoredCheckpoint> spread(const std::vector<models::StoredCheckpoint>& all, int count) {
  const int last = static_cast<int>(all.size()) - 1;
  if (last < count) return all;
  if (count < 2) return {all.back()};
  std::vector<models::StoredCheckpoint> chosen;
  chosen.reserve(count);
  for (int i = 0; i < count; ++i) chosen.push_back(all[static_cast<size_t>(last) * i / (count - 1)]);
  return chosen;
}

// The schedule of one run, played as far as it is not on record.
class RunRater {
 public:
  RunRater(const std::filesystem::path& run, const RateOptions& options,
           const std::function<bool(const RateProgress&)>& progress)
      : run_(run), options_(options), progress_(progress), store_(run) {}

  // REQUIRES: at least one checkpoint, by generation.
  std::vector<Rating> rate(const std::vector<models::StoredCheckpoint>& checkpoints) {
    game_ = game_of(checkpoints.back().path);
    const int rungs = static_cast<int>(options_.opponents.size()),
              networks = static_cast<int>(checkpoints.size());
    pairings_ = std::max(0, rungs - 1) + networks * rungs + networks - 1;

    for (int rung = 1; rung < rungs; ++rung)
      meet(player(options_.opponents[rung]), player(options_.opponents[rung - 1]));
    std::optional<PlayerSpec> previous;
    for (const models::StoredCheckpoint& checkpoint : checkpoints) {
      const PlayerSpec network =
          player(checkpoint.path.string() + ':' + std::to_string(options_.simulations));
      if (previous) meet(network, *previous);
      climb(network);
      previous = network;
    }
    return store_.ratings();
  }

 private:
  static game::GamePtr game_of(const std::filesystem::path& checkpoint) {
    const game::Parsed<game::GamePtr> game = game::make_game(models::read_manifest(checkpoint).ruleset());
    if (!game) throw models::Error(checkpoint, game.why());
    return *game;
  }

  PlayerSpec player(const std::string& text) const {
    const game::Parsed<PlayerSpec> spec = parse_player(text, run_);
    if (!spec) throw models::Error(spec.why());
    return *spec;
  }

  // Plays up the ladder until the opponents are far too strong.
  void climb(const PlayerSpec& network) {
    int rung = 0;
    const int rungs = static_cast<int>(options_.opponents.size());
    while (rung < rungs && meet(network, player(options_.opponents[rung])) >= kHopeless) ++rung;
    pairing_ += std::max(0, rungs - rung - 1);
  }

  // Plays the missing games of a pair and returns a's score in all of them.
  double meet(const PlayerSpec& a, const PlayerSpec& b) {
    pairing_ += 1;
    const int played = store_.score(a.name, b.name).games;
    if (played < options_.games && !stopped_) {
      MatchOptions match;
      match.games = options_.games - played;
      match.opening_plies = options_.opening_plies;
      match.seed = options_.seed + played;  // Other openings than those on record.
      match.threads = options_.threads;
      match.device = options_.device;
      store_.add(play_match(*game_, a, b, match, [&](const MatchProgress& now) {
                   stopped_ = stopped_ || !progress_({a.name, b.name, pairing_, pairings_, now});
                   return !stopped_;
                 }).games);
    }
    return store_.score(a.name, b.name).score();
  }

  const std::filesystem::path& run_;
  const RateOptions& options_;
  const std::function<bool(const RateProgress&)>& progress_;
  RatingStore store_;
  game::GamePtr game_;
  int pairing_ = 0, pairings_ = 0;
  bool stopped_ = false;
};

}  // namespace

std::vector<Rating> rate_run(const std::filesystem::path& run, const RateOptions& options,
                             const std::function<bool(const RateProgress&)>& progress) {
  const auto checkpoints = spread(models::CheckpointStore(run / "checkpoints").list(), options.checkpoints);
  if (checkpoints.empty())
    throw models::Error(run / "checkpoints", "holds no checkpoint to rate; train first");
  return RunRater(run, options, progress).rate(checkpoints);
}

}  // namespace makzero::train
