// What tests of the hub share: games of workers and a trainer's shards as their sink.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/train/small_run.h"
#include "train/hub/intake.h"
#include "train/replay/record_check.h"
#include "train/replay/replay_store.h"

namespace makzero::train {

// Game number `number` as a worker has it before it is spooled: with a fault in every seventh, if wanted.
inline GameRecord worker_game(std::uint64_t number, bool with_faults = false) {
  GameRecord game = random_game(number, 4);
  game.set_number(0);
  game.set_seed(number);
  game.set_network_generation(3);
  if (with_faults && number % 7 == 3) game.mutable_plies(1)->set_white(-1);
  return game;
}

// The bytes of a record without what the trainer fills in.
inline std::string bytes_of_worker(GameRecord record) {
  record.clear_number();
  record.clear_generation();
  return record.SerializeAsString();
}

// Shards in a folder; `step` is called before and after each operation and may throw.
class ShardSink : public GameSink {
 public:
  ShardSink(const std::filesystem::path& folder, int games_per_shard)
      : folder_(folder), store_(folder, games_per_shard, 0) {
    note_synced();  // Opening syncs what is there.
  }

  std::function<void()> step = [] {};

  std::optional<std::string> find_fault(const GameRecord& record) override {
    return find_field_fault(record);
  }

  void keep(GameRecord record) override {
    step();
    record.set_number(store_.next_number());
    record.set_generation(5);
    store_.add(std::move(record));
    step();
  }

  void sync() override {
    step();
    store_.sync();
    note_synced();
    step();
  }

  void refuse(const RefusedGame& game) override {
    refused.push_back(game.delivery.game.worker + ": " + game.why);
  }

  ReplayStore& store() { return store_; }

  std::vector<std::string> refused;
  Shard synced;  // The newest one and how much of it is on the disk.

 private:
  void note_synced() {
    const std::vector<Shard> shards = list_shards(folder_);
    if (!shards.empty()) synced = shards.back();
  }

  std::filesystem::path folder_;
  ReplayStore store_;
};

}  // namespace makzero::train
