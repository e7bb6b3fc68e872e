// Alpha-beta against plain minimax in every game, its steps and its lines.
#include "mcts/alpha_beta/alpha_beta.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/rng.h"
#include "tests/support/alpha_beta_tools.h"
#include "tests/support/random_games.h"
#include "tests/support/small_network.h"

namespace makzero::mcts {
namespace {

using game::GamePtr;
using game::GameState;
using game::Move;
using game::Position;
using testing::MaterialSearch;
using testing::NetworkSearch;
using testing::random_small_network;

constexpr std::size_t kEntries = 1 << 14;

const std::vector<std::string> kGames = {"makyek", "apit", "rek",          "minrekchanh", "gala",   "hunt",
                                         "makruk", "ok",   "makruk-sutra", "kaok",        "low1839"};

// Minimax without any cut, from the side to move.
template <class Evaluation>
class Minimax {
 public:
  Minimax(const game::Game& game, const Evaluation& evaluation, const GameState& state, bool draws_in_tree)
      : game_(game),
        evaluation_(evaluation),
        history_(state.history()),
        // A position that stands again at or below the root is a draw, or nothing short of the rules.
        first_(draws_in_tree && game.info().repetition > 0 ? history_.size() - 1 : -1) {}

  int of_move(const Position& position, Move move, int depth, int ply = 0) {
    Position child = position;
    game_.apply(move, &child);
    history_.push(child);
    const int score = of(child, depth - 1, ply + 1);
    history_.pop();
    return child.to_move == position.to_move ? score : -score;
  }

  int repetitions() const { return repetitions_; }

 private:
  int of(const Position& position, int depth, int ply) {
    if (first_ >= 0 && history_.occurrences(first_) > 1) return ++repetitions_, 0;
    game::MoveList legal;
    game_.legal_moves(position, &legal);
    const game::Outcome outcome = game_.outcome(position, !legal.empty(), history_.occurrences());
    repetitions_ += outcome.reason == game::Reason::kRepetition;
    if (outcome.result == game::Result::kDraw)
      return Evaluation::draw_score(DrawValue(game_).of(outcome.reason, position, position.to_move)).value;
    if (outcome.over()) return outcome.result == win_of(position.to_move) ? kWinScore - ply : ply - kWinScore;
    if (depth == 0) {
      typename Evaluation::Accumulator sums;
      evaluation_.refresh(position, &sums);
      return evaluation_.evaluate(position, sums).value;
    }
    int best = -kWinScore;
    for (const Move move : legal) best = std::max(best, of_move(position, move, depth, ply));
    return best;
  }

