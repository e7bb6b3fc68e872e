// Baselines of the zoo for the games of a run, by which its networks are measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "game/game.h"
#include "models/zoo.h"
#include "nn/network.h"
#include "train/config.pb.h"
#include "train/rating/baseline.h"
#include "train/self_play/game_pool.h"

namespace makzero::train {

// Of those games that are played by the rules of a game's default ruleset, limits aside. Configuration must
// outlive it.
class RunBaselines {
 public:
  RunBaselines(const GamePool& pool, const Config& config, const models::Zoo& zoo);

  // The network alone on the run's first device, a mean over the games; none where no game has a baseline.
  std::optional<BaselineFigures> compare(const nn::Network& network) const;

  // Files that cannot be read.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  struct Entry {
    game::GamePtr game;
    Baseline baseline;
  };

  const Config& config_;
  std::vector<Entry> entries_;
  std::vector<std::string> warnings_;
};

}  // namespace makzero::train
