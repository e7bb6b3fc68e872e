// Makes training batches from recorded games: the one way from records to planes and targets.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "game/game.h"
#include "game/symmetry.h"
#include "mcts/rng.h"
#include "nn/encoder.h"
#include "nn/learner.h"
#include "nn/network_architecture.h"
#include "train/config.pb.h"
#include "train/game_replay.h"
#include "train/replay_store.h"

namespace makzero::train {

// Learning never sees the games of the validation split.
enum class Split { kLearning, kValidation };

// The split of a game: a fixed function of its number.
Split split_of(std::uint64_t number, double validation_share);

// What a batch is made of besides the sampled rows.
struct BatchOptions {
  ReplayOptions values = {};
  float q_ratio = 0;               // Share of the search value in the value target.
  double validation_share = 0.03;  // Of the games.
  bool symmetries = true;          // Show rows under a random symmetry.
};

BatchOptions batch_options(const Config& config);

// Holds the replays of the window's games. add() may be called by several threads; update() by one at a
// time, alone. The game must outlive it.
class BatchMaker {
 public:
  // With the planes that a new network of the game sees.
  BatchMaker(const game::Game& game, const BatchOptions& options);

  // The network that the batches are for from now on: its planes and rule features. Not while add() runs.
  void set_inputs(const nn::NetworkArchitecture& architecture);

  // Replays games that are new in the window and forgets those that left it. Throws models::Error for a
  // record that does not fit the rules.
  void update(const ReplayStore& store);

  // `count` rows of one split drawn by their weight from the window; none when the split has no rows there.
  std::vector<Sample> draw(const ReplayStore& store, Split split, int count, mcts::Rng* rng) const;

  // Adds a row of the batch for each of these samples, whose games are in the window of the last update().
  void add(const std::vector<Sample>& samples, mcts::Rng* rng, nn::TrainBatch* batch) const;

 private:
  float weight(const Sample& sample) const {
    return replays_.at(sample.game->number()).plies[sample.ply].weight;
  }

  // Writes row `row` under a symmetry of its position.
  void make_row(const Sample& sample, int row, const game::Symmetry& symmetry, nn::TrainBatch* batch) const;
  void add_policy(const PlyRecord& played, const game::Position& position, const game::Symmetry& symmetry,
                  nn::TrainBatch* batch) const;
  void mark_survival(const ReplayedPly& ply, const game::Symmetry& symmetry, size_t row,
                     nn::TrainBatch* batch) const;

  const game::Game& game_;
  BatchOptions options_;
  nn::Encoder encoder_;
  std::vector<float> rule_features_;  // The game's, as the network sees them: equal in all rows.
  std::vector<game::Symmetry> symmetries_;
  std::unordered_map<std::uint64_t, GameReplay> replays_;  // By game number.
  bool has_rows_[2] = {};                                  // By split.
};

}  // namespace makzero::train
