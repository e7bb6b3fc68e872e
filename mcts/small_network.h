// Efficiently updatable network (NNUE, Nasu 2018): one hidden layer over pieces and state, which a move
// changes in a few places.
//
// It says what the side to move may expect, and nothing of moves: alpha-beta searches it
// (alpha_beta/alpha_beta.h). Learnt from recorded games; read and evaluated with the standard library alone.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "game/parsed.h"
#include "mcts/score.h"
#include "mcts/small_inputs.h"

namespace makzero::mcts {

// Hidden units of each point of view. A constant: the loops over them are unrolled for it.
inline constexpr int kSmallHidden = 128;

// Output weights for as many numbers of pieces on the board: up to 4, up to 8, ... 32.
inline constexpr int kSmallBuckets = 8;

// A LogitScore is in thousandths.
inline constexpr int kScorePerLogit = 1000;

// The expected result in [0, 1] of a score that proves nothing, and the reverse, for results in (0, 1).
double expected_result(LogitScore score);
LogitScore score_of_result(double expected);

// The output weights that a position takes.
int small_bucket(const game::Position& position);

// The weights, quantised. Accumulators and activations are in units of 1/255, output weights of 1/64.
struct SmallNetwork {
  static constexpr int kActivationOne = 255, kWeightOne = 64;

  // Largest weights: 16-bit sums of a full board, and the products of the output layer, do not overflow.
  static constexpr int kMostFeatureWeight = 400, kMostOutputWeight = 127;

  std::string game;                        // Whose rulesets it plays: "makyek".
  std::string source;                      // Id of the checkpoint that it was distilled from; may be empty.
  std::vector<std::string> inputs;         // Its groups of inputs (small_inputs.h).
  std::vector<std::string> rule_features;  // The rules that it sees (game/rule_features.h).
  std::vector<std::int16_t> features;  // [kSmallFeatures, kSmallHidden]; those of other groups are ignored.
  std::vector<std::int16_t> rules;     // [rule features, kSmallHidden]
  std::vector<std::int16_t> bias;      // [kSmallHidden]
  std::vector<std::int16_t> output;    // [kSmallBuckets, 2 kSmallHidden], the side to move first
  std::vector<std::int32_t> output_bias;  // [kSmallBuckets], in units of 1/(255 * 64)

  bool operator==(const SmallNetwork&) const = default;
};

// A network whose evaluations are all 0: for tests, and the shape of a new one.
SmallNetwork empty_small_network(const game::GameInfo& info);

// A network that has learnt nothing and counts material: with the same search the control of what learning
// adds. A man or pawn is about a quarter of a logit.
SmallNetwork material_small_network(const game::GameInfo& info);

// Version 2 names the groups of inputs, version 1 had those of its time.
inline constexpr std::uint32_t kSmallNetworkVersion = 2;

// As plain little-endian bytes: "small network\n", u32 version, u32 hidden units, u16 groups of inputs and
// for each its name and u32 size (version 1: u32 inputs), game, source, u16 rule features and their names,
// each text with a u16 length, then the weights in the order above, those of its own inputs alone.
std::string encode_small_network(const SmallNetwork& network, std::uint32_t version = kSmallNetworkVersion);

// A failure says what is wrong: another kind of bytes, a version or an input that this program does not know,
// sizes that do not fit.
game::Parsed<SmallNetwork> decode_small_network(std::string_view bytes);

// Hidden layer before its activation, of both points of view [Color].
using SmallRow = std::array<std::int16_t, kSmallHidden>;
struct alignas(64) SmallAccumulator {
  std::array<SmallRow, 2> sums;
};

// The network for one ruleset, whose features are folded into the bias. Thread-safe.
class SmallEvaluator {
 public:
  using Score = LogitScore;
  using Accumulator = SmallAccumulator;

  // REQUIRES: the network is of the ruleset's game.
  SmallEvaluator(game::GameInfo rules, const SmallNetwork& network);

  // Sums over the pieces of a position.
  void refresh(const game::Position& position, SmallAccumulator* accumulator) const;

  // The same from those of another position: costs as much as pieces differ.
  void update(const game::Position& before, const SmallAccumulator& from, const game::Position& position,
              SmallAccumulator* accumulator) const;

  // What the side to move may expect, as a score. `accumulator` is that of the position.
  LogitScore evaluate(const game::Position& position, const SmallAccumulator& accumulator) const;

  // The score of a draw from which the side to move has `expected`, see DrawValue.
  static LogitScore draw_score(double expected) { return score_of_result(expected); }

 private:
  using Row = SmallRow;

  std::int64_t half(const game::Position& position, game::Color side, const SmallAccumulator& accumulator,
                    const Row& weights) const;

  game::GameInfo info_;
  int kinds_;                                             // That its pieces have.
  SmallInputSet state_;                                   // The network's groups without the pieces.
  std::vector<Row> features_;                             // [kSmallFeatures]
  Row bias_;                                              // Rules folded in.
  std::array<std::array<Row, 2>, kSmallBuckets> output_;  // Of the side to move, of the other.
  std::array<std::int32_t, kSmallBuckets> output_bias_;
};

}  // namespace makzero::mcts
