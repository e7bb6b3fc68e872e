// What tests of records share: games written down by hand and games played by a search that knows nothing.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "game/catalog.h"
#include "game/history.h"
#include "game/notation.h"
#include "mcts/uniform_evaluator.h"
#include "train/config.h"
#include "train/replay/record.pb.h"
#include "train/self_play/game_pool.h"
#include "train/self_play/self_play_game.h"

namespace makzero::train {

inline game::GamePtr make(const std::string& spec) { return *game::make_game(spec); }

// The quick preset with these flags, of a tower alone.
inline Config quick_config(const std::string& ruleset, const Overrides& overrides = {}) {
  Config config = *preset_config("quick", ruleset);
  config.mutable_self_play()->set_small_share(0);
  return *override_config(config, overrides);
}

// A game of these moves; every ply has an even policy over its legal moves and the given value for White. The
// result is the rules', or a draw by the ply limit where the game goes on.
inline GameRecord record_of(const game::Game& game, const std::string& start,
                            const std::vector<std::string>& moves, const std::vector<float>& values = {}) {
  GameRecord record;
  record.set_ruleset(game.info().ruleset);
  record.set_start(start);
  game::Position position = start.empty() ? game.initial() : *game::parse_position(game, start);
  game::History history(position);
  game::MoveList legal;
  for (size_t i = 0; i < moves.size(); ++i) {
    const auto move = game::parse_move(game, position, moves[i]);
    EXPECT_TRUE(move) << move.why();
    game.legal_moves(position, &legal);
    PlyRecord* ply = record.add_plies();
    ply->set_move(move->bits());
    for (int j = 0; j < legal.size(); ++j) ply->mutable_policy()->append("\x10\x01", 2);
    const float value = i < values.size() ? values[i] : 0;
    ply->set_white(std::max(value, 0.0f));
    ply->set_black(std::max(-value, 0.0f));
    ply->set_full_search(true);
    game.apply(*move, &position);
    history.push(position);
  }
  game.legal_moves(position, &legal);
  const game::Outcome outcome = game.outcome(position, !legal.empty(), history.occurrences());
  record.set_result(static_cast<std::uint32_t>(outcome.over() ? outcome.result : game::Result::kDraw));
  record.set_reason(static_cast<std::uint32_t>(outcome.over() ? outcome.reason : game::Reason::kCut));
  record.set_final_material(game::material_lead(game.info(), position));
  return record;
}

// The first `count` games that end in self-play without a network, numbered from 0.
inline std::vector<GameRecord> play_games(const game::Game& game, const Config& config, int count,
                                          std::uint64_t seed, mcts::Evaluator* evaluator) {
  GamePool pool({make(game.info().ruleset)}, config.rulesets());
  SelfPlayGame self_play(&pool, config, seed);
  self_play.set_phase({.simulations = config.self_play().simulations(),
                       .adjudicates = config.self_play().adjudicate_by_material()});
  std::vector<GameRecord> games;
  mcts::Lockstep lockstep;
  while (static_cast<int>(games.size()) < count) {
    self_play.gather(&lockstep, &games);
    lockstep.step(evaluator);
  }
  games.resize(count);
  for (int i = 0; i < count; ++i) games[i].set_number(static_cast<std::uint64_t>(i));
  return games;
}

inline std::vector<GameRecord> play_games(const game::Game& game, const Config& config, int count,
                                          std::uint64_t seed) {
  mcts::UniformEvaluator evaluator;
  return play_games(game, config, count, seed, &evaluator);
}

}  // namespace makzero::train
