// Game document: a game as people have it, with its tags and with what is said of its moves: evaluations,
// glyphs, clocks, comments and variations, as a tree whose main line is the game itself.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "play/played_game.h"

namespace makzero::play {

struct Tag {
  std::string name, value;

  bool operator==(const Tag&) const = default;
};

// Facts about a game by name, in the order of its file; names without regard to case. A value is one line:
// its control characters become blanks.
class Tags {
 public:
  const std::vector<Tag>& all() const { return tags_; }

  // The value of a tag; `missing` where there is none.
  std::string value(std::string_view name, std::string_view missing = "") const;
  bool contains(std::string_view name) const;

  // Changes a tag where it stands, or adds it at the end.
  void set(std::string_view name, std::string_view value);

  // Adds a tag where there is none of its name. Left out is a name that would be another one when it is read
  // again: an empty one, or with quotes or control characters; and what is more than a thousand tags.
  void add(std::string_view name, std::string_view value);

  bool operator==(const Tags&) const = default;

 private:
  std::vector<Tag> tags_;
};

// An evaluation for White on the scale of chess programs.
struct Eval {
  int centipawns = 0;
  std::optional<int> mate = {};   // A proven win instead: in so many moves; negative: Black wins.
  std::optional<int> depth = {};  // Of the search, in plies.

  bool operator==(const Eval&) const = default;
};

// How the first glyphs are written behind a move, by their numbers.
inline constexpr std::array<std::string_view, 7> kGlyphs = {"", "!", "?", "!!", "??", "!?", "?!"};

// What is said of a move, or of the start.
struct Note {
  std::vector<int> nags = {};  // Numeric annotation glyphs of PGN: 2 = "?", 4 = "??", 6 = "?!".
  std::optional<Eval> eval = {};
  std::optional<double> clock = {};  // Seconds that are left to the mover.
  std::optional<double> time = {};   // Seconds that the move took.
  std::string comment = {};

  bool operator==(const Note&) const = default;
};

struct GameNode {
  Action action;
  int parent = -1;             // An index of GameDocument::nodes.
  std::vector<int> next = {};  // What follows: the main move first, then its variations.
  Note note = {};
};

// A value. nodes[0] is the start and has no action; the chain of first entries of `next` has the actions of
// `game`.
struct GameDocument {
  explicit GameDocument(const PlayedGame& played);

  // The node of an action that follows another node: the one that is there, else a new one, the last.
  int follow(int node, const Action& action);

  // Puts a node before its siblings.
  void make_main(int node);

  // The nodes of the main line: [0] is the start, [i + 1] action i of the game.
  std::vector<int> main_line() const;

  PlayedGame game;  // passed_end() says where record and rules part.
  Tags tags;
  std::vector<GameNode> nodes;

  // What its file is like.
  std::string dialect;        // The notation of its moves: "PlayOK's letters"; empty: unknown.
  std::string guess;          // Why these rules, where the file does not name them.
  std::string fault;          // Why reading stopped before the end; empty: it did not.
  int unread_variations = 0;  // They are not among the nodes.
  int ambiguous_moves = 0;    // Which of two pieces moves is not said: the first one is taken.
};

}  // namespace makzero::play
