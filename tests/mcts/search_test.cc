// The search as its callers see it: budgets, proofs, kept trees, several leaves in flight.
#include "mcts/search.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "game/catalog.h"
#include "mcts/hash_evaluator.h"
#include "mcts/lockstep.h"
#include "mcts/uniform_evaluator.h"
#include "tests/support/search_driver.h"
#include "tests/support/toy_games.h"

namespace makzero::mcts {
namespace {

using game::Color;
using game::History;
using game::Move;
using game::Position;
using testing::RandomTree;
using testing::search_position;
using testing::Stones;

SearchOptions options_of(SearchAlgorithm algorithm, int simulations) {
  SearchOptions options;
  options.algorithm = algorithm;
  options.simulations = simulations;
  return options;
}

Move take(int stones) { return Move::drop(stones - 1); }

const RootMove& move_of(const SearchResult& result, Move move) {
  for (const RootMove& candidate : result.moves) {
    if (candidate.move == move) return candidate;
  }
  ADD_FAILURE() << "no such move";
  return result.moves.front();
}

int visits_of(const SearchResult& result) {
  return std::accumulate(result.moves.begin(), result.moves.end(), 0,
                         [](int sum, const RootMove& move) { return sum + move.visits; });
}

void expect_sums_to_one(const SearchResult& result) {
  float sum = 0;
  for (const RootMove& move : result.moves) {
    EXPECT_GE(move.policy, 0);
    sum += move.policy;
  }
  EXPECT_NEAR(sum, 1, 1e-5);
}

class SearchTest : public ::testing::TestWithParam<SearchAlgorithm> {
 protected:
  HashEvaluator hashed_;
  UniformEvaluator uniform_;
};

INSTANTIATE_TEST_SUITE_P(Rules, SearchTest,
                         ::testing::Values(SearchAlgorithm::kGumbel, SearchAlgorithm::kPuct),
                         [](const auto& info) {
                           return info.param == SearchAlgorithm::kGumbel ? "Gumbel" : "Puct";
                         });

TEST_P(SearchTest, ProvenWinIsFoundAndChosen) {
  const Stones game(7);
  const SearchResult result = search_position(game, game.initial(), options_of(GetParam(), 10000), &hashed_);
  EXPECT_EQ(result.best, take(3));  // Leaves 4, a lost pile.
  EXPECT_EQ(result.bounds, (Bounds{1, 1}));
  EXPECT_FLOAT_EQ(result.value.white, 1);
  EXPECT_LT(result.simulations, 10000);
  EXPECT_FLOAT_EQ(move_of(result, take(3)).policy, 1);
}

TEST_P(SearchTest, WinInOnePlyIsProvenAtOnce) {
  const Stones game(3);
  const SearchResult result = search_position(game, game.initial(), options_of(GetParam(), 16), &uniform_);
  EXPECT_EQ(result.best, take(3));
  EXPECT_FLOAT_EQ(result.moves_left, 1);
  // PUCT sees another move lose at once, which lowers what it takes unvisited ones to be worth.
  EXPECT_LE(result.simulations, GetParam() == SearchAlgorithm::kGumbel ? 3 : 5);
}

TEST_P(SearchTest, ForcedLossIsDelayed) {
  const Stones game(8, 0);
  const SearchResult result =
      search_position(game, game.initial(), options_of(GetParam(), 100000), &uniform_);
  EXPECT_EQ(result.bounds, (Bounds{-1, -1}));
  EXPECT_FLOAT_EQ(result.value.black, 1);
  EXPECT_FLOAT_EQ(result.moves_left, 4);  // Whatever is taken, the other side completes four, twice.
}

TEST_P(SearchTest, DrawIsProvenAndPreferredToALoss) {
  const Stones game(4, 1);  // Taking three leaves the drawn pile of one; anything else loses.
  const SearchResult result = search_position(game, game.initial(), options_of(GetParam(), 10000), &hashed_);
  EXPECT_EQ(result.best, take(3));
  EXPECT_EQ(result.bounds, (Bounds{0, 0}));
  EXPECT_FLOAT_EQ(result.value.draw, 1);
}

// Gumbel's rule may stay with a proven draw and never prove what it takes to be worse, so some trees stay
// open.
TEST_P(SearchTest, ProofsAgreeWithPerfectPlay) {
  int proven = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomTree game(seed, 4, 5);
    const SearchResult result =
        search_position(game, game.initial(), options_of(GetParam(), 20000), &hashed_, seed);
    if (!result.bounds.exact()) continue;
    ++proven;
    const int value = testing::solve(game, game.initial());
    EXPECT_EQ(result.bounds.lower, value) << seed;
    Position child = game.initial();
    game.apply(result.best, &child);
    EXPECT_EQ(testing::solve(game, child), value) << seed;
    expect_sums_to_one(result);
  }
  EXPECT_GE(proven, GetParam() == SearchAlgorithm::kPuct ? 60 : 20);
}

TEST_P(SearchTest, BoundsOfAnUnfinishedSearchHoldTheTrueValue) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomTree game(seed, 4, 6);
    const SearchResult result =
        search_position(game, game.initial(), options_of(GetParam(), 40), &hashed_, seed);
    const int value = testing::solve(game, game.initial());
    EXPECT_LE(result.bounds.lower, value) << seed;
    EXPECT_GE(result.bounds.upper, value) << seed;
    for (const RootMove& move : result.moves) {
      Position child = game.initial();
      game.apply(move.move, &child);
      const int child_value = testing::solve(game, child);
      EXPECT_TRUE(move.bounds.lower <= child_value && child_value <= move.bounds.upper) << seed;
    }
  }
}

