// Whole search trees as text. After a wanted change run this test with MAKZERO_WRITE_GOLDEN=1 and review the
// difference.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "game/catalog.h"
#include "game/notation.h"
#include "mcts/hash_evaluator.h"
#include "mcts/lockstep.h"
#include "mcts/search.h"
#include "tests/support/search_driver.h"

namespace makzero::mcts {
namespace {

using game::Position;

struct GoldenCase {
  const char* name;
  const char* game;
  const char* position;  // Empty: the initial one.
  SearchOptions options;
  int batch = 1;
};

SearchOptions options_of(SearchAlgorithm algorithm, int simulations) {
  SearchOptions options;
  options.algorithm = algorithm;
  options.simulations = simulations;
  return options;
}

SearchOptions with_noise(SearchOptions options) {
  options.dirichlet_alpha = 0.3f;
  options.draw_score = -0.2f;
  return options;
}

const GoldenCase kCases[] = {
    {"makyek_gumbel_16", "makyek", "", options_of(SearchAlgorithm::kGumbel, 16)},
    {"makyek_gumbel_64_batch_8", "makyek", "", options_of(SearchAlgorithm::kGumbel, 64), 8},
    {"makyek_puct_100", "makyek", "", options_of(SearchAlgorithm::kPuct, 100)},
    {"makyek_endgame_puct_200", "makyek", "8/8/8/3m4/8/2M1M3/8/8 w", options_of(SearchAlgorithm::kPuct, 200)},
    {"makruk_gumbel_100", "makruk", "", options_of(SearchAlgorithm::kGumbel, 100)},
    {"makruk_puct_noise_200", "makruk", "", with_noise(options_of(SearchAlgorithm::kPuct, 200)), 4},
    {"makruk_mate_gumbel_50", "makruk", "k7/8/1K6/8/8/8/8/7R w - - 0 1",
     options_of(SearchAlgorithm::kGumbel, 50)},
};

std::string line_of(const char* format, double a, double b, double c) {
  char buffer[100];
  std::snprintf(buffer, sizeof buffer, format, a, b, c);
  return buffer;
}

std::string bounds_text(Bounds bounds) {
  return bounds.exact() ? line_of("proved %+.0f", bounds.lower, 0, 0)
                        : line_of("[%+.0f, %+.0f]", bounds.lower, bounds.upper, 0);
}

void print_moves(const game::Game& game, const Position& position, const SearchResult& result,
                 std::ostream& out) {
  for (const RootMove& move : result.moves) {
    if (move.visits == 0) continue;
    out << "  " << move_text(game, position, move.move) << "  visits " << move.visits
        << line_of("  prior %.3f  policy %.3f  white %+.3f", move.prior, move.policy, move.value.expected())
        << line_of("  draw %.3f  left %.1f", move.value.draw, move.moves_left, 0) << "  "
        << bounds_text(move.bounds) << "\n";
  }
}

void print_summary(const game::Game& game, Position position, const SearchResult& result, std::ostream& out) {
  out << "best " << move_text(game, position, result.best) << "  simulations " << result.simulations
      << line_of("  white %+.3f  draw %.3f  left %.1f", result.value.expected(), result.value.draw,
                 result.moves_left)
      << "  " << bounds_text(result.bounds) << "  depth " << result.depth << "\nline";
  for (const game::Move move : result.principal_variation) {
    out << " " << move_text(game, position, move);
    game.apply(move, &position);
  }
  out << "\n";
}

// The tree along the principal variation: at each of its positions the visited moves.
std::string tree_text(const GoldenCase& golden) {
  const game::GamePtr game = *game::make_game(golden.game);
  Position position = *golden.position ? *game::parse_position(*game, golden.position) : game->initial();
  HashEvaluator evaluator;
  Search search(*game, golden.options, 1);
  search.set_root(position, game::History(position));
  const SearchResult result = run_search(&search, &evaluator, golden.batch);

  std::ostringstream out;
  out << golden.game << " " << position_text(*game, position) << "\n";
  print_summary(*game, position, result, out);
  const std::vector<game::Move> line = result.principal_variation;
  print_moves(*game, position, result, out);
  for (size_t ply = 0; ply + 2 < line.size(); ++ply) {
    out << "after " << move_text(*game, position, line[ply]) << "\n";
    game->apply(line[ply], &position);
    search.advance(line[ply]);
    print_moves(*game, position, search.result(), out);
  }
  return out.str();
}

std::string path_of(const GoldenCase& golden) {
  return MAKZERO_TEST_DATA "/golden/" + std::string(golden.name) + ".txt";
}

class GoldenTreeTest : public ::testing::TestWithParam<GoldenCase> {};

TEST_P(GoldenTreeTest, TreeIsAsReviewed) {
  const std::string text = tree_text(GetParam());
  if (std::getenv("MAKZERO_WRITE_GOLDEN")) std::ofstream(path_of(GetParam())) << text;
  std::ifstream file(path_of(GetParam()));
  ASSERT_TRUE(file) << path_of(GetParam()) << " is missing: run with MAKZERO_WRITE_GOLDEN=1";
  std::ostringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(text, expected.str());
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenTreeTest, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace makzero::mcts
