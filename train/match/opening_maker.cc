#include "train/match/opening_maker.h"

#include <cmath>

#include "game/game_state.h"
#include "models/error.h"
#include "train/match/match_game.h"
#include "train/match/match_player.h"

namespace makzero::train {
namespace {

constexpr int kDrawsAnOpening = 100;  // At most, over all.

std::uint64_t end_of(const game::Game& game, const MatchOpening& opening) {
  game::Position position = opening.start;
  for (const game::Move move : opening.moves) game.apply(move, &position);
  return repetition_key(position);
}

}  // namespace

std::vector<MatchOpening> make_openings(const game::Game& game, const OpeningRequest& request,
                                        const std::function<void(int made, int drawn)>& progress) {
  MatchPlayer judge(game, request.judge, request.backend);
  std::set<std::uint64_t> seen = request.avoided;
  std::vector<MatchOpening> openings;
  for (int draw = 0; static_cast<int>(openings.size()) < request.openings; ++draw) {
    if (request.stop.stop_requested()) break;
    if (draw >= kDrawsAnOpening * request.openings)
      throw models::Error("of " + std::to_string(draw) + " openings drawn, only " +
                          std::to_string(openings.size()) + " are level and new: ask for more plies");
    const std::uint64_t seed = derived_seed(request.seed, draw);
    MatchOpening opening{game.initial(), draw_match_opening(game, request.plies, seed)};
    if (seen.insert(end_of(game, opening)).second) {
      const MatchGame reached(game, draw, seed, opening);
      const Turn turn = reached.turn();
      const std::vector<Choice> choice = judge.choose({&turn, 1});
      if (std::abs(choice[0].expected.value_or(1)) <= request.most_expected)
        openings.push_back(std::move(opening));
    }
    progress(static_cast<int>(openings.size()), draw + 1);
  }
  return openings;
}

std::set<std::uint64_t> ends_of(const game::Game& game, const std::vector<MatchOpening>& openings) {
  std::set<std::uint64_t> ends;
  for (const MatchOpening& opening : openings) ends.insert(end_of(game, opening));
  return ends;
}

}  // namespace makzero::train