TEST_P(SearchTest, BudgetIsSpentExactlyUnlessTheRootIsProven) {
  Rng rng(5);
  for (int trial = 0; trial < 300; ++trial) {
    const RandomTree game(rng.next(), 1 + static_cast<int>(rng.below(20)),
                          1 + static_cast<int>(rng.below(8)));
    SearchOptions options = options_of(GetParam(), static_cast<int>(rng.below(200)));
    options.max_considered_actions = static_cast<int>(rng.below(20));
    options.gumbel_scale = static_cast<float>(rng.below(2));
    options.dirichlet_alpha = rng.below(2) ? 0.3f : 0;
    options.draw_score = static_cast<float>(rng.uniform() * 2 - 1);
    Search search(game, options, rng.next());
    search.set_root(game.initial(), History(game.initial()));
    const SearchResult result = run_search(&search, &hashed_, 1 + static_cast<int>(rng.below(32)));
    EXPECT_EQ(visits_of(result), result.simulations);
    EXPECT_TRUE(result.bounds.exact() || result.simulations == options.simulations);
    expect_sums_to_one(result);
  }
}

TEST_P(SearchTest, KeptTreeKeepsItsStatistics) {
  const game::GamePtr game = *game::make_game("makyek");
  Search search(*game, options_of(GetParam(), 300), 3);
  search.set_root(game->initial(), History(game->initial()));
  const SearchResult before = run_search(&search, &hashed_);
  const RootMove& best = move_of(before, before.best);
  ASSERT_GT(best.visits, 10);
  search.advance(before.best);
  const SearchResult after = search.result();
  EXPECT_EQ(after.simulations, 0);
  EXPECT_EQ(visits_of(after) + 1, best.visits);  // Its own evaluation was a visit, too.
  if (GetParam() == SearchAlgorithm::kPuct) {    // Gumbel's value is that of the policy.
    EXPECT_FLOAT_EQ(after.value.white, best.value.white);
  }
  EXPECT_FLOAT_EQ(after.moves_left, best.moves_left);
}

TEST_P(SearchTest, KeptTreeIsSearchedOn) {
  const game::GamePtr game = *game::make_game("makruk");
  SearchOptions options = options_of(GetParam(), 100);
  options.gumbel_scale = 0;
  Search search(*game, options, 3);
  search.set_root(game->initial(), History(game->initial()));
  for (int move = 0; move < 6; ++move) {
    const SearchResult before = run_search(&search, &hashed_, 1 + move);
    const int kept = move_of(before, before.best).visits - 1;
    search.advance(before.best);
    const SearchResult after = run_search(&search, &hashed_, 1 + move);
    const int expected = GetParam() == SearchAlgorithm::kGumbel ? 100 : std::max(0, 100 - std::max(kept, 0));
    EXPECT_EQ(after.simulations, expected);
    EXPECT_EQ(visits_of(after), expected + std::max(kept, 0));
  }
}

