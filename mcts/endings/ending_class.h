// Numbering of the positions of one set of pieces: "KRvK".
//
// Positions that a symmetry of the board maps onto each other share a number, and so do those that the swap
// of colours does, in games whose sides are alike. Some numbers stand for no position.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "game/game.h"

namespace makzero::mcts {

// Pieces of both sides by kind, four bits each: White's kinds in the low half.
using Material = std::uint64_t;
Material material_of(const game::Position& position);

// The number of pieces of a kind and of a side.
int count_of(Material material, game::Color side, int kind);
int count_of(Material material, game::Color side);

class EndingClass {
 public:
  // The class of these pieces. REQUIRES: is_canonical().
  EndingClass(const game::Game& game, Material material);

  // Materials that have a class: the swap of colours leads from the others to these.
  static bool is_canonical(const game::GameInfo& info, Material material);

  // Canonical material of a position.
  static Material canonical(const game::GameInfo& info, Material material);

  const std::string& name() const { return name_; }  // "KRvK", "MMMvM".
  Material material() const { return material_; }
  std::size_t size() const { return size_; }  // Numbers are below it.

  // Positions with Black to move have the numbers of those with White to move.
  bool one_mover() const { return one_mover_; }

  // Some positions are their own image.
  bool has_symmetric_positions() const { return symmetric_; }

  // The position of a number, without counters; none where two pieces would share a square.
  std::optional<game::Position> position(std::size_t number) const;

  // REQUIRES: the pieces are those of the class, in either colours.
  std::size_t number(const game::Position& position) const;

  // Different positions that have the number of this one. REQUIRES: as number().
  int images(const game::Position& position) const;

 private:
  // Equal pieces of one side.
  struct Group {
    int side, kind, count;
    std::size_t ranks;  // Ways to place them.
  };
  // Placements of the first group that are images of each other.
  struct Orbit {
    std::uint32_t id = 0;
    std::uint8_t to_first = 0;  // Symmetries that lead to the first of them: bit i stands for symmetry i.
    std::uint8_t size = 0;
  };
  struct Found {
    std::size_t number;
    int images;
  };

  void name_groups(const game::GameInfo& info);
  void add_maps(const game::Game& game, const game::GameInfo& info);
  void add_orbits();
  std::uint64_t placed(const game::Position& position, const Group& group, bool swapped, int symmetry) const;
  std::size_t rank(std::uint64_t placement) const;
  std::uint64_t placement(std::size_t rank, int count) const;
  bool holds(const game::Position& position) const;
  Found find(const game::Position& position) const;

  Material material_;
  std::string name_;
  std::vector<Group> groups_;  // The one that symmetries act on first.
  int squares_ = 0;            // Of the board; they are numbered without gaps.
  std::vector<game::Square> square_of_;
  std::uint8_t symmetries_ = 0;
  // Number of a square by colours (1: swapped) and symmetry.
  std::array<std::array<std::array<std::uint8_t, game::kSquares>, 8>, 2> map_ = {};
  std::vector<Orbit> orbits_;              // By the rank of the first group.
  std::vector<std::uint32_t> first_rank_;  // By the orbit.
  std::size_t size_ = 0;
  bool one_mover_ = false, symmetric_ = false, alike_ = true;
};

}  // namespace makzero::mcts
