#include "mcts/endings/ending_class.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "game/symmetry.h"

namespace makzero::mcts {
namespace {

using game::Color;
using game::kKinds;
using game::kSquares;
using game::Position;

constexpr int kBits = 4;
constexpr int kHalf = kBits * kKinds;
constexpr Material kHalfMask = (Material{1} << kHalf) - 1;
constexpr int kMostEqual = 8;  // Pieces of a group.

// choose[n][k]: ways to take k of n squares.
constexpr auto kChoose = [] {
  std::array<std::array<std::uint64_t, kMostEqual + 1>, kSquares + 1> choose = {};
  for (int n = 0; n <= kSquares; ++n) {
    choose[n][0] = 1;
    for (int k = 1; k <= kMostEqual && n > 0; ++k) choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
  }
  return choose;
}();

Material swapped(Material material) { return material >> kHalf | (material & kHalfMask) << kHalf; }

// Sides with the same pieces and the same aims.
bool sides_are_alike(const game::GameInfo& info) { return !info.has_hunter; }

// White has more pieces, or better ones: kinds are weighed by their order.
bool black_leads(Material material) {
  const auto key = [&](Color side) {
    Material half = side == Color::kWhite ? material & kHalfMask : material >> kHalf;
    return std::pair(count_of(material, side), half);
  };
  return key(Color::kBlack) > key(Color::kWhite);
}

}  // namespace

Material material_of(const Position& position) {
  Material material = 0;
  for (int side = 1; side >= 0; --side) {
    for (int kind = kKinds - 1; kind >= 0; --kind)
      material = material << kBits | std::popcount(position.side[side] & position.kind[kind]);
  }
  return material;
}

int count_of(Material material, Color side, int kind) {
  return static_cast<int>(material >> (kHalf * index(side) + kBits * kind) & ((1 << kBits) - 1));
}

int count_of(Material material, Color side) {
  int count = 0;
  for (int kind = 0; kind < kKinds; ++kind) count += count_of(material, side, kind);
  return count;
}

bool EndingClass::is_canonical(const game::GameInfo& info, Material material) {
  return !sides_are_alike(info) || !black_leads(material);
}

Material EndingClass::canonical(const game::GameInfo& info, Material material) {
  return is_canonical(info, material) ? material : swapped(material);
}

EndingClass::EndingClass(const game::Game& game, Material material)
    : material_(material), alike_(sides_are_alike(game.info())) {
  const game::GameInfo& info = game.info();
  assert(is_canonical(info, material));
  one_mover_ = alike_ && material == swapped(material);
  name_groups(info);
  add_maps(game, info);
  for (Group& group : groups_) group.ranks = kChoose[squares_][group.count];
  add_orbits();
  size_ = (one_mover_ ? 1 : 2) * first_rank_.size();
  for (std::size_t i = 1; i < groups_.size(); ++i) size_ *= groups_[i].ranks;
}

// The smallest group first: its orbits are a table.
void EndingClass::name_groups(const game::GameInfo& info) {
  for (const Color side : {Color::kWhite, Color::kBlack}) {
    if (side == Color::kBlack) name_ += 'v';
    for (int kind = 0; kind < kKinds; ++kind) {
      const int count = count_of(material_, side, kind);
      if (count == 0) continue;
      name_.append(static_cast<std::size_t>(count), info.kinds[kind]);
      groups_.push_back({index(side), kind, count, 0});
    }
  }
  const auto smallest = std::min_element(groups_.begin(), groups_.end(),
                                         [](const Group& a, const Group& b) { return a.count < b.count; });
  std::rotate(groups_.begin(), smallest, smallest + 1);
}

void EndingClass::add_maps(const game::Game& game, const game::GameInfo& info) {
  std::array<std::uint8_t, kSquares> number = {};
  for (game::Square square = 0; square < kSquares; ++square) {
    if (!game::contains(info.board(), square)) continue;
    number[square] = static_cast<std::uint8_t>(square_of_.size());
    square_of_.push_back(square);
  }
  squares_ = static_cast<int>(square_of_.size());
  symmetries_ = game.symmetries({});
  const game::Symmetry rotation = game::rotation(info);
  for (int id = 0; id < game::kSymmetries; ++id) {
    if (!(symmetries_ >> id & 1)) continue;
    const game::Symmetry symmetry(id, info.files, info.ranks);
    for (const game::Square square : square_of_) {
      map_[0][id][square] = number[symmetry(square)];
      map_[1][id][square] = number[symmetry(rotation(square))];
    }
  }
}

// Every placement of the first group to the least that a symmetry maps it to.
void EndingClass::add_orbits() {
  const Group& lead = groups_.front();
  orbits_.resize(lead.ranks);
  for (std::size_t at = 0; at < lead.ranks; ++at) {
    Position placed_there;
    for (std::uint64_t squares = placement(at, lead.count); squares; squares &= squares - 1) {
      const game::Bitboard square = game::bit(square_of_[std::countr_zero(squares)]);
      placed_there.side[lead.side] |= square;
      placed_there.kind[lead.kind] |= square;
    }
    std::array<std::size_t, game::kSymmetries> images;
    std::size_t first = at;
    for (int id = 0; id < game::kSymmetries; ++id) {
      images[id] = symmetries_ >> id & 1 ? rank(placed(placed_there, lead, false, id)) : lead.ranks;
      first = std::min(first, images[id]);
    }
    Orbit& orbit = orbits_[at];
    for (int id = 0; id < game::kSymmetries; ++id) orbit.to_first |= (images[id] == first) << id;
    const int fixing = std::popcount(orbit.to_first);
    orbit.size = static_cast<std::uint8_t>(std::popcount(symmetries_) / fixing);
    symmetric_ = symmetric_ || fixing > 1;
    if (first == at) first_rank_.push_back(static_cast<std::uint32_t>(at));
    orbit.id = first == at ? static_cast<std::uint32_t>(first_rank_.size() - 1) : orbits_[first].id;
  }
}

// The squares of a group, by their numbers.
inline std::uint64_t EndingClass::placed(const Position& position, const Group& group, bool swapped,
                                         int symmetry) const {
  const auto& map = map_[swapped][symmetry];
  std::uint64_t squares = 0;
  for (game::Bitboard set = position.side[group.side ^ swapped] & position.kind[group.kind]; set;)
    squares |= std::uint64_t{1} << map[game::pop_first(&set)];
  return squares;
}

inline std::size_t EndingClass::rank(std::uint64_t placement) const {
  std::size_t rank = 0;
  for (int k = 1; placement; ++k, placement &= placement - 1) rank += kChoose[std::countr_zero(placement)][k];
  return rank;
}

std::uint64_t EndingClass::placement(std::size_t rank, int count) const {
  std::uint64_t squares = 0;
  int square = count == 1 ? static_cast<int>(rank) : squares_ - 1;
  for (int k = count; k > 0; --k) {
    while (kChoose[square][k] > rank) --square;
    rank -= kChoose[square][k];
    squares |= std::uint64_t{1} << square;
  }
  return squares;
}

std::optional<Position> EndingClass::position(std::size_t number) const {
  std::array<std::size_t, 2 * kKinds> ranks;
  for (std::size_t i = groups_.size(); i-- > 1;) {
    ranks[i] = number % groups_[i].ranks;
    number /= groups_[i].ranks;
  }
  ranks[0] = first_rank_[number % first_rank_.size()];
  Position position;
  position.to_move = number < first_rank_.size() ? Color::kWhite : Color::kBlack;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    game::Bitboard set = 0;
    for (std::uint64_t squares = placement(ranks[i], groups_[i].count); squares; squares &= squares - 1)
      set |= game::bit(square_of_[std::countr_zero(squares)]);
    if (set & position.occupied()) return std::nullopt;
    position.side[groups_[i].side] |= set;
    position.kind[groups_[i].kind] |= set;
  }
  return position;
}

