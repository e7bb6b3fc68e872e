// Leaf counts of the chess family against independent programs: tests/data/oracle/chess-family.tsv.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/perft.h"
#include "game/rules/chess_steps.h"

namespace makzero::game {
namespace {

// The variants of the data whose games exist, and the ruleset that plays each.
const std::vector<std::pair<std::string, std::string>> kRulesetOfVariant = {{"makruk", "makruk"}};

struct Row {
  std::string ruleset;
  std::string position;
  int depth = 0;
  std::uint64_t leaves = 0;
};

// GoogleTest prints it when a row fails.
void PrintTo(const Row& row, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << row.ruleset << " '" << row.position << "' depth " << row.depth;
}

// The rows "variant <tab> position <tab> depth <tab> leaves <tab> source" of the known variants.
std::vector<Row> oracle_rows() {
  std::ifstream file(MAKZERO_TEST_DATA "/oracle/chess-family.tsv");
  std::vector<Row> rows;
  std::string line, variant;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::getline(fields, variant, '\t');
    for (const auto& [name, ruleset] : kRulesetOfVariant) {
      if (variant != name) continue;
      Row row{.ruleset = ruleset, .position = "", .depth = 0, .leaves = 0};
      std::getline(fields, row.position, '\t');
      fields >> row.depth >> row.leaves;
      rows.push_back(row);
    }
  }
  return rows;
}

// One position of the data has a pawn on its promotion rank to see that it promotes behind it as well. The
// notation refuses such a text, so it is read with a met there, which is then changed.
Parsed<Position> parse_row(const Game& game, const std::string& text) {
  const size_t pawn = text.find("/3P4/2K1s3/4p1R1/");
  if (pawn == std::string::npos) return parse_position(game, text);
  std::string with_met = text;
  with_met[pawn + 2] = 'M';
  auto parsed = parse_position(game, with_met);
  if (!parsed) return parsed;
  Position position = *parsed;
  position.kind[kMet] ^= bit(square_at(3, 5));
  position.kind[kPawn] ^= bit(square_at(3, 5));
  return position;
}

class ChessPerftTest : public testing::TestWithParam<Row> {};

TEST_P(ChessPerftTest, CountsTheLeavesThatOtherProgramsCount) {
  const Row& row = GetParam();
  const auto game = make_game(row.ruleset);
  ASSERT_TRUE(game) << game.why();
  const auto position = parse_row(**game, row.position);
  ASSERT_TRUE(position) << position.why();
  EXPECT_EQ(perft(**game, *position, row.depth), row.leaves);
}

INSTANTIATE_TEST_SUITE_P(Oracle, ChessPerftTest, testing::ValuesIn(oracle_rows()));

TEST(ChessOracleTest, ReadsEveryRowOfItsVariants) { EXPECT_EQ(oracle_rows().size(), 86u); }

TEST(ChessOracleTest, DivideAddsUpToTheWhole) {
  const auto game = make_game("makruk");
  std::uint64_t leaves = 0;
  for (const auto& [move, count] : perft_divide(**game, (*game)->initial(), 4)) leaves += count;
  EXPECT_EQ(leaves, 273026u);
}

}  // namespace
}  // namespace makzero::game
