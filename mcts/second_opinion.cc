#include "mcts/second_opinion.h"

#include <algorithm>
#include <utility>

namespace makzero::mcts {
namespace {

bool proven_lost(const Line& line) { return line.end_in_plies && line.value.loss > line.value.win; }

}  // namespace

SecondOpinion::SecondOpinion(std::unique_ptr<Searcher> tree, std::unique_ptr<Searcher> second,
                             const SecondOpinionOptions& options)
    : tree_(std::move(tree)), second_(std::move(second)), options_(options) {}

void SecondOpinion::begin(const SearchRoot& root, const Limits& limits) {
  limits_ = limits;
  start_ = *root.start;
  moves_.assign(root.moves.begin(), root.moves.end());
  position_ = *root.position;
  history_ = *root.history;
  legal_ = *root.legal;
  // A forced move, a search without end and a move that is sampled need no second opinion.
  const bool asks = legal_.size() > 1 && !limits.endless() && !limits.mate && limits.temperature == 0;
  stage_ = asks ? Stage::kTree : Stage::kDecided;
  refutation_.reset();
  Limits of_tree = limits;
  if (asks) {
    for (auto* time : {&of_tree.time, &of_tree.most_time})
      if (*time) *time = std::chrono::duration_cast<std::chrono::nanoseconds>(**time * (1 - options_.share));
  }
  tree_->begin(root, of_tree);
}

std::span<const EvalRequest> SecondOpinion::step(const StepBudget& budget) {
  if (!tree_->done() || stage_ == Stage::kDecided) return tree_->step(budget);
  if (stage_ == Stage::kTree) {
    ask(Stage::kAllMoves, limits_.search_moves);
  } else if (!second_->done()) {
    second_->step(budget);
  } else {
    hear();
  }
  return {};
}

// Half of what the second search may take is for all moves, the other half for the tree's alone.
void SecondOpinion::ask(Stage stage, std::vector<game::Move> among) {
  stage_ = stage;
  Limits limits;
  limits.clock = limits_.clock;
  limits.stop = limits_.stop;
  limits.contempt = limits_.contempt;
  limits.seed = limits_.seed;
  limits.search_moves = std::move(among);
  if (limits_.time) {
    limits.time = std::chrono::duration_cast<std::chrono::nanoseconds>(*limits_.time * options_.share / 2);
  } else {
    limits.nodes =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(tree_->info().nodes) * options_.nodes / 2);
  }
  second_->begin({&position_, &history_, &legal_, &start_, moves_}, limits);
}

void SecondOpinion::hear() {
  const Line line = second_->info().lines.front();
  const game::Move of_tree = tree_->info().best();
  if (stage_ == Stage::kAllMoves) {
    best_ = line;
    if (line.moves.front() != of_tree) return ask(Stage::kMoveOfTree, {of_tree});
  } else if (line.moves.front() == of_tree &&  // The last evaluations may have changed it.
             (best_.value.score() - line.value.score() > options_.refuted ||
              (proven_lost(line) && !proven_lost(best_)))) {
    refutation_ = best_.moves.front();
  }
  stage_ = Stage::kDecided;
}

bool SecondOpinion::done() const {
  if (!tree_->done()) return false;
  return stage_ == Stage::kDecided || (limits_.stop && limits_.stop->load(std::memory_order_relaxed));
}

SearchInfo SecondOpinion::info() const {
  SearchInfo info = tree_->info();
  if (!refutation_) return info;
  const auto line = std::find_if(info.lines.begin(), info.lines.end(),
                                 [&](const Line& each) { return each.moves.front() == *refutation_; });
  if (line != info.lines.end()) std::rotate(info.lines.begin(), line, line + 1);
  return info;
}

void SecondOpinion::forget() {
  tree_->forget();
  second_->forget();
}

}  // namespace makzero::mcts
