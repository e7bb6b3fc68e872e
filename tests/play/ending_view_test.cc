// Exact values of moves as people read them: grouped, best first, in moves.
#include "play/views.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/notation.h"

namespace makzero::play {
namespace {

PlayedGame game_at(const std::string& position) {
  const game::GamePtr makruk = *game::make_game("makruk");
  return {makruk, *game::parse_position(*makruk, position)};
}

// "TEXT: number of moves" for each group; the first legal moves have these values, the others none.
std::vector<std::string> told(const PlayedGame& game, std::vector<std::optional<mcts::EndingValue>> values,
                              bool to_capture = false) {
  values.resize(game.legal().size());
  std::vector<std::string> lines;
  for (const EndingGroup& group : ending_view(game, {.endings = {std::move(values), to_capture}}))
    lines.push_back(group.text.english() + ": " + std::to_string(group.moves.size()));
  return lines;
}

using Lines = std::vector<std::string>;
const char* const kCounted = "8/K7/5k2/8/8/7R/8/8 w - 32 7 40";
const char* const kUncounted = "8/K7/5k2/8/8/6RR/8/8 w - - - 40";

TEST(EndingViewTest, MovesOfOneValueAreTogetherAndTheBestComeFirst) {
  EXPECT_EQ(told(game_at(kUncounted), {{{-1, 4}}, {{0, 0}}, {{1, 5}}, {{-1, 2}}, {{1, 3}}, {{1, 5}}}),
            (Lines{"win in 2: 1", "win in 3: 2", "draw: 1", "loss in 2: 1", "loss in 1: 1"}));
}

TEST(EndingViewTest, OfAWinTheCountTellsTheMovesThatAreLeft) {
  EXPECT_EQ(told(game_at(kCounted), {{{1, 25}}, {{0, 0}}}),
            (Lines{"win in 13, the count leaves 13: 1", "draw: 1"}));
}

TEST(EndingViewTest, ADistanceToACaptureIsNamedSo) {
  EXPECT_EQ(told(game_at(kUncounted), {{{1, 5}}, {{-1, 4}}}, true),
            (Lines{"win, a capture in 3: 1", "loss, a capture in 2: 1"}));
}

TEST(EndingViewTest, WithoutValuesThereIsNothing) { EXPECT_EQ(told(game_at(kCounted), {}), Lines()); }

}  // namespace
}  // namespace makzero::play
