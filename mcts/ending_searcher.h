// Searcher that knows endings: of the root's moves it searches those alone that keep the exact value.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mcts/endings/endings.h"
#include "mcts/searcher.h"

namespace makzero::mcts {

// The values of these moves. Empty where no table has the position's pieces.
EndingMoves ending_values(const game::Game& game, const Endings& endings, const game::Position& position,
                          const game::History& history, std::span<const game::Move> moves);

// The moves of a position that are best by the endings: of a win the quickest, of a loss the slowest, of a
// draw all that draw. Empty where they do not know every move. `moves`: those to choose from.
std::vector<game::Move> best_ending_moves(const game::Game& game, const Endings& endings,
                                          const game::Position& position, const game::History& history,
                                          std::span<const game::Move> moves);

// Wraps another searcher, which plays weaker with a temperature than it could; the rules must outlive it.
class EndingSearcher : public Searcher {
 public:
  EndingSearcher(const game::Game& game, std::shared_ptr<const Endings> endings,
                 std::unique_ptr<Searcher> searcher)
      : game_(game), endings_(std::move(endings)), searcher_(std::move(searcher)) {}

  void begin(const SearchRoot& root, const Limits& limits) override;
  std::span<const EvalRequest> step(const StepBudget& budget) override { return searcher_->step(budget); }
  void backup(std::span<const Evaluation> evaluations) override { searcher_->backup(evaluations); }
  bool ready() const override { return searcher_->ready(); }
  bool done() const override { return searcher_->done(); }
  SearchInfo info() const override {
    SearchInfo info = searcher_->info();
    info.endings = values_;
    return info;
  }
  void forget() override { searcher_->forget(); }
  std::vector<RootMove> moves_after(std::span<const game::Move> line) const override {
    return searcher_->moves_after(line);
  }

 private:
  const game::Game& game_;
  std::shared_ptr<const Endings> endings_;
  std::unique_ptr<Searcher> searcher_;
  EndingMoves values_;
};

}  // namespace makzero::mcts
