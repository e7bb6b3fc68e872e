#include "models/player/auto_player.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "models/player/measured_levels.h"
#include "models/player/strength_rows.h"
#include "models/zoo.h"

namespace makzero::models {
namespace {

using std::chrono::milliseconds;

void add_row(StrengthTable* table, const std::string& device, int ms, int wins, int losses) {
  StrengthRow* row = table->add_rows();
  row->set_game("makyek");
  row->set_player("small");
  row->set_opponent("family");
  row->set_device(device);
  row->set_ms(ms);
  row->set_wins(wins);
  row->set_losses(losses);
}

class AutoPlayerTest : public ::testing::Test {
 protected:
  AutoPlayerTest() { unsetenv("MAKZERO_ZOO"); }
  ~AutoPlayerTest() override { setenv("MAKZERO_ZOO", "", 1); }
};

TEST_F(AutoPlayerTest, TakesWhatScoresMoreInTheTableOfTheZoo) {
  const Zoo zoo = Zoo::standard();
  const StrengthTable table = zoo.strength();
  int compared = 0;
  for (const StrengthRow& row : table.rows()) {
    EXPECT_EQ(row.wins() + row.draws() + row.losses(), row.games());
    if (row.player() != "small") continue;
    const PlayerSpec chosen = auto_player(row.game(), milliseconds(row.ms()), row.device());
    const double points = row.wins() + 0.5 * row.draws(), half = 0.5 * row.games();
    const PlayerSpec tower = tower_player({*zoo.find(row.game())}, {});
    // A tower without levels, as that of the custodial games, does not play Rek, where it scores more.
    const bool has_levels = !measured_levels(tower, row.game()).empty();
    const bool small = !has_levels || points > half || (points == half && row.by_material() > 0.5);
    EXPECT_EQ(chosen.by_alpha_beta(), small) << row.ShortDebugString();
    EXPECT_EQ(chosen.tower() != nullptr, !small) << row.ShortDebugString();
    EXPECT_FALSE(measured_levels(chosen, row.game()).empty()) << row.ShortDebugString();
    ++compared;
  }
  EXPECT_GE(compared, 11);  // Every game.
}

// A tower alone beside that of its family is there because it is stronger.
TEST_F(AutoPlayerTest, ATowerThatItsFamilysBeatsIsNotInTheZoo) {
  const Zoo zoo = Zoo::standard();
  const StrengthTable table = zoo.strength();
  for (const StrengthRow& row : table.rows()) {
    if (row.opponent() != "game") continue;
    EXPECT_EQ(zoo.find(row.game()) == zoo.entry(row.game()).network(), !is_stronger(row))
        << row.ShortDebugString();
  }
}

TEST_F(AutoPlayerTest, TheRowOfTheDeviceAndOfTheNearestTimeCounts) {
  StrengthTable table;
  add_row(&table, "cpu", 100, 1, 0);
  add_row(&table, "cpu", 1000, 0, 1);
  add_row(&table, "cuda", 10, 0, 1);
  const auto found = [&](int ms, const std::string& device) {
    return find_strength(table, "makyek", "small", "family", milliseconds(ms), device);
  };
  EXPECT_EQ(found(200, "cpu"), &table.rows(0));
  EXPECT_EQ(found(400, "cpu"), &table.rows(1));
  EXPECT_EQ(found(5000, "cpu"), &table.rows(1));
  EXPECT_EQ(found(1000, "cuda"), &table.rows(2));
  EXPECT_EQ(found(1000, "another"), &table.rows(1));
  EXPECT_EQ(find_strength(table, "rek", "small", "family", milliseconds(100), "cpu"), nullptr);
  EXPECT_TRUE(is_stronger(table.rows(0)));
  EXPECT_FALSE(is_stronger(table.rows(1)));
}

TEST_F(AutoPlayerTest, EvenByTheRulesIsDecidedByMaterial) {
  StrengthRow row;
  row.set_draws(40);
  row.set_by_material(0.6);
  EXPECT_TRUE(is_stronger(row));
  row.set_by_material(0.5);
  EXPECT_FALSE(is_stronger(row));
}

}  // namespace
}  // namespace makzero::models
