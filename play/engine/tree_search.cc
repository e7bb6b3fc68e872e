#include "play/engine/tree_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "mcts/sample_move.h"
#include "play/engine/variety.h"

namespace makzero::play {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// The memory of a tree is the limit of a search without end; this keeps its counts far from overflow.
constexpr int kMostSimulations = 1'000'000'000;

// What a search without end is first planned for.
constexpr int kFirstPlan = 64;

double seconds(steady_clock::duration time) { return std::chrono::duration<double>(time).count(); }

// Whether `game` is `root` or goes on from it by moves alone, through positions that can be searched.
bool goes_on_from(const PlayedGame& root, const PlayedGame& game) {
  const std::vector<Action>& before = root.actions();
  const std::vector<Action>& now = game.actions();
  if (root.start() != game.start() || now.size() < before.size()) return false;
  if (!std::equal(before.begin(), before.end(), now.begin())) return false;
  PlayedGame between = game;
  for (size_t i = now.size(); i > before.size(); --i) {
    if (now[i - 1].declaration || between.outcome().over()) return false;
    between.undo();
  }
  return between.actions().size() == before.size();
}

// The root's moves, best first.
std::vector<mcts::RootMove> ranked(const mcts::SearchResult& result, game::Color mover) {
  const float sign = mover == game::Color::kWhite ? 1 : -1;
  std::vector<mcts::RootMove> moves = result.moves;
  std::stable_sort(moves.begin(), moves.end(), [&](const mcts::RootMove& a, const mcts::RootMove& b) {
    if ((a.move == result.best) != (b.move == result.best)) return a.move == result.best;
    if (a.visits != b.visits) return a.visits > b.visits;
    return sign * a.value.expected() > sign * b.value.expected();
  });
  return moves;
}

}  // namespace

TreeSearch::TreeSearch(game::GamePtr rules, const TreeSearchOptions& options)
    : rules_(std::move(rules)), options_(options) {}

void TreeSearch::begin(const PlayedGame& game, const Limits& limits) {
  if (search_) rate_.add(search_->simulations() - simulations_before_, seconds(last_ - start_));
  start_ = last_ = steady_clock::now();
  limits_ = limits;
  if (!search_) {
    mcts::SearchOptions options = options_.search;
    options.max_considered_actions = 0;
    options.gumbel_scale = 0;
    search_ = std::make_unique<mcts::Search>(*rules_, options, options_.seed);
  }
  if (!keep_tree(game)) search_->set_root(game.position(), game.history(), limits.search_moves);
  simulations_before_ = search_->simulations();
  plan();
  restricted_ = !limits.search_moves.empty();
  game_ = game;
  raw_.reset();
  waiting_ = 0;
  exhausted_ = false;
}

// Tells the search how much there will be of it, as far as that is known by now.
void TreeSearch::plan() {
  int expected = limits_.simulations ? 0 : kFirstPlan;
  if (limits_.time) {
    const double used = seconds(last_ - start_);
    expected = simulations_before_ + rate_.expected(search_->simulations() - simulations_before_, used,
                                                    seconds(*limits_.time) - used);
  }
  search_->set_simulations(limits_.simulations.value_or(kMostSimulations), expected);
}

bool TreeSearch::keep_tree(const PlayedGame& game) {
  if (!game_ || restricted_ || !limits_.search_moves.empty() || !goes_on_from(*game_, game)) return false;
  const std::vector<Action>& actions = game.actions();
  for (size_t i = game_->actions().size(); i < actions.size(); ++i) search_->advance(actions[i].move);
  return true;
}

std::optional<mcts::Leaf> TreeSearch::gather() {
  std::optional<mcts::Leaf> leaf;
  if (raw_) {
    leaf = search_->gather();
    exhausted_ = !leaf && waiting_ == 0;
  } else if (waiting_ == 0) {
    leaf = mcts::Leaf{
        .request = {&game_->rules(), &game_->position(), &game_->legal(), game_->history().occurrences()}};
  }
  if (leaf) ++waiting_;
  return leaf;
}

void TreeSearch::backup(const mcts::Leaf& leaf, const mcts::Evaluation& evaluation) {
  assert(waiting_ > 0);
  --waiting_;
  if (!raw_) {
    raw_ = evaluation;
    // A new tree waits for the same evaluation.
    if (search_->moves_after({}).empty()) search_->backup(*search_->gather(), evaluation);
    return;
  }
  search_->backup(leaf, evaluation);
  if (waiting_ > 0) return;
  last_ = steady_clock::now();
  if (limits_.time) plan();
}

milliseconds TreeSearch::elapsed() const {
  return std::chrono::duration_cast<milliseconds>(steady_clock::now() - start_);
}

bool TreeSearch::done() const {
  if (!ready()) return false;
  if (exhausted_ || search_->done() || search_->memory() >= options_.memory) return true;
  if (limits_.time && (elapsed() >= *limits_.time || search_->settled())) return true;
  return limits_.depth && info().seldepth >= *limits_.depth;
}

SearchInfo TreeSearch::info() const {
  assert(ready());
  const mcts::SearchResult result = search_->result();
  SearchInfo info;
  info.depth = static_cast<int>(result.principal_variation.size());
  info.seldepth = std::max(result.depth, info.depth);
  info.nodes = result.simulations;
  info.hashfull = static_cast<int>(std::min<std::size_t>(1000, 1000 * search_->memory() / options_.memory));
  info.value = mcts::to_mover(result.value, game_->position().to_move);
  info.moves_left = result.moves_left;
  info.raw = raw_;
  info.elapsed = elapsed();
  for (const mcts::RootMove& move : ranked(result, game_->position().to_move)) {
    if (options_.lines > 0 && static_cast<int>(info.lines.size()) == options_.lines) break;
    if (options_.lines == 0 && move.visits == 0 && !info.lines.empty()) break;
    info.lines.push_back(line_of(move, search_->principal_variation(move.move)));
  }
  info.drawn = draw(result);
  return info;
}

Line TreeSearch::line_of(const mcts::RootMove& move, std::vector<game::Move> moves) const {
  Line line;
  line.moves = std::move(moves);
  line.value = mcts::to_mover(move.value, game_->position().to_move);
  line.centipawns = to_centipawns(line.value.win - line.value.loss);
  if (move.bounds.exact() && move.bounds.lower != 0) {
    line.end_in_plies = 1 + static_cast<int>(std::lround(move.moves_left));
  }
  line.visits = move.visits;
  line.prior = prior_of(move.move);
  line.moves_left = move.moves_left + 1;
  return line;
}

float TreeSearch::prior_of(game::Move move) const {
  const game::MoveList& legal = game_->legal();
  const auto found = std::find(legal.begin(), legal.end(), move);
  return raw_->priors[found - legal.begin()];
}

// The same draw for the same position and seed; none where the best move is wanted.
std::optional<game::Move> TreeSearch::draw(const mcts::SearchResult& result) const {
  mcts::Rng rng(options_.seed ^ game::evaluation_key(game_->position()) ^ game_->position().ply);
  if (limits_.temperature > 0) return mcts::sample_move(result.moves, limits_.temperature, &rng);
  if (static_cast<int>(game_->actions().size()) >= limits_.varied_plies) return std::nullopt;
  return varied_move(result, game_->position().to_move, &rng);
}

std::vector<mcts::RootMove> TreeSearch::moves_after(const PlayedGame& game,
                                                    std::span<const game::Move> line) const {
  if (!game_ || !ready() || game.start() != game_->start() || game.actions() != game_->actions()) return {};
  return search_->moves_after(line);
}

}  // namespace makzero::play
