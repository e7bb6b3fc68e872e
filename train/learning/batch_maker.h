// Makes training batches from recorded games: the one way from records to planes and targets.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <array>

#include "game/game.h"
#include "game/symmetry.h"
#include "mcts/rng.h"
#include "nn/encoder.h"
#include "nn/network.h"
#include "nn/rule_encoder.h"
#include "nn/train_batch.h"
#include "train/config.pb.h"
#include "train/replay/game_replay.h"
#include "train/replay/replay_store.h"
#include "train/replay/shard_index.h"
#include "train/self_play/game_pool.h"

namespace makzero::train {

// Learning never sees the games of the validation splits: towers' games, and those of small networks.
enum class Split { kLearning, kValidation, kSmallValidation };

// The split of a tower's game, of which small networks' games have the same share: a fixed function of its
// number.
Split split_of(std::uint64_t number, double validation_share);

// One position of a game in the window.
struct Sample {
  const GameRecord* game = nullptr;
  int ply = 0;
};

// What a batch is made of besides the sampled rows.
struct BatchOptions {
  ReplayOptions values = {};
  float q_ratio = 0;               // Share of the search value in the value target.
  double validation_share = 0.03;  // Of the games.
  bool symmetries = true;          // Show rows under a random symmetry.
  float small_row_share = 0;       // Of the rows to learn from: searched by alpha-beta.
  bool exact_endings = false;      // Values of positions that the installed endings know.
};

BatchOptions batch_options(const Config& config);

// The legal moves that a row lists, in its order: of alternatives, which share a policy index, the first.
std::vector<game::Move> listed_moves(const game::Game& rules, const game::Position& position);

// Holds the replays of the window's games. Their rows are sampled in equal shares by game of the pool. add()
// may be called by several threads; update() by one at a time, alone. The pool must outlive it.
class BatchMaker {
 public:
  BatchMaker(GamePool* pool, const BatchOptions& options);

  // What the network of the batches sees from now on. Not while add() runs.
  void set_inputs(const nn::NetworkArchitecture& architecture);

  // Replays games that are new in the windows and forgets those that left them. A record with a fault is left
  // out, and the window goes on without it. `small_window`: games of small networks.
  void update(std::span<const std::unique_ptr<GameRecord>> window,
              std::span<const std::unique_ptr<GameRecord>> small_window = {});

  // The faults that the last update() has met for the first time, each with the game's number.
  const std::vector<std::string>& faults() const { return faults_; }

  // All rows of one split in the window of the last update().
  std::vector<Sample> rows(Split split) const;

  // `count` rows of one split sampled by their weight, from the window of the last update(); none when the
  // split has no rows there.
  std::vector<Sample> sample(Split split, int count, mcts::Rng* rng) const;

  // Rules and position of a sample whose game is in the window of the last update().
  const game::Game& rules_of(const Sample& sample) const { return *entry_of(sample).rules; }
  const game::Position& position_of(const Sample& sample) const {
    return entry_of(sample).replay.plies[sample.ply].position;
  }

  // Times that it is learnt from; the rows of a game have a mean of about 1.
  float weight_of(const Sample& sample) const { return entry_of(sample).replay.plies[sample.ply].weight; }

  // Adds a row of the batch for each of these samples, whose games are in the window of the last update().
  void add(const std::vector<Sample>& samples, mcts::Rng* rng, nn::TrainBatch* batch) const;

 private:
  // A game of the window with its rules.
  struct Entry {
    game::GamePtr rules;
    GameReplay replay;
  };

  // The rules and replay of a record. Throws models::Error for one with a fault.
  Entry make_entry(const GameRecord& record);
  void add_rows(const GameRecord& record);

  // Rows by game of the pool; games without rows are left out.
  using RowsByGame = std::vector<std::vector<Sample>>;
  const RowsByGame& games_to_sample(Split split, mcts::Rng* rng) const;

  const Entry& entry_of(const Sample& sample) const { return entries_.at(key_of(*sample.game)); }

  // Its number, which is that among games of its kind.
  static std::uint64_t key_of(const GameRecord& record);

  // Writes row `row` under a symmetry of its position.
  void make_row(const Sample& sample, int row, const game::Symmetry& symmetry, nn::TrainBatch* batch) const;

  GamePool* pool_;
  BatchOptions options_;
  nn::Encoder encoder_;
  nn::RuleEncoder rule_encoder_;
  std::unordered_map<std::uint64_t, Entry> entries_;  // By key.
  std::unordered_set<std::uint64_t> left_out_;        // Keys of the window's games with a fault.
  std::vector<std::string> faults_;
  std::array<RowsByGame, 3> rows_;  // By split; to learn from: of towers.
  RowsByGame small_rows_;           // To learn from, of small networks.
};

}  // namespace makzero::train
