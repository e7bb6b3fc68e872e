// Reads configurations: presets, the run's file and flags merged into one checked message.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/parsed.h"
#include "nn/backend.h"
#include "train/config.pb.h"
#include "train/rate_schedule.h"

namespace makzero::train {

// Keys with dots and their values, in the order of the command line: {"self_play.simulations", "32"}.
using Overrides = std::vector<std::pair<std::string, std::string>>;

// The preset's configuration for a ruleset, every field filled in. A failure lists the presets.
game::Parsed<Config> preset_config(std::string_view preset, std::string_view ruleset);

// Reads a text; former names of keys are read as their present ones. `source` names it in messages:
// "quick.textproto:3:14: unknown key 'simulatons' (did you mean 'simulations'?)". Deleted keys are skipped;
// `unused` receives a sentence for each whose value differs from what the program does without it.
game::Parsed<Config> parse_config(std::string_view text, std::string_view source,
                                  std::vector<std::string>* unused = nullptr);

// The configuration in the file of a run. Throws models::Error with the repair where it is damaged, as an
// empty one is.
Config read_config(const std::filesystem::path& file, std::vector<std::string>* unused = nullptr);

// The configuration with flags on top. Unknown keys, values of the wrong type and values out of range are all
// named, and so is every fault of the schedule of the learning rate.
game::Parsed<Config> override_config(Config config, const Overrides& overrides);

// Every key with dots: "seed", "network.blocks", ...
std::vector<std::string> config_keys();

// A key as people read it.
struct SettingRow {
  std::string key;
  std::string standard;  // The value where neither preset nor flag says another.
  std::string values;    // "1 to 100", "GUMBEL, PUCT"; empty where any text or number will do.
  std::string meaning;   // A sentence.
};

// All keys, in the order of the schema.
std::vector<SettingRow> setting_rows();

// The present name of a key that has been renamed; any other text as it is.
std::string present_key(const std::string& key);

// The value of a key as text. REQUIRES: the key is one of config_keys().
std::string config_value(const Config& config, const std::string& key);

// Threads of a run in this process; one where it is deterministic.
int thread_count(const Config& config);

// How networks are evaluated on that device, one of the configuration's or all of them. REQUIRES: the
// configuration was checked by override_config().
nn::Backend backend_of(const Config& config, const std::string& device);

// False where small networks play and learn alone (self_play.small_share=1).
bool trains_tower(const Config& config);

// Share of a tower's rows that are of small networks' games; 0 where these play none.
float small_row_share(const Config& config);

// The steps of the learning rate. REQUIRES: the same.
RateSchedule schedule_of(const Config& config);

// The configuration as text that parse_config() reads back, every key listed.
std::string config_text(const Config& config);

// What differs and cannot change within a run: one reason each, with how to repair it. Empty when `wanted`
// may continue `stored`.
std::vector<std::string> incompatible_changes(const Config& stored, const Config& wanted);

// The command that begins a run with this configuration.
std::string command_of(const Config& config);

// "self_play.simulations: 16 -> 32" for every key that differs.
std::vector<std::string> config_changes(const Config& from, const Config& to);

}  // namespace makzero::train
