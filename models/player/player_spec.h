// Player as a value: who plays, and how strongly. Made in code, or read from the text that a person writes.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "game/parsed.h"
#include "models/player/engine_settings.h"

namespace makzero::models {

// Limits of a player's searches that have no other: at most one of the first three is set.
struct Strength {
  std::optional<std::int64_t> nodes = {};  // Simulations of a tree search, positions of alpha-beta.
  std::optional<int> depth = {};           // Plies of alpha-beta.
  std::optional<std::chrono::milliseconds> time = {};  // Processor time per move.
  float temperature = 0;                               // Of mcts::sample_move(); 0 = the best move.

  bool limited() const { return nodes || depth || time; }
};

struct PlayerSpec {
  // One of built_in_players(), which need no file.
  struct BuiltIn {
    std::string_view name;  // The text of its row.
  };

  // Alpha-beta with a small network.
  struct Small {
    std::filesystem::path file;
    std::string id = {};                 // small_player() fills it in.
    std::filesystem::path options = {};  // A file of mcts::AlphaBetaOptions that differ; none: empty.
    std::int64_t generation = -1;        // Of a rated checkpoint in its run; -1: of none.
  };

  // A tree search with the tower of a checkpoint.
  struct Tower {
    std::filesystem::path file;
    std::string id = {};               // tower_player() fills it in.
    std::int64_t generation = 0;       // In its run, likewise.
    std::optional<Small> second = {};  // It may refute the tower's moves (mcts/second_opinion.h).
  };

  std::variant<BuiltIn, Tower, Small, UciSettings, XboardSettings> kind = BuiltIn{"alphabeta"};
  Strength strength = {};
  std::optional<bool> endings =
      {};  // Installed tables of a network's searches; none: PlayerOptions::endings.

  const Tower* tower() const { return std::get_if<Tower>(&kind); }
  std::int64_t generation() const;  // -1: it is no checkpoint of a run.

  // A number behind its name is a depth of alpha-beta, simulations of a tree, or refused.
  enum class Search { kNone, kAlphaBeta, kTree };
  Search search() const;
  bool by_tree() const { return search() == Search::kTree; }
  bool by_alpha_beta() const { return search() == Search::kAlphaBeta; }

  // True if a search, its own or that of another program, finds its moves.
  bool searches() const { return is_engine() || search() != Search::kNone; }

  // True if its searches share the batches of an evaluator.
  bool shares_batches() const;
  // The program of others that plays; null: none does.
  const EngineSettings* engine() const {
    if (const auto* uci = std::get_if<UciSettings>(&kind)) return uci;
    return std::get_if<XboardSettings>(&kind);
  }
  bool is_engine() const { return engine() != nullptr; }

  // True if it has a limit of its own, which ends its searches.
  bool limited() const { return strength.limited() || (is_engine() && engine()->limited); }

  // True if it plays one game after the other: by time, or as an engine that remembers its game.
  bool one_game_at_a_time() const { return strength.time || std::holds_alternative<UciSettings>(kind); }

  // The same text for the same player: "alphabeta:3", "4f2a91c03b7e:64@0.5",
  // "small-4f2a91c03b7e?ms=100". Records of matches and ratings name players by it.
  std::string name() const;
};

// Simulations of a tower, and plies of a small network's search, in matches where nobody says how many.
inline constexpr int kMatchSimulations = 64, kSmallMatchDepth = 8;

// Limits a player that has no strength of its own: a tree to so many simulations, alpha-beta to its usual
// depth.
PlayerSpec with_default_strength(PlayerSpec player, std::int64_t simulations);

// Limits a player that searches and has no limit of its own to so much time a move.
PlayerSpec with_default_time(PlayerSpec player, std::chrono::milliseconds time);

// Where the names of networks are looked up.
struct PlayerPlaces {
  std::filesystem::path run = {};  // Of "latest", "best" and numbers of generations.
  std::string ruleset = {};        // Of "zoo", "small", "auto" and levels.
  std::string device = "cpu";      // That it is to play on: of "auto" and of files with two networks.
};

// Reads a player, NAME[:STRENGTH][?KEY=VALUE&...]; see player_help(). Failures name the text.
game::Parsed<PlayerSpec> parse_player(const std::string& text, const PlayerPlaces& places);

// The player of that text, or where it is empty the automatic choice. Throws Error where there is none.
PlayerSpec choose_player(const std::string& text, const PlayerPlaces& places);

// The grammar, for --help and messages.
std::string player_help();

// The tower of a model, its small network of the ruleset's game (of an empty ruleset the first). Throw
// models::Error where the file cannot be read or a number is out of range.
PlayerSpec tower_player(PlayerSpec::Tower tower, Strength strength);
PlayerSpec small_player(const std::filesystem::path& file, const std::string& ruleset, Strength strength);

// The networks of a file that may play the ruleset: its tower and its small network of that game. The first
// plays where nobody says which: on a CPU the small network, on a card the tower. Never empty. Throws Error
// where the file cannot be read or has no network of the game.
std::vector<PlayerSpec> network_players(const std::filesystem::path& file, const PlayerPlaces& places);

// The checkpoint that commands name which know no ruleset: a file, a run folder (its best), or a game: its
// network of the zoo. Throws Error where there is none.
std::filesystem::path find_checkpoint(const std::string& name);

// Throws models::Error where a number is out of range.
void check_strength(const Strength& strength);

}  // namespace makzero::models
