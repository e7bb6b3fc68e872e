// Signature of the alpha-beta search: nodes of fixed searches, which change with every technique and margin.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/rng.h"
#include "tests/support/alpha_beta_tools.h"
#include "tests/support/small_network.h"

namespace makzero::mcts {
namespace {

// Nodes of searches of the first position and of later ones of a random game.
template <class Evaluation>
std::uint64_t nodes_of(game::GameState state, const Evaluation& evaluation, const AlphaBetaOptions& options,
                       int depth) {
  testing::WholeSearch<Evaluation> search(state.rules(), evaluation, options, 1 << 14);
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

// With a network that counts material, and less deeply with one whose evaluations are anything.
std::uint64_t network_nodes(const game::GameState& state, const std::string& change = "") {
  const game::GameInfo& info = state.rules().info();
  const auto changed = parse_alpha_beta_options(change, alpha_beta_options(info));
  EXPECT_TRUE(changed) << changed.why();
  const AlphaBetaOptions& options = *changed;
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
      {"makyek", 147233, 14617},      {"apit", 399353, 11963}, {"rek", 98714, 12539},
      {"minrekchanh", 148470, 12033}, {"gala", 98794, 2009},   {"hunt", 750720, 28234},
      {"makruk", 36495, 3926},        {"ok", 41767, 4117},     {"makruk-sutra", 29946, 5618},
      {"kaok", 46224, 3223},          {"low1839", 37259, 3927}};
  for (const auto& [name, network, player] : golden) {
    const game::GamePtr game = *game::make_game(name);
    EXPECT_EQ(network_nodes(game::GameState(*game)), network) << name;
    EXPECT_EQ(nodes_of(game::GameState(*game), MaterialEvaluation(game->info()), kBaselineOptions, 3), player)
        << name;
  }
}

// No field is without effect, and no change of one goes unseen.
TEST(AlphaBetaSignatureTest, EveryOptionCounts) {
  const std::vector<std::string> changes = {"aspiration_depth = 6",
                                            "aspiration_window = 66",
                                            "aspiration_growth = 3",
                                            "aspiration_limit = 200",
                                            "forced_extension = 0",
                                            "quiescence_plies = 9",
                                            "mate_distance_pruning = 0",
                                            "rfp_depth = 3",
                                            "rfp_margin = 275",
                                            "null_move_depth = 4",
                                            "null_move_reduction = 2",
                                            "null_move_divisor = 2",
                                            "null_move_pieces = 16",
                                            "iir_depth = 6",
                                            "lmp_depth = 1",
                                            "lmp_base = 7",
                                            "lmp_factor = 6",
                                            "lmp_improving = 1",
                                            "futility_depth = 4",
                                            "futility_base = 165",
                                            "futility_margin = 220",
                                            "lmr_depth = 4",
                                            "lmr_moves = 4",
                                            "lmr_base = 0.7",
                                            "lmr_divisor = 2.3",
                                            "lmr_history = 4096",
                                            "lmr_worsening = 1",
                                            "lmr_cut = 1",
                                            "see_order = 0",
                                            "see_depth = 3",
                                            "see_capture_margin = 0",
                                            "see_quiet_margin = 0",
                                            "killers = 0",
                                            "history_bonus = 35",
                                            "history_limit = 8192",
                                            "history_ageing = 4",
                                            "table_cutoffs = 1",
                                            "key_horizon = 40",
                                            "repetition_in_tree = 0",
                                            "hunted_men = 3",
                                            "hunted_weight = 50",
                                            "mobility_weight = 1\nquiescence_plies = 0"};
  const game::GamePtr makruk = *game::make_game("makruk"), makyek = *game::make_game("makyek");
  const auto mate = game::parse_position(*makruk, "4k3/8/8/8/8/4K3/8/R6R w - - 0 1");
  const auto hunt = game::parse_position(*makyek, "8/2m1m3/8/3MM3/1m4m1/4M3/2M2M2/8 w");
  const std::vector<game::GameState> states = {game::GameState(*makruk), game::GameState(*makyek),
                                               game::GameState(*makruk, *mate),
                                               game::GameState(*makyek, *hunt)};
  std::vector<std::uint64_t> nodes;
  for (const game::GameState& state : states) nodes.push_back(network_nodes(state));
  for (const std::string& change : changes) {
    bool differs = false;
    for (std::size_t i = 0; i < states.size() && !differs; ++i)
      differs = network_nodes(states[i], change) != nodes[i];
    EXPECT_TRUE(differs) << change;
  }
}

TEST(AlphaBetaOptionsTest, ATextChangesWhatItNames) {
  const auto options = parse_alpha_beta_options("lmp_depth = 8  # Plies.\n\nlmr_base=0.5\n", {});
  EXPECT_FALSE(options);
  const auto changed =
      parse_alpha_beta_options("lmp_depth = 8  # Plies.\n\nlmr_base = 0.5\nkillers = 0\n", {});
  ASSERT_TRUE(changed) << changed.why();
  EXPECT_EQ(changed->lmp_depth, 8);
  EXPECT_EQ(changed->lmr_base, 0.5);
  EXPECT_FALSE(changed->killers);
  EXPECT_EQ(changed->lmp_base, AlphaBetaOptions().lmp_base);
}

TEST(AlphaBetaOptionsTest, EveryWrongLineIsNamed) {
  const auto options =
      parse_alpha_beta_options("lmp_deep = 8\nlmp_depth = x\nkillers = 2\nlmp_base 3\nrfp_depth = 2.5", {});
  ASSERT_FALSE(options);
  EXPECT_EQ(options.why(),
            "line 1: there is no option 'lmp_deep'; line 2: lmp_depth: 'x' is no value of its type; "
            "line 3: killers: '2' is no value of its type; line 4: expected a line such as lmp_depth = 8; "
            "line 5: rfp_depth: '2.5' is no value of its type");
}

// Each would divide by 0, leave an array or search for ever.
TEST(AlphaBetaOptionsTest, ValuesThatNoSearchCanUseAreRefused) {
  for (const char* line : {"history_ageing = 0", "lmr_history = 0", "null_move_divisor = 0",
                           "history_limit = 0", "lmr_divisor = 0", "lmr_base = 1e30", "lmr_depth = 1",
                           "quiescence_plies = 500", "forced_extension = 2", "aspiration_window = 0",
                           "aspiration_growth = 1", "lmp_base = -1", "history_bonus = 70000"})
    EXPECT_FALSE(parse_alpha_beta_options(line, {})) << line;
  EXPECT_EQ(parse_alpha_beta_options("lmr_divisor = 0\nkey_horizon = -1", {}).why(),
            "line 1: lmr_divisor: '0' is not from 0.01 to 100; "
            "line 2: key_horizon: '-1' is not from 0 to 1048576");
  EXPECT_TRUE(parse_alpha_beta_options("null_move_depth = 1000\nkey_horizon = 1048576", {}));
}

}  // namespace
}  // namespace makzero::mcts
