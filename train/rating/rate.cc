#include "train/rating/rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "game/catalog.h"
#include "models/error.h"
#include "models/model.h"
#include "models/player/child_process.h"
#include "models/store.h"
#include "train/rating/rating.h"

namespace makzero::train {

namespace {

constexpr double kHopeless = 0.1;  // Below this score stronger opponents say nothing more.

// A program of others on the ladder.
struct Rung {
  const char* program;
  std::vector<std::string> rulesets;  // Whose rules it plays.
  const char* player;
};

const std::vector<Rung>& programs() {
  // Told that it has 50 ms, Fairy-Max keeps a reserve and takes some 10 ms on average; told 10 ms, it moves
  // at once.
  static const std::vector<Rung> kPrograms = {
      {"fairymax", {"makruk"}, "xboard:fairymax?clock=50"},
      {"fairy-stockfish", {"makruk", "cambodian", "karouk"}, "uci:fairy-stockfish?nodes=1000"},
      {"fairy-stockfish", {"makruk", "cambodian", "karouk"}, "uci:fairy-stockfish?nodes=10000"}};
  return kPrograms;
}

struct Candidate {
  models::StoredCheckpoint stored;
  models::Manifest manifest;
};

// At most `count` of them, evenly spread in the logarithm of their evaluations, the first and the last among
// them; without those that have learnt nothing yet, where there are others.
std::vector<Candidate> spread(std::vector<Candidate> all, int count) {
  if (all.back().manifest.evaluations() > 0)
    std::erase_if(all, [](const Candidate& each) { return each.manifest.evaluations() == 0; });
  if (static_cast<int>(all.size()) <= count) return all;
  const auto place = [&](const Candidate& each) {
    return std::log(std::max<double>(1, static_cast<double>(each.manifest.evaluations())));
  };
  const double first = place(all.front()), last = place(all.back());
  std::set<size_t> chosen = {all.size() - 1};
  for (int i = 0; i + 1 < count; ++i) {
    const double wanted = first + (last - first) * i / (count - 1);
    std::optional<size_t> nearest;
    for (size_t j = 0; j < all.size(); ++j) {
      if (chosen.contains(j)) continue;
      if (!nearest || std::abs(place(all[j]) - wanted) < std::abs(place(all[*nearest]) - wanted)) nearest = j;
    }
    chosen.insert(*nearest);
  }
  std::vector<Candidate> picked;
  picked.reserve(chosen.size());
  for (const size_t j : chosen) picked.push_back(std::move(all[j]));
  return picked;
}

std::vector<Candidate> choose_checkpoints(const std::filesystem::path& run, int count) {
  std::vector<Candidate> all;
  for (models::StoredCheckpoint& stored : models::CheckpointStore(run / "checkpoints").list()) {
    models::Manifest manifest = models::read_manifest(stored.path);
    all.push_back({std::move(stored), std::move(manifest)});
  }
  if (all.empty()) throw models::Error(run / "checkpoints", "holds no checkpoint to rate; train first");
  if (models::tower_id_of(all.back().manifest).empty())
    throw models::Error(run,
                        "trains no tower: `makzero rate --show` prints the ratings that it has found for its "
                        "small networks, `makzero match` plays them");
  return spread(std::move(all), count);
}

// All players of these runs on one scale; games of the ladder's players against each other count once, those
// of the run that has most.
std::vector<Rating> fit_together(const std::vector<const RatingStore*>& stores,
                                 const std::vector<std::string>& opponents, Scoring scoring) {
  const std::set<std::string> ladder(opponents.begin(), opponents.end());
  std::vector<PairResult> results;
  std::map<std::pair<std::string, std::string>, PairResult> of_ladder;
  for (const RatingStore* store : stores) {
    for (const PairResult& result : store->pair_results(scoring)) {
      if (!ladder.contains(result.a) || !ladder.contains(result.b)) {
        results.push_back(result);
        continue;
      }
      PairResult& kept = of_ladder[{result.a, result.b}];
      if (result.wins + result.draws + result.losses > kept.wins + kept.draws + kept.losses) kept = result;
    }
  }
  for (const auto& [players, result] : of_ladder) results.push_back(result);
  return fit_ratings(results);
}

// The game of all runs so far and one more. Throws models::Error where it is another.
game::GamePtr common_game(const game::GamePtr& game, const std::filesystem::path& run,
                          const std::string& ruleset) {
  if (game && game->info().ruleset != ruleset) {
    throw models::Error(run, "is a run of " + ruleset + ", the one before of " + game->info().ruleset +
                                 "; rate runs of one ruleset together");
  }
  return models::value_or_error(run, game::make_game(ruleset));
}

// The schedule of some runs, played as far as it is not on record.
class Rates {
 public:
  Rates(const std::vector<std::filesystem::path>& runs, const RateOptions& options,
        const ShowProgress& progress)
      : options_(options), progress_(progress) {
    for (const std::filesystem::path& run : runs) {
      std::vector<Candidate> checkpoints = choose_checkpoints(run, options.checkpoints);
      game_ = common_game(game_, run, checkpoints.back().manifest.ruleset());
      runs_.push_back({run, std::make_unique<RatingStore>(run), std::move(checkpoints)});
    }
    opponents_ = options.opponents.empty() ? rating_ladder(game_->info()).opponents : options.opponents;
    plan();
  }

  RatedRuns rate() {
    while (!pairings_.empty() && !stopped()) {
      const Pairing next = pairings_.front();
      pairings_.pop_front();
      const double score = meet(next);
      if (next.rung < 0 || score >= kHopeless || stopped()) continue;
      std::erase_if(pairings_, [&](const Pairing& later) {
        return later.rung > next.rung && later.a.name() == next.a.name();
      });
    }
    return result();
  }

