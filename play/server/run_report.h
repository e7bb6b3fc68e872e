// A training as one file for people: makzero report.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace makzero::play {

// {name, game, metrics: [..], ratings: [..], smallRatings: [..], status, losses (shown_losses.h) or null,
// games: [{generation, state, result, reason}], calibration: [{predicted, scored, positions}], forecast:
// {eloPerDoubling, low, high, effort, effortFor100} or null}: what a run has left so far. `state` is the
// game's end as state_json() tells it, whose history shows it move by move; `effort` is "evaluations" or
// "processor_seconds". Throws models::Error where the folder holds no run.
nlohmann::json run_report(const std::filesystem::path& run);

// The page that shows it, in one file that needs no other.
std::string report_page(const nlohmann::json& report);

}  // namespace makzero::play
