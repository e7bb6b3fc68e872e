#include "models/player/engine_searcher.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "game/notation.h"
#include "models/error.h"

namespace makzero::models {

using std::chrono::steady_clock;

EngineSearcher::EngineSearcher(const game::Game& game, const EngineSettings& settings)
    : engine_(settings.command, settings.timeout),
      game_(game),
      command_(settings.command),
      variant_(settings.variant) {}

std::string EngineSearcher::variant() const { return variant_.empty() ? game_.info().ruleset : variant_; }

void EngineSearcher::begin(const mcts::SearchRoot& root, const mcts::Limits& limits) {
  start_ = *root.start;
  position_ = *root.position;
  limits_ = limits;
  line_.reset();
  moves_.clear();
  game::Position position = start_;
  for (const game::Move move : root.moves) {
    moves_.push_back(move_text(game_, position, move));
    game_.apply(move, &position);
  }
}

std::span<const mcts::EvalRequest> EngineSearcher::step(const mcts::StepBudget&) try {
  const auto begun = steady_clock::now();
  const std::chrono::nanoseconds before = engine_.processor_time();
  centipawns_ = 0;
  const std::string text = answer();
  new_game_ = false;
  used_ += engine_.processor_time() - before;
  elapsed_ = steady_clock::now() - begun;
  const game::Parsed<game::Move> move = parse_move(game_, position_, text);
  if (!move) fail("played '" + text + "': " + move.why());
  const float expected = mcts::to_expected(centipawns_), draw = (1 - std::abs(expected)) / 2;
  line_ = mcts::Line{.moves = {*move},
                     .value = {(1 - draw + expected) / 2, draw, (1 - draw - expected) / 2},
                     .centipawns = centipawns_};
  return {};
} catch (const Error& error) {
  const std::string from = start_ == game_.initial() ? "startpos" : "fen " + position_text(game_, start_);
  throw Error(fmt::format("{}; the game so far: position {}{}{}", error.what(), from,
                          moves_.empty() ? "" : " moves ", fmt::join(moves_, " ")));
}

mcts::SearchInfo EngineSearcher::info() const {
  return {.lines = {*line_}, .value = line_->value, .elapsed = elapsed_};
}

void EngineSearcher::fail(const std::string& what) const { throw Error("engine '" + command_ + "' " + what); }

}  // namespace makzero::models