TEST_P(SearchTest, MoveThatWasNotSearchedStartsANewTree) {
  const game::GamePtr game = *game::make_game("makyek");
  Search search(*game, options_of(GetParam(), 2), 3);
  search.set_root(game->initial(), History(game->initial()));
  const SearchResult before = run_search(&search, &uniform_);
  for (const RootMove& move : before.moves) {
    if (move.visits > 0) continue;
    search.advance(move.move);
    break;
  }
  EXPECT_FALSE(search.done());
  EXPECT_EQ(visits_of(run_search(&search, &uniform_)), 2);
}

// Not every draw is claimed.
TEST_P(SearchTest, ADrawnRootIsSearchedAsIfTheGameWentOn) {
  const Stones game(7, 7);
  ASSERT_TRUE(game.outcome(game.initial(), true, 1).over());
  const SearchResult result = search_position(game, game.initial(), options_of(GetParam(), 10000), &hashed_);
  EXPECT_EQ(result.best, take(3));
  EXPECT_EQ(result.bounds, (Bounds{1, 1}));
  const Stones soon(5, 4);  // Taking one leaves a drawn pile, where nobody is made to lose.
  EXPECT_EQ(search_position(soon, soon.at(4), options_of(GetParam(), 10000), &hashed_).bounds,
            (Bounds{-1, -1}));
  EXPECT_EQ(search_position(soon, soon.at(5), options_of(GetParam(), 10000), &hashed_).bounds,
            (Bounds{0, 0}));
}

TEST_P(SearchTest, OnlyTheMovesAskedForAreSearched) {
  const game::GamePtr game = *game::make_game("makyek");
  game::MoveList legal;
  game->legal_moves(game->initial(), &legal);
  const std::vector<Move> among = {legal[5], legal[2]};
  Search search(*game, options_of(GetParam(), 40), 3);
  search.set_root(game->initial(), History(game->initial()), among);
  const SearchResult result = run_search(&search, &hashed_);
  ASSERT_EQ(result.moves.size(), 2u);
  EXPECT_NEAR(result.moves[0].prior + result.moves[1].prior, 1, 1e-6);
  EXPECT_EQ(visits_of(result), 40);
  search.set_root(game->initial(), History(game->initial()));
  EXPECT_EQ(static_cast<int>(run_search(&search, &hashed_).moves.size()), legal.size());
}

TEST_P(SearchTest, TheTreeIsReadMoveByMove) {
  const game::GamePtr game = *game::make_game("makyek");
  Search search(*game, options_of(GetParam(), 100), 3);
  search.set_root(game->initial(), History(game->initial()));
  EXPECT_TRUE(search.moves_after({}).empty());
  const SearchResult result = run_search(&search, &hashed_);
  const std::vector<RootMove> first = search.moves_after({});
  ASSERT_EQ(first.size(), result.moves.size());
  for (size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].visits, result.moves[i].visits);
    const std::vector<RootMove> second = search.moves_after({{first[i].move}});
    EXPECT_EQ(first[i].expanded, !second.empty());
    // Every visit but the first, its own evaluation, went on to a reply.
    const auto add = [](int sum, const RootMove& move) { return sum + move.visits; };
    EXPECT_EQ(std::accumulate(second.begin(), second.end(), 0, add), std::max(0, first[i].visits - 1));
  }
  EXPECT_EQ(search.principal_variation(result.best), result.principal_variation);
}

