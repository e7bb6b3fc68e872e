// The frozen alpha-beta with material, "alphabeta:N": the scores that it has always found, and what a
// baseline must not miss.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/alpha_beta/alpha_beta_searcher.h"
#include "mcts/rng.h"
#include "tests/support/alpha_beta_tools.h"
#include "tests/support/toy_games.h"

namespace makzero::mcts {
namespace {

using game::GamePtr;
using game::History;
using game::Move;
using game::MoveList;
using game::Position;
using testing::MaterialSearch;
using testing::RandomTree;
using testing::Stones;

using Found = MaterialSearch::Result;

Found material_search(const game::Game& game, const Position& position, const History& history,
                      const AlphaBetaLimits& limits, const AlphaBetaOptions& options = kBaselineOptions) {
  return MaterialSearch(game, MaterialEvaluation(game.info()), options, 1 << 14)
      .search(position, history, limits);
}

Found best_of(const game::Game& game, const Position& position, int depth, std::uint64_t seed = 1) {
  AlphaBetaLimits limits;
  limits.depth = depth;
  limits.seed = seed;
  return material_search(game, position, History(position), limits);
}

Position position_of(const game::Game& game, const char* text) { return *game::parse_position(game, text); }

// The score of a position to this depth without any cut, from the side to move.
int minimax(const game::Game& game, const Position& position, int depth, int ply, int enemy_moves) {
  MoveList legal;
  game.legal_moves(position, &legal);
  const game::Outcome outcome = game.outcome(position, !legal.empty(), 1);
  if (outcome.result == game::Result::kDraw) return 0;
  if (outcome.over()) return outcome.result == win_of(position.to_move) ? kWinScore - ply : ply - kWinScore;
  if (depth == 0) {
    return material(game.info(), position, position.to_move) -
           material(game.info(), position, other(position.to_move)) + legal.size() - enemy_moves;
  }
  int best = -kWinScore;
  for (const Move move : legal) {
    Position child = position;
    game.apply(move, &child);
    best = std::max(best, -minimax(game, child, depth - 1, ply + 1, legal.size()));
  }
  return best;
}

TEST(AlphaBetaPlayerTest, EndsWhenTheClockItIsGivenHasGoneOn) {
  const GamePtr makyek = *game::make_game("makyek");
  std::chrono::milliseconds now{0};
  AlphaBetaLimits limits;
  limits.time = std::chrono::milliseconds(20);
  limits.clock = [&now] { return now += std::chrono::milliseconds(1); };
  const Position position = makyek->initial();
  const Found short_search = material_search(*makyek, position, History(position), limits);
  EXPECT_EQ(now, std::chrono::milliseconds(21));
  limits.time = std::chrono::milliseconds(200);
  const Found long_search = material_search(*makyek, position, History(position), limits);
  EXPECT_GT(long_search.nodes, 5 * short_search.nodes);
  EXPECT_GT(long_search.depth, short_search.depth);
}

TEST(AlphaBetaPlayerTest, ScoreEqualsMinimaxOnRandomTrees) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RandomTree game(seed, 8, 5);
    for (int depth = 1; depth <= 4; ++depth) {
      const Found found = best_of(game, game.initial(), depth);
      EXPECT_EQ(found.score().value, minimax(game, game.initial(), found.depth, 0, 0))
          << seed << " " << depth;
      Position child = game.initial();
      game.apply(found.best(), &child);
      MoveList legal;
      game.legal_moves(game.initial(), &legal);
      EXPECT_EQ(-minimax(game, child, found.depth - 1, 1, legal.size()), found.score().value)
          << seed << " " << depth;
    }
  }
}

TEST(AlphaBetaPlayerTest, ScoreEqualsMinimaxInPositionsOfRandomGames) {
  Rng rng(2);
  for (const char* name : {"makyek", "makruk"}) {
    const GamePtr game = *game::make_game(name);
    for (int trial = 0; trial < 8; ++trial) {
      Position position = game->initial();
      const int plies = static_cast<int>(rng.below(40));
      MoveList legal;
      for (int ply = 0; ply <= plies; ++ply) {
        game->legal_moves(position, &legal);
        if (game->outcome(position, !legal.empty(), 1).over()) break;
        if (ply < plies) game->apply(legal[static_cast<int>(rng.below(legal.size()))], &position);
      }
      if (game->outcome(position, !legal.empty(), 1).over()) continue;
      for (int depth = 1; depth <= 3; ++depth) {
        const Found found = best_of(*game, position, depth);
        EXPECT_EQ(found.score().value, minimax(*game, position, found.depth, 0, 0))
            << position_text(*game, position);
      }
    }
  }
}

