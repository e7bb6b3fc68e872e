// What each technique is worth: settings trained side by side under one budget of evaluations, and matches
// that compare them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "train/config.h"
#include "train/match/arena.h"

namespace makzero::train {

// One way to train that differs from the preset.
struct Setting {
  std::string name;   // "gumbel-8"; its runs are FOLDER/NAME.SEED.
  Overrides changes;  // None: the preset itself.

  // What learning.rows_per_generation of the base is multiplied by; whether the first generation is as short
  // as the others, as teachers that know nothing need no more.
  double rows = 1;
  bool short_first = false;
};

// The settings that are compared where none is named; the first is the preset itself, "base", the second
// "half", which has half the evaluations: what it loses is what a doubling gains.
const std::vector<Setting>& techniques();

struct AblationOptions {
  std::string game;  // A ruleset with options.
  std::string preset = "quick";
  std::filesystem::path folder;
  std::vector<Setting> settings;         // After techniques()[0] and [1], which are always trained.
  std::int64_t evaluations = 1'000'000;  // Of self-play per run.
  int seeds = 2;                         // Runs of each setting; run i of a setting meets run i of the base.
  int games = 100;                       // Per match.
  int simulations = 32;                  // Of both networks in a match.
  int threads = 2;                       // Of runs and matches.
  Overrides changes;                     // Of all settings.
};

// What is known of a setting, over all its seeds that are trained and matched.
struct SettingResult {
  std::string name;
  int seeds = 0;
  MatchScore score;              // Against the base at equal evaluations.
  std::vector<double> elos;      // The same by material, of each seed.
  double processor_seconds = 0;  // Of its runs, as a share of the base's.
};

// Elo by material against the base at equal evaluations: the mean over the seeds with its 95 % interval, from
// how far the seeds lie apart (Student's t): two trainings of one setting can differ by more than a game
// tells. At equal processor time, and the factor of evaluations that it is worth, from what "half" loses.
struct Worth {
  EloEstimate elo;
  bool has_interval = false;  // One seed has none.
  double elo_at_equal_time = 0, factor = 1;
};
Worth worth_of(const SettingResult& setting, const SettingResult& half);

struct AblationProgress {
  std::string setting;
  int seed = 0;
  int run = 0, runs = 0;  // Number of the training, and how many there are.
};

// Trains and matches what FOLDER does not hold yet, and returns what it holds then, in the order of the
// settings. FOLDER/table.md says it for people after every match. Stopped in the middle it goes on where it
// was. Throws models::Error and UsageError.
std::vector<SettingResult> ablate(const AblationOptions& options, const std::stop_token& stop,
                                  const std::function<void(const AblationProgress&)>& progress);

// A Markdown table of all settings.
std::string ablation_table(const std::vector<SettingResult>& results);

}  // namespace makzero::train
