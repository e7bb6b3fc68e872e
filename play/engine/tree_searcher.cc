#include "play/engine/tree_searcher.h"

#include <algorithm>
#include <utility>

namespace makzero::play {
namespace {

using std::chrono::milliseconds;

// The search reports when the evaluations have doubled, and at least this often.
constexpr int kFirstReport = 64;
constexpr milliseconds kReportInterval{1000};

}  // namespace

TreeSearcher::TreeSearcher(game::GamePtr rules, std::unique_ptr<mcts::Evaluator> evaluator,
                           const TreeSearcherOptions& options)
    : evaluator_(std::move(evaluator)), options_(options), search_(std::move(rules), options.tree) {}

SearchInfo TreeSearcher::search(const PlayedGame& game, const Limits& limits, const std::atomic<bool>& stop,
                                const SearchInfoHandler& report) {
  Limits own = limits;
  if (limits.endless() && options_.simulations > 0) own.simulations = options_.simulations;
  {
    const std::scoped_lock lock(mutex_);
    search_.begin(game, own);
  }
  // Few simulations are not worth losing to virtual losses.
  const int leaves = own.simulations ? std::clamp(*own.simulations / 16, 1, options_.leaves_in_flight)
                                     : options_.leaves_in_flight;
  int evaluated = 0, reported = kFirstReport / 2;
  milliseconds last_report{0};
  while (!search_.done() && !(stop && search_.ready())) {
    evaluated += step(leaves);
    const milliseconds elapsed = search_.elapsed();
    if (evaluated < 2 * reported && elapsed - last_report < kReportInterval) continue;
    report(search_.info());
    reported = evaluated;
    last_report = elapsed;
  }
  return search_.info();
}

void TreeSearcher::forget() {
  const std::scoped_lock lock(mutex_);
  search_.forget();
}

std::vector<mcts::RootMove> TreeSearcher::moves_after(const PlayedGame& game,
                                                      std::span<const game::Move> line) const {
  const std::scoped_lock lock(mutex_);
  return search_.moves_after(game, line);
}

// Evaluates the next leaves together and returns how many.
int TreeSearcher::step(int most_leaves) {
  requests_.clear();
  {
    const std::scoped_lock lock(mutex_);
    search_.gather(most_leaves, &requests_);
  }
  if (requests_.empty()) return 0;
  if (evaluations_.size() < requests_.size()) evaluations_.resize(requests_.size());
  const std::span<mcts::Evaluation> evaluations = std::span(evaluations_).first(requests_.size());
  evaluator_->evaluate(requests_, evaluations);
  const std::scoped_lock lock(mutex_);
  search_.backup(evaluations);
  return static_cast<int>(requests_.size());
}

}  // namespace makzero::play
