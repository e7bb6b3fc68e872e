// A training run of seconds: a tiny network, short games, small generations.
#pragma once

#include <cstdlib>

#include "train/config.h"

namespace makzero::train {

// On the device MAKZERO_TEST_DEVICE, or the CPU.
inline Overrides tiny_run() {
  const char* device = std::getenv("MAKZERO_TEST_DEVICE");
  return {{"device", device ? device : "cpu"},
          {"network.blocks", "1"},
          {"network.channels", "8"},
          {"network.attention", "8"},
          {"network.hidden", "8"},
          {"threads", "1"},
          {"self_play.small_share", "0"},
          {"self_play.simulations", "4"},
          {"self_play.bootstrap_evaluator", "MATERIAL"},
          {"self_play.bootstrap_simulations", "4"},
          {"self_play.games_per_thread", "8"},
          {"self_play.max_game_length", "24"},
          {"rulesets.material_result_share", "0"},
          {"learning.bootstrap_rows", "200"},
          {"learning.rows_per_generation", "200"},
          {"learning.batch", "32"},
          {"learning.replay_ratio", "1"},
          {"replay.games_per_shard", "20"},
          {"replay.validation_share", "0.2"}};
}

}  // namespace makzero::train
