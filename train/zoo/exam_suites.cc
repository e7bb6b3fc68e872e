#include "train/zoo/exam_suites.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "game/game_state.h"
#include "game/notation.h"
#include "train/match/arena.h"

namespace makzero::train {
namespace {

constexpr int kRows = 4;             // Of the men on the board at the start.
constexpr float kLeastGain = 0.15F;  // Expected result of the side to move.
constexpr int kFirstRound = 16;      // Positions that are judged for each puzzle that is missing.

// Positions of one game.
std::vector<game::Position> leads_in(const game::Game& game, const MatchRecord& record) {
  const int men = game::size(game.initial().occupied());
  std::vector<game::Position> found;
  std::set<int> rows;
  game::GameState state(game);
  for (const std::uint32_t bits : record.moves()) {
    state.play(game::Move::from_bits(bits));
    const game::Position& position = state.position();
    if (state.over() || position.no_progress_plies == 0) continue;
    if (std::abs(game::material_gain(game, position)) < kGreatLead) continue;
    if (rows.insert(kRows * game::size(position.occupied()) / (men + 1)).second) found.push_back(position);
  }
  return found;
}

}  // namespace

std::optional<std::vector<game::Position>> make_leads(const game::Game& game, const BaselineRequest& request,
                                                      const models::PlayerSpec& weaker,
                                                      const BaselineProgress& progress) {
  std::set<std::string> seen;
  std::vector<game::Position> positions;
  const auto wanted = static_cast<std::size_t>(request.positions);
  for (std::uint64_t round = 0; positions.size() < wanted; ++round) {
    MatchOptions options;
    options.games = 2 * request.threads;
    options.opening_plies = request.opening_plies;
    options.seed = request.seed + round;
    options.threads = request.threads;
    options.backend = request.backend;
    options.stop = request.stop;
    const auto games = play_match(game, request.player, weaker, options, [](const MatchProgress&) {}).games;
    if (request.stop.stop_requested()) return std::nullopt;
    for (const MatchRecord& record : games) {
      for (const game::Position& position : leads_in(game, record)) {
        const std::string text = game::position_text(game, position);
        if (positions.size() < wanted && seen.insert(text).second)
          positions.push_back(*game::parse_position(game, text));
      }
    }
    progress("leads", static_cast<int>(positions.size()), request.positions);
  }
  return positions;
}

std::string leads_text(const game::Game& game, const std::vector<game::Position>& positions,
                       const std::string& about) {
  std::string text = "# " + about + "\nexam\n";
  for (const game::Position& position : positions) text += game::position_text(game, position) + "\n";
  return text;
}

std::optional<Baseline> make_puzzles(const game::Game& game, const BaselineRequest& request,
                                     const BaselineProgress& progress) {
  Baseline puzzles;
  std::set<std::string> seen;
  const auto wanted = static_cast<std::size_t>(request.positions);
  BaselineRequest round = request;
  for (; puzzles.positions.size() < wanted; ++round.seed) {
    round.positions = kFirstRound * std::min(request.positions, 20);
    std::optional<Baseline> judged = make_baseline(game, round, [&](const std::string& what, int, int) {
      progress("puzzles, " + what, static_cast<int>(puzzles.positions.size()), request.positions);
    });
    if (!judged) return std::nullopt;
    puzzles.judges = judged->judges;
    for (BaselinePosition& each : judged->positions) {
      const Judgement &first = each.judgements.front(), &last = each.judgements.back();
      if (first.move == last.move || last.expected < first.expected + kLeastGain) continue;
      if (puzzles.positions.size() < wanted && seen.insert(game::position_text(game, each.position)).second)
        puzzles.positions.push_back(std::move(each));
    }
  }
  return puzzles;
}

}  // namespace makzero::train
