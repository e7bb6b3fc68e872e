#include "mcts/search.h"

#include <algorithm>
#include <cassert>

#include "mcts/action_selection.h"
#include "mcts/endings/endings.h"
#include "mcts/select.h"

namespace makzero::mcts {

using game::History;
using game::Move;
using game::MoveList;
using game::Outcome;
using game::Position;

namespace {

game::Result result_of(const EndingValue& value, game::Color mover) {
  if (value.result == 0) return game::Result::kDraw;
  return win_of(value.result > 0 ? mover : other(mover));
}

}  // namespace

Search::Search(const game::Game& game, const SearchOptions& options, std::uint64_t seed)
    : game_(game),
      options_(std::make_unique<SearchOptions>(options)),
      rng_(seed),
      selection_(make_action_selection(*options_)) {}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;

void Search::set_simulations(int simulations, int expected_simulations) {
  options_->simulations = simulations;
  options_->expected_simulations = expected_simulations;
}

void Search::set_root(const Position& position, const History& history, std::span<const Move> among) {
  assert(history.size() > 0);
  root_ = position;
  among_.assign(among.begin(), among.end());
  history_ = history;
  root_plies_ = history.size() - 1;
  tree_.clear(position.to_move);
  collisions_.clear();
  free_slots_.clear();
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) free_slots_.push_back(slot);
  begin_root();
}

void Search::advance(Move move) {
  assert(tree_.root().in_flight == 0);
  const Edge* edge = find_edge(tree_.root(), move);
  const NodeId child = edge ? edge->child : kNoNode;
  among_.clear();
  game_.apply(move, &root_);
  history_.push(root_);
  ++root_plies_;
  begin_root();
  if (child == kNoNode || !tree_.node(child).expanded()) return tree_.clear(root_.to_move);
  tree_.keep_subtree(child);
  if (tree_.root().visits == 0) return tree_.clear(root_.to_move);
  kept_simulations_ = selection_->begin(tree_, &rng_);
}

// Looks a new root up: where it is a drawn ending, the evaluator alone knows which moves are hard to answer.
void Search::begin_root() {
  simulations_ = kept_simulations_ = depth_ = 0;
  probes_ = options_->endings && !options_->endings->is_draw(root_);
}

bool Search::done() const {
  const Node& root = tree_.root();
  if (!root.expanded()) return false;
  return root.bounds.exact() || kept_simulations_ + simulations_ >= options_->simulations;
}

bool Search::settled() const {
  return tree_.root().expanded() && selection_->settled(tree_, kept_simulations_ + simulations_);
}

std::optional<Leaf> Search::gather(int most_collisions) {
  Leaf leaf;
  if (!tree_.root().expanded()) {
    if (tree_.root().in_flight > 0) return std::nullopt;
    tree_.enter(kRootNode);
    const std::uint32_t slot = take_slot();
    slots_[slot].position = root_;
    const Descent descent = evaluate_or_finish(kRootNode, slot, false, &leaf);
    assert(!slots_[slot].legal.empty() && "no legal move at the root");
    return descent == Descent::kAtLeaf ? std::optional(leaf) : std::nullopt;
  }
  const std::uint32_t slot = take_slot();
  for (int descents = 0; descents < kMostIdleDescents && !tree_.root().bounds.exact(); ++descents) {
    const int simulation = kept_simulations_ + simulations_ + tree_.root().in_flight;
    if (simulation >= options_->simulations) break;
    const std::optional<int> edge = selection_->root_edge(tree_, simulation);
    if (!edge) break;
    const Descent descent = descend(*edge, slot, &leaf);
    if (descent == Descent::kAtLeaf) return leaf;
    if (descent == Descent::kBackedUp) ++simulations_;
    if (descent != Descent::kBlocked) continue;
    if (std::ssize(collisions_) > most_collisions || collisions_.back().leaf == collisions_.back().move)
      break;
  }
  free_slots_.push_back(slot);
  return std::nullopt;
}