// The pieces are those of the class without a swap of colours.
inline bool EndingClass::holds(const Position& position) const {
  for (const Group& group : groups_) {
    if (std::popcount(position.side[group.side] & position.kind[group.kind]) != group.count) return false;
  }
  return true;
}

EndingClass::Found EndingClass::find(const Position& position) const {
  const bool black_moves = position.to_move == Color::kBlack;
  const bool swapped = one_mover_ ? black_moves : alike_ && !holds(position);
  const Orbit& orbit = orbits_[rank(placed(position, groups_.front(), swapped, 0))];
  const std::size_t mover = swapped != black_moves;
  const std::size_t lead = mover * first_rank_.size() + orbit.id;
  Found found = {~std::size_t{0}, 0};
  for (unsigned images = orbit.to_first; images; images &= images - 1) {
    std::size_t number = lead;
    for (std::size_t i = 1; i < groups_.size(); ++i)
      number =
          number * groups_[i].ranks + rank(placed(position, groups_[i], swapped, std::countr_zero(images)));
    if (number > found.number) continue;
    found.images = number == found.number ? found.images + 1 : 1;
    found.number = number;
  }
  found.images = orbit.size * std::popcount(orbit.to_first) / found.images;
  return found;
}

std::size_t EndingClass::number(const Position& position) const { return find(position).number; }

int EndingClass::images(const Position& position) const { return find(position).images; }

}  // namespace makzero::mcts
