// Deep alpha-beta with a small network: what "small" and the files of `makzero distill` play with.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>

#include "mcts/alpha_beta/alpha_beta.h"
#include "play/engine/search_info.h"
#include "play/played_game.h"

namespace makzero::play {

// Whether a player is a small network (models::read_small_network_name).
bool is_small_player(const std::string& player);

// Limits a search that has no limit: to the depth of a small network, to the simulations of another player.
void limit_by_player(const std::string& player, int simulations, Limits* limits);

// A player that is a small network, found and read.
struct SmallPlayer {
  std::filesystem::path file;
  mcts::SmallNetwork network;
  std::string description;  // For people: "small network 4f2a91c03b7e".
};

// REQUIRES: is_small_player(). Throws models::Error where the zoo has none, where the file is missing,
// damaged or of another game, or where the depth is out of range.
SmallPlayer load_small_player(const std::string& player, const std::string& ruleset);

// Keeps its transposition table from search to search. Not thread-safe.
class SmallSearcher {
 public:
  // REQUIRES: the network is of the game. `memory`: bytes of the table at most.
  SmallSearcher(game::GamePtr rules, const SmallPlayer& player, std::size_t memory);

  // Whether it is the network of that file, by these rules.
  bool plays(const std::filesystem::path& file, const std::string& ruleset) const;

  // Searches on the calling thread until a limit is reached or a stop is requested, and at least one ply.
  // Simulations are positions; limits by mate, temperature and variety are ignored. `lines`: candidate moves.
  // REQUIRES: as AlphaBetaSearcher::search().
  SearchInfo search(const PlayedGame& game, const Limits& limits, int lines, const std::stop_token& stop,
                    const SearchInfoHandler& report);

  // Forgets what was searched.
  void forget() { search_.clear(); }

 private:
  game::GamePtr rules_;
  std::filesystem::path file_;
  mcts::NetworkSearch search_;
};

}  // namespace makzero::play