TEST(AlphaBetaPlayerTest, WinIsFoundInTheFewestPlies) {
  const Stones game(7);
  const Found found = best_of(game, game.initial(), 6);
  EXPECT_EQ(found.best(), Move::drop(2));
  EXPECT_EQ(found.score().value, kWinScore - 3);
  EXPECT_EQ(found.depth, 3);  // A proven win needs no deeper search.
}

TEST(AlphaBetaPlayerTest, LossIsSeenAsOne) {
  const Stones game(4);
  EXPECT_EQ(best_of(game, game.initial(), 4).score(), -Centipawns{kWinScore - 2});
}

TEST(AlphaBetaPlayerTest, LastManIsTaken) {
  const GamePtr game = *game::make_game("makyek");
  // Sliding to c4 the man on c1 shuts the last enemy man in.
  const Position position = position_of(*game, "8/8/8/8/1M1m4/8/8/2M5 w");
  const Found found = best_of(*game, position, 1);
  EXPECT_NE(found.score().value, kWinScore - 1);
  const Position takes = position_of(*game, "8/8/8/8/4Mm2/8/8/6M1 w");
  EXPECT_EQ(move_text(*game, takes, best_of(*game, takes, 1).best()), "g1g4");
  EXPECT_EQ(best_of(*game, takes, 1).score(), Centipawns{kWinScore - 1});
}

TEST(AlphaBetaPlayerTest, MateInOneIsFound) {
  const GamePtr game = *game::make_game("makruk");
  const Position position = position_of(*game, "k7/8/1K6/8/8/8/8/7R w - - 0 1");
  EXPECT_EQ(move_text(*game, position, best_of(*game, position, 2).best()), "h1h8");
}

TEST(AlphaBetaPlayerTest, ThirdOccurrenceIsADraw) {
  const GamePtr game = *game::make_game("makyek");
  Position position = game->initial();
  History history(position);
  const Move cycle[] = {Move::step(16, 24), Move::step(40, 32), Move::step(24, 16), Move::step(32, 40)};
  for (int ply = 0; ply < 7; ++ply) {
    game->apply(cycle[ply % 4], &position);
    history.push(position);
  }
  // Black a man up does not repeat; a man down he does.
  for (const bool ahead : {true, false}) {
    Position changed = position;
    History past;
    Position once = game->initial();
    const game::Bitboard gone = game::bit(ahead ? 7 : 63);  // h1 or h8, which the cycle leaves alone.
    const auto remove = [&](Position* from) {
      for (game::Bitboard& side : from->side) side &= ~gone;
      from->kind[0] &= ~gone;
    };
    remove(&once);
    remove(&changed);
    past.push(once);
    for (int ply = 0; ply < 7; ++ply) {
      game->apply(cycle[ply % 4], &once);
      past.push(once);
    }
    AlphaBetaLimits limits;
    limits.depth = 1;
    AlphaBetaOptions options = kBaselineOptions;
    options.mobility_weight = 0;
    const Found found = material_search(*game, changed, past, limits, options);
    EXPECT_EQ(found.best() == cycle[3], !ahead);
    EXPECT_EQ(found.score().value == 0, !ahead);
  }
}

TEST(AlphaBetaPlayerTest, EqualMovesVaryWithTheSeed) {
  const GamePtr game = *game::make_game("makyek");
  bool differs = false;
  const Move first = best_of(*game, game->initial(), 1, 0).best();
  for (std::uint64_t seed = 1; seed < 20; ++seed)
    differs |= best_of(*game, game->initial(), 1, seed).best() != first;
  EXPECT_TRUE(differs);
  EXPECT_EQ(best_of(*game, game->initial(), 3, 5).best(), best_of(*game, game->initial(), 3, 5).best());
}

