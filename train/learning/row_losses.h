// Held-out rows of largest loss: wrong targets and odd games are found among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "game/color.h"
#include "mcts/value.h"
#include "nn/learner.h"
#include "nn/train_batch.h"
#include "train/learning/batch_maker.h"

namespace makzero::train {

struct MoveShare {
  std::string move;  // As game::move_text() writes it.
  float share = 0;   // Of the probability.
};

// Distributions of a row, either those of its target or of its prediction.
struct RowDistributions {
  mcts::MoverValue value;
  std::vector<MoveShare> moves;  // The three likeliest; none where the row has no policy target.
};

// Both losses are Kullback-Leibler divergences of the prediction from the target, in nats: what the
// cross-entropies are above the entropies of their targets, which no network can learn.
struct RowLoss {
  std::string ruleset = {}, position = {};  // As game::position_text() writes it.
  game::Color mover = game::Color::kWhite;
  std::uint64_t game = 0;  // Number in the run.
  int ply = 0;
  RowDistributions target = {}, predicted = {};
  float policy = 0, value = 0;

  float total() const { return policy + value; }
};

// The rows of largest total loss among those added, each position of a game once. Not thread-safe.
class LargestLosses {
 public:
  // Up to `most` rows of batches of `maker`, which must outlive it.
  LargestLosses(const BatchMaker* maker, std::size_t most) : maker_(maker), most_(most) {}

  // `batch` holds exactly these samples, `predictions` what a network says of it.
  void add(std::span<const Sample> samples, const nn::TrainBatch& batch, const nn::Predictions& predictions);

  // The largest first.
  const std::vector<RowLoss>& rows() const { return rows_; }

 private:
  // Place for a row of this loss; false where it is not among the largest.
  bool make_room(const RowLoss& loss);

  const BatchMaker* maker_;
  std::size_t most_;
  std::vector<RowLoss> rows_;
};

}  // namespace makzero::train
