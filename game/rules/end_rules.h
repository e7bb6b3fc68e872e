// How the games of the Mak-yek family end when nobody wins by capture: blocked sides, repetition and limits.
#pragma once

#include <cstdint>
#include <vector>

#include "game/options.h"

namespace makzero::game {

// What a side without a legal move suffers.
enum class NoMove : std::uint8_t { kLoss, kDraw, kPass };

enum class LimitResult : std::uint8_t { kDraw, kMaterial };

struct EndRules {
  NoMove no_move = NoMove::kLoss;
  int repetition = 3;     // Occurrences of a position that draw; 0 = never.
  int no_progress = 100;  // Plies without a capture or drop that end the game; 0 = no such limit.
  int max_plies = 400;
  LimitResult limit_result =
      LimitResult::kDraw;  // What both limits give; `kMaterial`: the side with more pieces wins.
  LimitResult cap_result = LimitResult::kDraw;  // The same for `max_plies` alone.

  bool operator==(const EndRules&) const = default;
};

// The outcome of a position that no side has won by capture. `dead`: neither side can win any more.
Outcome outcome_without_winner(const EndRules& rules, const Position& position, const MoveList& legal,
                               int occurrences, bool dead);

// Adds a reason where the rules cannot be played.
void check_end_rules(const EndRules& rules, std::vector<std::string>* reasons);

// Appends the rows of these rules to the table of a game whose rules derive from EndRules.
template <class Rules>
void add_end_options(std::vector<Option<Rules>>* table) {
  table->push_back(choice_of<&Rules::no_move, Rules>("no_move", {"loss", "draw", "pass"}));
  table->push_back(number_of<&Rules::repetition, Rules>("repetition", 0, 100));
  table->push_back(number_of<&Rules::no_progress, Rules>("no_progress", 0, 10000));
  table->push_back(number_of<&Rules::max_plies, Rules>("max_plies", 1, 10000));
  table->push_back(choice_of<&Rules::limit_result, Rules>("limit_result", {"draw", "material"}));
  table->push_back(choice_of<&Rules::cap_result, Rules>("cap_result", {"draw", "material"}));
}

}  // namespace makzero::game
