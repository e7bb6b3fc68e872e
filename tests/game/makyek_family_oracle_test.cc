// Leaf counts and captures of the Mak-yek family against independent programs:
// tests/data/oracle/makyek-family.tsv. Every row is run; a new game needs no change here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/perft.h"
#include "tests/support/evidence.h"
#include "tests/support/makyek_family_rows.h"

namespace makzero::game {
namespace {

using testing::UnorderedElementsAreArray;

std::string identifier(std::string text) {
  for (char& letter : text) letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  return text;
}

class FamilyPerftTest : public testing::TestWithParam<std::string> {};

TEST_P(FamilyPerftTest, CountsTheLeavesThatOtherProgramsCount) {
  const auto game = make_game(spec_of(GetParam()));
  ASSERT_TRUE(game) << game.why();
  Evidence evidence{.ruleset = (*game)->info().ruleset, .what = "rows of leaf counts"};
  for (const Row& row : all_rows()) {
    if (row.kind != "perft" || row.name != GetParam()) continue;
    const auto position = parse_position(**game, row.position);
    ASSERT_TRUE(position) << row.position << ": " << position.why();
    EXPECT_EQ(perft(**game, *position, std::stoi(row.depth)), std::stoull(row.value))
        << row.position << " depth " << row.depth;
    evidence.add(row.oracles, std::stoull(row.value));
  }
  EXPECT_GE(evidence.cases, 4u) << "the data has lost rows of this ruleset";
  record(evidence);
}

INSTANTIATE_TEST_SUITE_P(Oracle, FamilyPerftTest, testing::ValuesIn(names_of("perft")),
                         [](const auto& test) { return identifier(test.param); });

// A capture row and its number in the rules' table: C01, C02, ...
struct Capture {
  int number;
  Row row;
};

void PrintTo(const Capture& capture, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << capture.row.name << " '" << capture.row.position << "' " << capture.row.move;
}

std::vector<Capture> all_captures() {
  std::vector<Capture> captures;
  for (const Row& row : all_rows()) {
    if (row.kind == "capture") captures.push_back({static_cast<int>(captures.size()) + 1, row});
  }
  return captures;
}

class FamilyCaptureTest : public testing::TestWithParam<Capture> {};

TEST_P(FamilyCaptureTest, TakesWhatTheTableSays) {
  const Row& row = GetParam().row;
  const auto game = make_game(spec_of(row.name));
  ASSERT_TRUE(game) << game.why();
  const auto before = parse_position(**game, row.position);
  ASSERT_TRUE(before) << before.why();
  const auto move = parse_move(**game, *before, row.move);
  ASSERT_TRUE(move) << move.why();
  Position after = *before;
  (*game)->apply(*move, &after);

  std::vector<std::string> taken, expected;
  for (Bitboard gone = before->enemy() & ~after.occupied(); gone;)
    taken.push_back(square_text(pop_first(&gone)));
  std::istringstream squares(row.value);
  for (std::string square; squares >> square;) {
    if (square != "-") expected.push_back(square);
  }
  EXPECT_THAT(taken, UnorderedElementsAreArray(expected)) << row.note;
  const std::string text = row.note.substr(row.note.find("after: ") + 7);
  EXPECT_EQ(position_text(**game, after), text);

  MoveList legal;
  (*game)->legal_moves(after, &legal);
  const bool marked_over = row.note.find("[game over]") != std::string::npos;
  EXPECT_TRUE(!marked_over || (*game)->outcome(after, !legal.empty(), 1).over());
  Evidence evidence{.ruleset = (*game)->info().ruleset, .what = "rows of captures"};
  evidence.add(row.oracles, 0);
  record(evidence);
}

INSTANTIATE_TEST_SUITE_P(Oracle, FamilyCaptureTest, testing::ValuesIn(all_captures()), [](const auto& test) {
  const int number = test.param.number;
  return (number < 10 ? "C0" : "C") + std::to_string(number);
});

TEST(FamilyOracleTest, ReadsEveryRow) {
  const std::vector<Row> rows = all_rows();
  EXPECT_EQ(std::ranges::count(rows, "capture", &Row::kind), 76);
  EXPECT_EQ(std::ranges::count(rows, "perft", &Row::kind), 939);
}

TEST(FamilyOracleTest, EveryNameIsARulesetWithOptions) {
  for (const Row& row : all_rows()) EXPECT_TRUE(make_game(spec_of(row.name))) << row.name;
}

// minrekchanh-surround has none: rek_reference_test.cc compares it with a plain program.
TEST(FamilyOracleTest, EveryOtherNamedRulesetOfTheFamilyHasLeafCounts) {
  const std::vector<std::string> names = names_of("perft");
  for (const std::string& ruleset : ruleset_names()) {
    if (ruleset == "minrekchanh-surround") continue;
    for (const char* game : {"makyek", "apit", "rek", "minrekchanh", "gala", "hunt"}) {
      if (ruleset != game && !ruleset.starts_with(std::string(game) + "-")) continue;
      const auto plays = [&](const std::string& name) {
        return spec_of(name).substr(0, spec_of(name).find(':')) == ruleset;
      };
      EXPECT_TRUE(std::ranges::any_of(names, plays)) << ruleset << " has no row in the data";
    }
  }
}

}  // namespace
}  // namespace makzero::game
