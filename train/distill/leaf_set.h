// Evaluated positions of one game, from the leaf logs of runs: what a small network learns from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "game/game.h"
#include "game/symmetry.h"
#include "mcts/draw_value.h"
#include "mcts/rng.h"
#include "nn/small_learner.h"
#include "train/self_play/leaf_record.h"

namespace makzero::train {

// Not thread-safe.
class LeafSet {
 public:
  // The leaves of a game in RUN/leaves of each run, the newest up to `most`; one in 64 is held out. Throws
  // models::Error where the game is unknown or no run has leaves of it.
  LeafSet(const std::string& game, std::span<const std::filesystem::path> runs, std::size_t most);

  const game::GameInfo& info() const { return rulesets_.front().rules->info(); }
  std::size_t size() const { return learnt_.size(); }
  std::size_t held_out() const { return held_out_.size(); }
  const std::string& newest_network() const { return newest_network_; }  // Whose leaves were written last.

  // Replaces the batch by `rows` random leaves, each under a random symmetry of its position.
  void sample(int rows, mcts::Rng* rng, nn::SmallBatch* batch) const;

  // Replaces it by held-out leaves, from number `first` on.
  void take_held_out(std::size_t first, int rows, nn::SmallBatch* batch) const;

 private:
  struct Ruleset {
    std::string text;
    game::GamePtr rules;
    mcts::DrawValue draw_value;  // Of `rules`.
    std::vector<float> features;
  };
  struct Row {
    Leaf leaf;
    std::uint32_t ruleset = 0;
  };

  std::uint32_t find_ruleset(const std::string& text);
  void add(const Row& row, int symmetry, nn::SmallBatch* batch) const;

  std::vector<game::Symmetry> symmetries_;  // Of the board, by their number.
  std::vector<Ruleset> rulesets_;           // The game's default first.
  std::vector<Row> learnt_, held_out_;
  std::string newest_network_;
};

}  // namespace makzero::train
