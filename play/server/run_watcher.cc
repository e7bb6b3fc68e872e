#include "play/server/run_watcher.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "models/error.h"
#include "models/file_io.h"
#include "models/model.h"
#include "models/store.h"
#include "play/json/game_json.h"
#include "play/notation/document_reader.h"
#include "play/server/shown_losses.h"
#include "train/rating/rating.h"
#include "train/run/ledger.h"
#include "train/run_folder.h"

namespace makzero::play {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// Read at a time of a long history.
constexpr std::size_t kMetricsBytes = 256 << 10;

json read_json_file(const fs::path& path) {
  try {
    return json::parse(models::read_text_file(path), nullptr, false);
  } catch (const models::Error&) {
    return json(json::value_t::discarded);
  }
}

// The value of a key; the fallback also where it is of another type.
template <class T>
T value_of(const json& object, const char* key, T fallback) {
  try {
    return object.value(key, fallback);
  } catch (const json::type_error&) {
    return fallback;
  }
}

bool process_lives(std::int64_t process) {
  return process > 0 && (kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM);
}

// A killed training leaves a status that says it works: its process is asked too.
bool is_running(const json& status) {
  const std::string phase = value_of<std::string>(status, "phase", "stopped");
  return !phase.starts_with("stopped") && process_lives(value_of<std::int64_t>(status, "process", 0));
}

train::RunRatings ratings_of(const fs::path& run) {
  try {
    return train::read_ratings(run);
  } catch (const models::Error&) {
    return {};
  }
}

json json_of(const std::vector<train::RatedNetwork>& networks) {
  json ratings = json::array();
  for (const train::RatedNetwork& rated : networks) {
    ratings.push_back(
        {{"generation", rated.generation}, {"elo", rated.elo}, {"low", rated.low}, {"high", rated.high}});
  }
  return ratings;
}

}  // namespace

std::vector<json> list_runs(const fs::path& folder) {
  std::vector<std::pair<std::int64_t, json>> runs;
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, missing)) {
    const train::RunPaths paths(entry.path());
    const json status = read_json_file(paths.status());
    if (!status.is_object()) continue;
    json run = {{"name", entry.path().filename()},
                {"game", value_of<std::string>(status, "ruleset", "")},
                {"generation", value_of<std::int64_t>(status, "generation", 0)},
                {"phase", value_of<std::string>(status, "phase", "")},
                {"running", is_running(status)}};
    if (value_of<std::int64_t>(status, "rated_generation", -1) >= 0)
      run["elo"] = value_of(status, "elo", 0.0);
    runs.emplace_back(value_of<std::int64_t>(status, "updated_unix", 0), std::move(run));
  }
  std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<json> newest_first;
  newest_first.reserve(runs.size());
  for (auto& [time, run] : runs) newest_first.push_back(std::move(run));
  return newest_first;
}

std::vector<json> list_checkpoints(const fs::path& run) {
  const std::vector<train::RatedNetwork> ratings = ratings_of(run).networks;
  const models::CheckpointStore store(train::RunPaths(run).checkpoints());
  const auto best = store.has_best() ? store.best() : std::nullopt;
  std::vector<json> checkpoints;
  for (const models::StoredCheckpoint& stored : store.list()) {
    std::error_code gone;
    const auto bytes = fs::file_size(stored.path, gone);
    if (gone) continue;
    json checkpoint = {{"id", stored.path.stem()},
                       {"generation", stored.generation},
                       {"file", stored.path.filename()},
                       {"bytes", bytes}};
    if (best && best->generation == stored.generation) checkpoint["best"] = true;
    for (const train::RatedNetwork& rated : ratings) {
      if (rated.generation != stored.generation) continue;
      checkpoint["elo"] = rated.elo;
      checkpoint["eloLow"] = rated.low;
      checkpoint["eloHigh"] = rated.high;
    }
    checkpoints.insert(checkpoints.begin(), std::move(checkpoint));
  }
  return checkpoints;
}

RunWatcher::RunWatcher(fs::path run) : run_(std::move(run)) {
  try {
    for (const auto& fault : train::ledger_faults(run_, train::LedgerDepth::kQuick))
      damage_.push_back(fault.file.lexically_relative(run_).string() + ": " + fault.what);
  } catch (const models::Error& error) {
    damage_.emplace_back(error.what());
  }
}

