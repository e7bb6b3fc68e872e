// Input planes: their names, which games have them, what they mean and how they are written. PLANES.md lists
// them.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"

namespace makzero::nn {

// The board plane of a network that plays a single game, or several that it tells apart by their rule
// features. Where one network plays several without these, each game has a plane "board RULESET" in its
// place, by which the network tells them apart.
inline constexpr std::string_view kBoardPlane = "board";

inline constexpr int kKindLetters = 26;  // Kinds of pieces are named by capital letters.

// What planes are written from.
struct PlaneInput {
  PlaneInput(const game::GameInfo& info, const game::Position& position, int occurrences);

  const game::GameInfo& info;
  const game::Position& position;
  int occurrences;                            // How often the position has stood on the board.
  std::array<game::Threats, 2> threats = {};  // Own, enemy; where some plane needs them.
  std::array<game::Bitboard, kKindLetters> of_letter =
      {};  // The pieces of both sides by the letter of their kind.
};

// A plane before it is turned to the mover's side: a set of squares, or one value on every square of the
// board.
struct PlaneContent {
  game::Bitboard squares = 0;
  float value = 1;
  bool constant = false;
};

// One plane of a network, the same for all games: one that a game does not have (a kind of piece, a right,
// the board of another game) is 0 everywhere in its positions.
struct Plane {
  PlaneContent (*content)(const PlaneInput& input, int side, int number);
  bool needs_threats = false;
  int side = 0;              // 0 = the side to move, 1 = the other.
  int number = 0;            // Of a kind (its letter, from 0), a right, a number of repetitions.
  std::string ruleset = {};  // The only one that has the plane; empty: any may.
};

// The plane of that name. None where no game has a plane of that name.
std::optional<Plane> find_plane(std::string_view name);

// The planes that a new network of the game sees. `captures`: with those that show what each side could take
// now; learning without them takes far longer.
std::vector<std::string> default_planes(const game::GameInfo& info, bool captures = true);

// The first of the names that no game has; empty where all are known.
std::string unknown_plane(std::span<const std::string> planes);

// The first plane without which a network cannot play the game: pieces, hands, rights, obligations, counts.
// Empty where none is missing.
std::string missing_plane(std::span<const std::string> planes, const game::GameInfo& info);

// What a plane shows, for people: "own: 1 on pieces that this side could take if it were to move".
// REQUIRES: find_plane() knows the name.
std::string plane_meaning(std::string_view name);

// Those of a new network for several games: of each, every name once.
std::vector<std::string> joint_planes(std::span<const game::GamePtr> games, bool captures = true);

}  // namespace makzero::nn
