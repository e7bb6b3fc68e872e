#include "mcts/action_selection.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <tuple>

#include "mcts/select.h"

namespace makzero::mcts {
namespace {

// Whether a move may be played, by what is proven: not a lost one; at an exact root only those that reach its
// value, a win in the fewest plies and a loss in the most.
bool playable(const Tree& tree, const Edge& edge) {
  const Node& root = tree.root();
  if (!root.bounds.exact()) return edge.child == kNoNode || !proven_lost(root, tree.node(edge.child));
  if (edge.child == kNoNode) return false;
  const Node& child = tree.node(edge.child);
  return child.bounds == root.bounds &&
         (root.bounds.lower == 0 || child.proven_plies + 1 == root.proven_plies);
}

int playable_moves(const Tree& tree) {
  const std::span<const Edge> edges = tree.edges(tree.root());
  return static_cast<int>(
      std::count_if(edges.begin(), edges.end(), [&](const Edge& edge) { return playable(tree, edge); }));
}

int expected_simulations(const SearchOptions& options) {
  if (options.expected_simulations == 0) return options.simulations;
  return std::min(options.expected_simulations, options.simulations);
}

// Leaves playable moves alone and scales the weights to a sum of 1; the priors stand in where nothing is
// left.
std::vector<float> normalised(const Tree& tree, std::vector<float> weights) {
  const std::span<const Edge> edges = tree.edges(tree.root());
  float sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) sum += weights[i] = playable(tree, edges[i]) ? weights[i] : 0;
  if (sum <= 0) {
    sum = 0;
    for (size_t i = 0; i < weights.size(); ++i)
      sum += weights[i] = playable(tree, edges[i]) ? edges[i].prior : 0;
  }
  for (float& weight : weights) weight /= sum;
  return weights;
}

// Equation 33 of Gumbel MuZero in win, draw and loss: the mean of the evaluator's own value and of the
// visited moves, weighted by their priors. REQUIRES: the node is expanded and not exact.
WhiteValue mixed_value(const Tree& tree, const Node& node) {
  const WhiteValue own = tree.own_value(node);
  double prior_sum = 0, white = 0, black = 0;
  int visits = 0;
  for (const Edge& edge : tree.edges(node)) {
    if (edge.child == kNoNode || tree.node(edge.child).visits == 0) continue;
    const WhiteValue value = tree.node(edge.child).value();
    visits += tree.node(edge.child).visits;
    prior_sum += edge.prior;
    white += edge.prior * value.white;
    black += edge.prior * value.black;
  }
  if (visits == 0) return own;
  const auto mean = [&](double own_part, double weighted) {
    return static_cast<float>((own_part + visits * weighted / prior_sum) / (1 + visits));
  };
  const float mean_white = mean(own.white, white), mean_black = mean(own.black, black);
  return {mean_white, 1 - mean_white - mean_black, mean_black};
}

// "Policy improvement by planning with Gumbel" (Danihelka et al. 2022), as DeepMind's mctx has it.
class GumbelRule : public ActionSelection {
 public:
  explicit GumbelRule(const SearchOptions& options) : options_(options) {}

  int begin(const Tree& tree, Rng* rng) override {
    const std::span<const Edge> edges = tree.edges(tree.root());
    scores_.resize(edges.size());
    sigma_.resize(edges.size());
    for (size_t i = 0; i < edges.size(); ++i) {
      const double gumbel = options_.gumbel_scale > 0 ? options_.gumbel_scale * rng->gumbel() : 0;
      scores_[i] = std::log(edges[i].prior) + static_cast<float>(gumbel);
    }
    begin_halving(tree, 0, expected_simulations(options_));
    return 0;
  }

  std::optional<int> root_edge(const Tree& tree, int simulation) override {
    const Node& root = tree.root();
    if (simulation >= end_of_halving()) {
      if (root.in_flight > 0) return std::nullopt;
      begin_halving(tree, simulation, simulation);
    }
    // What is expected may have changed since begin().
    if (simulation == 0) begin_halving(tree, 0, expected_simulations(options_));
    const HalvingStep step = halving_.step(simulation, end_of_halving() - first_);
    if (step.new_round && root.in_flight > 0) return std::nullopt;
    completed_q(tree, root, options_, sigma_);
    return edge_with_visits(tree, step.visits);
  }

  int inner_edge(const Tree& tree, const Node& node) const override {
    return select_improved(tree, node, options_);
  }

