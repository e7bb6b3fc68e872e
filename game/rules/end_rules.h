// How the games of the Mak-yek family end when nobody wins by capture: blocked sides, repetition and limits.
#pragma once

#include <cstdint>
#include <vector>

#include "game/options.h"

namespace makzero::game {

// What a side without a legal move suffers.
enum class NoMove : std::uint8_t { kLoss, kDraw, kPass };

// What decides a game that a limit ends.
enum class LimitResult : std::uint8_t { kDraw, kMaterial };

struct Limits {
  int repetition = 3;     // Occurrences of a position that draw; 0 = never.
  int no_progress = 100;  // Plies without a capture or drop that end the game; 0 = no such limit.
  int max_plies = 400;    // Plies from the given position on that end the game; 0 = no such limit.
};

struct EndRules : Limits {
  NoMove no_move = NoMove::kLoss;
  LimitResult limit_result = LimitResult::kDraw;  // What no_progress and max_plies give.
  LimitResult cap_result = LimitResult::kDraw;    // The same for max_plies alone.
};

// Why the game is over although the side to move could go on, or kNone. `dead`: neither side can win any
// more.
Reason reached_limit(const Limits& limits, const Position& position, int occurrences, bool dead);

// The outcome of a position that no side has won by capture.
Outcome outcome_without_winner(const EndRules& rules, const Position& position, bool can_move,
                               int occurrences, bool dead);

// Adds a reason where the rules cannot be played.
void check_rules(const Limits& limits, std::vector<std::string>* reasons);

template <class Rules>
void add_limit_options(std::vector<Option>* table) {
  table->push_back(number_of<&Rules::repetition, Rules>("repetition", 0, 100));
  table->push_back(number_of<&Rules::no_progress, Rules>("no_progress", 0, 10000));
  table->push_back(number_of<&Rules::max_plies, Rules>("max_plies", 0, 10000));
}

// Appends the rows of these rules to the table of a game whose rules derive from EndRules.
template <class Rules>
void add_end_options(std::vector<Option>* table) {
  table->push_back(choice_of<&Rules::no_move, Rules>("no_move", {"loss", "draw", "pass"}));
  add_limit_options<Rules>(table);
  table->push_back(choice_of<&Rules::limit_result, Rules>("limit_result", {"draw", "material"}));
  table->push_back(choice_of<&Rules::cap_result, Rules>("cap_result", {"draw", "material"}));
}

}  // namespace makzero::game