  const game::Game& game_;
  const Evaluation& evaluation_;
  game::History history_;
  int first_, repetitions_ = 0;
};

// A random game in which most moves take back the one before of the same side, where that is legal; one or
// two plies before its end if it ends.
GameState shuffled_game(const game::Game& game, int plies, Rng* rng) {
  GameState state(game);
  std::vector<Move> moves;
  while (static_cast<int>(moves.size()) < plies && !state.over()) {
    Move move = state.legal()[static_cast<int>(rng->below(state.legal().size()))];
    if (moves.size() > 1 && rng->below(8) > 0) {
      const Move last = moves[moves.size() - 2];
      const Move back = last.is_step() ? Move::step(last.destination(), last.origin()) : last;
      if (std::ranges::find(state.legal(), back) != state.legal().end()) move = back;
    }
    moves.push_back(move);
    state.play(move);
  }
  if (!state.over()) return state;
  state = GameState(game);
  moves.resize(moves.size() - 1 - rng->below(2));
  for (const Move move : moves) state.play(move);
  return state;
}

// The best scores of the root's moves.
template <class Evaluation>
std::vector<int> sorted_scores(const GameState& state, Minimax<Evaluation>* minimax, int depth) {
  std::vector<int> scores;
  for (const Move move : state.legal()) scores.push_back(minimax->of_move(state.position(), move, depth));
  std::ranges::sort(scores, std::greater());
  return scores;
}

// Score and move, and the scores of the three best lines and of all. Returns the draws by repetition that
// minimax met.
template <class Evaluation>
int expect_minimax(const GameState& state, const Evaluation& evaluation, int depth, bool draws_in_tree) {
  const game::Game& game = state.rules();
  AlphaBetaOptions options = kPlainOptions;
  options.repetition_in_tree = draws_in_tree;
  testing::WholeSearch<Evaluation> search(game, evaluation, options, kEntries);
  AlphaBetaLimits limits;
  limits.depth = depth;
  const auto found = search.search(state.position(), state.history(), limits);
  Minimax<Evaluation> minimax(game, evaluation, state, draws_in_tree);
  const std::vector<int> scores = sorted_scores(state, &minimax, found.depth);
  const std::string where =
      game.info().ruleset + " " + position_text(game, state.position()) + " " + std::to_string(depth);
  EXPECT_EQ(found.score().value, scores.front()) << where;
  EXPECT_EQ(minimax.of_move(state.position(), found.best(), found.depth), scores.front()) << where;
  const int moves = static_cast<int>(scores.size());
  for (const int lines : {std::min(3, moves), moves}) {
    limits.lines = lines;
    const auto several = search.search(state.position(), state.history(), limits);
    EXPECT_EQ(std::ssize(several.lines), lines) << where;
    for (std::size_t i = 0; i < several.lines.size(); ++i) {
      const auto& line = several.lines[i];
      EXPECT_EQ(line.score.value, scores[i]) << where << " line " << i << " of " << lines;
      EXPECT_EQ(minimax.of_move(state.position(), line.move(), several.depth), scores[i]) << where;
    }
  }
  return minimax.repetitions();
}

TEST(AlphaBetaTest, WithEverythingOffItIsMinimax) {
  Rng rng(3);
  for (const std::string& name : kGames) {
    const GamePtr game = *game::make_game(name);
    const SmallEvaluator network(game->info(), random_small_network(game->info(), 5));
    const MaterialEvaluation material(game->info());
    int repetitions = 0;
    for (int trial = 0; trial < 32; ++trial) {
      const GameState state = shuffled_game(*game, 2 + static_cast<int>(rng.below(80)), &rng);
      const int depth = trial % 16 == 0 ? 3 : 1 + trial % 2;
      repetitions += expect_minimax(state, network, depth, trial % 4 < 2);
      repetitions += expect_minimax(state, material, depth, trial % 4 < 2);
    }
    EXPECT_EQ(repetitions > 0, game->info().repetition > 0) << name;
  }
}

// Endgames of the chess family have mates at hand; kMateOptions proves those that minimax does, and no other.
TEST(AlphaBetaTest, MateOptionsProveWhatMinimaxProves) {
  int proven = 0, hidden = 0;
  for (const char* name : {"makruk", "ok"}) {
    const GamePtr game = *game::make_game(name);
    const MaterialEvaluation material(game->info());
    game::RandomGames games(*game, 1);
    for (int number = 0; number < 200; ++number) {
      const std::vector<game::RandomStop> stops = games.next(1);
      if (stops.back().outcome.result == game::Result::kDraw) continue;
      for (const game::RandomStop& stop : std::span(stops).last(std::min<std::size_t>(stops.size(), 4))) {
        if (stop.outcome.over() || stop.legal.size() > 24) continue;
        const GameState state(*game, stop.position);
        MaterialSearch search(*game, material, kMateOptions, kEntries);
        AlphaBetaLimits limits;
        limits.depth = 3;
        const MaterialSearch::Result found = search.search(state.position(), state.history(), limits);
        Minimax<MaterialEvaluation> minimax(*game, material, state, false);
        const int truth = sorted_scores(state, &minimax, 3).front();
        EXPECT_EQ(found.score().proven(), is_proven(truth)) << position_text(*game, stop.position);
        EXPECT_TRUE(!is_proven(truth) || found.score().value == truth) << position_text(*game, stop.position);
        proven += is_proven(truth);
        MaterialSearch pruned(*game, material, alpha_beta_options(game->info()), kEntries);
        hidden +=
            is_proven(truth) && !pruned.search(state.position(), state.history(), limits).score().proven();
      }
    }
  }
  EXPECT_GT(proven, 10);
  EXPECT_GT(hidden, 0);
}

// With nothing to take, the side with more men leaves the others as few squares as it can.
TEST(AlphaBetaTest, TheLastMenAreShutIn) {
  const GamePtr game = *game::make_game("makyek");
  const GameState state(*game, *game::parse_position(*game, "8/1m6/8/8/3M1M2/8/4M3/8 w"));
  AlphaBetaOptions options = kPlainOptions;
  options.hunted_men = 1;
  MaterialSearch search(*game, MaterialEvaluation(game->info()), options, kEntries);
  AlphaBetaLimits limits;
  limits.depth = 1;
  const auto& found = search.search(state.position(), state.history(), limits);
  const auto squares_after = [&](Move move) {
    Position after = state.position();
    game->apply(move, &after);
    return game->count_moves(after);
  };
  int fewest = 64;
  for (const Move move : state.legal()) fewest = std::min(fewest, squares_after(move));
  EXPECT_LT(fewest, 14);
  EXPECT_EQ(squares_after(found.best()), fewest);
  EXPECT_EQ(found.score().value, 200 + 2 * options.hunted_weight * (14 - fewest));
}

class StepTest : public ::testing::Test {
 protected:
  const GamePtr game_ = *game::make_game("makruk");
  const Position start_ = game_->initial();
  const game::History history_ = game::History(start_);
  NetworkSearch search_{*game_,
                        {game_->info(), random_small_network(game_->info(), 4)},
                        alpha_beta_options(game_->info()),
                        kEntries};
  AlphaBetaLimits limits_;
};

TEST_F(StepTest, AStepEndsWithItsIteration) {
  limits_.depth = 5;
  search_.begin(start_, history_, limits_);
  for (int depth = 1; depth <= 5; ++depth) {
    ASSERT_FALSE(search_.done());
    search_.step();
    EXPECT_EQ(search_.result().depth, depth);
    EXPECT_GE(search_.result().seldepth, depth);
    EXPECT_EQ(search_.result().lines.size(), 1u);
  }
  EXPECT_TRUE(search_.done());
}

TEST_F(StepTest, StepsOfWholeIterationsAreOneSearch) {
  limits_.nodes = 20'000;
  const NetworkSearch::Result whole = search_.search(start_, history_, limits_);
  EXPECT_EQ(whole.nodes, 20'000u);
  search_.clear();
  search_.begin(start_, history_, limits_);
  while (!search_.done()) search_.step(1'000'000);
  EXPECT_EQ(search_.result().nodes, whole.nodes);
  EXPECT_EQ(search_.result().depth, whole.depth);
  EXPECT_EQ(search_.result().score(), whole.score());
  EXPECT_EQ(search_.result().lines.front().moves, whole.lines.front().moves);
}

TEST_F(StepTest, SmallStepsKeepToTheirNodesAndComeToTheEnd) {
  for (const int lines : {1, 3}) {
    for (const std::uint64_t nodes : {1, 300, 5000}) {
      limits_.depth = 6;
      limits_.lines = lines;
      search_.clear();
      search_.begin(start_, history_, limits_);
      search_.step(nodes);
      ASSERT_EQ(search_.result().depth, 1);
      std::uint64_t before = search_.result().nodes, most = nodes;
      for (int steps = 0; !search_.done(); ++steps) {
        ASSERT_LT(steps, 1000);
        const int depth = search_.result().depth;
        search_.step(nodes);
        const std::uint64_t searched = search_.result().nodes - before;
        EXPECT_LE(searched, most);
        most = search_.result().depth > depth ? nodes : std::max(nodes, 2 * searched);
        before = search_.result().nodes;
      }
      EXPECT_EQ(search_.result().depth, 6);
    }
  }
}

TEST_F(StepTest, NodesAreALimitOverAllSteps) {
  limits_.nodes = 10'000;
  search_.begin(start_, history_, limits_);
  while (!search_.done()) search_.step(700);
  EXPECT_EQ(search_.result().nodes, 10'000u);
}

TEST_F(StepTest, AStopEndsTheSearchInItsStep) {
  std::atomic<bool> stop = false;
  limits_.stop = &stop;
  search_.begin(start_, history_, limits_);
  search_.step();
  stop = true;
  const std::uint64_t before = search_.result().nodes;
  while (!search_.done()) search_.step();
  EXPECT_LT(search_.result().nodes, before + 2000);
}

TEST_F(StepTest, LinesAreDifferentAndSorted) {
  limits_.depth = 6;
  limits_.lines = 4;
  const NetworkSearch::Result& found = search_.search(start_, history_, limits_);
  ASSERT_EQ(found.lines.size(), 4u);
  EXPECT_TRUE(
      std::ranges::is_sorted(found.lines, std::greater(), [](const auto& line) { return line.score; }));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_GT(found.lines[i].moves.size(), 1u);
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(found.lines[i].move(), found.lines[j].move());
  }
}

}  // namespace
}  // namespace makzero::mcts
