// The table of heads: what a network computes of a position, and how it learns it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "game/square.h"
#include "nn/network.h"

namespace makzero::nn {

// With the target of each, all from the mover's side.
enum class Head {
  kPolicy,     // The search's policy.
  kValue,      // Win, draw, loss: the result, possibly mixed with the search's value.
  kMovesLeft,  // Plies until the end; unknown where the game was cut.
  kReply,      // Policy index of the opponent's reply as the mover sees it; unknown on the last ply.
  kSurvival,   // Own and enemy pieces that are still there at the end (1) or not (0); known where pieces
               // stand.
  kShortTerm,  // Win, draw, loss: the searches of the next few plies.
};

// The last layers of a head and the shape of its output for one position.
enum class HeadKind {
  kMoves,    // Attention from origin to destination squares: a logit for each move.
  kSquares,  // A convolution of the tower: [outputs, 8, 8].
  kBoard,    // A linear layer on the summary of the board: [outputs].
};

enum class LossKind {
  kListedMoves,   // Cross-entropy of a distribution over the legal moves, which the batch lists.
  kAnyMove,       // Cross-entropy of one move, over all moves, as the batch does not know which are legal.
  kDistribution,  // Cross-entropy of a distribution over the outputs.
  kPositive,      // Huber loss of numbers that are not negative.
  kBinary,        // Binary cross-entropy of each output.
};

struct HeadInfo {
  Head head;
  std::string_view name;    // Of its loss; its weight is the option learning.NAME_weight.
  std::string_view module;  // In the names of its tensors, "wdl.weight".
  HeadKind kind;
  int outputs;
  LossKind loss;
  float weight;           // Of its loss in the sum, unless LearnerOptions say otherwise.
  bool auxiliary = true;  // Only training has it.
  float unit = 1;         // Targets are learnt in multiples of it.

  // Numbers of a target in a row of a batch; kListedMoves: for each move that the row lists.
  constexpr int target_size() const {
    return kind == HeadKind::kMoves ? 1 : outputs * (kind == HeadKind::kSquares ? game::kSquares : 1);
  }

  // Numbers of its mask in a row.
  constexpr int mask_size() const { return kind == HeadKind::kSquares ? target_size() : 1; }
};

// In the order of the enumeration. To add a head: a row here, its weight in train/config.proto, its target in
// train/learning/batch_maker.cc.
inline constexpr std::array kHeads = {
    HeadInfo{Head::kPolicy, "policy", "policy", HeadKind::kMoves, 1, LossKind::kListedMoves, 1, false},
    HeadInfo{Head::kValue, "value", "wdl", HeadKind::kBoard, 3, LossKind::kDistribution, 1, false},
    HeadInfo{Head::kMovesLeft, "moves_left", "moves_left", HeadKind::kBoard, 1, LossKind::kPositive, 0.1f,
             false, kMovesLeftScale},
    HeadInfo{Head::kReply, "reply", "reply", HeadKind::kMoves, 1, LossKind::kAnyMove, 0.15f},
    HeadInfo{Head::kSurvival, "survival", "survival", HeadKind::kSquares, 2, LossKind::kBinary, 0.1f},
    HeadInfo{Head::kShortTerm, "short_term", "short_term", HeadKind::kBoard, 3, LossKind::kDistribution,
             0.2f},
};

// One value for each head.
template <class T>
struct PerHead {
  std::array<T, kHeads.size()> values = {};

  constexpr T& operator[](Head head) { return values[static_cast<std::size_t>(head)]; }
  constexpr const T& operator[](Head head) const { return values[static_cast<std::size_t>(head)]; }

  bool operator==(const PerHead&) const = default;
};

static_assert([] {
  for (std::size_t i = 0; i < kHeads.size(); ++i)
    if (static_cast<std::size_t>(kHeads[i].head) != i) return false;
  return true;
}());

constexpr const HeadInfo& info_of(Head head) { return kHeads[static_cast<std::size_t>(head)]; }

constexpr PerHead<float> default_loss_weights() {
  PerHead<float> weights;
  for (const HeadInfo& info : kHeads) weights[info.head] = info.weight;
  return weights;
}

}  // namespace makzero::nn
