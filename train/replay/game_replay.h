// A recorded game played through again by the rules: the positions and what the rest of the game says about
// each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "mcts/endings/endings.h"
#include "mcts/search.h"
#include "mcts/value.h"
#include "train/replay/record.pb.h"

namespace makzero::train {

// A position of the game before its ply was played.
struct ReplayedPly {
  game::Position position;
  int occurrences = 1;  // How often the position had stood on the board, this time included.
  game::Bitboard survivors =
      0;                   // Pieces that are still on the board after the last ply, on their squares of now.
  mcts::WhiteValue value;  // What the end of the game is worth to learning here.
  mcts::WhiteValue short_term;                 // Mean of the searches from here on, later ones weighing less.
  std::optional<mcts::WhiteValue> exact = {};  // By ReplayOptions::endings; none where they do not know it.
  float weight = 1;  // How often it is learnt from; the rows of a game have a mean of about 1.
};

struct GameReplay {
  std::vector<ReplayedPly> plies;
  game::Position last;      // After the last ply.
  mcts::WhiteValue result;  // Of the end: the rules', that of an adjudication, or what the last search said.
  game::Outcome end;        // By the rules.
  bool cut = false;         // The rules had not ended the game: how it would have ended is not known.
};

// What games are worth to learning.
struct ReplayOptions {
  float adjudicated_win = 0.5f;  // Of a win by material at the ply cap, in [0, 1].
  float adjudicated_lead = 0;    // Lead in men at which it has 63 % of that; 0 = any lead has all of it.
  float short_term_horizon = 8;  // Plies over which the short-term value is averaged.
  float policy_surprise_weight =
      0;  // How much of a row's weight goes by how far its search moved the policy.
  const mcts::Endings* endings = nullptr;  // Of the rules that are replayed; null: none.
};

// No row weighs more than so many: what drawing by weight rests on.
inline constexpr float kGreatestWeight = 4;

// Plays the record through. Throws models::Error naming game and ply where the record does not fit the rules:
// another ruleset, an impossible start, an illegal move, a policy of another length, another end than the
// rules give.
GameReplay replay_game(const game::Game& game, const GameRecord& record, const ReplayOptions& values);

// Whether self-play cut the game, as its reason says; records of before kCut give the rules' limit as reason,
// for them see GameReplay::cut.
bool was_cut(const GameRecord& record);

// How many pieces left the board. REQUIRES: the record fits the rules.
int pieces_taken(const game::Game& game, const GameRecord& record);

// What a record's end is worth: 1 for a win by the rules, less for an adjudicated one, and where there is
// none because the game was cut, the value that its last search found.
mcts::WhiteValue result_value(const GameRecord& record, const ReplayOptions& values);

// Plies over which the value target of a cut game passes from its last search to a position's own: that many
// plies before the cut, 63 % are the position's own.
inline constexpr float kCutHorizon = 64;

// The value between two: a at share 0, b at share 1.
mcts::WhiteValue blend(const mcts::WhiteValue& a, const mcts::WhiteValue& b, float share_of_b);

// The root value that a ply's search found. A score of alpha-beta says nothing of draws: as far as it is from
// 0, it counts as a win or a loss.
mcts::WhiteValue searched_value(const PlyRecord& ply);

// The result that White may expect by the score of alpha-beta, in [0, 1]. REQUIRES: ply.depth() > 0.
double expected_by_score(const PlyRecord& ply);

// How far the search moved the policy: its Kullback-Leibler divergence from the priors, in nats.
float policy_surprise(const std::vector<mcts::RootMove>& moves);

// Writes down what a search has found: its value, and with its policy what makes a row to learn from.
void record_search(const mcts::SearchResult& result, PlyRecord* ply);

// Policies in records: u16 little-endian per legal move, scaled to sum 65535 up to rounding.
std::string encode_policy(const std::vector<mcts::RootMove>& moves);

// Appends the probabilities of such a text, which sum to 1. REQUIRES: at least one is not zero.
void decode_policy(std::string_view bytes, std::vector<float>* policy);

// Its end in a line, with the last moves: "1-0 checkmate, 87 plies: ... f6f7 g8h8". REQUIRES: the record fits
// the rules.
std::string game_line(const game::Game& game, const GameRecord& record);

// The game for people: a headline, then the moves with the value for White after each searched one.
std::string game_text(const game::Game& game, const GameRecord& record);

}  // namespace makzero::train
