// Stand-in for the players that the engine needs, without LibTorch and files: alpha-beta by material alone.
#include <memory>
#include <string>

#include "mcts/alpha_beta/alpha_beta_searcher.h"
#include "models/error.h"
#include "models/player/auto_player.h"
#include "models/player/measured_levels.h"
#include "models/player/player.h"
#include "nn/runtime.h"
#include "play/engine/zoo_book.h"

namespace makzero {

void nn::set_thread_count(int) {}

namespace models {

PlayerSpec::Search PlayerSpec::search() const { return Search::kAlphaBeta; }
bool PlayerSpec::shares_batches() const { return false; }

std::int64_t PlayerSpec::generation() const { return -1; }
std::string PlayerSpec::name() const { return "alphabeta"; }

PlayerSpec with_default_strength(PlayerSpec player, std::int64_t) {
  if (!player.strength.limited()) player.strength.depth = 3;
  return player;
}

PlayerSpec choose_player(const std::string& text, const PlayerPlaces&) {
  if (text.empty()) return {};
  throw Error(text, "fuzzed without networks");
}

std::string auto_note(const std::string&) { return ""; }

std::vector<PlayerLevel> measured_levels(const PlayerSpec&, const std::string&) { return {}; }

PlayerLevel measured_level(const PlayerSpec&, const std::string&, std::int64_t) {
  throw Error("fuzzed without levels");
}

std::unique_ptr<Player> load_player(const game::Game& rules, const PlayerSpec& spec, const PlayerOptions&) {
  auto player = std::make_unique<Player>();
  player->spec = spec;
  player->make_searcher = [&rules](const SearcherResources& resources) {
    return mcts::make_material_searcher(rules, resources.table);
  };
  return player;
}

}  // namespace models
std::shared_ptr<const play::Book> play::zoo_book(const game::Game&) { return nullptr; }

}  // namespace makzero
