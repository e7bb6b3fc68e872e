// The networks that the server lets play: the checkpoints in its folder of runs, and those of the zoo.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/player/player_spec.h"
#include "models/zoo.h"

namespace makzero::play {

// The entry of a folder with that name; none where there is none. Names come from clients: they are compared
// with what is there, never put into a path.
std::optional<std::filesystem::path> entry_of(const std::filesystem::path& folder, const std::string& name);

// Thread-safe: every call looks at the folder anew.
class NetworkFolder {
 public:
  // `device`: that the networks play on.
  explicit NetworkFolder(std::filesystem::path runs, models::Zoo zoo = models::Zoo::standard(),
                         std::string device = "cpu")
      : runs_(std::move(runs)), zoo_(std::move(zoo)), device_(std::move(device)) {}

  const std::filesystem::path& path() const { return runs_; }
  std::optional<std::filesystem::path> run(const std::string& name) const;
  std::optional<std::filesystem::path> checkpoint(const std::string& run, const std::string& id) const;

  // The checkpoint that "RUN" (its best), "RUN/ID" or "zoo:GAME" names.
  std::optional<std::filesystem::path> find(const std::string& player) const;

  // The player that a client names, one of players() or of a run; empty: the first of players(). The networks
  // of a checkpoint that holds both are named by ?network=small and ?network=tower behind it. Throws
  // models::Error where there is none.
  models::PlayerSpec player(std::string name, const std::string& ruleset) const;

  // A text, as of an error, without the folders' places, which clients need not know.
  std::string without_place(std::string text) const;

  // Players of a ruleset's game, best first: the zoo's strongest, the best networks of the runs (one that
  // is measured to be stronger comes first), the zoo's other, alpha-beta. As {player, label, details, kind,
  // levels:
  // [{level, label, simulations, elo}]}.
  nlohmann::json players(const std::string& ruleset) const;

 private:
  std::filesystem::path runs_;
  models::Zoo zoo_;
  std::string device_;
};

}  // namespace makzero::play
