// Tree search whose move another search may refute: what a policy overlooks, alpha-beta sees.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "mcts/searcher.h"

namespace makzero::mcts {

struct SecondOpinionOptions {
  double share = 0.05;  // Of the time, for the second search.
  int nodes = 5;        // Of the second search for each simulation, where no time is given.
  // Lead of its best move over the tree's that refutes it, in points; a proven loss needs none.
  float refuted = 0.2f;
};

// The second search, by alpha-beta, needs no evaluations. It is asked where a search has an end and its best
// move is played.
class SecondOpinion : public Searcher {
 public:
  SecondOpinion(std::unique_ptr<Searcher> tree, std::unique_ptr<Searcher> second,
                const SecondOpinionOptions& options = {});

  void begin(const SearchRoot& root, const Limits& limits) override;
  std::span<const EvalRequest> step(const StepBudget& budget) override;
  void backup(std::span<const Evaluation> evaluations) override { tree_->backup(evaluations); }
  bool ready() const override { return tree_->ready(); }
  bool done() const override;

  // That of the tree; a move that refutes the tree's comes before all others.
  SearchInfo info() const override;
  void forget() override;
  std::vector<RootMove> moves_after(std::span<const game::Move> line) const override {
    return tree_->moves_after(line);
  }

 private:
  // The tree searches; then the second search, all moves and that of the tree.
  enum class Stage : std::uint8_t { kTree, kAllMoves, kMoveOfTree, kDecided };

  void ask(Stage stage, std::vector<game::Move> among);
  void hear();

  std::unique_ptr<Searcher> tree_, second_;
  SecondOpinionOptions options_;
  Limits limits_;
  game::Position start_;
  std::vector<game::Move> moves_;  // From the start to the root.
  game::Position position_;        // The root.
  game::History history_;
  game::MoveList legal_;
  Stage stage_ = Stage::kTree;
  Line best_;  // By the second search.
  std::optional<game::Move> refutation_;
};

}  // namespace makzero::mcts
