// The rules of one game: a stateless object, shared by all threads, made by the catalog.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "game/move_list.h"
#include "game/outcome.h"
#include "game/position.h"

namespace makzero::game {

// One rule option of a game, for listings and error messages.
struct OptionInfo {
  std::string name;
  std::vector<std::string> values;  // Allowed values, the game's default first; empty: a number.
  int minimum = 0, maximum = 0;     // The range of a number.
  std::string value;                // What this ruleset uses.
};

// A number in [0, 1] that tells rulesets of one family apart (rule_features.h).
struct RuleFeature {
  std::string_view name;  // One of rule_feature_names().
  float value;
};

// The facts of a ruleset that do not change during a game.
struct GameInfo {
  std::string ruleset;  // What make_game() reads back: "makyek", "makyek:custodian=line,no_progress=60".
  std::string title;    // "Mak-yek".
  std::string summary;  // The rules in one or two sentences, for listings.
  std::string source;   // Where the rules come from.
  int files = 8;
  int ranks = 8;
  std::string kinds;  // A capital letter per kind in use, in the order of Position::kind: "M", "KMSNRP".
  std::array<int, kKinds> kind_value =
      {};                        // What a piece is worth to a material count, in hundredths of a man or pawn.
  bool has_hands = false;        // Pieces are dropped from the hand.
  bool has_rights = false;       // First-move rights exist.
  bool has_obligations = false;  // Position::obliged is used.
  bool must_take = false;        // A side that can take something has no other legal moves.
  bool has_hunter = false;       // One piece of one side is hunted by the men of the other.
  bool takes_by_arrival = false;  // Pieces are taken by moving onto their squares, and in no other way.
  bool has_counting = false;      // A count towards a draw exists.
  Bitboard marks = 0;             // Squares that the board marks, for people: the crosses of Gala.
  int repetition = 3;             // Occurrences of a position that end the game; 0 = never.
  int no_progress = 0;            // Quiet plies that end the game; 0 = no such limit.
  int max_plies = 0;              // Plies from the given position on that end the game; 0 = no such limit.
  std::vector<OptionInfo> options;
  std::string family;                      // "custodial" or "chess": games that one network can learn.
  std::vector<RuleFeature> rule_features;  // Those that are not 0.

  Bitboard board() const { return board_mask(files, ranks); }
};

// What one side could take if it were to move, one ply ahead by the rules. In games of the chess family these
// are attacks: pins and checks do not matter, and `destinations` are all squares that the side guards, own
// pieces included.
struct Threats {
  Bitboard targets = 0;       // Enemy pieces that some move of the side takes.
  Bitboard destinations = 0;  // Squares on which some move of the side takes a piece by arriving.
};

// An own piece that a move displaces besides the one that it moves.
struct Displacement {
  Square from = 0, to = 0;
};

// What a player may declare before his move where the count is not automatic.
enum class Declaration : std::uint8_t { kStartCount, kStopCount };

class Game {
 public:
  Game() = default;
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;
  virtual ~Game() = default;

  virtual const GameInfo& info() const = 0;
  virtual Position initial() const = 0;

  // Replaces the list by the legal moves, in an order that depends on the position alone. A position that is
  // decided on the board (no pieces, king missing) has none.
  virtual void legal_moves(const Position& position, MoveList* moves) const = 0;

  // The number of legal moves, usually faster than listing them.
  virtual int count_moves(const Position& position) const;

  // Plays a move. REQUIRES: the move is legal.
  virtual void apply(Move move, Position* position) const = 0;

  // The own piece that a move displaces besides its own, if it does. REQUIRES: the move is legal.
  virtual std::optional<Displacement> displacement(const Position& position, Move move) const;

  // The state of the game when the position stands for the `occurrences`-th time (see History). `can_move`:
  // there are legal moves.
  virtual Outcome outcome(const Position& position, bool can_move, int occurrences) const = 0;

  // What `side` could take if it were to move. Used as network input.
  virtual Threats threats(const Position& position, Color side) const = 0;

  // Pieces of both sides that could take on the square if an enemy stood there, with the pieces in `occupied`
  // alone on the board; pins and checks do not matter. REQUIRES: info().takes_by_arrival.
  virtual Bitboard attackers(const Position& position, Square square, Bitboard occupied) const;

  // The board symmetries that map the rules of this position onto themselves: bit i stands for Symmetry i
  // (symmetry.h).
  virtual std::uint8_t symmetries(const Position& position) const = 0;

  // What the side to move may declare now, and the declaration. Empty except in manual counting.
  virtual std::vector<Declaration> declarations(const Position& position) const;
  virtual void declare(Declaration declaration, Position* position) const;

  // --- Text, used by notation.h alone. ---

  // The fields of a position text behind the side to move, with a leading space if there are any.
  virtual std::string fields_text(const Position& position) const;

  // Reads these fields into the position; adds a reason for everything that is wrong.
  virtual void read_fields(std::span<const std::string_view> fields, Position* position,
                           std::vector<std::string>* reasons) const;

  // Adds a reason for everything that makes the arrangement impossible in this game.
  virtual void check(const Position& position, std::vector<std::string>* reasons) const;

  // The squares that a move's text names between origin and destination ("e6" of the chain of leaps
  // "e8e6e4"). REQUIRES: the move is legal.
  virtual std::string move_path(const Position& position, Move move) const;

  // What follows origin and destination in a move's text ("m" of a promotion). REQUIRES: the move is legal.
  virtual std::string move_suffix(const Position& position, Move move) const;
};

using GamePtr = std::shared_ptr<const Game>;

// The option of that name; null where the game has none.
const OptionInfo* find_option(const GameInfo& info, std::string_view name);

// The option limit_result of a game that can have limits decided by material; null of any other game.
const OptionInfo* material_result_option(const GameInfo& info);

// The option by which this ruleset lets a limit decide games: limit_result or cap_result. Null where limits
// draw.
const OptionInfo* deciding_limit(const GameInfo& info);

// Plies until the rules end a game for its length, at least 0; the greatest int where that does not come: no
// limit, or a count that runs and decides instead.
int plies_left(const GameInfo& info, const Position& position);

// The same for a limit of plies, 0 = none.
int plies_left(int max_plies, const Position& position);

// The kings of both sides, in games that have them.
Bitboard kings(const GameInfo& info, const Position& position);

// The material of a side in hundredths of a man or pawn, pieces in hand at the value of the first kind.
int material(const GameInfo& info, const Position& position, Color side);

// The side's material minus the enemy's.
int material_lead(const GameInfo& info, const Position& position, Color side = Color::kWhite);

// What the side has taken minus what the enemy has, in a game from the initial position: the sides of Gala
// begin with unequal men.
int material_gain(const Game& game, const Position& position, Color side = Color::kWhite);

}  // namespace makzero::game
