#include "play/server/run_report.h"

#include <algorithm>
#include <map>

#include "game/plain_text.h"
#include "models/error.h"
#include "models/file_io.h"
#include "play/json/game_json.h"
#include "play/server/run_watcher.h"
#include "play/web_files.h"
#include "train/rating/calibration.h"
#include "train/run_folder.h"

namespace makzero::play {
namespace {

using nlohmann::json;

constexpr double kTwoSided95 = 1.96;  // Standard errors in half an interval.
constexpr int kGames = 8;             // Spread over the generations.
constexpr int kShards = 4;            // Of games whose judgements are calibrated.

// Costs of a training, as figures of its metrics: a run without a tower has no evaluations.
constexpr const char* kEfforts[] = {"evaluations", "processor_seconds"};

// A sample game of a generation with all that a board needs; null where it cannot be read.
json sample_game(const std::filesystem::path& path) {
  const std::optional<GameDocument> game = last_sample_game(models::read_text_file(path));
  const auto generation = game::parse_number<std::int64_t>(path.stem().string());
  if (!game || !generation) return nullptr;
  return {{"generation", *generation},
          {"state", state_json(game->game)},
          {"result", game->tags.value("Result")},
          {"reason", game->tags.value("Reason")}};
}

json sample_games(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  json games = json::array();
  const int count = std::min(kGames, static_cast<int>(files.size()));
  for (int i = 0; i < count; ++i) {
    const size_t index = count == 1 ? files.size() - 1 : (files.size() - 1) * i / (count - 1);
    json game = sample_game(files[index]);
    if (!game.is_null()) games.push_back(std::move(game));
  }
  return games;
}

// Ratings as a curve over the effort of their generations, a figure of the metrics; empty where a generation
// lacks it.
std::vector<train::CurvePoint> curve_of(const json& metrics, const json& ratings, const char* effort) {
  std::map<std::int64_t, double> efforts;
  for (const json& row : metrics) {
    if (!row.contains(effort)) return {};
    efforts[row.value("generation", -1)] = row.value(effort, 0.0);
  }
  std::vector<train::CurvePoint> curve;
  for (const json& rated : ratings) {
    const auto found = efforts.find(rated.value("generation", -1));
    if (found == efforts.end() || found->second <= 0) continue;
    const double reach = (rated.value("high", 0.0) - rated.value("low", 0.0)) / 2;
    curve.push_back({found->second, rated.value("elo", 0.0), reach / kTwoSided95});
  }
  std::sort(curve.begin(), curve.end(), [](const auto& a, const auto& b) { return a.effort < b.effort; });
  return curve;
}

// {eloPerDoubling, low, high, effort, effortFor100} over the first effort that the run has, or null.
json forecast_of(const json& metrics, const json& ratings) {
  for (const char* effort : kEfforts) {
    const std::vector<train::CurvePoint> curve = curve_of(metrics, ratings, effort);
    if (curve.empty()) continue;
    const auto line = train::forecast(curve);
    if (!line) return nullptr;
    return {{"eloPerDoubling", line->elo_per_doubling},
            {"low", line->low},
            {"high", line->high},
            {"effort", effort},
            {"effortFor100", line->effort_for_100}};
  }
  return nullptr;
}

std::string web_file(std::string_view name) {
  for (const WebFile& file : web_files()) {
    if (file.name == name) return std::string(file.content);
  }
  throw models::Error("the program was built without its page: " + std::string(name) + " is missing");
}

// JSON between tags: what it says could end them.
std::string json_between_tags(const json& value) {
  std::string safe;
  for (const char letter : json_text(value)) letter == '<' ? safe += "\\u003c" : safe += letter;
  return safe;
}

}  // namespace

json run_report(const std::filesystem::path& run) {
  if (!std::filesystem::exists(train::RunPaths(run).status()))
    throw models::Error(run, "holds no run: name a folder that `makzero train` has written");
  json report = {{"name", std::filesystem::weakly_canonical(run).filename()},
                 {"metrics", json::array()},
                 {"ratings", json::array()},
                 {"smallRatings", json::array()},
                 {"ladder", json::array()},
                 {"status", json::object()},
                 {"losses", nullptr}};
  RunWatcher watcher(run);
  for (auto events = watcher.changes(); !events.empty(); events = watcher.changes()) {
    for (const RunEvent& event : events) {
      if (event.kind == "metrics") report["metrics"].push_back(json::parse(event.data));
      if (event.kind == "ratings" || event.kind == "ladder" || event.kind == "smallRatings" ||
          event.kind == "status" || event.kind == "losses")
        report[event.kind] = json::parse(event.data);
    }
  }
  report["game"] = report["status"].value("ruleset", "");
  report["games"] = sample_games(train::RunPaths(run).games());
  const train::Calibration calibration = train::calibration_of(run, kShards);
  report["moverBias"] = calibration.mover_bias();
  report["calibration"] = json::array();
  for (const train::CalibrationBin& bin : calibration.bins()) {
    report["calibration"].push_back(
        {{"predicted", bin.predicted}, {"scored", bin.scored}, {"positions", bin.positions}});
  }
  report["forecast"] = forecast_of(report["metrics"], report["ratings"]);
  return report;
}

std::string report_page(const json& report) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<title>Training report</title>\n<style>" +
         web_file("app.css") + "</style>\n</head>\n<body>\n<script type=\"application/json\" id=\"report\">" +
         json_between_tags(report) + "</script>\n<script type=\"module\">" + web_file("app.js") +
         "</script>\n</body>\n</html>\n";
}

}  // namespace makzero::play
