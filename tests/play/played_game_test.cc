// Games as they are played: moves, declarations, taking back, the saved form.
#include "play/played_game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/catalog.h"
#include "game/notation.h"

namespace makzero::play {
namespace {

using game::Declaration;
using testing::HasSubstr;

PlayedGame new_game(const std::string& ruleset) { return PlayedGame(*game::make_game(ruleset)); }

void play(PlayedGame* game, std::initializer_list<const char*> moves) {
  for (const char* move : moves) game->play(*game::parse_move(game->rules(), game->position(), move));
}

TEST(PlayedGameTest, UndoRestoresPositionHistoryAndMoves) {
  PlayedGame game = new_game("makyek");
  play(&game, {"a3a4", "a6a5"});
  const game::Position before = game.position();
  const int moves_before = game.legal().size();
  play(&game, {"b3b4"});
  EXPECT_TRUE(game.undo());
  EXPECT_EQ(game.position(), before);
  EXPECT_EQ(game.legal().size(), moves_before);
  EXPECT_EQ(game.history().size(), 3);
}

TEST(PlayedGameTest, UndoAtTheStartSaysThatThereIsNothing) {
  PlayedGame game = new_game("makyek");
  EXPECT_FALSE(game.undo());
  EXPECT_EQ(game.position(), game.rules().initial());
}

TEST(PlayedGameTest, RepetitionIsSeenAcrossMoves) {
  PlayedGame game = new_game("makyek");
  for (int i = 0; i < 2; ++i) play(&game, {"a3a4", "a6a5", "a4a3", "a5a6"});
  EXPECT_EQ(game.outcome().reason, game::Reason::kRepetition);
}

TEST(PlayedGameTest, SavedTextReadsBackAsTheSameGame) {
  PlayedGame game = new_game("makyek:no_progress=60");
  play(&game, {"a3a4", "a6a5", "b3b4"});
  const std::string text = game_text(game);
  const game::Parsed<PlayedGame> read = read_game_text(text);
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(read->position(), game.position());
  EXPECT_EQ(read->actions(), game.actions());
  EXPECT_EQ(read->rules().info().ruleset, game.rules().info().ruleset);
}

TEST(PlayedGameTest, SavedTextKeepsAnOwnStartPosition) {
  const game::GamePtr rules = *game::make_game("makruk");
  PlayedGame game(rules, *game::parse_position(*rules, "4k3/8/8/8/8/8/R7/4K3 w - - 0 1"));
  play(&game, {"a2a3"});
  const game::Parsed<PlayedGame> read = read_game_text(game_text(game));
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(read->position(), game.position());
}

TEST(PlayedGameTest, DeclarationsAreSavedAndTakenBackWithTheirMove) {
  const game::GamePtr rules = *game::make_game("makruk:count.mode=manual");
  PlayedGame game(rules, *game::parse_position(*rules, "4k2n/8/8/8/8/8/RR6/4K3 b - - 0 1"));
  ASSERT_FALSE(rules->declarations(game.position()).empty());
  game.declare(Declaration::kStartCount);
  play(&game, {"e8e7", "a2a3"});
  game.declare(Declaration::kStopCount);
  play(&game, {"e7e6"});
  const std::string text = game_text(game);
  EXPECT_THAT(text, HasSubstr("moves count e8e7 a2a3 stop e7e6\n"));
  const game::Parsed<PlayedGame> read = read_game_text(text);
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(read->actions(), game.actions());
  EXPECT_EQ(read->position(), game.position());
  EXPECT_TRUE(game.undo());
  EXPECT_TRUE(game.offers(Declaration::kStopCount));
  EXPECT_TRUE(game.undo());
  EXPECT_TRUE(game.undo());
  EXPECT_EQ(game.position(), game.start());
  EXPECT_TRUE(game.actions().empty());
}

struct BadText {
  const char* text;
  const char* message;
};

class BadGameTextTest : public testing::TestWithParam<BadText> {};

TEST_P(BadGameTextTest, SaysWhatIsWrongAndWhere) {
  const game::Parsed<PlayedGame> read = read_game_text(GetParam().text);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.why(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadGameTextTest,
    testing::Values(BadText{"", "not a saved game"}, BadText{"ruleset makyek\n", "no line 'moves'"},
                    BadText{"ruleset makyik\nmoves\n",
                            "line 1: unknown game 'makyik': did you mean 'makyek'?"},
                    BadText{"ruleset makyek\nmvoes a3a4\n", "line 2: unknown word 'mvoes'"},
                    BadText{"ruleset makyek\nmoves a3a4 a3a4\n", "moves: word 2: move 'a3a4' is not legal"},
                    BadText{"ruleset makyek\nmoves count\n", "'count' cannot be declared here"},
                    BadText{"ruleset makyek\nstart 8/8 w\nmoves\n", "start: the board has 2 ranks"}));

}  // namespace
}  // namespace makzero::play