TEST_P(SearchTest, LeavesInFlightAreDifferentPositions) {
  const game::GamePtr game = *game::make_game("makyek");
  Search search(*game, options_of(GetParam(), 64), 3);
  search.set_root(game->initial(), History(game->initial()));
  Evaluation evaluation;
  const std::optional<Leaf> root = search.gather();
  EXPECT_FALSE(search.gather().has_value());  // All else waits for the root.
  hashed_.evaluate({&root->request, 1}, {&evaluation, 1});
  search.backup(*root, evaluation);
  std::vector<Leaf> leaves;
  std::set<std::uint64_t> keys;
  for (int i = 0; i < 16; ++i) {
    leaves.push_back(search.gather().value());
    keys.insert(repetition_key(*leaves.back().request.position));
  }
  EXPECT_EQ(keys.size(), 16u);
  for (const Leaf& leaf : leaves) {
    game::MoveList legal;
    game->legal_moves(*leaf.request.position, &legal);
    EXPECT_EQ(legal.size(), leaf.request.legal->size());  // No slot was overwritten.
    hashed_.evaluate({&leaf.request, 1}, {&evaluation, 1});
    search.backup(leaf, evaluation);
  }
  EXPECT_EQ(visits_of(search.result()), 16);
}

// The root, then the position after the one move that is searched.
TEST_P(SearchTest, WaitingLeafIsNotHandedOutTwice) {
  const game::GamePtr game = *game::make_game("makyek");
  Search search(*game, options_of(GetParam(), 20), 3);
  search.set_root(game->initial(), History(game->initial()), std::vector{Move::step(16, 24)});
  Evaluation evaluation;
  for (int leaves = 0; leaves < 2; ++leaves) {
    const std::optional<Leaf> leaf = search.gather();
    ASSERT_TRUE(leaf.has_value());
    EXPECT_FALSE(search.gather().has_value());
    hashed_.evaluate({&leaf->request, 1}, {&evaluation, 1});
    search.backup(*leaf, evaluation);
  }
  run_search(&search, &hashed_);
  EXPECT_TRUE(search.done());
}

TEST_P(SearchTest, ManyLeavesInFlightAreAllDifferentInANarrowTree) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const RandomTree game(seed, 3, 12);
    Search search(game, options_of(GetParam(), 300), seed);
    search.set_root(game.initial(), History(game.initial()));
    while (!search.done()) {
      std::vector<Leaf> leaves;
      std::set<std::uint32_t> nodes;
      while (leaves.size() < 32) {
        const std::optional<Leaf> leaf = search.gather();
        if (!leaf) break;
        leaves.push_back(*leaf);
        ASSERT_TRUE(nodes.insert(leaf->node).second);
      }
      ASSERT_TRUE(!leaves.empty() || search.done());
      Evaluation evaluation;
      for (const Leaf& leaf : leaves) {
        hashed_.evaluate({&leaf.request, 1}, {&evaluation, 1});
        search.backup(leaf, evaluation);
      }
    }
  }
}

// Plays the best move of a search of the initial position: the result of the tree that is kept.
SearchResult search_and_advance(const game::Game& game, Search* search, Evaluator* evaluator) {
  search->set_root(game.initial(), History(game.initial()));
  search->advance(run_search(search, evaluator).best);
  return search->result();
}

TEST(GumbelSearchTest, HalvingCountsTheVisitsOfThisSearchAlone) {
  const game::GamePtr game = *game::make_game("makyek");
  SearchOptions options = options_of(SearchAlgorithm::kGumbel, 400);
  options.gumbel_scale = 0;
  Search search(*game, options, 3);
  HashEvaluator evaluator;
  const SearchResult kept = search_and_advance(*game, &search, &evaluator);
  ASSERT_GT(visits_of(kept), 30);
  search.set_simulations(8);
  const SearchResult after = run_search(&search, &evaluator);
  int visited = 0;
  for (size_t i = 0; i < after.moves.size(); ++i) {
    const int visits = after.moves[i].visits - kept.moves[i].visits;
    EXPECT_LE(visits, 1);  // Sixteen considered moves, eight simulations.
    visited += visits;
  }
  EXPECT_EQ(visited, 8);
  const Move favourite = kept.best;  // Its kept visits do not keep it from being considered.
  EXPECT_EQ(move_of(after, favourite).visits, move_of(kept, favourite).visits + 1);
}

