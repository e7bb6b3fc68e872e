// Leaf counts and captures of the Mak-yek family against independent programs:
// tests/data/oracle/makyek-family.tsv. Every row is run; a new game needs no change here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/perft.h"
#include "tests/support/evidence.h"

namespace makzero::game {
namespace {

using testing::UnorderedElementsAreArray;

struct Row {
  std::string kind;  // "perft" or "capture".
  std::string name;  // The data's short name of the ruleset.
  std::string position, move, depth;
  std::string value;    // Leaves, or the squares taken: "b5 c4 c6", "-" for none.
  std::string oracles;  // Who says so: "ref+hand".
  std::string note;     // "... | after: POSITION".
};

std::vector<Row> all_rows() {
  std::ifstream file(MAKZERO_TEST_DATA "/oracle/makyek-family.tsv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#") || line.starts_with("kind\t")) continue;
    std::istringstream fields(line);
    Row row;
    std::string group;
    for (std::string* field : {&row.kind, &row.name, &group, &row.position, &row.move, &row.depth, &row.value,
                               &row.oracles, &row.note}) {
      std::getline(fields, *field, '\t');
    }
    rows.push_back(row);
  }
  return rows;
}

// What make_game() reads for a short name of the data: "hunt chain=on" is "hunt:chain=on".
std::string spec_of(const std::string& name) {
  static const std::map<std::string, std::string> kSpecs = {
      {"rek-right", "rek:kings=right"},
      {"rek-mirror", "rek:kings=mirror"},
      {"rek-simul", "rek:order=simultaneous"},
      {"rek-surfirst", "rek:order=surround_first"},
      {"minrekchanh-transition", "minrekchanh:obligation=transition"},
      {"minrekchanh-none", "minrekchanh:obligation=none"},
      {"minrekchanh-surround", "minrekchanh:surround=on"},
      {"gala-corner", "gala:corner_capture=on"},
      {"gala-step", "gala:move=step"},
      {"gala-neutralmid", "gala:middle_row=neutral"},
      {"gala-blackmoves", "gala:rest=black_moves"},
  };
  const auto special = kSpecs.find(name);
  if (special != kSpecs.end()) return special->second;
  std::string spec = name;
  std::replace(spec.begin(), spec.end(), ' ', ',');
  const size_t first = spec.find(',');
  if (first != std::string::npos) spec[first] = ':';
  return spec;
}

std::vector<std::string> names_of(const std::string& kind) {
  std::set<std::string> names;
  for (const Row& row : all_rows()) {
    if (row.kind == kind) names.insert(row.name);
  }
  return {names.begin(), names.end()};
}

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

TEST(FamilyOracleTest, EveryNamedRulesetOfTheFamilyHasLeafCounts) {
  const std::vector<std::string> names = names_of("perft");
  for (const std::string& ruleset : ruleset_names()) {
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
