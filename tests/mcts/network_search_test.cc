// Alpha-beta with a small network: finds what is forced, keeps to its limits, and gains from depth.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/alpha_beta/alpha_beta_searcher.h"
#include "mcts/draw_value.h"
#include "mcts/rng.h"
#include "tests/support/alpha_beta_tools.h"
#include "tests/support/small_network.h"
#include "tests/support/toy_games.h"

namespace makzero::mcts {
namespace {

using game::GamePtr;
using game::History;
using game::Move;
using game::MoveList;
using game::Position;
using testing::MaterialSearch;
using testing::NetworkSearch;
using testing::random_small_network;

constexpr std::size_t kEntries = 1 << 16;

Position position_of(const game::Game& game, const char* text) {
  const auto position = game::parse_position(game, text);
  EXPECT_TRUE(position) << position.why();
  return *position;
}

NetworkSearch::Result search(const game::Game& game, const Position& position, const AlphaBetaLimits& limits,
                             const SmallNetwork& network) {
  return NetworkSearch(game, {game.info(), network}, alpha_beta_options(game.info()), kEntries)
      .search(position, History(position), limits);
}

NetworkSearch::Result search_to(const game::Game& game, const Position& position, int depth) {
  AlphaBetaLimits limits;
  limits.depth = depth;
  return search(game, position, limits, empty_small_network(game.info()));
}

TEST(NetworkSearchTest, WinIsFoundInTheFewestPlies) {
  const testing::Stones game(7);
  const NetworkSearch::Result found = search_to(game, game.initial(), 6);
  EXPECT_EQ(found.best(), Move::drop(2));
  EXPECT_EQ(found.score(), LogitScore{kWinScore - 3});
}

TEST(NetworkSearchTest, LossIsSeenAsOne) {
  const testing::Stones game(8);
  EXPECT_EQ(search_to(game, game.initial(), 8).score(), -LogitScore{kWinScore - 4});
}

TEST(NetworkSearchTest, WinsAndLossesOfRandomTreesAreFound) {
  int decided = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const testing::RandomTree game(seed, 4, 5);
    const int truth = testing::solve(game, game.initial());
    if (truth == 0) continue;
    ++decided;
    const int found = search_to(game, game.initial(), 20).score().value;
    EXPECT_GT(truth * found, kWinScore - 1000) << seed;
  }
  EXPECT_GT(decided, 50);
}

TEST(NetworkSearchTest, MateInTwoOfMakrukIsFound) {
  const GamePtr makruk = *game::make_game("makruk");
  const Position position = position_of(*makruk, "k7/8/2K5/8/8/8/8/7R w - - 0 1");
  const NetworkSearch::Result found = search_to(*makruk, position, 6);
  EXPECT_EQ(found.score(), LogitScore{kWinScore - 3});
  EXPECT_GE(found.lines.front().moves.size(), 1u);
  EXPECT_EQ(found.lines.front().moves.front(), found.best());
}

TEST(NetworkSearchTest, MovesAreLegalInEveryRuleset) {
  for (const std::string& name : game::ruleset_names()) {
    const GamePtr game = *game::make_game(name);
    NetworkSearch search(*game, {game->info(), random_small_network(game->info(), 1)},
                         alpha_beta_options(game->info()), kEntries);
    Position position = game->initial();
    History history(position);
    MoveList legal;
    AlphaBetaLimits limits;
    limits.nodes = 400;
    for (int ply = 0; ply < 60; ++ply) {
      game->legal_moves(position, &legal);
      if (game->outcome(position, !legal.empty(), history.occurrences()).over()) break;
      const NetworkSearch::Result found = search.search(position, history, limits);
      ASSERT_NE(std::find(legal.begin(), legal.end(), found.best()), legal.end()) << name << " ply " << ply;
      Position line = position;
      for (const Move move : found.lines.front().moves) {
        MoveList there;
        game->legal_moves(line, &there);
        ASSERT_NE(std::find(there.begin(), there.end(), move), there.end()) << name << " ply " << ply;
        game->apply(move, &line);
      }
      game->apply(found.best(), &position);
      history.push(position);
    }
  }
}

TEST(NetworkSearchTest, OnlyTheMovesThatAreAskedForAreConsidered) {
  const GamePtr game = *game::make_game("makyek");
  MoveList legal;
  game->legal_moves(game->initial(), &legal);
  AlphaBetaLimits limits;
  limits.depth = 4;
  limits.search_moves = {legal[3], legal[5]};
  const NetworkSearch::Result found =
      search(*game, game->initial(), limits, random_small_network(game->info(), 2));
  EXPECT_TRUE(found.best() == legal[3] || found.best() == legal[5]);
}

TEST(NetworkSearchTest, ASearchOfSomeMovesLeavesNoScoreOfTheirPosition) {
  AlphaBetaLimits limits;
  limits.depth = 20;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const testing::RandomTree game(seed, 4, 5);
    NetworkSearch search(game, {game.info(), empty_small_network(game.info())},
                         alpha_beta_options(game.info()), kEntries);
    MoveList moves, replies, last;
    game.legal_moves(game.initial(), &moves);
    for (const Move move : moves) {
      Position child = game.initial();
      game.apply(move, &child);
      game.legal_moves(child, &replies);
      for (const Move reply : replies) {
        Position position = child;
        game.apply(reply, &position);
        game.legal_moves(position, &last);
        limits.search_moves = {last.begin(), last.begin() + std::min(last.size(), 1)};
        if (!last.empty()) search.search(position, History(position), limits);
      }
    }
    limits.search_moves = {};
    const int truth = testing::solve(game, game.initial());
    const int found = search.search(game.initial(), History(game.initial()), limits).score().value;
    const int sign = (found > kWinScore - 1000) - (found < 1000 - kWinScore);
    EXPECT_EQ(sign, truth) << seed;
  }
}

