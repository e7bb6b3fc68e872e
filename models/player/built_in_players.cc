#include "models/player/built_in_players.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "mcts/alpha_beta/alpha_beta_searcher.h"
#include "mcts/alpha_beta/parallel_searcher.h"
#include "mcts/material_evaluator.h"
#include "mcts/rng.h"
#include "mcts/rollout_evaluator.h"
#include "mcts/tree_searcher.h"

namespace makzero::models {
namespace {

using game::Color;
using game::Move;
using game::Outcome;
using game::Position;

constexpr int kDecided = 1 << 28;  // Beyond every material count.

// Worth of the game after `move` to the mover, one ply ahead. `history` ends with `position` and is left
// as it was.
int score_after(const game::Game& game, const Position& position, Move move, game::History* history) {
  const Color mover = position.to_move;
  Position after = position;
  game.apply(move, &after);
  history->push(after);
  const Outcome outcome = game.outcome(after, game.count_moves(after) > 0, history->occurrences());
  history->pop();

  if (outcome.result == game::win_of(mover)) return kDecided;
  if (outcome.result == game::win_of(other(mover))) return -kDecided;
  return material_lead(game.info(), after, mover);
}

// The move with the highest score; equal ones at random.
template <class Score>
Move best_move(std::span<const Move> moves, std::uint64_t seed, const Score& score_of) {
  std::vector<Move> best;
  int best_score = std::numeric_limits<int>::min();
  for (const Move move : moves) {
    const int score = score_of(move);
    if (score < best_score) continue;
    if (score > best_score) best.clear();
    best_score = score;
    best.push_back(move);
  }
  return best[mcts::Rng(seed).below(best.size())];
}

Move random_move(const game::Game&, const mcts::SearchRoot&, std::span<const Move> moves,
                 std::uint64_t seed) {
  return moves[mcts::Rng(seed).below(moves.size())];
}

// The move after which it has most material against the enemy's; equal ones at random. A move that wins at
// once comes before all others, one that loses at once behind them.
Move greedy_move(const game::Game& game, const mcts::SearchRoot& root, std::span<const Move> moves,
                 std::uint64_t seed) {
  game::History history = *root.history;
  return best_move(moves, seed, [&](Move move) { return score_after(game, *root.position, move, &history); });
}

// Nearness of a side to a fortress: a full rank of men, more of its pieces behind them, and none in danger.
int fortress_score(const game::Game& game, const Position& position, Color side) {
  const game::GameInfo& info = game.info();
  const game::Bitboard own = position.side[game::index(side)], men = own & ~game::kings(info, position);
  int best = 0;
  game::Bitboard behind = 0;  // The wall's own side of the board.
  for (int rank = 0; rank < info.ranks; ++rank) {
    const game::Bitboard wall = game::kRank1 << 8 * (side == Color::kWhite ? rank : info.ranks - 1 - rank);
    const int shuffling = (own & behind) != 0, outside = game::size(own & ~behind & ~wall);
    best = std::max(best, 8 * game::size(men & wall) + 4 * shuffling - outside);
    behind |= wall;
  }
  return best - 32 * game::size(game.threats(position, other(side)).targets & own);
}

// The move that builds a fortress or keeps it; equal ones at random.
Move fortress_move(const game::Game& game, const mcts::SearchRoot& root, std::span<const Move> moves,
                   std::uint64_t seed) {
  return best_move(moves, seed, [&](Move move) {
    Position after = *root.position;
    game.apply(move, &after);
    return fortress_score(game, after, root.position->to_move);
  });
}

// A searcher that knows its move at once; kChoose takes equal ones at random by the seed.
template <auto kChoose>
class OnePlySearcher : public mcts::Searcher {
 public:
  OnePlySearcher(const game::Game& game, const SearcherResources&) : game_(game) {}