TEST(GumbelSearchTest, AKeptTreeConsidersAsManyMovesAsItsOwnSimulationsAllow) {
  const game::GamePtr game = *game::make_game("makyek");
  SearchOptions options = options_of(SearchAlgorithm::kGumbel, 400);
  options.max_considered_actions = 0;
  options.gumbel_scale = 0;
  Search search(*game, options, 3);
  HashEvaluator evaluator;
  const SearchResult kept = search_and_advance(*game, &search, &evaluator);
  search.set_simulations(8);
  const SearchResult after = run_search(&search, &evaluator);
  int considered = 0;
  for (size_t i = 0; i < after.moves.size(); ++i) considered += after.moves[i].visits > kept.moves[i].visits;
  EXPECT_EQ(considered, 4) << "16 are for the 400 simulations before";
}

TEST_P(SearchTest, SameSeedGivesTheSameSearch) {
  const game::GamePtr game = *game::make_game("makruk");
  SearchOptions options = options_of(GetParam(), 64);
  options.dirichlet_alpha = 0.3f;
  const SearchResult one = search_position(*game, game->initial(), options, &hashed_, 11);
  const SearchResult two = search_position(*game, game->initial(), options, &hashed_, 11);
  const SearchResult other = search_position(*game, game->initial(), options, &hashed_, 12);
  bool differs = false;
  for (size_t i = 0; i < one.moves.size(); ++i) {
    EXPECT_EQ(one.moves[i].visits, two.moves[i].visits);
    EXPECT_EQ(one.moves[i].policy, two.moves[i].policy);
    differs |= one.moves[i].visits != other.moves[i].visits;
  }
  EXPECT_TRUE(differs);
}

TEST_P(SearchTest, NewRootForgetsWaitingLeaves) {
  const game::GamePtr game = *game::make_game("makyek");
  Search search(*game, options_of(GetParam(), 16), 3);
  const History history(game->initial());
  search.set_root(game->initial(), history);
  ASSERT_TRUE(search.gather().has_value());
  search.set_root(game->initial(), history);
  EXPECT_EQ(visits_of(run_search(&search, &uniform_)), 16);
}

TEST_P(SearchTest, BudgetCanBeRaised) {
  const game::GamePtr game = *game::make_game("makyek");
  Search search(*game, options_of(GetParam(), 16), 3);
  search.set_root(game->initial(), History(game->initial()));
  run_search(&search, &hashed_);
  search.set_simulations(50);
  EXPECT_FALSE(search.done());
  EXPECT_EQ(visits_of(run_search(&search, &hashed_)), 50);
}

// Evaluates like HashEvaluator and fails where there is nothing to choose.
class ChoicesAloneEvaluator : public Evaluator {
 public:
  void evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) override {
    for (const EvalRequest& request : requests) {
      EXPECT_TRUE(request.position->ply == 0 || request.legal->size() > 1);
    }
    hashed_.evaluate(requests, evaluations);
  }

 private:
  HashEvaluator hashed_;
};

TEST_P(SearchTest, APositionWithOneMoveCostsNoEvaluation) {
  ChoicesAloneEvaluator evaluator;
  int forced = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RandomTree game(seed, 3, 9);
    Search search(game, options_of(GetParam(), 60), seed);
    search.set_root(game.initial(), History(game.initial()));
    const SearchResult result = run_search(&search, &evaluator, 1 + static_cast<int>(seed % 5));
    EXPECT_EQ(visits_of(result), result.simulations) << seed;
    for (const RootMove& move : result.moves) {
      const std::vector<RootMove> replies = search.moves_after(std::vector{move.move});
      if (replies.size() != 1 || move.bounds.exact()) continue;
      ++forced;
      EXPECT_EQ(replies.front().visits, move.visits) << seed;
      EXPECT_FLOAT_EQ(replies.front().value.white, move.value.white) << seed;
      EXPECT_FLOAT_EQ(replies.front().moves_left + 1, move.moves_left) << seed;
    }
    const RootMove& best = move_of(result, result.best);
    if (best.bounds.exact() || !best.expanded) continue;
    search.advance(result.best);  // Such a position may be the root of a kept tree.
    EXPECT_EQ(visits_of(search.result()) + static_cast<int>(search.result().moves.size() > 1), best.visits);
    expect_sums_to_one(run_search(&search, &hashed_));
  }
  EXPECT_GT(forced, 5);
}

