#include "train/run/run_games.h"

#include <algorithm>
#include <utility>

#include "train/config.h"
#include "train/replay/shard_index.h"

namespace makzero::train {

RunGames::RunGames(const Config& config, const RunPaths& paths, bool from_workers)
    : config_(config),
      folders_{paths.replay(), paths.small_replay()},
      tower_(folders_[0], config.replay().games_per_shard(), 0),
      small_(folders_[1], config.replay().games_per_shard(), 0),
      from_workers_(from_workers) {
  small_.set_most_rows(0);
}

void RunGames::add(GameRecord record) {
  ReplayStore& store = is_small_game(record) ? small_ : tower_;
  record.set_number(store.next_number());
  store.add(std::move(record));
}

void RunGames::sync() {
  tower_.sync();
  small_.sync();
}

// Workers may send more than a window while the network learns. A tower that learns from games of small
// networks has as many of their rows as of its own.
void RunGames::update_window() {
  const std::int64_t rows = window_size(config_.replay(), tower_.rows());
  tower_.set_window(rows);
  if (from_workers_) tower_.set_most_rows(2 * rows);
  if (!trains_tower(config_) || small_row_share(config_) == 0) return;
  small_.set_window(rows);
  small_.set_most_rows(2 * rows);
}

// A generation may have more rows than the window. Behind its games may stand those of the next one, of a
// process that was killed while it learnt.
void RunGames::for_each_of(std::int64_t generation, const std::function<void(const GameRecord&)>& use) const {
  for (const std::filesystem::path& folder : folders_) {
    const std::vector<Shard> shards = list_shards(folder);
    bool is_older = false;
    for (auto shard = shards.rbegin(); shard != shards.rend() && !is_older; ++shard) {
      models::Recovery recovery;
      for (const auto& record : read_shard(shard->path, &recovery)) {
        if (record->generation() == generation) use(*record);
        is_older = is_older || record->generation() < generation;
      }
    }
  }
}

WorkerMarks RunGames::marks() const {
  WorkerMarks marks = tower_.marks();
  for (const auto& [worker, sequence] : small_.marks()) marks[worker] = std::max(marks[worker], sequence);
  return marks;
}

std::vector<ShardIndex> RunGames::indices() const { return {tower_.index(), small_.index()}; }

std::vector<std::string> RunGames::warnings() const {
  std::vector<std::string> warnings = tower_.warnings();
  warnings.insert(warnings.end(), small_.warnings().begin(), small_.warnings().end());
  return warnings;
}

std::vector<std::filesystem::path> RunGames::delete_oldest() {
  static constexpr double kGigabyte = 1e9;
  const ReplayConfig& replay = config_.replay();
  if (replay.gigabytes() == 0) return {};
  const auto most = static_cast<std::uint64_t>(replay.gigabytes() * kGigabyte);
  std::vector<std::filesystem::path> files = tower_.delete_oldest(most, replay.maximum_window());
  std::vector<std::filesystem::path> small = small_.delete_oldest(most, replay.small_window());
  files.insert(files.end(), small.begin(), small.end());
  return files;
}

}  // namespace makzero::train
