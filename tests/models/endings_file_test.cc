// Files of endings: found where they are installed, and refused where they are damaged or of other rules.
#include "models/endings_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/endings/solver.h"
#include "mcts/small_network.h"
#include "models/framed_file.h"
#include "models/model.h"
#include "models/player/player.h"
#include "tests/support/file_tools.h"

namespace makzero::models {
namespace {

using ::testing::HasSubstr;

class EndingsFileTest : public FolderTest {
 protected:
  EndingsFileTest() {
    setenv("MAKZERO_ENDINGS", folder_.c_str(), 1);
    write_ending(game_->info(), table_);
  }
  ~EndingsFileTest() override { setenv("MAKZERO_ENDINGS", "", 1); }

  std::string why_not_read() const {
    try {
      read_ending(game_->info(), table_.ending);
    } catch (const Error& error) {
      return error.what();
    }
    return "it is read";
  }

  const game::GamePtr game_ = *game::make_game("gala");
  const mcts::Material two_men_ = mcts::ending_materials(*game_).front();
  const mcts::EndingTable table_ = mcts::solve_ending(*game_, mcts::Endings(*game_), two_men_);
  const std::filesystem::path path_ = folder_ / "gala" / "MMvM.mze";
};

TEST_F(EndingsFileTest, ComesBackAsItWas) {
  EXPECT_TRUE(std::filesystem::exists(path_));
  EXPECT_EQ(read_ending(game_->info(), table_.ending), table_.codes);
}

TEST_F(EndingsFileTest, IsFoundForItsRulesetWithAnyLimits) {
  const game::GamePtr longer = *game::make_game("gala:no_progress=200");
  for (const game::Game* game : {game_.get(), longer.get()}) {
    const auto endings = installed_endings(*game);
    ASSERT_NE(endings, nullptr);
    const game::Position won = *game::parse_position(*game, "7/7/7/7/1M5/1m1M3/7 w");
    EXPECT_EQ(endings->probe(won), (mcts::EndingValue{1, 7}));
  }
  EXPECT_EQ(installed_endings(**game::make_game("gala:move=step")), nullptr) << "other rules";
  EXPECT_EQ(installed_endings(**game::make_game("makyek")), nullptr) << "not installed";
}

// White's only quiet win begins with this move; a search of one ply does not see it.
class EndingsPlayerTest : public EndingsFileTest {
 protected:
  // Plies to the end of the game as a player sees them; none: not proven.
  std::optional<int> end_in_plies(const std::string& key, const PlayerOptions& options = {}) const {
    const game::GameState state(*game_, *game::parse_position(*game_, "7/7/7/7/1M5/1m1M3/7 w"));
    const auto player =
        load_player(*game_, *parse_player(network_ + ":1" + key, {.ruleset = "gala"}), options);
    const auto searcher = player->make_searcher({});
    searcher->begin({.position = &state.position(), .history = &state.history(), .legal = &state.legal()},
                    limits_of(*player));
    run(searcher.get(), nullptr);
    return searcher->info().lines.front().end_in_plies;
  }

  const std::string network_ = [this] {
    const std::filesystem::path file = folder_ / "small.mzc";
    write_model(file, make_model(mcts::material_small_network(game_->info())));
    return file.string();
  }();
};

TEST_F(EndingsPlayerTest, KnowsThemWhereItIsTold) {
  EXPECT_EQ(end_in_plies(""), std::nullopt);
  EXPECT_EQ(end_in_plies("?endings=on"), 7);
  EXPECT_EQ(end_in_plies("", {.endings = true}), 7);
  EXPECT_EQ(end_in_plies("?endings=off", {.endings = true}), std::nullopt);
}

TEST_F(EndingsPlayerTest, EndingsThatAreNotInstalledAreMissedWhereTheyAreAskedFor) {
  std::filesystem::remove_all(path_.parent_path());
  EXPECT_EQ(end_in_plies("", {.endings = true}), std::nullopt);
  try {
    end_in_plies("?endings=on");
    ADD_FAILURE() << "it plays";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("endings=on: none are installed: `makzero endings gala`"));
  }
}

TEST_F(EndingsFileTest, AnEmptyNameOfTheFolderSwitchesThemOff) {
  setenv("MAKZERO_ENDINGS", "", 1);
  EXPECT_EQ(installed_endings(*game_), nullptr);
}

TEST_F(EndingsFileTest, DamageIsNamedWithItsRepair) {
  FrameBuffer buffer(FileKind::kEnding);
  buffer.add("makyek MMvM");
  buffer.add("codes");
  write_text_file(path_, buffer.bytes());
  EXPECT_THAT(
      why_not_read(),
      HasSubstr("is another ending, or one of another version: remove it and run `makzero endings gala`"));
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 3);
  EXPECT_THAT(why_not_read(), HasSubstr("remove it and run `makzero endings gala`"));
}

TEST_F(EndingsFileTest, PlayGoesOnWithoutADamagedFile) {
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 3);
  const auto endings = installed_endings(*game_);
  ASSERT_NE(endings, nullptr);
  const game::Position won = *game::parse_position(*game_, "7/7/7/7/1M5/1m1M3/7 w");
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(endings->probe(won), std::nullopt);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("MMvM.mze"));
}

TEST_F(EndingsFileTest, ABoardOfItsOwnHasAFolderOfItsOwn) {
  const auto folder = [&](const char* ruleset) {
    return ending_path((*game::make_game(ruleset))->info(), "").parent_path();
  };
  EXPECT_EQ(folder("makyek:setup=5x5"), folder_ / "makyek-5x5");
  EXPECT_EQ(folder("makyek:setup=rows12"), folder_ / "makyek");
}

TEST_F(EndingsFileTest, RulesetsWithoutTablesSayWhy) {
  const auto reason = [](const char* ruleset) {
    return no_endings_reason((*game::make_game(ruleset))->info());
  };
  EXPECT_EQ(reason("makruk"), "");
  EXPECT_EQ(reason("makruk:max_plies=100"), "");
  EXPECT_EQ(reason("makyek:setup=5x5"), "");
  EXPECT_THAT(reason("makruk:count.mode=manual"), HasSubstr("leave the options out"));
  EXPECT_THAT(reason("makyek:limit_result=material"), HasSubstr("limit_result=draw"));
}

}  // namespace
}  // namespace makzero::models