  int best_edge(const Tree& tree) const override {
    completed_q(tree, tree.root(), options_, sigma_);
    const std::span<const Edge> edges = tree.edges(tree.root());
    int best = -1;
    for (int i = 0; i < static_cast<int>(edges.size()); ++i) {
      if (!playable(tree, edges[i])) continue;
      const auto rank = [&](int edge) { return std::tuple(visits(tree, edges[edge], edge), score(edge)); };
      if (best < 0 || rank(i) > rank(best)) best = i;
    }
    assert(best >= 0);
    return best;
  }

  // Another move overtakes the best one where all simulations to come go to it and win, and the best one
  // keeps its mean.
  bool settled(const Tree& tree, int simulations) const override {
    if (playable_moves(tree) == 1) return true;
    const std::span<const Edge> edges = tree.edges(tree.root());
    const int left = end_of_halving() - simulations;
    const int best = best_edge(tree);  // Brings sigma_ up to date.
    const float won = sigma_of(1, tree, tree.root(), options_);
    for (int i = 0; i < static_cast<int>(edges.size()); ++i) {
      if (i == best || !playable(tree, edges[i])) continue;
      if (visits(tree, edges[i], i) + left < visits(tree, edges[best], best)) continue;
      const auto before = static_cast<float>(started_visits(tree, edges[i])),
                 later = static_cast<float>(left);
      const float highest = before + later > 0 ? (before * sigma_[i] + later * won) / (before + later) : won;
      if (scores_[i] + highest >= score(best)) return false;
    }
    return true;
  }

  std::vector<float> policy(const Tree& tree) const override {
    const std::span<const Edge> edges = tree.edges(tree.root());
    std::vector<float> weights(edges.size());
    completed_q(tree, tree.root(), options_, weights);
    for (size_t i = 0; i < weights.size(); ++i) weights[i] += std::log(edges[i].prior);
    const float largest = *std::max_element(weights.begin(), weights.end());
    for (float& weight : weights) weight = std::exp(weight - largest);
    return normalised(tree, std::move(weights));
  }

  // What the improved policy expects. Sequential halving gives all considered moves visits, so that the mean
  // over the visits undervalues a position with one good move.
  WhiteValue value(const Tree& tree) const override {
    const Node& root = tree.root();
    if (root.bounds.exact()) return root.value();
    const std::span<const Edge> edges = tree.edges(root);
    const std::vector<float> weights = policy(tree);
    const WhiteValue unvisited = mixed_value(tree, root);
    float white = 0, black = 0;
    for (size_t i = 0; i < edges.size(); ++i) {
      const bool visited = edges[i].child != kNoNode && tree.node(edges[i].child).visits > 0;
      const WhiteValue value = visited ? tree.node(edges[i].child).value() : unvisited;
      white += weights[i] * value.white;
      black += weights[i] * value.black;
    }
    return {white, std::max(0.0f, 1 - white - black), black};
  }

 private:
  int end_of_halving() const { return std::max(expected_simulations(options_), end_); }

  // Halves anew from this simulation on, where so many are expected. A search that goes on when all that were
  // expected are done doubles them: it has no end that is known.
  void begin_halving(const Tree& tree, int simulation, int expected) {
    const std::span<const Edge> edges = tree.edges(tree.root());
    int considered = options_.max_considered_actions;
    if (considered == 0) considered = std::clamp(expected / 8, 4, 16);
    halving_.begin(std::min<int>(considered, tree.root().edge_count), simulation);
    first_ = simulation;
    end_ = simulation > 0 ? simulation + expected : 0;
    kept_visits_.resize(edges.size());
    for (size_t i = 0; i < edges.size(); ++i) kept_visits_[i] = started_visits(tree, edges[i]);
  }

  // Simulations through a move since the halving began; those before have served its value.
  int visits(const Tree& tree, const Edge& edge, int i) const {
    return started_visits(tree, edge) - kept_visits_[i];
  }

  // The best move among those with this many visits; where proven losses leave none, among those with the
  // nearest number. REQUIRES: the root is not exact, sigma_ is up to date.
  int edge_with_visits(const Tree& tree, int wanted) const {
    const Node& root = tree.root();
    const std::span<const Edge> edges = tree.edges(root);
    int best = -1, best_distance = std::numeric_limits<int>::max();
    float best_score = 0;
    for (int i = 0; i < root.edge_count; ++i) {
      const int distance = std::abs(visits(tree, edges[i], i) - wanted);
      if (distance > best_distance || (distance == best_distance && score(i) <= best_score)) continue;
      if (edges[i].child != kNoNode && proven_lost(root, tree.node(edges[i].child))) continue;
      best = i;
      best_distance = distance;
      best_score = score(i);
    }
    assert(best >= 0);
    return best;
  }