TEST(NetworkSearchTest, EndsWhenTheClockItIsGivenHasGoneOn) {
  const GamePtr game = *game::make_game("makyek");
  std::chrono::milliseconds now{0};
  AlphaBetaLimits limits;
  limits.time = std::chrono::milliseconds(20);
  limits.clock = [&now] { return now += std::chrono::milliseconds(1); };
  search(*game, game->initial(), limits, random_small_network(game->info(), 3));
  EXPECT_EQ(now, std::chrono::milliseconds(21));
}

TEST(NetworkSearchTest, EndsWhenItIsStopped) {
  const GamePtr game = *game::make_game("makyek");
  const std::atomic<bool> stop = true;
  AlphaBetaLimits limits;
  limits.stop = &stop;
  EXPECT_LT(search(*game, game->initial(), limits, random_small_network(game->info(), 3)).nodes, 100'000u);
}

TEST(NetworkSearchTest, ClearedSearchRepeatsItself) {
  const GamePtr game = *game::make_game("rek");
  NetworkSearch search(*game, {game->info(), random_small_network(game->info(), 5)},
                       alpha_beta_options(game->info()), kEntries);
  AlphaBetaLimits limits;
  limits.depth = 5;
  const Position start = game->initial();
  const NetworkSearch::Result first = search.search(start, History(start), limits);
  search.clear();
  const NetworkSearch::Result second = search.search(start, History(start), limits);
  EXPECT_EQ(first.best(), second.best());
  EXPECT_EQ(first.score(), second.score());
  EXPECT_EQ(first.nodes, second.nodes);
}

// All moves end the game at its limit.
TEST(NetworkSearchTest, ADrawIsWorthMoreToWhoHasTakenMore) {
  const GamePtr rules = *game::make_game("makyek:no_progress=1");
  const LogitScore ahead = score_of_result(DrawValue::kOfLeader);
  EXPECT_EQ(search_to(*rules, position_of(*rules, "m7/8/8/8/8/8/8/MM6 w"), 2).score(), ahead);
  EXPECT_EQ(search_to(*rules, position_of(*rules, "m7/8/8/8/8/8/8/MM6 b"), 2).score(), -ahead);
  EXPECT_EQ(search_to(*rules, position_of(*rules, "mm6/8/8/8/8/8/8/MM6 w"), 2).score(), LogitScore{});
}

// Whether all replies take, and all of them leave the king to be taken.
bool forces_the_king(const game::Game& game, const Position& position) {
  MoveList replies, captures;
  game.legal_moves(position, &replies);
  if (replies.empty() || game.threats(position, position.to_move).targets == 0) return false;
  return std::all_of(replies.begin(), replies.end(), [&](Move reply) {
    Position after = position;
    game.apply(reply, &after);
    game.legal_moves(after, &captures);
    return !captures.empty() &&
           (game.threats(after, after.to_move).targets & game::kings(game.info(), after) & after.enemy());
  });
}

TEST(NetworkSearchTest, WhoMustTakeIsNotThoughtToWait) {
  const GamePtr rules = *game::make_game("minrekchanh");
  Rng rng(3);
  int forced = 0;
  for (int game = 0; game < 2000; ++game) {
    game::GameState state(*rules);
    state.random_playout(static_cast<int>(20 + rng.below(40)), &rng);
    if (state.over() || rules->threats(state.position(), state.position().to_move).targets != 0) continue;
    const bool wins = std::any_of(state.legal().begin(), state.legal().end(), [&](Move move) {
      Position child = state.position();
      rules->apply(move, &child);
      return forces_the_king(*rules, child);
    });
    if (!wins) continue;
    ++forced;
    EXPECT_GE(search_to(*rules, state.position(), 1).score().value, kProvenScore)
        << position_text(*rules, state.position());
  }
  EXPECT_GT(forced, 5);
}

// The network says that whoever is to move is ahead, so a move leaves the enemy ahead, but for a2b2, which
// makes a position stand for the third time.
TEST(NetworkSearchTest, WhoIsBehindRepeats) {
  const GamePtr makruk = *game::make_game("makruk");
  Position position = position_of(*makruk, "7k/8/8/8/8/8/2R5/K7 w - - 0 1");
  History history(position);
  for (const char* text : {"c2b2", "h8g8", "b2a2", "g8h8", "a2b2", "h8g8", "b2a2", "g8h8"}) {
    makruk->apply(*game::parse_move(*makruk, position, text), &position);
    history.push(position);
  }
  SmallNetwork network = empty_small_network(makruk->info());
  for (std::int32_t& bias : network.output_bias)
    bias = SmallNetwork::kActivationOne * SmallNetwork::kWeightOne;
  AlphaBetaLimits limits;
  limits.depth = 1;
  limits.search_moves = {*game::parse_move(*makruk, position, "a2c2"),
                         *game::parse_move(*makruk, position, "a2b2")};
  const NetworkSearch::Result found =
      NetworkSearch(*makruk, {makruk->info(), network}, alpha_beta_options(makruk->info()), kEntries)
          .search(position, history, limits);
  EXPECT_EQ(move_text(*makruk, position, found.best()), "a2b2");
  EXPECT_EQ(found.score().value, 0);
}

// The same where who is to move is ahead by a quarter of a logit, or behind, 18 centipawns.
TEST(NetworkSearchTest, ContemptPlaysOnAndItsNegativeTakesDraws) {
  const GamePtr makruk = *game::make_game("makruk");
  const Position start = position_of(*makruk, "7k/8/8/8/8/8/2R5/K7 w - - 0 1");
  Position position = start;
  History history(position);
  std::vector<Move> moves;
  for (const char* text : {"c2b2", "h8g8", "b2a2", "g8h8", "a2b2", "h8g8", "b2a2", "g8h8"}) {
    moves.push_back(*game::parse_move(*makruk, position, text));
    makruk->apply(moves.back(), &position);
    history.push(position);
  }
  MoveList legal;
  makruk->legal_moves(position, &legal);
  const Move repeats = *game::parse_move(*makruk, position, "a2b2");
  Limits limits{.depth = 1, .search_moves = {*game::parse_move(*makruk, position, "a2c2"), repeats}};
  for (const auto& [sign, contempt, draws] : {std::tuple(1, 0, true),
                                              {1, 15, true},
                                              {1, 20, false},
                                              {-1, 0, false},
                                              {-1, -15, false},
                                              {-1, -20, true}}) {
    SmallNetwork network = empty_small_network(makruk->info());
    for (std::int32_t& bias : network.output_bias)
      bias = sign * SmallNetwork::kActivationOne * SmallNetwork::kWeightOne / 4;
    const auto searcher = make_small_searcher(*makruk, network, alpha_beta_options(makruk->info()), 1 << 20);
    limits.contempt = contempt;
    searcher->begin({&position, &history, &legal, &start, moves}, limits);
    while (!searcher->done()) searcher->step({});
    EXPECT_EQ(searcher->info().best() == repeats, draws) << sign << " " << contempt;
  }
}

// All games are drawn in a few plies.
TEST(NetworkSearchTest, ContemptIsTheLossOfTheRootsSide) {
  const GamePtr rules = *game::make_game("makyek:no_progress=6");
  const auto searcher = make_small_searcher(*rules, empty_small_network(rules->info()),
                                            alpha_beta_options(rules->info()), 1 << 20);
  for (const char* text : {"mm6/8/8/8/8/8/8/MM6 w", "mm6/8/8/8/8/8/8/MM6 b"}) {
    const Position position = position_of(*rules, text);
    const History history(position);
    MoveList legal;
    rules->legal_moves(position, &legal);
    for (const int contempt : {0, 50, -70, 0}) {
      searcher->begin({&position, &history, &legal, &position}, {.depth = 8, .contempt = contempt});
      while (!searcher->done()) searcher->step({});
      EXPECT_EQ(searcher->info().lines.front().centipawns, -contempt) << text;
    }
  }
}

// The score is that of minimax, whatever the table holds.
TEST(NetworkSearchTest, ScoresOfAnotherContemptAreNotTaken) {
  const GamePtr makyek = *game::make_game("makyek"), rules = *game::make_game("makyek:no_progress=2");
  Rng rng(1);
  int differ = 0;
  for (int number = 0; number < 20; ++number) {
    game::GameState state(*makyek);
    state.random_playout(static_cast<int>(20 + rng.below(40)), &rng);
    if (state.over()) continue;
    Position position = state.position();
    position.no_progress_plies = 0;
    const auto score = [&](MaterialSearch* search, int contempt) {
      return search->search(position, History(position), {.depth = 3, .contempt = contempt}).score();
    };
    MaterialSearch used(*rules, MaterialEvaluation(rules->info()), kBaselineOptions, 1 << 12);
    MaterialSearch fresh(*rules, MaterialEvaluation(rules->info()), kBaselineOptions, 1 << 12);
    for (const int contempt : {500, -500, 0}) {
      const Centipawns after = score(&used, contempt);
      fresh.clear();
      EXPECT_EQ(after, score(&fresh, contempt)) << number;
      differ += after != score(&fresh, 0);
    }
  }
  EXPECT_GT(differ, 0);
}

}  // namespace
}  // namespace makzero::mcts
