// Who plays a match: made in code, or read from what a person writes.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "game/parsed.h"
#include "train/match/engine_settings.h"

namespace makzero::train {

struct PlayerSpec {
  struct Random {};
  struct Greedy {};
  struct AlphaBeta {
    int depth = 0;  // Plies; 0 with a time.
  };
  struct Rollout {
    int simulations = 0;  // Random games per move; 0 with a time.
  };
  struct Material {
    int simulations = 0;  // With mcts::MaterialEvaluator; 0 with a time.
  };
  struct Network {
    std::filesystem::path checkpoint;
    int simulations = 64;   // 0 with a time.
    float temperature = 0;  // Of sampled moves (mcts::sample_move); 0 = the best.
    std::optional<float> material =
        {};                       // Weight of the material evaluator, if not the checkpoint's; 0 = alone.
    std::string id = {};          // network_player() fills in these two.
    std::int64_t generation = 0;  // In its run.
  };

  struct Small {
    std::filesystem::path file;
    int depth = 8;  // Plies; 0 with a time.
  };

  using Kind =
      std::variant<Random, Greedy, AlphaBeta, Rollout, Material, Network, Small, UciSettings, XboardSettings>;

  Kind kind;
  std::optional<std::chrono::milliseconds> time;  // Processor time per move, instead of a depth or a number.
  std::string name = "random";  // The same for the same player: "alphabeta:3", of a network network_name().

  const Network* network() const { return std::get_if<Network>(&kind); }
  // It plays one game after the other: by time, or as an engine that remembers its game.
  bool one_game_at_a_time() const { return time || std::holds_alternative<UciSettings>(kind); }
  std::int64_t generation() const { return network() ? network()->generation : -1; }
};

// Reads a player: random, greedy, alphabeta:DEPTH, rollout:N, material:N, CHECKPOINT[:STRENGTH],
// SMALL[:DEPTH], uci:COMMAND, xboard:COMMAND, each with options behind a '?'. CHECKPOINT is a file, a run
// folder (its latest), "latest" or the number of a generation, both looked up in `run` (a run folder), or
// "zoo": the zoo's network for `ruleset`. SMALL is the file of a small network, or "small": the zoo's.
// STRENGTH is SIMULATIONS, SIMULATIONS@TEMPERATURE or level=N, a level that the checkpoint was measured at,
// or of the zoo's families their games' networks (models::Zoo::levels_of); without it a network searches 64
// simulations. The option ms=N, of every player, gives N milliseconds of processor time per move in place of
// a strength; material=W, of a network, blends the material evaluator into its searches with that weight
// instead of Manifest::material_blend_weight, and 0 (or "alone") is the network alone.
game::Parsed<PlayerSpec> parse_player(const std::string& text, const std::filesystem::path& run,
                                      const std::string& ruleset = "");

// The network of a checkpoint file, by its simulations or by time. Throws models::Error where the file cannot
// be read or a number is out of range.
PlayerSpec network_player(PlayerSpec::Network network, std::optional<std::chrono::milliseconds> time = {});

// "ID:SIMULATIONS", with a temperature "ID:SIMULATIONS@TEMPERATURE", either with "+material=SHARE" where the
// material evaluator is blended in with that weight.
std::string network_name(const std::string& id, int simulations, float temperature,
                         float material_blend_weight);

// "ID?ms=100", "ID+material=SHARE?ms=100": the same of a network that plays by time.
std::string network_name(const std::string& id, std::chrono::milliseconds time, float material_blend_weight);

}  // namespace makzero::train
