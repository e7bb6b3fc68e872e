#include "train/run/ablation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

#include "game/catalog.h"
#include "models/error.h"
#include "models/framed_file.h"
#include "models/store.h"
#include "train/rating/rating.h"
#include "train/run/start_training.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

// By material: a drawn game goes to the side with more of it. Half a game more on either side keeps it
// finite.
double elo_by_material(const MatchScore& score) {
  return elo_of_score((score.material_wins + 0.5 * score.material_draws + 0.5) / (score.games + 1));
}

// How many standard errors the 95 % interval of a mean of so many values reaches to either side.
double student_quantile(size_t count) {
  static constexpr double kQuantiles[] = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26};
  return count - 2 < std::size(kQuantiles) ? kQuantiles[count - 2] : 2.2;
}

EloEstimate mean_of(const std::vector<double>& elos) {
  const auto count = static_cast<double>(elos.size());
  const double mean = std::accumulate(elos.begin(), elos.end(), 0.0) / count;
  if (elos.size() < 2) return {mean, mean, mean};
  double squares = 0;
  for (const double elo : elos) squares += (elo - mean) * (elo - mean);
  const double reach = student_quantile(elos.size()) * std::sqrt(squares / (count - 1) / count);
  return {mean, mean - reach, mean + reach};
}

MatchScore sum(const MatchScore& a, const MatchScore& b) {
  MatchScore sum = a;
  sum.games += b.games;
  sum.wins += b.wins;
  sum.draws += b.draws;
  sum.losses += b.losses;
  sum.material_wins += b.material_wins;
  sum.material_draws += b.material_draws;
  sum.pairs += b.pairs;
  sum.pair_wins += b.pair_wins;
  sum.pair_draws += b.pair_draws;
  if (sum.games == 0) return sum;
  const double share = static_cast<double>(b.games) / sum.games;
  sum.captures_per_game += share * (b.captures_per_game - a.captures_per_game);
  sum.plies_per_game += share * (b.plies_per_game - a.plies_per_game);
  return sum;
}

// The runs and matches of one folder.
class AblationRun {
 public:
  AblationRun(const AblationOptions& options, const std::stop_token& stop,
              const std::function<void(const AblationProgress&)>& progress)
      : options_(options),
        stop_(stop),
        progress_(progress),
        settings_({techniques()[0], techniques()[1]}),
        lock_(options.folder),
        store_(options.folder) {
    const game::Parsed<game::GamePtr> game = game::make_game(options.game);
    if (!game) throw UsageError(game.why());
    game_ = *game;
    for (const Setting& setting : options.settings) {
      if (!config_changes(config_of(settings_[0], 1), config_of(setting, 1)).empty())
        settings_.push_back(setting);
    }
    results_.resize(settings_.size());
    for (size_t i = 0; i < settings_.size(); ++i) results_[i].name = settings_[i].name;
  }

  std::vector<SettingResult> run() {
    for (int seed = 1; seed <= options_.seeds; ++seed) {
      std::optional<Trained> base;
      for (size_t i = 0; i < settings_.size(); ++i) {
        progress_({settings_[i].name, seed, run_++, static_cast<int>(settings_.size()) * options_.seeds});
        const std::optional<Trained> trained = train(settings_[i], seed);
        if (!trained) return results_;
        if (i == 0) base = trained;
        if (!compare(*trained, *base, seed, &results_[i])) return results_;
        models::write_text_file(options_.folder / "table.md", ablation_table(results_));
      }
    }
    return results_;
  }

 private:
  struct Trained {
    std::filesystem::path checkpoint;
    double processor_seconds = 0;
  };

  Overrides overrides_of(const Setting& setting, int seed) const {
    Overrides overrides = options_.changes;
    overrides.insert(overrides.end(), setting.changes.begin(), setting.changes.end());
    if (setting.rows != 1 || setting.short_first) {
      const auto rows = std::to_string(
          std::lround(setting.rows * config_of(options_.changes).learning().rows_per_generation()));
      overrides.emplace_back("learning.rows_per_generation", rows);
      if (setting.short_first) overrides.emplace_back("learning.bootstrap_rows", rows);
    }
    const std::int64_t budget = setting.name == "half" ? options_.evaluations / 2 : options_.evaluations;
    overrides.emplace_back("evaluations", std::to_string(budget));
    overrides.emplace_back("seed", std::to_string(seed));
    overrides.emplace_back("threads", std::to_string(options_.threads));
    overrides.emplace_back("rating.time_share", "0");
    return overrides;
  }

  Config config_of(const Overrides& overrides) const {
    const game::Parsed<Config> preset = preset_config(options_.preset, game_->info().ruleset);
    if (!preset) throw UsageError(preset.why());
    const game::Parsed<Config> config = override_config(*preset, overrides);
    if (!config) throw UsageError(config.why());
    return *config;
  }

  Config config_of(const Setting& setting, int seed) const { return config_of(overrides_of(setting, seed)); }

