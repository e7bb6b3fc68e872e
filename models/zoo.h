// The zoo: the models that come with the program, one per game, each with its model card, and one per family
// of games.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/game.h"
#include "models/strength.pb.h"

namespace makzero::models {

// ZOO/GAME: a tower for the default ruleset of the game, a small network for all its rulesets, or both;
// ZOO/FAMILY: a tower for all rulesets of the family.
struct ZooEntry {
  std::filesystem::path folder;

  std::string game() const { return folder.filename().string(); }
  std::filesystem::path network() const { return folder / "network.mzc"; }
  std::filesystem::path baseline() const { return folder / "baseline.tsv"; }    // Of its default ruleset.
  std::filesystem::path book() const { return folder / "book.txt"; }            // Of its default ruleset.
  std::filesystem::path config() const { return folder / "config.textproto"; }  // Where there is a tower.
};

// The word for the zoo's network of the ruleset that is played.
inline constexpr std::string_view kZooName = "zoo";

// The same of its small network.
inline constexpr std::string_view kSmallName = "small";

// Names files only; every call looks at the folder anew. Thread-safe.
class Zoo {
 public:
  // Empty or missing: a zoo without networks.
  explicit Zoo(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The zoo of this program: the folder that the environment variable MAKZERO_ZOO names (empty: none), else
  // the one that was installed with the program, else that of the sources it was built from.
  static Zoo standard();

  const std::filesystem::path& folder() const { return folder_; }
  ZooEntry entry(std::string_view game) const { return {folder_ / game}; }

  // Those of all games that have a model of their own, in the catalog's order.
  std::vector<ZooEntry> entries() const;

  // Those of all families that have one: ZOO/custodial, ZOO/chess.
  std::vector<ZooEntry> families() const;

  // The model whose tower plays this ruleset best: that of its game where it was trained for these rules,
  // limits of repetition, progress and length and what they give aside; else that of its family, ZOO/FAMILY,
  // which sees the rules. Throws Error where a file is damaged.
  std::optional<std::filesystem::path> find(std::string_view ruleset) const;

  // The same; throws Error where there is none.
  std::filesystem::path network_for(std::string_view ruleset) const;

  // Whose measured levels `network` plays at: its own; where it is the family's, which has none, those of the
  // tower of the ruleset's game, if there is one: a level is a number of simulations and a temperature. Its
  // Elo is then the game's. Throws Error where a file is damaged.
  std::filesystem::path levels_of(const std::filesystem::path& network, std::string_view ruleset) const;

  // The model with a small network of the ruleset's game. Throws Error where a file is damaged.
  std::optional<std::filesystem::path> find_small(std::string_view ruleset) const;

  // The same; throws Error where there is none.
  std::filesystem::path small_network_for(std::string_view ruleset) const;

  // Results of its players against each other; empty where there is no table. Throws Error where it
  // cannot be read.
  StrengthTable strength() const;

  // "the zoo plays makyek, rek without options, all chess games": what its towers were trained for.
  std::string summary() const;

 private:
  std::optional<std::filesystem::path> network_of_game(const game::GameInfo& info) const;
  std::optional<std::filesystem::path> network_of_family(const game::GameInfo& info) const;

  std::filesystem::path folder_;
};

}  // namespace makzero::models
