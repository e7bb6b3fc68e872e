// A game as it stands.
#include "game/game_state.h"

#include <gtest/gtest.h>

#include <random>

#include "game/catalog.h"
#include "game/notation.h"

namespace makzero::game {
namespace {

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }

 private:
  std::mt19937_64 engine_;
};

GamePtr rules_of(const std::string& ruleset) { return *make_game(ruleset); }

void play(GameState* state, std::initializer_list<const char*> moves) {
  for (const char* move : moves) state->play(*parse_move(state->rules(), state->position(), move));
}

TEST(GameStateTest, BeginsWithTheMovesOfItsStart) {
  const GamePtr makruk = rules_of("makruk");
  const GameState state(*makruk);
  EXPECT_EQ(state.position(), makruk->initial());
  EXPECT_EQ(state.legal().size(), 23);
  EXPECT_FALSE(state.over());
}

TEST(GameStateTest, TheThirdOccurrenceOfAPositionEndsIt) {
  const GamePtr makruk = rules_of("makruk");
  GameState state(*makruk);
  play(&state, {"b1d2", "b8d7", "d2b1", "d7b8", "b1d2", "b8d7", "d2b1"});
  EXPECT_FALSE(state.over());
  play(&state, {"d7b8"});
  EXPECT_TRUE(state.over());
  EXPECT_EQ(state.outcome().reason, Reason::kRepetition);
  EXPECT_FALSE(outcome_of(*makruk, state.position()).over()) << "one position alone was not repeated";
}

TEST(GameStateTest, ACopyIsAGameOfItsOwn) {
  const GamePtr makyek = rules_of("makyek");
  GameState state(*makyek);
  GameState copy = state;
  play(&copy, {"a3a4"});
  EXPECT_EQ(state.position(), makyek->initial());
  EXPECT_EQ(state.history().size(), 1);
  EXPECT_EQ(copy.history().size(), 2);
}

TEST(GameStateTest, APlayoutStopsAfterItsPliesOrAtTheEnd) {
  const GamePtr rek = rules_of("rek");
  Numbers numbers(7);
  int over = 0;
  for (int game = 0; game < 20; ++game) {
    GameState state(*rek);
    const std::vector<Move> moves = state.random_playout(60, &numbers);
    EXPECT_TRUE(state.over() || moves.size() == 60);
    over += state.over();
    GameState again(*rek);
    for (const Move move : moves) {
      ASSERT_FALSE(again.over());
      again.play(move);
    }
    EXPECT_EQ(again.position(), state.position());
  }
  EXPECT_GT(over, 0);
  EXPECT_LT(over, 20);
}

}  // namespace
}  // namespace makzero::game
