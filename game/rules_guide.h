// The rules of a game as parts that front ends lay out: sections, boards, examples, pieces, options in words.
//
// Read from the text of texts/ (catalog.h, rules_text()), which stays the one source:
//   ## The pieces     "    M man   slides along its rank or file": letter, name, move
//   boards            rows "    8  . m M" down to rank 1; beside them "f5f7 takes e7 g7  (a remark)",
//                     "c1c2 is illegal" or a caption
//   examples          "    POSITION  MOVE  ->  POSITION" or "    POSITION  MOVE  wins"
//   ## Rulesets       "NAME = SPEC", below it how it differs
//   ## Options        "NAME = VALUES", below it "Title. Description. value: words; value: words"
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/game.h"

namespace makzero::game {

// A move of an example and what the text remarks about it, "caught against h3"; often nothing.
struct GuideExample {
  std::string position;  // As parse_position() reads it.
  std::string move;
  std::string remark;
};

// A part of a section. Exactly one of text, list and position is not empty, except that a position may have a
// caption as its text.
struct GuideBlock {
  std::string text;                    // A paragraph; `...` marks moves, positions and options.
  std::vector<std::string> list;       // Short statements of equal rank.
  std::string position;                // A board.
  std::vector<GuideExample> examples;  // Moves on that board.
};

struct GuideSection {
  std::string heading;  // Empty: the introduction.
  std::vector<GuideBlock> blocks;
};

struct GuidePiece {
  char letter;
  std::string name;   // "khun (king)".
  std::string moves;  // "one step in any direction".
};

struct GuideRuleset {
  std::string name;   // "makyek-line".
  std::string words;  // How it differs from the game.
};

struct GuideOption {
  std::string name;   // "custodian".
  std::string title;  // "Custodian capture".
  std::string text;   // What else is to say of it as a whole; often nothing.
  std::vector<std::pair<std::string, std::string>> values;  // Value and words.

  // The words of a value, the value itself where there are none.
  std::string words(std::string_view value) const;
};

// An option whose value in a ruleset is not the game's own.
struct RuleChange {
  std::string title;  // "Custodian capture".
  std::string words;  // "one or more without a gap", or the number.
};

struct RulesGuide {
  std::vector<GuideSection> sections;  // Without The pieces, Rulesets and Options.
  std::vector<GuidePiece> pieces;
  std::vector<GuideRuleset> rulesets;
  std::vector<GuideOption> options;

  // Null where the text says nothing of it.
  const GuideOption* option(std::string_view name) const;
};

// REQUIRES: the game exists.
RulesGuide rules_guide(std::string_view spec);

// What in this ruleset differs from the game's default rules.
std::vector<RuleChange> rule_changes(const RulesGuide& guide, const GameInfo& info);

// How the pieces of this ruleset move: an option titled "The king's move" speaks of the piece that has "king"
// in its name, and its words replace those of the piece where its value is not the game's own.
std::vector<GuidePiece> pieces_in_use(const RulesGuide& guide, const GameInfo& info);

}  // namespace makzero::game