 private:
  struct Run {
    std::filesystem::path path;
    std::unique_ptr<RatingStore> store;
    std::vector<Candidate> checkpoints;
  };

  struct Pairing {
    size_t run;
    models::PlayerSpec a, b;
    int rung = -1;  // Of b, where a network climbs the ladder.
  };

  models::PlayerSpec player(const std::string& text, const std::filesystem::path& run) const {
    return models::with_default_strength(
        models::value_or_error(
            models::parse_player(text, {run, game_->info().ruleset, options_.match.backend.device})),
        models::kMatchSimulations);
  }

  models::PlayerSpec network(const Candidate& checkpoint) const {
    return models::tower_player({.file = checkpoint.stored.path}, {.nodes = options_.simulations});
  }

  void plan() {
    std::vector<models::PlayerSpec> rungs;
    rungs.reserve(opponents_.size());
    for (const std::string& opponent : opponents_) rungs.push_back(player(opponent, runs_.front().path));
    for (size_t rung = 1; rung < rungs.size(); ++rung)
      pairings_.push_back({ladder_run(rungs[rung], rungs[rung - 1]), rungs[rung], rungs[rung - 1]});
    for (size_t run = 0; run < runs_.size(); ++run) {
      std::optional<models::PlayerSpec> previous;
      for (const Candidate& checkpoint : runs_[run].checkpoints) {
        const models::PlayerSpec spec = network(checkpoint);
        if (previous) pairings_.push_back({run, spec, *previous});
        for (size_t rung = 0; rung < rungs.size(); ++rung)
          pairings_.push_back({run, spec, rungs[rung], static_cast<int>(rung)});
        previous = spec;
      }
    }
    matches_ = pairings_.size();
  }

  // The run with the most games of these players of the ladder.
  size_t ladder_run(const models::PlayerSpec& a, const models::PlayerSpec& b) const {
    const auto most = std::max_element(runs_.begin(), runs_.end(), [&](const Run& one, const Run& two) {
      return one.store->score(a.name(), b.name()).games < two.store->score(a.name(), b.name()).games;
    });
    return static_cast<size_t>(most - runs_.begin());
  }

  int missing(const Pairing& pairing) const {
    return std::max(
        0, options_.match.games - runs_[pairing.run].store->score(pairing.a.name(), pairing.b.name()).games);
  }

  // Plays the missing games of a pair and returns a's score in all of them.
  double meet(const Pairing& pairing) {
    RatingStore& store = *runs_[pairing.run].store;
    const int games = missing(pairing);
    if (games > 0) {
      MatchOptions match = options_.match;
      match.games = games;
      match.seed += options_.match.games - games;  // Other openings than those on record.
      int all_missing = games;
      for (const Pairing& later : pairings_) all_missing += missing(later);
      Progress shown{fmt::format("match {} of {}: {} v {}", matches_ - pairings_.size(), matches_,
                                 pairing.a.name(), pairing.b.name())};
      MatchProgress last;
      store.add(play_match(*game_, pairing.a, pairing.b, match, [&](const MatchProgress& now) {
                  last = now;
                  shown.done = now.score.games;
                  shown.of = now.games;
                  if (const int played = played_ + shown.done; played > 0)
                    shown.seconds_left = (seconds_ + now.seconds) * (all_missing - shown.done) / played;
                  progress_(shown);
                }).games);
      played_ += last.score.games;
      seconds_ += last.seconds;
    }
    return store.score(pairing.a.name(), pairing.b.name()).score();
  }

  bool stopped() const { return options_.match.stop.stop_requested(); }

  RatedRuns result() const {
    RatedRuns rated{game_, {}, {}, {}};
    for (const Run& run : runs_) {
      RatedRun& each = rated.runs.emplace_back(RatedRun{run.path, {}});
      for (const Candidate& checkpoint : run.checkpoints) {
        each.checkpoints.push_back(
            {network(checkpoint).name(), checkpoint.stored.generation, checkpoint.manifest.evaluations()});
      }
    }
    rated.by_rules = fit(Scoring::kRules);
    rated.by_material = fit(Scoring::kMaterial);
    return rated;
  }

  std::vector<Rating> fit(Scoring scoring) const {
    std::vector<const RatingStore*> stores;
    stores.reserve(runs_.size());
    for (const Run& run : runs_) stores.push_back(run.store.get());
    return fit_together(stores, opponents_, scoring);
  }

  const RateOptions& options_;
  const ShowProgress& progress_;
  game::GamePtr game_;
  std::vector<Run> runs_;
  std::vector<std::string> opponents_;
  std::deque<Pairing> pairings_;  // To come.
  std::size_t matches_ = 0;       // In all, those that turned out to be hopeless among them.
  int played_ = 0;                // Games of the matches that are over.
  double seconds_ = 0;            // Spent on them.
};

}  // namespace

RatingLadder rating_ladder(const game::GameInfo& game) {
  RatingLadder found{{ladder().begin(), ladder().end() - 2}, {}};
  for (const Rung& rung : programs()) {
    if (std::find(rung.rulesets.begin(), rung.rulesets.end(), game.ruleset) == rung.rulesets.end()) continue;
    (models::is_installed(rung.program) ? found.opponents : found.left_out).push_back(rung.player);
  }
  return found;
}

RatedRuns rate_runs(const std::vector<std::filesystem::path>& runs, const RateOptions& options,
                    const ShowProgress& progress) {
  return Rates(runs, options, progress).rate();
}

}  // namespace makzero::train