  // None when stopped before the budget was used up.
  std::optional<Trained> train(const Setting& setting, int seed) const {
    const Config config = config_of(setting, seed);
    TrainRequest request;
    request.game = options_.game;
    request.preset = options_.preset;
    request.run = options_.folder / fmt::format("{}.{}", setting.name, seed);
    request.overrides = overrides_of(setting, seed);
    require_equal(config, RunPaths(request.run));
    run_training(request, stop_);
    const std::int64_t budget = config.evaluations();
    const auto latest = models::CheckpointStore(RunPaths(request.run).checkpoints()).latest();
    const models::Manifest manifest = models::read_manifest(latest->path);
    if (manifest.evaluations() < budget) return std::nullopt;
    return Trained{latest->path, manifest.processor_seconds()};
  }

  // Runs under different settings must not be compared.
  static void require_equal(const Config& config, const RunPaths& run) {
    if (!std::filesystem::exists(run.config())) return;
    const std::vector<std::string> changes = config_changes(read_config(run.config()), config);
    if (changes.empty()) return;
    throw models::Error(run.root,
                        fmt::format("was trained with other settings ({}); use another folder (--dir)",
                                    fmt::join(changes, ", ")));
  }

  // Plays what is missing of the match, and adds it up. False when stopped.
  bool compare(const Trained& trained, const Trained& base, int seed, SettingResult* result) {
    result->processor_seconds +=
        (trained.processor_seconds / base.processor_seconds - result->processor_seconds) / seed;
    result->seeds = seed;
    if (trained.checkpoint == base.checkpoint) return true;
    const PlayerSpec a = player(trained), b = player(base);
    const int played = store_.score(a.name, b.name).games;
    if (played < options_.games) {
      MatchOptions match;
      match.games = options_.games - played;
      match.seed = static_cast<std::uint64_t>(seed) * 1'000'003 + played;
      match.threads = options_.threads;
      match.stop = stop_;
      store_.add(play_match(*game_, a, b, match, {}).games);
    }
    const MatchScore score = store_.score(a.name, b.name);
    result->score = sum(result->score, score);
    result->elos.push_back(elo_by_material(score));
    return !stop_.stop_requested();
  }

  PlayerSpec player(const Trained& trained) const {
    return network_player(
        {.checkpoint = trained.checkpoint, .simulations = options_.simulations, .material = 0});
  }

  const AblationOptions& options_;
  const std::stop_token stop_;
  const std::function<void(const AblationProgress&)>& progress_;
  game::GamePtr game_;
  std::vector<Setting> settings_;
  std::vector<SettingResult> results_;
  RunLock lock_;
  RatingStore store_;
  int run_ = 1;
};

}  // namespace

Worth worth_of(const SettingResult& setting, const SettingResult& half) {
  Worth worth;
  if (setting.elos.empty()) return worth;
  worth.elo = mean_of(setting.elos);
  worth.has_interval = setting.elos.size() > 1;
  const double doubling = half.elos.empty() ? 0 : -mean_of(half.elos).elo;
  worth.elo_at_equal_time = worth.elo.elo - doubling * std::log2(setting.processor_seconds);
  if (doubling > 0) worth.factor = std::exp2(worth.elo.elo / doubling);
  return worth;
}

std::vector<SettingResult> ablate(const AblationOptions& options, const std::stop_token& stop,
                                  const std::function<void(const AblationProgress&)>& progress) {
  return AblationRun(options, stop, progress).run();
}

std::string ablation_table(const std::vector<SettingResult>& results) {
  std::string text =
      "| setting | seeds | games | Elo by material | 95 % | processor time | Elo at equal time | worth "
      "evaluations | "
      "Elo by the rules | captures a game | decided |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const SettingResult& result : results) {
    if (result.seeds == 0) continue;
    const MatchScore& score = result.score;
    if (score.games == 0) {
      text += fmt::format("| {} | {} | | 0 | | x{:.2f} | 0 | x1 | 0 | | |\n", result.name, result.seeds,
                          result.processor_seconds);
      continue;
    }
    const Worth worth = worth_of(result, results[1]);
    const std::string interval =
        worth.has_interval ? fmt::format("{:+.0f} to {:+.0f}", worth.elo.low, worth.elo.high) : "one seed";
    const double by_rules = elo_of_score((score.wins + 0.5 * score.draws + 0.5) / (score.games + 1));
    text += fmt::format(
        "| {} | {} | {} | {:+.0f} | {} | x{:.2f} | {:+.0f} | x{:.2f} | {:+.0f} | {:.1f} | "
        "{:.0f} % |\n",
        result.name, result.seeds, score.games, worth.elo.elo, interval, result.processor_seconds,
        worth.elo_at_equal_time, worth.factor, by_rules, score.captures_per_game,
        100 * score.decisive_share());
  }
  return text;
}

}  // namespace makzero::train
