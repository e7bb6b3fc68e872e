#include "play/search_thinker.h"

#include <algorithm>
#include <utility>

namespace makzero::play {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A search without end stops here: some gigabytes of tree.
constexpr int kMostSimulations = 10'000'000;

// A thought is reported when the evaluations have doubled, and at least this often.
constexpr int kFirstReport = 64;
constexpr milliseconds kReportInterval{1000};

milliseconds since(steady_clock::time_point start) {
  return std::chrono::duration_cast<milliseconds>(steady_clock::now() - start);
}

// Whether `game` is `root` or goes on from it by moves alone, through positions that can be searched.
bool goes_on_from(const PlayedGame& root, const PlayedGame& game) {
  const std::vector<Action>& before = root.actions();
  const std::vector<Action>& now = game.actions();
  if (root.start() != game.start() || now.size() < before.size()) return false;
  if (!std::equal(before.begin(), before.end(), now.begin())) return false;
  PlayedGame between = game;
  for (size_t i = now.size(); i > before.size(); --i) {
    if (now[i - 1].claim || between.outcome().over()) return false;
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

SearchThinker::SearchThinker(game::GamePtr rules, std::unique_ptr<mcts::Evaluator> evaluator,
                             const SearchThinkerOptions& options)
    : rules_(std::move(rules)), evaluator_(std::move(evaluator)), options_(options) {}

Thought SearchThinker::think(const PlayedGame& game, const Limits& limits, const std::atomic<bool>& stop,
                             const ThoughtHandler& report) {
  const auto start = steady_clock::now();
  const bool unlimited = !limits.simulations && !limits.depth && !limits.time;
  std::optional<int> simulations = limits.simulations;
  if (unlimited && options_.simulations > 0) simulations = options_.simulations;
  set_root(game, simulations);

  // Few simulations are not worth losing to virtual losses.
  const int leaves =
      simulations ? std::clamp(*simulations / 16, 1, options_.leaves_in_flight) : options_.leaves_in_flight;
  const bool forced = game.legal().size() == 1;
  int evaluated = 0, reported = kFirstReport / 2;
  milliseconds last_report{0};
  while (const int count = step(leaves)) {
    evaluated += count;
    const milliseconds elapsed = since(start);
    if (stop || (limits.time && (forced || elapsed >= *limits.time))) break;
    const bool due = evaluated >= 2 * reported || elapsed - last_report >= kReportInterval;
    if (!due && !limits.depth) continue;
    const Thought now = thought(elapsed);
    if (limits.depth && now.depth >= *limits.depth) break;
    if (!due) continue;
    report(now);
    reported = evaluated;
    last_report = elapsed;
  }
  return thought(since(start));
}

void SearchThinker::forget() { root_.reset(); }

void SearchThinker::set_root(const PlayedGame& game, std::optional<int> simulations) {
  const mcts::RootPolicy policy = simulations ? mcts::RootPolicy::kGumbel : mcts::RootPolicy::kPuct;
  if (!search_ || policy != policy_) {
    mcts::SearchOptions options;
    options.root = policy;
    options.gumbel_scale = 0;
    search_ = std::make_unique<mcts::Search>(*rules_, options, options_.seed);
    policy_ = policy;
    root_.reset();
  }
  search_->set_simulations(simulations.value_or(kMostSimulations));
  if (!advance_to(game)) search_->set_root(game.position(), game.history());
  root_ = game;
}

bool SearchThinker::advance_to(const PlayedGame& game) {
  if (!root_ || !goes_on_from(*root_, game)) return false;
  const std::vector<Action>& actions = game.actions();
  for (size_t i = root_->actions().size(); i < actions.size(); ++i) search_->advance(actions[i].move);
  return true;
}

// Evaluates the next leaves together and returns how many; 0 when the search is done.
int SearchThinker::step(int most_leaves) {
  leaves_.clear();
  requests_.clear();
  while (static_cast<int>(leaves_.size()) < most_leaves) {
    const std::optional<mcts::Leaf> leaf = search_->gather();
    if (!leaf) break;
    leaves_.push_back(*leaf);
    requests_.push_back(leaf->request);
  }
  if (leaves_.empty()) return 0;
  if (evaluations_.size() < leaves_.size()) evaluations_.resize(leaves_.size());
  evaluator_->evaluate(requests_, std::span(evaluations_).first(leaves_.size()));
  for (size_t i = 0; i < leaves_.size(); ++i) search_->back_up(leaves_[i], evaluations_[i]);
  return static_cast<int>(leaves_.size());
}

Thought SearchThinker::thought(milliseconds elapsed) const {
  const mcts::SearchResult result = search_->result();
  const game::Color mover = search_->root().to_move;
  Thought thought;
  thought.depth = result.depth;
  thought.nodes = result.simulations;
  thought.elapsed = elapsed;
  for (const mcts::RootMove& move : ranked(result, mover)) {
    if (static_cast<int>(thought.lines.size()) == options_.lines) break;
    Line line;
    line.moves = {move.move};
    if (move.move == result.best && !result.principal_variation.empty())
      line.moves = result.principal_variation;
    line.value = mcts::to_mover(move.value, mover);
    line.centipawns = to_centipawns(line.value.win - line.value.loss);
    thought.lines.push_back(std::move(line));
  }
  return thought;
}

}  // namespace makzero::play