// Follows the tree to a node that has no edges yet, or whose value is proven. A position with one move has no
// visit of its own: its value is that of the position after it.
Search::Descent Search::descend(int root_edge, std::uint32_t slot, Leaf* leaf) {
  Position& position = slots_[slot].position;
  position = root_;
  NodeId id = kRootNode;
  tree_.enter(id);
  int edge = root_edge, forced = 0;
  Descent descent = Descent::kForced;
  while (descent == Descent::kForced) {
    game_.apply(tree_.edges(tree_.node(id))[edge].move, &position);
    history_.push(position);
    id = tree_.child(id, edge, position.to_move);
    tree_.enter(id);
    const Node& node = tree_.node(id);
    edge = 0;
    if (!node.expanded() || node.bounds.exact()) {
      descent = evaluate_or_finish(id, slot, ++forced <= kMostForced, leaf);
    } else if (node.edge_count > 1) {
      edge = selection_->inner_edge(tree_, node);
    }
  }
  if (descent == Descent::kBlocked) {
    const NodeId move = tree_.edges(tree_.root())[root_edge].child;
    tree_.cancel(move, kNoNode);
    collisions_.push_back({id, move});
  }
  depth_ = std::max(depth_, history_.size() - root_plies_ - 1);
  history_.truncate(root_plies_ + 1);
  return descent;
}

// Whether the position has stood on the board at or below the root: what follows could be played from there
// as well.
bool Search::repeats() const { return game_.info().repetition > 0 && history_.occurrences(root_plies_) > 1; }

// Ends a descent: a proven value is backed up at once, a new position waits for its evaluation, but for one
// with a single move where that `forces`.
Search::Descent Search::evaluate_or_finish(NodeId id, std::uint32_t slot, bool forces, Leaf* leaf) {
  const Node& node = tree_.node(id);
  if (node.bounds.exact()) {
    tree_.backup(id, {}, 0);
    return Descent::kBackedUp;
  }
  if (node.in_flight > 1) {  // It waits already.
    return Descent::kBlocked;
  }
  if (id != kRootNode && repeats()) {
    tree_.backup_draw(id);
    return Descent::kBackedUp;
  }
  Slot& taken = slots_[slot];
  game_.legal_moves(taken.position, &taken.legal);
  const int occurrences = history_.occurrences();
  const Outcome outcome = game_.outcome(taken.position, !taken.legal.empty(), occurrences);
  if (outcome.over() && id != kRootNode) {
    tree_.mark_terminal(id, outcome.result);
    tree_.backup(id, {}, 0);
    return Descent::kBackedUp;
  }
  if (id != kRootNode && probes_) {
    if (const std::optional<EndingValue> value = options_->endings->probe_to_end(taken.position)) {
      tree_.mark_terminal(id, result_of(*value, taken.position.to_move), value->plies);
      tree_.backup(id, {}, 0);
      return Descent::kBackedUp;
    }
  }
  if (forces && taken.legal.size() == 1) {
    static constexpr float kCertain[] = {1};
    tree_.expand(id, taken.legal, kCertain, 0);
    return Descent::kForced;
  }
  *leaf = {{&game_, &taken.position, &taken.legal, occurrences}, id, slot};
  return Descent::kAtLeaf;
}

