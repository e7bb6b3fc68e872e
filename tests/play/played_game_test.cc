// Games as they are played: moves, declarations, taking back, the saved form.
#include "play/played_game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/catalog.h"
#include "game/notation.h"
#include "play/json/game_json.h"
#include "play/notation/document_reader.h"
#include "play/notation/document_writer.h"

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

// The count of pieces' honour ran out and nobody claimed the draw.
TEST(PlayedGameTest, ACountThatWasOverlookedBeginsAnew) {
  const game::GamePtr rules = *game::make_game("makruk");
  PlayedGame game(rules, *game::parse_position(*rules, "4k3/8/8/8/8/8/R7/4K3 w - 32 31 20"));
  play(&game, {"a2a3", "e8e7"});
  EXPECT_EQ(game.outcome().reason, game::Reason::kCountExceeded);
  EXPECT_TRUE(game.may_go_on());
  play(&game, {"a3a4"});
  EXPECT_FALSE(game.outcome().over());
  EXPECT_EQ(state_json(game)["history"][1]["result"], "1/2-1/2");
  EXPECT_FALSE(state_json(game)["history"][2].contains("result"));
  ASSERT_TRUE(game.passed_end());
  EXPECT_EQ(game.passed_end()->actions, 2);
  game.take_back();
  EXPECT_FALSE(game.passed_end());
}

TEST(PlayedGameTest, SavedTextReadsBackAsTheSameGame) {
  PlayedGame game = new_game("makyek:no_progress=60");
  play(&game, {"a3a4", "a6a5", "b3b4"});
  const std::string text = game_text(GameDocument(game));
  const auto read = read_document(text);
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(read->game.position(), game.position());
  EXPECT_EQ(read->game.actions(), game.actions());
  EXPECT_EQ(read->game.rules().info().ruleset, game.rules().info().ruleset);
}

TEST(PlayedGameTest, SavedTextKeepsAnOwnStartPosition) {
  const game::GamePtr rules = *game::make_game("makruk");
  PlayedGame game(rules, *game::parse_position(*rules, "4k3/8/8/8/8/8/R7/4K3 w - - 0 1"));
  play(&game, {"a2a3"});
  const auto read = read_document(game_text(GameDocument(game)));
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(read->game.position(), game.position());
}

TEST(PlayedGameTest, DeclarationsAreSavedAndTakenBackWithTheirMove) {
  const game::GamePtr rules = *game::make_game("makruk:count.mode=manual");
  PlayedGame game(rules, *game::parse_position(*rules, "4k2n/8/8/8/8/8/RR6/4K3 b - - 0 1"));
  ASSERT_FALSE(rules->declarations(game.position()).empty());
  game.declare(Declaration::kStartCount);
  play(&game, {"e8e7", "a2a3"});
  game.declare(Declaration::kStopCount);
  play(&game, {"e7e6"});
  const std::string text = game_text(GameDocument(game));
  EXPECT_THAT(text, HasSubstr("moves count e8e7 a2a3 stop e7e6\n"));
  const auto read = read_document(text);
  ASSERT_TRUE(read) << read.why();
  EXPECT_EQ(read->game.actions(), game.actions());
  EXPECT_EQ(read->game.position(), game.position());
  EXPECT_TRUE(game.undo());
  EXPECT_TRUE(game.offers(Declaration::kStopCount));
  EXPECT_TRUE(game.undo());
  EXPECT_TRUE(game.undo());
  EXPECT_EQ(game.position(), game.start());
  EXPECT_TRUE(game.actions().empty());
}

}  // namespace
}  // namespace makzero::play
