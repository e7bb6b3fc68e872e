// What a search asks of a network, or of anything that stands in for one.
#pragma once

#include <span>
#include <vector>

#include "game/game.h"
#include "mcts/ticket.h"
#include "mcts/value.h"

namespace makzero::mcts {

// A position to evaluate. What it points to must live until the evaluation is done.
struct EvalRequest {
  const game::Game* game = nullptr;  // Whose rules the position follows; a batch may mix games.
  const game::Position* position = nullptr;
  const game::MoveList* legal = nullptr;  // Its legal moves; not empty.
  int occurrences = 1;  // How often the position has stood on the board, this time included.
};

struct Evaluation {
  MoverValue value;
  float moves_left = 0;       // Expected plies until the end of the game.
  std::vector<float> priors;  // [number of legal moves], in their order; sums to 1.
};

// Evaluates positions in batches. Implementations say whether they may be shared by threads.
class Evaluator {
 public:
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  virtual ~Evaluator() = default;

  // Fills evaluations[i] for requests[i]; reuses the memory of the evaluations.
  // REQUIRES: requests.size() == evaluations.size().
  virtual void evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) = 0;

  // The same without waiting where the evaluator computes elsewhere: the evaluations are there when the
  // ticket is finished, and until then they and all that the requests point to must live. Others are done on
  // return.
  virtual Ticket begin(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) {
    evaluate(requests, evaluations);
    return {};
  }

  // How many batches a caller has under way at a time to keep the evaluator busy: 1 where they are done on
  // return.
  virtual int batches_under_way() const { return 1; }
};

// One that computes elsewhere, or wraps another that may.
class AsynchronousEvaluator : public Evaluator {
 public:
  void evaluate(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) final {
    begin(requests, evaluations).finish();
  }
  Ticket begin(std::span<const EvalRequest> requests, std::span<Evaluation> evaluations) override = 0;
};

}  // namespace makzero::mcts