// White's men can shuffle; the third occurrence ends the game, which only the game's past tells.
TEST_P(SearchTest, RepetitionOnTheBoardIsSeenInTheTree) {
  const game::GamePtr game = *game::make_game("makyek");
  Position position = game->initial();
  History history(position);
  // White a3-a4-a3, Black a6-a5-a6: the start occurs again after four plies.
  const Move there[] = {Move::step(16, 24), Move::step(40, 32), Move::step(24, 16), Move::step(32, 40)};
  for (int ply = 0; ply < 7; ++ply) {
    game->apply(there[ply % 4], &position);
    history.push(position);
  }
  SearchOptions options = options_of(GetParam(), 800);
  options.max_considered_actions = 100;
  Search search(*game, options, 3);
  search.set_root(position, history);
  const SearchResult result = run_search(&search, &hashed_);
  EXPECT_EQ(move_of(result, there[3]).bounds, (Bounds{0, 0}));
}

// Prefers these moves wherever they are legal; everything is even.
class FavouriteMovesEvaluator : public Evaluator {
 public:
  explicit FavouriteMovesEvaluator(std::vector<Move> favourites) : favourites_(std::move(favourites)) {}

  void evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) override {
    for (size_t i = 0; i < requests.size(); ++i) {
      float sum = 0;
      evaluations[i] = {{0.4f, 0.2f, 0.4f}, 40, {}};
      for (const Move move : *requests[i].legal) {
        const bool favourite = std::find(favourites_.begin(), favourites_.end(), move) != favourites_.end();
        evaluations[i].priors.push_back(favourite ? 1 : 1e-3f);
        sum += evaluations[i].priors.back();
      }
      for (float& prior : evaluations[i].priors) prior /= sum;
    }
  }

 private:
  std::vector<Move> favourites_;
};

// Searches with up to 32 leaves at a time. The number of batches.
int count_batches(Search* search, int most_collisions, Evaluator* evaluator) {
  int batches = 0;
  for (; !search->done(); ++batches) {
    std::vector<Leaf> gathered;
    std::set<std::uint32_t> nodes;
    while (gathered.size() < 32) {
      const std::optional<Leaf> leaf = search->gather(most_collisions);
      if (!leaf) break;
      gathered.push_back(*leaf);
      EXPECT_TRUE(nodes.insert(leaf->node).second) << "handed out twice";
    }
    for (const Leaf& leaf : gathered) {
      Evaluation evaluation;
      evaluator->evaluate({&leaf.request, 1}, {&evaluation, 1});
      search->backup(leaf, evaluation);
    }
  }
  return batches;
}

TEST_P(SearchTest, DescentsThatMeetAWaitingLeafLeadToOthers) {
  int before = 0, after = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomTree game(seed, 3, 60);
    for (const bool goes_on : {false, true}) {
      SearchOptions options = options_of(GetParam(), 400);
      options.gumbel_scale = 0;
      Search search(game, options, 3);
      search.set_root(game.initial(), History(game.initial()));
      (goes_on ? after : before) += count_batches(&search, goes_on ? 256 : 0, &hashed_);
      const SearchResult result = search.result();
      EXPECT_EQ(visits_of(result), search.simulations());
      const RootMove& best = move_of(result, result.best);
      if (result.bounds.exact() || !best.expanded || best.bounds.exact()) continue;
      search.advance(result.best);
      search.set_simulations(800);
      EXPECT_TRUE(search.gather().has_value() || search.done()) << "a descent is still under way";
    }
  }
  EXPECT_LT(after, before * 0.7) << before;
}

// White a3-a4-a3, Black a6-a5-a6: the root stands on the board again after four plies.
class RepetitionSearchTest : public SearchTest {
 protected:
  void search(const std::string& ruleset) {
    game_ = *game::make_game(ruleset);
    SearchOptions options = options_of(GetParam(), 200);
    options.gumbel_scale = 0;
    search_ = std::make_unique<Search>(*game_, options, 3);
    search_->set_root(game_->initial(), History(game_->initial()));
    run_search(search_.get(), &evaluator_);
  }

