#include "mcts/tree_searcher.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace makzero::mcts {
namespace {

using std::chrono::nanoseconds;

// The memory of a tree is the limit of a search without end; this keeps its counts far from overflow.
constexpr int kMostSimulations = 1'000'000'000;

// Simulations that a search without end is first planned for.
constexpr int kFirstPlan = 64;

// Simulations for each leaf that is gathered at once: few are not worth losing to virtual losses. A card,
// which takes many, computes eight as long as a hundred: its search gathers more, and seeks them where they
// are rare.
constexpr int kSimulationsPerLeaf = 64, kMostLeaves = 8;
constexpr int kSimulationsPerLeafOfCard = 8, kCollisionsPerLeaf = 8;

double seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// The root's moves, best first.
std::vector<RootMove> ranked(const SearchResult& result, game::Color mover) {
  const float sign = mover == game::Color::kWhite ? 1 : -1;
  std::vector<RootMove> moves = result.moves;
  std::stable_sort(moves.begin(), moves.end(), [&](const RootMove& a, const RootMove& b) {
    if ((a.move == result.best) != (b.move == result.best)) return a.move == result.best;
    if (a.visits != b.visits) return a.visits > b.visits;
    return sign * a.value.expected() > sign * b.value.expected();
  });
  return moves;
}

SearchOptions without_noise(SearchOptions options) {
  options.max_considered_actions = 0;
  options.gumbel_scale = 0;
  options.dirichlet_alpha = 0;
  return options;
}

}  // namespace

TreeSearcher::TreeSearcher(const game::Game& rules, const TreeSearcherOptions& options)
    : rules_(rules), options_(options) {}

void TreeSearcher::begin(const SearchRoot& root, const Limits& limits) {
  if (search_) rate_.add(search_->simulations() - simulations_before_, seconds(last_ - start_));
  const bool may_keep = std::exchange(kept_, limits.search_moves.empty()) && limits.search_moves.empty();
  limits_ = limits;
  start_ = last_ = limits.now();
  time_.reset();
  if (limits.time) time_.emplace(limits);
  const float loss = to_expected(limits.contempt);
  const float contempt = root.position->to_move == game::Color::kWhite ? loss : -loss;
  const bool fits = search_ && options_.search.contempt_of_white == contempt;
  options_.search.contempt_of_white = contempt;
  if (!fits) search_.emplace(rules_, without_noise(options_.search), limits.seed);
  if (!fits || !may_keep || !keep_tree(root))
    search_->set_root(*root.position, *root.history, limits.search_moves);
  start_position_ = *root.start;
  moves_.assign(root.moves.begin(), root.moves.end());
  history_ = *root.history;
  legal_ = *root.legal;
  simulations_before_ = search_->simulations();
  plan();
  raw_.reset();
  raw_waits_ = false;
  leaves_.clear();
  exhausted_ = false;
}

// Sets the simulations that the search is planned for, as far as they are known by now.
void TreeSearcher::plan() {
  const int most = static_cast<int>(
      std::clamp<std::int64_t>(limits_.nodes.value_or(kMostSimulations), 1, kMostSimulations));
  int expected = limits_.nodes ? 0 : kFirstPlan;
  if (time_) {
    const double used = seconds(last_ - start_);
    expected = simulations_before_ + rate_.expected(search_->simulations() - simulations_before_, used,
                                                    seconds(time_->end()) - used);
  }
  search_->set_simulations(most, expected);
}

// True if the moves lead from the tree's root to that position through positions that can be searched.
bool TreeSearcher::goes_on_to(const SearchRoot& root) const {
  if (start_position_ != *root.start || root.moves.size() < moves_.size()) return false;
  if (!std::equal(moves_.begin(), moves_.end(), root.moves.begin())) return false;
  game::Position position = search_->root();
  game::History history = history_;
  game::MoveList legal;
  for (const game::Move move : root.moves.subspan(moves_.size())) {
    rules_.apply(move, &position);
    history.push(position);
    rules_.legal_moves(position, &legal);
    if (rules_.outcome(position, !legal.empty(), history.occurrences()).over()) return false;
  }
  return position == *root.position;  // No declaration changed it.
}

