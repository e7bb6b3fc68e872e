// One game of a match while it is played.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "game/game_state.h"
#include "train/adjudication.h"
#include "train/match/match_opening.h"
#include "train/match/match_player.h"
#include "train/replay/record.pb.h"

namespace makzero::train {

// The seed of part `part` of what `seed` seeds.
std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t part);

// Game 2 i and game 2 i + 1 share opening i; a is White in the first. The game's rules must outlive it.
class MatchGame {
 public:
  MatchGame(const game::Game& game, int number, std::uint64_t seed, const MatchOpening& opening,
            bool adjudicates = false);

  // REQUIRES: the move is legal.
  void play(const Choice& choice);

  const game::Outcome& outcome() const { return state_.over() ? state_.outcome() : adjudicated_; }

  int number() const { return number_; }
  bool over() const { return outcome().over(); }
  bool a_is_white() const { return number_ % 2 == 0; }
  bool a_to_move() const { return (state_.position().to_move == game::Color::kWhite) == a_is_white(); }

  // Valid until the next move.
  Turn turn() const {
    return {.root = {.position = &state_.position(),
                     .history = &state_.history(),
                     .legal = &state_.legal(),
                     .start = &start_,
                     .moves = moves_},
            .seed = derived_seed(seed_, moves_.size()),
            .game = number_};
  }

  // Result, moves and seed; who played is for the match to add.
  MatchRecord record() const;

 private:
  void play_move(game::Move move);

  const game::Game& game_;
  int number_;
  std::uint64_t seed_;
  game::Position start_;
  int opening_plies_;
  game::GameState state_;
  std::optional<Adjudicator> adjudicator_;
  game::Outcome adjudicated_;
  std::vector<game::Move> moves_;
  int captured_ = 0;
  int white_lead_ = 0, black_lead_ = 0;  // The greatest so far.
};

}  // namespace makzero::train
