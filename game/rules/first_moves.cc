#include "game/rules/first_moves.h"

#include <algorithm>

namespace makzero::game {
namespace {

constexpr std::uint8_t white(FirstMove piece) { return piece; }
constexpr std::uint8_t black(FirstMove piece) { return static_cast<std::uint8_t>(piece << 4); }

// The letter is the file of the home square, as in other programs. What White has on its left stands on
// Black's right.
constexpr Right kRights[] = {
    {'B', white(kLeftUnmoved), Color::kWhite, kKnight, square_at(1, 0)},
    {'C', white(kLeftUnmoved), Color::kWhite, kKhon, square_at(2, 0)},
    {'D', white(kKingUnmoved), Color::kWhite, kKing, square_at(3, 0)},
    {'E', white(kMetUnmoved), Color::kWhite, kMet, kMetHome<Color::kWhite>},
    {'F', white(kRightUnmoved), Color::kWhite, kKhon, square_at(5, 0)},
    {'G', white(kRightUnmoved), Color::kWhite, kKnight, square_at(6, 0)},
    {'b', black(kRightUnmoved), Color::kBlack, kKnight, square_at(1, 7)},
    {'c', black(kRightUnmoved), Color::kBlack, kKhon, square_at(2, 7)},
    {'d', black(kMetUnmoved), Color::kBlack, kMet, kMetHome<Color::kBlack>},
    {'e', black(kKingUnmoved), Color::kBlack, kKing, square_at(4, 7)},
    {'f', black(kLeftUnmoved), Color::kBlack, kKhon, square_at(5, 7)},
    {'g', black(kLeftUnmoved), Color::kBlack, kKnight, square_at(6, 7)},
};

}  // namespace

FirstMoves::FirstMoves(const std::vector<ChessKind>& kinds) {
  for (const Right& right : kRights) {
    if (std::find(kinds.begin(), kinds.end(), right.kind) == kinds.end()) continue;
    rights_.push_back(right);
    all_ |= right.bit;
    at_[right.home] = right.bit;
  }
}

}  // namespace makzero::game
