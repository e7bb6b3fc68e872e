// Leaf counts of the chess family against independent programs: tests/data/oracle/chess-family.tsv.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/perft.h"
#include "tests/support/any_arrangement.h"
#include "tests/support/evidence.h"

namespace makzero::game {
namespace {

// The variants of the data and the ruleset that plays each.
const std::map<std::string, std::string> kRulesetOfVariant = {
    {"makruk", "makruk"},
    {"ok", "ok"},
    {"ok-anyleap", "ok:ok.king_leap=any"},
    {"ok-cutechess", "ok-cutechess"},
    {"cambodian", "cambodian"},
    {"kaok", "kaok"},
    {"karouk", "karouk"},
    {"makruk-sutra", "makruk-sutra"},
    {"makruk-sutkhun", "makruk-sutra:sut_met=off,sut_ma=off"},
    {"makruk-sutmet", "makruk-sutra:sut_khun=off,sut_ma=off"},
    {"makruk-sutma", "makruk-sutra:sut_khun=off,sut_met=off"},
    {"low1839", "low1839"},
    {"low1839-khonfirst", "low1839:low.khon=first"},
    {"low1839-dlp", "low1839-dlp"},
    {"low1839-dlp-orthoking", "low1839-dlp:low.khoon=orthogonal"},
};

struct Row {
  std::string ruleset;
  std::string position;
  int depth = 0;
  std::uint64_t leaves = 0;
  std::string source;  // Who counts so.
};

// GoogleTest prints it when a row fails.
void PrintTo(const Row& row, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << row.ruleset << " '" << row.position << "' depth " << row.depth;
}

// The rows "variant <tab> position <tab> depth <tab> leaves <tab> source". A variant without a ruleset keeps
// its name, which no game has.
std::vector<Row> oracle_rows() {
  std::ifstream file(MAKZERO_TEST_DATA "/oracle/chess-family.tsv");
  std::vector<Row> rows;
  std::string line, variant;
  std::getline(file, line);  // The names of the columns.
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::getline(fields, variant, '\t');
    const auto known = kRulesetOfVariant.find(variant);
    Row row{.ruleset = known == kRulesetOfVariant.end() ? variant : known->second,
            .position = "",
            .depth = 0,
            .leaves = 0,
            .source = ""};
    std::getline(fields, row.position, '\t');
    fields >> row.depth >> row.leaves >> row.source;
    rows.push_back(row);
  }
  return rows;
}

class ChessPerftTest : public testing::TestWithParam<Row> {};

TEST_P(ChessPerftTest, CountsTheLeavesThatOtherProgramsCount) {
  const Row& row = GetParam();
  const auto game = make_game(row.ruleset);
  ASSERT_TRUE(game) << game.why();
  const AnyArrangement any(*game);  // One row has a pawn on its promotion rank and both kings in check.
  const auto position = parse_position(any, row.position);
  ASSERT_TRUE(position) << position.why();
  EXPECT_EQ(perft(any, *position, row.depth), row.leaves);
  Evidence evidence{.ruleset = (*game)->info().ruleset, .what = "rows of leaf counts"};
  evidence.add(row.source, row.leaves);
  record(evidence);
}

INSTANTIATE_TEST_SUITE_P(Oracle, ChessPerftTest, testing::ValuesIn(oracle_rows()));

TEST(ChessOracleTest, ReadsEveryRow) { EXPECT_EQ(oracle_rows().size(), 447u); }

TEST(ChessOracleTest, DivideAddsUpToTheWhole) {
  const auto game = make_game("makruk");
  std::uint64_t leaves = 0;
  for (const auto& [move, count] : perft_divide(**game, (*game)->initial(), 4)) leaves += count;
  EXPECT_EQ(leaves, 273026u);
}

}  // namespace
}  // namespace makzero::game
