// A game with what is said of its moves: evaluations, judgements, comments, and variations, as a tree whose
// main line is the game itself.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "play/played_game.h"

namespace makzero::play {

// What the game does not know of itself: tags of PGN.
struct PgnTags {
  std::string event = "?", site = "?", date = "????.??.??", round = "?", white = "?", black = "?";
  std::vector<std::pair<std::string, std::string>> others = {};  // Names and values, in the file's order.
};

// An evaluation for White on the scale of chess programs.
struct Eval {
  int centipawns = 0;
  std::optional<int> mate = {};  // A proven win instead: in so many moves; negative: Black wins.

  bool operator==(const Eval&) const = default;
};

// How the first glyphs are written behind a move, by their numbers.
inline constexpr std::array<std::string_view, 7> kGlyphs = {"", "!", "?", "!!", "??", "!?", "?!"};

// What is said of a move, or of the start.
struct Note {
  std::vector<int> nags = {};  // Numeric annotation glyphs of PGN: 2 = "?", 4 = "??", 6 = "?!".
  std::optional<Eval> eval = {};
  std::string comment = {};

  bool operator==(const Note&) const = default;
};

struct GameNode {
  Action action;
  int parent = -1;             // An index of AnnotatedGame::nodes.
  std::vector<int> next = {};  // What follows: the main move first, then its variations.
  Note note = {};
};

// A value. nodes[0] is the start and has no action; the chain of first entries of `next` has the actions of
// `game`.
struct AnnotatedGame {
  explicit AnnotatedGame(const PlayedGame& played);

  // The node of an action that follows another node: the one that is there, else a new one, the last.
  int follow(int node, const Action& action);

  // Puts a node before its siblings.
  void make_main(int node);

  // The nodes of the main line: [0] is the start, [i + 1] action i of the game.
  std::vector<int> main_line() const;

  PlayedGame game;
  PgnTags tags;
  std::vector<GameNode> nodes;
  int unread_variations = 0;  // Of the file that it is from: they are not among the nodes.
};

}  // namespace makzero::play