bool TreeSearcher::keep_tree(const SearchRoot& root) {
  if (!ready() || !goes_on_to(root)) return false;
  for (const game::Move move : root.moves.subspan(moves_.size())) search_->advance(move);
  return true;
}

// With a number of simulations it depends on nothing else, so that a move does not depend on what is searched
// beside it.
int TreeSearcher::most_leaves(int budget) const {
  if (!limits_.nodes)
    return std::min(budget, std::max(kMostLeaves, search_->simulations() / kSimulationsPerLeafOfCard));
  return static_cast<int>(std::clamp<std::int64_t>(*limits_.nodes / kSimulationsPerLeaf, 1, kMostLeaves));
}

std::span<const EvalRequest> TreeSearcher::step(const StepBudget& budget) {
  requests_.clear();
  if (!raw_) {
    if (!std::exchange(raw_waits_, true))
      requests_.push_back({&rules_, &search_->root(), &legal_, history_.occurrences()});
    return requests_;
  }
  if (limits_.nodes && !leaves_.empty()) return requests_;
  const int most = most_leaves(budget.leaves);
  const int collisions = most > kMostLeaves ? most * kCollisionsPerLeaf : 0;
  while (std::ssize(requests_) < most && !filled()) {
    const std::optional<Leaf> leaf = search_->gather(collisions);
    if (!leaf) break;
    leaves_.push_back(*leaf);
    requests_.push_back(leaf->request);
  }
  exhausted_ = leaves_.empty();
  return requests_;
}

void TreeSearcher::backup(std::span<const Evaluation> evaluations) {
  if (!raw_) {
    raw_ = evaluations.front();
    // A new tree waits for the same evaluation.
    if (search_->moves_after({}).empty()) search_->backup(*search_->gather(), *raw_);
    return;
  }
  for (std::size_t i = 0; i < evaluations.size(); ++i) search_->backup(leaves_[i], evaluations[i]);
  leaves_.erase(leaves_.begin(), leaves_.begin() + static_cast<std::ptrdiff_t>(evaluations.size()));
  last_ = limits_.now();
  if (!time_) return;
  if (time_->due(last_ - start_)) time_->update(info());
  plan();
}

// Asked for every leaf: no clock and no line is read.
bool TreeSearcher::filled() const {
  if (limits_.stop && limits_.stop->load(std::memory_order_relaxed)) return true;
  return exhausted_ || search_->done() || search_->memory() >= options_.memory;
}

bool TreeSearcher::done() const {
  if (!ready()) return false;
  if (filled()) return true;
  if (time_ && (used() >= time_->end() || search_->settled())) return true;
  return limits_.depth && info().seldepth >= *limits_.depth;
}

SearchInfo TreeSearcher::info() const {
  assert(ready());
  const SearchResult result = search_->result();
  const game::Color mover = search_->root().to_move;
  SearchInfo info;
  info.depth = static_cast<int>(result.principal_variation.size());
  info.seldepth = std::max(result.depth, info.depth);
  info.nodes = result.simulations;
  info.hashfull = static_cast<int>(std::min<std::size_t>(1000, 1000 * search_->memory() / options_.memory));
  info.value = to_mover(result.value, mover);
  info.moves_left = result.moves_left;
  info.raw = raw_;
  info.elapsed = used();
  for (const RootMove& move : ranked(result, mover)) {
    const auto place = std::find(legal_.begin(), legal_.end(), move.move) - legal_.begin();
    info.lines.push_back(line_of(move, search_->principal_variation(move.move), raw_->priors[place]));
  }
  return info;
}

Line TreeSearcher::line_of(const RootMove& move, std::vector<game::Move> moves, float prior) const {
  Line line;
  line.moves = std::move(moves);
  line.value = to_mover(move.value, search_->root().to_move);
  line.centipawns = to_centipawns(line.value.win - line.value.loss);
  if (move.bounds.exact() && move.bounds.lower != 0)
    line.end_in_plies = 1 + static_cast<int>(std::lround(move.moves_left));
  line.visits = move.visits;
  line.prior = prior;
  line.policy = move.policy;
  line.moves_left = move.moves_left + 1;
  return line;
}

std::vector<RootMove> TreeSearcher::moves_after(std::span<const game::Move> line) const {
  return ready() ? search_->moves_after(line) : std::vector<RootMove>();
}

}  // namespace makzero::mcts
