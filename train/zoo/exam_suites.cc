#include "train/zoo/exam_suites.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "game/game_state.h"
#include "game/notation.h"

namespace makzero::train {
namespace {

constexpr int kRows = 4;             // Of the men on the board at the start.
constexpr float kLeastGain = 0.15F;  // Expected result of the side to move.
constexpr int kRound = 1000;         // Positions that a judge sees together.
constexpr int kCandidates = 8;       // Of a game.

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

// True if the last judge finds a move that is better than all others and that the first misses.
bool is_puzzle(const BaselinePosition& position) {
  const Judgement &first = position.judgements.front(), &last = position.judgements.back();
  return first.move != last.move && last.second && last.expected >= *last.second + kLeastGain;
}

}  // namespace

std::optional<std::vector<game::Position>> make_leads(const game::Game& game, const BaselineRequest& request,
                                                      const models::PlayerSpec& weaker,
                                                      const ShowProgress& progress) {
  std::set<std::string> seen;
  std::vector<game::Position> positions;
  const auto wanted = static_cast<std::size_t>(request.positions);
  for (std::uint64_t round = 0; positions.size() < wanted; ++round) {
    MatchOptions options = request.match;
    options.games = 2 * request.match.threads;
    options.seed += round;
    const auto games = play_match(game, request.player, weaker, options, [](const MatchProgress&) {}).games;
    if (request.match.stop.stop_requested()) return std::nullopt;
    for (const MatchRecord& record : games) {
      for (const game::Position& position : leads_in(game, record)) {
        const std::string text = game::position_text(game, position);
        if (positions.size() < wanted && seen.insert(text).second)
          positions.push_back(*game::parse_position(game, text));
      }
    }
    progress({"leads", static_cast<int>(positions.size()), request.positions});
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
                                     const ShowProgress& progress) {
  Baseline puzzles;
  for (const models::PlayerSpec& judge : request.judges) puzzles.judges.push_back(judge.name());
  std::set<std::string> seen;
  const auto wanted = static_cast<std::size_t>(request.positions);
  const ShowProgress show = [&](const Progress& now) {
    progress({"puzzles, " + now.what, static_cast<int>(puzzles.positions.size()), request.positions});
  };
  BaselineRequest round = request;
  round.positions = kRound;
  round.positions_per_game = kCandidates;
  round.judges = {request.judges.front()};
  for (; puzzles.positions.size() < wanted; ++round.match.seed) {
    round.lines = 1;
    std::optional<Baseline> found = make_baseline(game, round, show);
    if (!found) return std::nullopt;
    round.lines = 2;
    for (std::size_t judge = 1; judge < request.judges.size(); ++judge) {
      if (!add_judgements(game, request.judges[judge], round, show, &found->positions)) return std::nullopt;
      std::erase_if(found->positions, [](const BaselinePosition& each) { return !is_puzzle(each); });
    }
    for (BaselinePosition& each : found->positions) {
      if (puzzles.positions.size() < wanted && seen.insert(game::position_text(game, each.position)).second)
        puzzles.positions.push_back(std::move(each));
    }
  }
  return puzzles;
}

}  // namespace makzero::train
