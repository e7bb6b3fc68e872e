#include "mcts/small_inputs.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace makzero::mcts {
namespace {

using game::Bitboard;
using game::Color;
using game::Counter;
using game::GameInfo;
using game::Position;

constexpr int kHandValues = 17;     // Pieces in hand, 0 to 16.
constexpr int kRights = 4;          // Of one side.
constexpr int kCountSteps = 32;     // Plies that a running count leaves, by 4.
constexpr int kLimitSteps = 17;     // Its limit, by 8.
constexpr int kProgressSteps = 16;  // No-progress counter as a share of its limit.
constexpr int kLengthSteps = 16;    // Plies to the limit of the length, by 8.

// --- What holds of each group. ---

void pieces(const GameInfo& info, const Position& position, Color side, int first, FeatureList* list) {
  for (const Color owner : {Color::kWhite, Color::kBlack}) {
    for (int kind = 0; kind < game::kKinds; ++kind) {
      for (Bitboard rest = position.side[index(owner)] & position.kind[kind]; rest;)
        list->add(first + piece_feature(info, side, owner, kind, game::pop_first(&rest)));
    }
  }
}

void hands(const GameInfo&, const Position& position, Color side, int first, FeatureList* list) {
  list->add(first + std::min<int>(position.hand[index(side)], kHandValues - 1));
  list->add(first + kHandValues + std::min<int>(position.hand[index(other(side))], kHandValues - 1));
}

void rights(const GameInfo&, const Position& position, Color side, int first, FeatureList* list) {
  const int white = position.rights & 0xF, black = position.rights >> kRights;
  const int held = side == Color::kWhite ? white | black << kRights : black | white << kRights;
  for (int i = 0; i < 2 * kRights; ++i)
    if (held >> i & 1) list->add(first + i);
}

void count(const GameInfo&, const Position& position, Color, int first, FeatureList* list) {
  if (position.count_limit == 0) return;
  const int left = std::max(position.count_limit - position.count, 0);
  list->add(first + std::min(left / 4, kCountSteps - 1));
  list->add(first + kCountSteps + std::min(position.count_limit / 8, kLimitSteps - 1));
}

void counter(const GameInfo&, const Position& position, Color side, int first, FeatureList* list) {
  if (position.counter == Counter::kNobody) return;
  list->add(first + ((position.counter == Counter::kWhite) == (side == Color::kWhite) ? 0 : 1));
}

void no_progress(const GameInfo& info, const Position& position, Color, int first, FeatureList* list) {
  const int step = kProgressSteps * position.no_progress_plies / info.no_progress;
  list->add(first + std::min(step, kProgressSteps - 1));
}

void length(const GameInfo& info, const Position& position, Color, int first, FeatureList* list) {
  const int plies = plies_left(info, position);
  if (plies < 8 * kLengthSteps) list->add(first + plies / 8);
}

void nothing(const GameInfo&, const Position&, Color, int, FeatureList*) {}

bool always(const GameInfo&) { return true; }
bool never(const GameInfo&) { return false; }
bool with_hands(const GameInfo& info) { return info.has_hands; }
bool with_rights(const GameInfo& info) { return info.has_rights; }
bool with_counting(const GameInfo& info) { return info.has_counting; }
bool with_no_progress(const GameInfo& info) { return info.no_progress > 0; }

// --- The table. ---

// To add a group: a row here, at the end.
constexpr auto kInputs = [] {
  std::array table = {
      SmallInput{"pieces", kPieceFeatures, "", always, pieces},
      SmallInput{"hands", 2 * kHandValues, "custodial", with_hands, hands},
      SmallInput{"rights", 2 * kRights, "chess", with_rights, rights},
      SmallInput{"count", kCountSteps + kLimitSteps, "chess", with_counting, count},
      SmallInput{"counter", 2, "chess", with_counting, counter},
      SmallInput{"no-progress", kProgressSteps, "", with_no_progress, no_progress},
      SmallInput{"length", kLengthSteps, "", always, length},
      SmallInput{"spare", 19, "none", never, nothing},  // Of networks from before inputs had names.
  };
  int first = 0;
  for (SmallInput& input : table) first = (input.first = first) + input.size;
  return table;
}();
static_assert(kInputs.back().first + kInputs.back().size == kSmallFeatures);

constexpr SmallInputSet bit(std::size_t row) { return SmallInputSet{1} << row; }

// Groups of the ruleset that `has` picks, without the pieces.
template <class Has>
SmallInputSet state_inputs_that(const GameInfo& info, const Has& has) {
  SmallInputSet set = 0;
  for (std::size_t row = 1; row < kInputs.size(); ++row)
    if (kInputs[row].in_ruleset(info) && has(kInputs[row])) set |= bit(row);
  return set;
}

// The loop over the table from a row on, unrolled, so that no function is called.
template <std::size_t row>
[[gnu::always_inline]] inline void add_groups(const GameInfo& info, SmallInputSet inputs,
                                              const Position& position, Color side, FeatureList* list) {
  if constexpr (row < kInputs.size()) {
    if (inputs & bit(row)) kInputs[row].add(info, position, side, kInputs[row].first, list);
    add_groups<row + 1>(info, inputs, position, side, list);
  }
}

// A new network for games of the family has it.
bool is_default(const SmallInput& input, std::string_view family) {
  return input.family.empty() || input.family == family;
}

}  // namespace

std::span<const SmallInput> small_inputs() { return kInputs; }

const SmallInput* find_small_input(std::string_view name) {
  for (const SmallInput& input : kInputs)
    if (input.name == name) return &input;
  return nullptr;
}

std::vector<std::string> default_small_inputs(std::string_view family) {
  std::vector<std::string> names;
  for (const SmallInput& input : kInputs)
    if (is_default(input, family)) names.emplace_back(input.name);
  return names;
}

SmallInputSet state_inputs(const GameInfo& info, std::span<const std::string> names) {
  return state_inputs_that(info, [&](const SmallInput& input) {
    return std::find(names.begin(), names.end(), input.name) != names.end();
  });
}

void add_state_features(const GameInfo& info, SmallInputSet inputs, const Position& position, Color side,
                        FeatureList* list) {
  add_groups<1>(info, inputs, position, side, list);
}

FeatureList small_features(const GameInfo& info, const Position& position, Color side) {
  const auto has = [&](const SmallInput& input) { return is_default(input, info.family); };
  FeatureList list;
  pieces(info, position, side, 0, &list);
  add_state_features(info, state_inputs_that(info, has), position, side, &list);
  return list;
}

}  // namespace makzero::mcts