  // REQUIRES: sigma_ is up to date.
  float score(int edge) const { return scores_[edge] + sigma_[edge]; }

  const SearchOptions& options_;
  std::vector<float> scores_;  // Logit of the prior plus Gumbel noise, per move of the root.
  HalvingSchedule halving_;
  int first_ = 0;                     // Simulation that it began with.
  int end_ = 0;                       // And the one that ends it, where it has begun anew.
  std::vector<int> kept_visits_;      // Per move of the root, when the halving began.
  mutable std::vector<float> sigma_;  // Scratch.
};

// AlphaZero (Silver et al. 2018).
class PuctRule : public ActionSelection {
 public:
  explicit PuctRule(const SearchOptions& options) : options_(options) {}

  int begin(const Tree& tree, Rng* rng) override {
    noise_.clear();
    if (options_.dirichlet_alpha > 0) draw_noise(tree.root().edge_count, rng);
    return tree.root().visits - 1;
  }

  std::optional<int> root_edge(const Tree& tree, int) override {
    return select_puct(tree, tree.root(), options_, noise_);
  }

  int inner_edge(const Tree& tree, const Node& node) const override {
    return select_puct(tree, node, options_, {});
  }

  int best_edge(const Tree& tree) const override {
    const Node& root = tree.root();
    const std::span<const Edge> edges = tree.edges(root);
    const auto rank = [&](const Edge& edge) {
      const bool visited = edge.child != kNoNode && tree.node(edge.child).visits > 0;
      if (!visited) return std::tuple(0, -2.0f, edge.prior);
      const Node& child = tree.node(edge.child);
      return std::tuple(child.visits, child_utility(root, child, options_), edge.prior);
    };
    int best = -1;
    for (int i = 0; i < root.edge_count; ++i) {
      if (playable(tree, edges[i]) && (best < 0 || rank(edges[i]) > rank(edges[best]))) best = i;
    }
    assert(best >= 0);
    return best;
  }

  bool settled(const Tree& tree, int simulations) const override {
    if (playable_moves(tree) == 1) return true;
    const std::span<const Edge> edges = tree.edges(tree.root());
    const int best = best_edge(tree), left = expected_simulations(options_) - simulations;
    for (int i = 0; i < static_cast<int>(edges.size()); ++i) {
      if (i == best || !playable(tree, edges[i])) continue;
      if (started_visits(tree, edges[i]) + left >= started_visits(tree, edges[best])) return false;
    }
    return true;
  }

  std::vector<float> policy(const Tree& tree) const override {
    std::vector<float> weights;
    for (const Edge& edge : tree.edges(tree.root())) {
      weights.push_back(edge.child == kNoNode ? 0 : static_cast<float>(tree.node(edge.child).visits));
    }
    return normalised(tree, std::move(weights));
  }

  WhiteValue value(const Tree& tree) const override { return tree.root().value(); }

 private:
  void draw_noise(int moves, Rng* rng) {
    double sum = 0;
    std::vector<double> gammas(moves);
    for (double& gamma : gammas) sum += gamma = rng->gamma(options_.dirichlet_alpha);
    for (const double gamma : gammas) noise_.push_back(static_cast<float>(gamma / sum));
  }

  const SearchOptions& options_;
  std::vector<float> noise_;  // Per move of the root; empty without noise.
};

}  // namespace

std::unique_ptr<ActionSelection> make_action_selection(const SearchOptions& options) {
  if (options.algorithm == SearchAlgorithm::kPuct) return std::make_unique<PuctRule>(options);
  return std::make_unique<GumbelRule>(options);
}

void HalvingSchedule::begin(int considered, int simulation) {
  considered_ = moves_ = considered;
  visits_ = 0;
  first_ = begin_ = simulation;
}

HalvingStep HalvingSchedule::step(int simulation, int expected) {
  const int done = simulation - begin_;
  if (considered_ == 1) return {done, false};
  const int rounds = std::bit_width(static_cast<unsigned>(considered_ - 1));  // Base-2 logarithm, rounded up.
  const int share = std::max(1, expected / (rounds * moves_));
  if (done % moves_ != 0 || done / moves_ < share)
    return {visits_ + done / moves_, done == 0 && begin_ > first_};
  visits_ += done / moves_;
  begin_ = simulation;
  moves_ = std::max(2, moves_ / 2);
  return {visits_, true};
}

}  // namespace makzero::mcts
