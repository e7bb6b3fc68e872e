// Signature of the alpha-beta search: nodes of fixed searches, which change with every technique and margin.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/alpha_beta/alpha_beta.h"
#include "mcts/rng.h"
#include "tests/support/small_network.h"

namespace makzero::mcts {
namespace {

// Nodes of searches of the first position and of later ones of a random game.
template <class Evaluation>
std::uint64_t nodes_of(game::GameState state, const Evaluation& evaluation, const AlphaBetaOptions& options,
                       int depth) {
  AlphaBeta<Evaluation> search(state.rules(), evaluation, options, 1 << 14);
  AlphaBetaLimits limits;
  limits.depth = depth;
  Rng rng(1);
  std::uint64_t nodes = 0;
  for (int position = 0; position < 4 && !state.over(); ++position) {
    nodes += search.search(state.position(), state.history(), limits).nodes;
    state.random_playout(10, &rng);
  }
  return nodes;
}

using Change = std::function<void(AlphaBetaOptions*)>;

// With a network that counts material, and less deeply with one whose evaluations are anything.
std::uint64_t network_nodes(const game::GameState& state, const Change& change = {}) {
  const game::GameInfo& info = state.rules().info();
  AlphaBetaOptions options = alpha_beta_options(info);
  if (change) change(&options);
  return nodes_of(state, SmallEvaluator(info, material_small_network(info)), options, 8) +
         nodes_of(state, SmallEvaluator(info, testing::random_small_network(info, 1)), options, 5);
}

struct Golden {
  std::string game;
  std::uint64_t network, player;
};

// A change here is a change of the strongest player or of the frozen opponent "alphabeta:N": make it on
// purpose, and say so in the commit.
TEST(AlphaBetaSignatureTest, NodesAreTheReviewedNumbers) {
  const std::vector<Golden> golden = {
      {"makyek", 147130, 14617},      {"apit", 398691, 11963}, {"rek", 98714, 12539},
      {"minrekchanh", 148470, 12033}, {"gala", 98794, 2009},   {"hunt", 750720, 28234},
      {"makruk", 58659, 3926},        {"ok", 78525, 4117},     {"makruk-sutra", 50046, 5618},
      {"kaok", 46224, 3223},          {"low1839", 58437, 3927}};
  for (const auto& [name, network, player] : golden) {
    const game::GamePtr game = *game::make_game(name);
    EXPECT_EQ(network_nodes(game::GameState(*game)), network) << name;
    EXPECT_EQ(nodes_of(game::GameState(*game), MaterialEvaluation(game->info()), kBaselineOptions, 3), player)
        << name;
  }
}

// No field is without effect, and no change of one goes unseen.
TEST(AlphaBetaSignatureTest, EveryOptionCounts) {
  using Options = AlphaBetaOptions;
  const std::vector<std::pair<std::string, Change>> changes = {
      {"aspiration_depth", [](Options* options) { options->aspiration_depth += 1; }},
      {"aspiration_window", [](Options* options) { options->aspiration_window += 6; }},
      {"aspiration_growth", [](Options* options) { options->aspiration_growth -= 1; }},
      {"aspiration_limit", [](Options* options) { options->aspiration_limit = 200; }},
      {"forced_extension", [](Options* options) { options->forced_extension = 0; }},
      {"quiescence_plies", [](Options* options) { options->quiescence_plies -= 1; }},
      {"mate_distance_pruning", [](Options* options) { options->mate_distance_pruning = false; }},
      {"rfp_depth", [](Options* options) { options->rfp_depth -= 3; }},
      {"rfp_margin", [](Options* options) { options->rfp_margin += 25; }},
      {"null_move_depth", [](Options* options) { options->null_move_depth += 1; }},
      {"null_move_reduction", [](Options* options) { options->null_move_reduction -= 1; }},
      {"null_move_divisor", [](Options* options) { options->null_move_divisor -= 2; }},
      {"null_move_pieces", [](Options* options) { options->null_move_pieces += 12; }},
      {"iir_depth", [](Options* options) { options->iir_depth += 1; }},
      {"lmp_depth", [](Options* options) { options->lmp_depth -= 3; }},
      {"lmp_base", [](Options* options) { options->lmp_base += 1; }},
      {"lmp_factor", [](Options* options) { options->lmp_factor += 1; }},
      {"futility_depth", [](Options* options) { options->futility_depth -= 1; }},
      {"futility_base", [](Options* options) { options->futility_base += 15; }},
      {"futility_margin", [](Options* options) { options->futility_margin += 20; }},
      {"lmr_depth", [](Options* options) { options->lmr_depth += 1; }},
      {"lmr_moves", [](Options* options) { options->lmr_moves += 1; }},
      {"lmr_base", [](Options* options) { options->lmr_base += 0.1; }},
      {"lmr_divisor", [](Options* options) { options->lmr_divisor += 0.1; }},
      {"lmr_history", [](Options* options) { options->lmr_history /= 2; }},
      {"killers", [](Options* options) { options->killers = false; }},
      {"history_bonus", [](Options* options) { options->history_bonus += 3; }},
      {"history_limit", [](Options* options) { options->history_limit /= 2; }},
      {"history_ageing", [](Options* options) { options->history_ageing /= 2; }},
      {"table_cutoffs", [](Options* options) { options->table_cutoffs = TableCutoffs::kExact; }},
      {"repetition_in_tree", [](Options* options) { options->repetition_in_tree = false; }}};
  const game::GamePtr makruk = *game::make_game("makruk"), makyek = *game::make_game("makyek");
  const auto mate = game::parse_position(*makruk, "4k3/8/8/8/8/4K3/8/R6R w - - 0 1");
  const std::vector<game::GameState> states = {game::GameState(*makruk), game::GameState(*makyek),
                                               game::GameState(*makruk, *mate)};
  std::vector<std::uint64_t> nodes;
  for (const game::GameState& state : states) nodes.push_back(network_nodes(state));
  for (const auto& [name, change] : changes) {
    bool differs = false;
    for (std::size_t i = 0; i < states.size() && !differs; ++i)
      differs = network_nodes(states[i], change) != nodes[i];
    EXPECT_TRUE(differs) << name;
  }
}

}  // namespace
}  // namespace makzero::mcts