std::vector<RunEvent> RunWatcher::changes() {
  std::vector<RunEvent> events;
  add_metrics(&events);
  add_status(&events);
  add_ratings(&events);
  add_small_ratings(&events);
  add_game(&events);
  add_losses(&events);
  return events;
}

std::optional<RunWatcher::Stamp> RunWatcher::stamp(const fs::path& path) {
  std::error_code missing;
  const auto time = fs::last_write_time(path, missing);
  const auto size = fs::file_size(path, missing);
  if (missing) return std::nullopt;
  return Stamp{time, size};
}

// Whole lines only: the last one may be half written. A torn one of a killed process is left out.
void RunWatcher::add_metrics(std::vector<RunEvent>* events) try {
  const models::File file(train::RunPaths(run_).metrics(), models::File::Mode::kRead);
  if (file.size() < metrics_read_) metrics_read_ = 0;
  const std::string bytes = file.read(metrics_read_, kMetricsBytes);
  size_t at = 0;
  for (size_t end; (end = bytes.find('\n', at)) != std::string::npos; at = end + 1) {
    const json row = json::parse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                                 bytes.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (row.is_object()) events->push_back({"metrics", json_text(row)});
  }
  metrics_read_ += at;
} catch (const models::Error&) {  // No generation is finished yet.
}

void RunWatcher::add_status(std::vector<RunEvent>* events) {
  json status = read_json_file(train::RunPaths(run_).status());
  if (!status.is_object()) return;
  status["running"] = is_running(status);
  if (!damage_.empty()) status["damaged"] = damage_;
  std::string text = json_text(status);
  if (text == status_) return;
  status_ = text;
  ruleset_ = value_of<std::string>(status, "ruleset", "");
  events->push_back({"status", std::move(text)});
}

void RunWatcher::add_ratings(std::vector<RunEvent>* events) {
  const std::optional<Stamp> matches = stamp(run_ / "matches.mzm");
  if (matches == ratings_) return;
  ratings_ = matches;
  const train::RunRatings rated_players = ratings_of(run_);
  const json ratings = json_of(rated_players.networks);
  json ladder = json::array();
  if (ratings.empty()) return;
  for (const train::RatedPlayer& rated : rated_players.opponents)
    ladder.push_back(
        {{"player", rated.player}, {"elo", rated.elo}, {"low", rated.low}, {"high", rated.high}});
  events->push_back({"ratings", json_text(ratings)});
  events->push_back({"ladder", json_text(ladder)});
}

// Only a run of one game has them: several games have no common rating.
void RunWatcher::add_small_ratings(std::vector<RunEvent>* events) {
  const fs::path store = train::RunPaths(run_).ratings_of("small/" + ruleset_);
  const std::optional<Stamp> matches = stamp(store / "matches.mzm");
  if (matches == small_ratings_) return;
  small_ratings_ = matches;
  const json ratings = json_of(ratings_of(store).networks);
  if (!ratings.empty()) events->push_back({"smallRatings", json_text(ratings)});
}

void RunWatcher::add_game(std::vector<RunEvent>* events) try {
  fs::path newest;
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(train::RunPaths(run_).games(), missing)) {
    if (entry.path().extension() == ".txt") newest = std::max(newest, entry.path());
  }
  const std::optional<Stamp> written = stamp(newest);  // The first file grows until there is a network.
  if (newest.empty() || (newest == newest_games_ && written == newest_stamp_)) return;
  const std::optional<GameDocument> game = last_sample_game(models::read_text_file(newest));
  newest_games_ = std::move(newest);
  newest_stamp_ = written;
  if (!game) return;
  json played = played_game_json(game->game);
  played.erase("ended");
  played["result"] = game->tags.value("Result");
  played["reason"] = game->tags.value("Reason");
  events->push_back({"game", json_text(played)});
} catch (const models::Error&) {  // Tried again.
}

void RunWatcher::add_losses(std::vector<RunEvent>* events) try {
  const fs::path path = train::RunPaths(run_).losses();
  const std::optional<Stamp> written = stamp(path);
  if (written == losses_) return;
  const json losses = shown_losses(models::read_text_file(path));
  losses_ = written;
  if (!losses.is_null()) events->push_back({"losses", json_text(losses)});
} catch (const models::Error&) {  // Tried again.
}

std::optional<GameDocument> last_sample_game(const std::string& text) {
  const game::Parsed<GameDocument> read = read_document(split_games(text).back());
  if (!read || !read->fault.empty()) return std::nullopt;
  return *read;
}

}  // namespace makzero::play