  void begin(const mcts::SearchRoot& root, const mcts::Limits& limits) override {
    const std::vector<Move>& some = limits.search_moves;
    const std::span<const Move> moves =
        some.empty() ? std::span(root.legal->begin(), root.legal->end()) : some;
    line_ = {.moves = {kChoose(game_, root, moves, limits.seed)}, .value = {0, 1, 0}};
  }
  std::span<const mcts::EvalRequest> step(const mcts::StepBudget&) override { return {}; }
  bool ready() const override { return true; }
  bool done() const override { return true; }
  mcts::SearchInfo info() const override { return {.lines = {line_}, .depth = 1, .value = line_.value}; }
  void forget() override {}

 private:
  const game::Game& game_;
  mcts::Line line_;
};

// A tree search whose leaves are valued by random games of its own seed: a shared evaluator would make them
// depend on the other searches.
class RolloutSearcher : public mcts::TreeSearcher {
 public:
  // Without priors Gumbel would drop most moves unseen.
  RolloutSearcher(const game::Game& rules, const SearcherResources& resources)
      : TreeSearcher(rules,
                     {.memory = resources.tree, .search = {.algorithm = mcts::SearchAlgorithm::kPuct}}) {}

  void begin(const mcts::SearchRoot& root, const mcts::Limits& limits) override {
    rollouts_.emplace(mcts::RolloutOptions{}, limits.seed);
    TreeSearcher::begin(root, limits);
  }
  std::span<const mcts::EvalRequest> step(const mcts::StepBudget&) override {
    const std::span<const mcts::EvalRequest> requests = TreeSearcher::step({.leaves = 1});
    std::vector<mcts::Evaluation> evaluations(requests.size());
    rollouts_->evaluate(requests, evaluations);
    if (!requests.empty()) backup(evaluations);
    return {};
  }

 private:
  std::optional<mcts::RolloutEvaluator> rollouts_;
};

using SearcherPtr = std::unique_ptr<mcts::Searcher>;

template <class Searcher>
SearcherPtr make(const game::Game& rules, const SearcherResources& resources) {
  return std::make_unique<Searcher>(rules, resources);
}

SearcherPtr make_alpha_beta(const game::Game& rules, const SearcherResources& resources) {
  return mcts::make_material_searcher(rules, resources.table);
}

// The search of a small network, with one that counts material: the control of what learning adds.
SearcherPtr make_control(const game::Game& rules, const SearcherResources& resources) {
  return mcts::make_parallel_searcher(rules, mcts::material_small_network(rules.info()),
                                      mcts::alpha_beta_options(rules.info()), resources.table,
                                      resources.threads);
}

SearcherPtr make_tree(const game::Game& rules, const SearcherResources& resources) {
  return std::make_unique<mcts::TreeSearcher>(rules, mcts::TreeSearcherOptions{.memory = resources.tree});
}

std::unique_ptr<mcts::Evaluator> make_material() { return std::make_unique<mcts::MaterialEvaluator>(); }

}  // namespace

const std::vector<BuiltInPlayer>& built_in_players() {
  using enum PlayerSpec::Search;
  static const std::vector<BuiltInPlayer> kPlayers = {
      {"random", "random moves", kNone, make<OnePlySearcher<random_move>>, {"random"}},
      {"rollout", "tree search with random games", kTree, make<RolloutSearcher>, {"rollout:100"}},
      {"greedy",
       "greedy: the most material at the next move",
       kNone,
       make<OnePlySearcher<greedy_move>>,
       {"greedy"}},
      {"fortress", "fortress: builds a full rank of men and stays behind it", kNone,
       make<OnePlySearcher<fortress_move>>},
      {"alphabeta",
       "alpha-beta by material",
       kAlphaBeta,
       make_alpha_beta,
       {"alphabeta:1", "alphabeta:2", "alphabeta:3", "alphabeta:4", "alphabeta:5", "alphabeta:6"}},
      {"material", "tree search by material", kTree, make_tree, {}, make_material},
      {"control",
       "control: a small network that has learnt nothing and counts material",
       kAlphaBeta,
       make_control,
       {},
       nullptr,
       kSmallMatchDepth},
  };
  return kPlayers;
}

const BuiltInPlayer* find_built_in(std::string_view name) {
  const auto found = std::ranges::find(built_in_players(), name, &BuiltInPlayer::name);
  return found == built_in_players().end() ? nullptr : &*found;
}

}  // namespace makzero::models
