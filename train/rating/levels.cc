#include "train/rating/levels.h"

#include <fmt/format.h>

#include "game/catalog.h"
#include "models/error.h"
#include "models/model.h"
#include "train/rating/rating.h"

namespace makzero::train {
namespace {

// The matches of one checkpoint at its strengths, on record.
class LevelMatches {
 public:
  LevelMatches(const std::filesystem::path& checkpoint, const LevelOptions& options,
               const std::function<void(const LevelProgress&)>& progress)
      : checkpoint_(checkpoint), options_(options), progress_(progress) {
    const models::Manifest manifest = models::read_manifest(checkpoint);
    const game::Parsed<game::GamePtr> game = game::make_game(manifest.ruleset());
    if (!game) throw models::Error(checkpoint, game.why());
    game_ = *game;
    std::filesystem::create_directories(options.records);
    store_.emplace(options.records);
  }

  // See LevelFinder::Match.
  std::optional<MatchScore> play(double strong, double weak, int games) {
    const models::PlayerSpec a = player(strong), b = player(weak);
    const int played = store_->score(a.name(), b.name()).games;
    if (played < games) {
      MatchOptions match;
      match.games = games - played;
      match.opening_plies = options_.opening_plies;
      match.seed = options_.seed + played;  // Other openings than those on record.
      match.threads = options_.threads;
      match.backend = options_.backend;
      match.stop = options_.stop;
      ++matches_;
      store_->add(play_match(*game_, a, b, match, [&](const MatchProgress& now) {
                    progress_({a.name(), b.name(), matches_, now});
                  }).games);
      if (options_.stop.stop_requested()) return std::nullopt;
    }
    return store_->score(a.name(), b.name());
  }

 private:
  models::PlayerSpec player(double scale) const {
    if (scale == LevelFinder::kRandom) return {};
    const Strength strength = strength_at(scale, options_.simulations);
    return models::tower_player({checkpoint_},
                                {.nodes = strength.simulations, .temperature = strength.temperature});
  }

  const std::filesystem::path& checkpoint_;
  const LevelOptions& options_;
  const std::function<void(const LevelProgress&)>& progress_;
  game::GamePtr game_;
  std::optional<RatingStore> store_;
  int matches_ = 0;
};

const char* measure_text(LevelMeasure measure) {
  switch (measure) {
    case LevelMeasure::kRules:
      return "";
    case LevelMeasure::kMaterial:
      return ", by material";
    case LevelMeasure::kPairs:
      return ", by pairs";
  }
  return "";
}

}  // namespace

std::optional<std::vector<PlacedLevel>> measure_levels(
    const std::filesystem::path& checkpoint, const LevelOptions& options,
    const std::function<void(const LevelProgress&)>& progress) {
  LevelMatches matches(checkpoint, options, progress);
  return LevelFinder(options.games,
                     [&](double strong, double weak, int games) { return matches.play(strong, weak, games); })
      .find();
}

void write_levels(const std::filesystem::path& checkpoint, const std::vector<PlacedLevel>& levels,
                  int simulations) {
  models::Model changed = models::read_model(checkpoint);
  changed.manifest.clear_levels();
  for (const PlacedLevel& placed : levels) {
    const Strength strength = strength_at(placed.scale, simulations);
    models::Level* level = changed.manifest.add_levels();
    level->set_level(placed.level);
    level->set_simulations(strength.simulations);
    level->set_temperature(strength.temperature);
    level->set_elo(placed.elo);
    level->set_elo_low(placed.low);
    level->set_elo_high(placed.high);
  }
  models::write_model(checkpoint, changed);
}

std::string levels_table(const std::vector<PlacedLevel>& levels, int simulations) {
  std::string table = fmt::format("{:>5}  {:>11}  {:>11}  {:>5}  {:>15}  {}\n", "level", "simulations",
                                  "temperature", "Elo", "95 %", "against the one below");
  for (const PlacedLevel& placed : levels) {
    const Strength strength = strength_at(placed.scale, simulations);
    table += fmt::format("{:>5}  {:>11}  {:>11}  {:>5.0f}  {:>6.0f} .. {:>5.0f}", placed.level,
                         strength.simulations, strength.temperature, placed.elo, placed.low, placed.high);
    if (const LevelScore& score = placed.against_below; score.games > 0) {
      table += fmt::format("  {:.1f} % of {} games{}", 100 * score.score, score.games,
                           measure_text(score.measure));
    }
    table += '\n';
  }
  return table;
}

}  // namespace makzero::train