TEST(AlphaBetaPlayerTest, AStopEndsTheSearchWithAMove) {
  const GamePtr game = *game::make_game("makyek");
  const std::atomic<bool> stop = true;
  AlphaBetaLimits limits;
  limits.depth = 50;
  limits.stop = &stop;
  const Position position = game->initial();
  const Found found = material_search(*game, position, History(position), limits);
  EXPECT_GE(found.depth, 1);
  EXPECT_LT(found.depth, 50);
}

// A client may ask for a mate in any number of moves.
TEST(AlphaBetaPlayerTest, AMateIsFoundWithinAnyNumberOfMoves) {
  const GamePtr game = *game::make_game("makruk");
  const game::GameState state(*game, position_of(*game, "7k/8/5K2/8/8/8/8/RR6 w"));
  const Position& position = state.position();
  for (const int moves : {2, 64, 1 << 30, std::numeric_limits<int>::max()}) {
    const auto searcher = make_mate_searcher(*game, 1 << 20);
    searcher->begin({&position, &state.history(), &state.legal(), &position}, {.mate = moves});
    while (!searcher->done()) searcher->step({});
    EXPECT_EQ(searcher->info().lines.front().end_in_plies, 3) << moves;
  }
}

// Plays alpha-beta to this depth against a random mover. The lead of alpha-beta in men at the end, 100 for a
// win.
int lead_over_random(const game::Game& game, int depth, game::Color side, std::uint64_t seed) {
  AlphaBetaLimits limits;
  limits.depth = depth;
  limits.seed = seed;
  Rng rng(seed);
  Position position = game.initial();
  History history(position);
  MoveList legal;
  for (;;) {
    game.legal_moves(position, &legal);
    const game::Outcome outcome = game.outcome(position, !legal.empty(), history.occurrences());
    if (outcome.result == game::Result::kDraw) {
      return material_lead(game.info(), position, side) / 100;
    }
    if (outcome.over()) return outcome.result == win_of(side) ? 100 : -100;
    const Move move = position.to_move == side ? material_search(game, position, history, limits).best()
                                               : legal[static_cast<int>(rng.below(legal.size()))];
    game.apply(move, &position);
    history.push(position);
  }
}

TEST(AlphaBetaPlayerTest, DepthThreeBeatsRandomPlayNearlyAlways) {
  for (const char* name : {"makyek", "makruk"}) {
    const GamePtr game = *game::make_game(name);
    int wins = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const int lead = lead_over_random(*game, 3, seed % 2 ? game::Color::kBlack : game::Color::kWhite, seed);
      EXPECT_GT(lead, 0) << name << " " << seed;
      wins += lead == 100;
    }
    EXPECT_GE(wins, 11) << name;
  }
}

// Games of every ruleset, recorded with an alpha-beta of its own that this one replaced: a move, and the
// scores at depths 1, 2, ... of the position in which it was played.
TEST(AlphaBetaPlayerTest, ScoresAreAsRecorded) {
  std::ifstream file(MAKZERO_TEST_DATA "/alphabeta_scores.txt");
  ASSERT_TRUE(file);
  GamePtr game;
  std::optional<game::GameState> state;
  std::optional<MaterialSearch> search;
  int scores = 0;
  for (std::string line, word; std::getline(file, line);) {
    std::istringstream words(line);
    words >> word;
    if (word == "#") continue;
    if (word == "ruleset") {
      words >> word;
      game = *game::make_game(word);
      search.emplace(*game, MaterialEvaluation(game->info()), kBaselineOptions, 1 << 14);
    } else if (word == "game") {
      state.emplace(*game);
    } else {
      int depth = 0;
      for (int score = 0; words >> score; ++scores) {
        AlphaBetaLimits limits;
        limits.depth = ++depth;
        limits.seed = scores;
        search->clear();
        const Found found = search->search(state->position(), state->history(), limits);
        ASSERT_EQ(found.score().value, score)
            << game->info().ruleset << " " << position_text(*game, state->position()) << " " << limits.depth;
        limits.search_moves = {found.best()};
        ASSERT_EQ(search->search(state->position(), state->history(), limits).score().value, score);
      }
      state->play(*game::parse_move(*game, state->position(), word));
    }
  }
  EXPECT_GT(scores, 11 * 500 * 3);
}

}  // namespace
}  // namespace makzero::mcts
