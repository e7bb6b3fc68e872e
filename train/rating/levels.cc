#include "train/rating/levels.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "models/error.h"
#include "models/model.h"
#include "train/rating/rating.h"

namespace makzero::train {
namespace {

// The matches of one player at its strengths, on record.
class LevelMatches {
 public:
  LevelMatches(const game::Game& game, const models::PlayerSpec& player, const LevelOptions& options,
               const ShowProgress& progress)
      : game_(game), player_(player), options_(options), progress_(progress) {
    std::filesystem::create_directories(options.records);
    store_.emplace(options.records);
  }

  // See LevelFinder::Match.
  std::optional<MatchScore> play(double strong, double weak, int games) {
    const models::PlayerSpec a = player(strong), b = player(weak);
    const int played = store_->score(a.name(), b.name()).games;
    if (played < games) {
      MatchOptions match = options_.match;
      match.games = games - played;
      match.seed += played;  // Other openings than those on record.
      ++matches_;
      const std::string what = fmt::format("match {}: {} v {}", matches_, a.name(), b.name());
      store_->add(play_match(game_, a, b, match, [&](const MatchProgress& now) {
                    progress_({what, now.score.games, now.games, now.seconds_left});
                  }).games);
      if (options_.match.stop.stop_requested()) return std::nullopt;
    }
    return store_->score(a.name(), b.name());
  }

 private:
  models::PlayerSpec player(double scale) const {
    if (scale == LevelFinder::kRandom) return {models::PlayerSpec::BuiltIn{"random"}, {}};
    const Strength strength = strength_at(scale, options_.nodes);
    return {player_.kind, {.nodes = strength.nodes, .temperature = strength.temperature}};
  }

  const game::Game& game_;
  const models::PlayerSpec& player_;
  const LevelOptions& options_;
  const ShowProgress& progress_;
  std::optional<RatingStore> store_;
  int matches_ = 0;
};

const char* measure_text(LevelMeasure measure) {
  switch (measure) {
    case LevelMeasure::kRules:
      return "";
    case LevelMeasure::kBoth:
      return ", partly by material";
    case LevelMeasure::kMaterial:
      return ", by material";
    case LevelMeasure::kPairs:
      return ", by pairs";
  }
  return "";
}

}  // namespace

std::optional<std::vector<PlacedLevel>> measure_levels(const game::Game& game,
                                                       const models::PlayerSpec& player,
                                                       const LevelOptions& options,
                                                       const ShowProgress& progress) {
  LevelMatches matches(game, player, options, progress);
  return LevelFinder(options.match.games,
                     [&](double strong, double weak, int games) { return matches.play(strong, weak, games); })
      .find();
}

void write_levels(const models::PlayerSpec& player, const std::vector<PlacedLevel>& levels, int nodes) {
  const auto* small = std::get_if<models::PlayerSpec::Small>(&player.kind);
  const std::filesystem::path& file = small ? small->file : player.tower()->file;
  google::protobuf::RepeatedPtrField<models::Level> measured;
  for (const PlacedLevel& placed : levels) {
    const Strength strength = strength_at(placed.scale, nodes);
    models::Level* level = measured.Add();
    level->set_level(placed.level);
    level->set_nodes(strength.nodes);
    level->set_temperature(strength.temperature);
    level->set_elo(placed.elo);
    level->set_elo_low(placed.low);
    level->set_elo_high(placed.high);
  }
  models::Model model = models::read_model(file);
  models::ModelCard* card = model.card ? &*model.card : nullptr;
  if (small) {
    for (models::SmallNetworkEntry& entry : *model.manifest.mutable_small_networks())
      if (entry.id() == small->id) *entry.mutable_levels() = measured;
    if (card) {
      for (models::SmallNetworkFacts& facts : *card->mutable_small_networks())
        if (facts.network() == small->id) *facts.mutable_levels() = measured;
    }
  } else {
    if (card) *card->mutable_tower()->mutable_levels() = measured;
    *model.manifest.mutable_levels() = std::move(measured);
  }
  models::write_model(file, model);
}

std::string levels_table(const std::vector<PlacedLevel>& levels, int nodes) {
  std::string table = fmt::format("{:>5}  {:>11}  {:>11}  {:>5}  {:>15}  {}\n", "level", "positions",
                                  "temperature", "Elo", "95 %", "against the one below");
  for (const PlacedLevel& placed : levels) {
    const Strength strength = strength_at(placed.scale, nodes);
    table += fmt::format("{:>5}  {:>11}  {:>11}  {:>5.0f}  {:>6.0f} .. {:>5.0f}", placed.level,
                         strength.nodes, strength.temperature, placed.elo, placed.low, placed.high);
    if (const LevelScore& score = placed.against_below; score.games > 0) {
      table += fmt::format("  {:.1f} % of {} games{}", 100 * score.score, score.games,
                           measure_text(score.measure));
    }
    table += '\n';
  }
  return table;
}

}  // namespace makzero::train
