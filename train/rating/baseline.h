// Baseline of a game: fixed positions with what deep searches say of them, and how far a network is from it.
//
// The same for every run, so that generations, runs and network sizes can be compared over time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "game/parsed.h"
#include "mcts/evaluator.h"

namespace makzero::train {

// Judgement of a position by a search.
struct Judgement {
  game::Move move;                   // The best.
  float expected = 0;                // Result of the side to move in [0, 1].
  std::optional<float> second = {};  // The same by the second-best move, where two were ranked; not in files.
};

struct BaselinePosition {
  game::Position position;
  std::vector<Judgement> judgements = {};  // One of each judge.
};

struct Baseline {
  std::vector<std::string> judges;  // Players in text: "small?nodes=50000".
  std::vector<BaselinePosition> positions;
};

// Tab-separated values: "position", and of each judge its name and "expected"; a row a position.
std::string baseline_text(const game::Game& game, const Baseline& baseline);

// Names `file`, the line and the reason of what cannot be read.
game::Parsed<Baseline> parse_baseline(const game::Game& game, std::string_view text, const std::string& file);

// Means over positions and judges.
struct BaselineFigures {
  double agreement = 0;    // Share of judgements whose move the network's policy ranks first.
  double policy_loss = 0;  // Nats: minus the logarithm of the policy of their moves.
  double value_loss = 0;   // Squared distance of the expected results.
};

// The network alone, without a search.
BaselineFigures compare(const game::Game& game, const Baseline& baseline, mcts::Evaluator* network);

}  // namespace makzero::train