  // What is known of the last move of a line.
  RootMove last_of(std::vector<Move> line) {
    const Move last = line.back();
    line.pop_back();
    for (const RootMove& move : search_->moves_after(line)) {
      if (move.move == last) return move;
    }
    ADD_FAILURE() << "the line was not searched";
    return {};
  }

  const std::vector<Move> there_ = {Move::step(16, 24), Move::step(40, 32), Move::step(24, 16),
                                    Move::step(32, 40)};
  FavouriteMovesEvaluator evaluator_{there_};
  game::GamePtr game_;
  std::unique_ptr<Search> search_;
};

INSTANTIATE_TEST_SUITE_P(Rules, RepetitionSearchTest,
                         ::testing::Values(SearchAlgorithm::kGumbel, SearchAlgorithm::kPuct),
                         [](const auto& info) {
                           return info.param == SearchAlgorithm::kGumbel ? "Gumbel" : "Puct";
                         });

TEST_P(RepetitionSearchTest, ARepetitionBelowTheRootIsADrawInValueAndNoProof) {
  search("makyek");
  const RootMove back = last_of(there_);
  EXPECT_GT(back.visits, 1);
  EXPECT_FLOAT_EQ(back.value.draw, 1);
  EXPECT_FALSE(back.expanded);
  EXPECT_EQ(back.bounds, Bounds{});
}

TEST_P(RepetitionSearchTest, WhereRepetitionIsNoDrawThePositionIsSearchedOn) {
  search("makyek:repetition=0,no_progress=400");
  EXPECT_TRUE(last_of(there_).expanded);
  EXPECT_FLOAT_EQ(last_of(there_).value.draw, 0.2f);
}

TEST_P(RepetitionSearchTest, WhatLiesBehindTheRootIsNotRepeatedBelowIt) {
  search("makyek");
  const int repeated = last_of(there_).visits, of_parent = last_of({there_[0], there_[1], there_[2]}).visits;
  search_->advance(there_[0]);
  const RootMove back = last_of({there_[1], there_[2], there_[3]});
  EXPECT_EQ(back.visits, 0);
  EXPECT_EQ(last_of({there_[1], there_[2]}).visits, of_parent - repeated);
  EXPECT_FLOAT_EQ(last_of({there_[1], there_[2]}).value.draw, 0.2f);
  search_->set_simulations(400);
  run_search(search_.get(), &evaluator_);
  EXPECT_TRUE(last_of({there_[1], there_[2], there_[3]}).expanded);
  EXPECT_FLOAT_EQ(last_of({there_[1], there_[2], there_[3], there_[0]}).value.draw, 1);
}

TEST(EndlessSearchTest, HalvingDoublesItsPlanUntilItIsStopped) {
  const game::GamePtr game = *game::make_game("makyek");
  SearchOptions options = options_of(SearchAlgorithm::kGumbel, 1'000'000);
  options.max_considered_actions = 4;
  options.gumbel_scale = 0;
  options.expected_simulations = 64;
  Search search(*game, options, 3);
  HashEvaluator evaluator;
  search.set_root(game->initial(), History(game->initial()));
  const auto run_to = [&](int simulations) {
    search.set_simulations(simulations, 64);
    return run_search(&search, &evaluator);
  };
  const auto visited = [](const SearchResult& result) {
    return std::count_if(result.moves.begin(), result.moves.end(),
                         [](const auto& move) { return move.visits > 0; });
  };
  const SearchResult first = run_to(64), second = run_to(128), fourth = run_to(256);
  EXPECT_EQ(visited(first), 4);
  EXPECT_GE(visited(fourth), visited(second));
  // Two rounds each: the half of what was added goes to all four considered moves.
  for (const auto& [before, after] : {std::pair(first, second), std::pair(second, fourth)}) {
    const int added = after.simulations - before.simulations;
    std::vector<int> gained;
    for (size_t i = 0; i < after.moves.size(); ++i)
      gained.push_back(after.moves[i].visits - before.moves[i].visits);
    std::sort(gained.rbegin(), gained.rend());
    EXPECT_EQ(gained[2], added / 8);
    EXPECT_EQ(gained[3], added / 8);
    EXPECT_EQ(gained[0] + gained[1], added * 3 / 4);
  }
}

}  // namespace
}  // namespace makzero::mcts