std::uint32_t Search::take_slot() {
  if (free_slots_.empty()) {
    slots_.emplace_back();
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

void Search::forget_collisions() {
  for (const Collision& collision : collisions_) tree_.cancel(collision.leaf, collision.move);
  collisions_.clear();
}

void Search::backup(const Leaf& leaf, const Evaluation& evaluation) {
  forget_collisions();
  const bool is_root = leaf.node == kRootNode;
  const game::Color mover = tree_.node(leaf.node).to_move;
  const WhiteValue value = to_white(evaluation.value, mover);
  const float expected = utility(value, mover, draw_score_of(mover, *options_));
  expand(leaf.node, slots_[leaf.slot].legal, evaluation.priors, expected);
  tree_.backup(leaf.node, value, evaluation.moves_left);
  free_slots_.push_back(leaf.slot);
  if (is_root) {
    kept_simulations_ = selection_->begin(tree_, &rng_);
  } else {
    ++simulations_;
  }
}

void Search::expand(NodeId id, const MoveList& legal, std::span<const float> priors, float evaluation) {
  if (id != kRootNode || among_.empty()) return tree_.expand(id, legal, priors, evaluation);
  MoveList searched;
  std::vector<float> their_priors;
  float sum = 0;
  for (int i = 0; i < legal.size(); ++i) {
    if (std::find(among_.begin(), among_.end(), legal[i]) == among_.end()) continue;
    searched.add(legal[i]);
    their_priors.push_back(priors[i]);
    sum += priors[i];
  }
  const float even = 1 / static_cast<float>(searched.size());
  for (float& prior : their_priors) prior = sum > 0 ? prior / sum : even;
  tree_.expand(id, searched, their_priors, evaluation);
}

SearchResult Search::result() const {
  const Node& root = tree_.root();
  assert(root.expanded());
  SearchResult result;
  result.value = selection_->value(tree_);
  result.moves_left = root.mean_moves_left();
  result.bounds = root.bounds;
  result.simulations = simulations_;
  result.depth = depth_;
  const std::vector<float> policy = selection_->policy(tree_);
  result.moves.reserve(root.edge_count);
  for (const Edge& edge : tree_.edges(root)) {
    RootMove& move = result.moves.emplace_back(root_move(root, edge));
    move.policy = policy[result.moves.size() - 1];
  }
  result.principal_variation = principal_variation(&tree_.edges(root)[selection_->best_edge(tree_)]);
  result.best = result.principal_variation.front();
  return result;
}

std::vector<RootMove> Search::moves_after(std::span<const Move> line) const {
  const Node* node = &tree_.root();
  for (const Move move : line) {
    const Edge* edge = find_edge(*node, move);
    if (!edge || edge->child == kNoNode) return {};
    node = &tree_.node(edge->child);
  }
  std::vector<RootMove> moves;
  if (node->visits == 0) return moves;
  for (const Edge& edge : tree_.edges(*node)) moves.push_back(root_move(*node, edge));
  return moves;
}

const Edge* Search::find_edge(const Node& node, Move move) const {
  for (const Edge& edge : tree_.edges(node)) {
    if (edge.move == move) return &edge;
  }
  return nullptr;
}

RootMove Search::root_move(const Node& node, const Edge& edge) const {
  RootMove move;
  move.move = edge.move;
  move.prior = edge.prior;
  const bool visited = edge.child != kNoNode && tree_.node(edge.child).visits > 0;
  const Node& source = visited ? tree_.node(edge.child) : node;
  move.visits = visited ? source.visits : 0;
  move.value = source.value();
  move.moves_left = source.mean_moves_left();
  if (!visited) return move;
  move.bounds = source.bounds;
  move.expanded = source.expanded();
  return move;
}

std::vector<Move> Search::principal_variation(Move first) const {
  const Edge* edge = find_edge(tree_.root(), first);
  assert(edge);
  return principal_variation(edge);
}

std::vector<Move> Search::principal_variation(const Edge* edge) const {
  std::vector<Move> moves;
  for (;;) {
    moves.push_back(edge->move);
    if (edge->child == kNoNode) return moves;
    const Edge* next = nullptr;
    int most = 0;
    for (const Edge& reply : tree_.edges(tree_.node(edge->child))) {
      const int visits = reply.child == kNoNode ? 0 : tree_.node(reply.child).visits;
      if (visits > most) next = &reply, most = visits;
    }
    if (!next) return moves;
    edge = next;
  }
}

}  // namespace makzero::mcts
