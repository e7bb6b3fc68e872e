#include "game/packed_position.h"

namespace makzero::game {
namespace {

constexpr int kMostPieces = 32;
constexpr int kMostBesideExtension = 24;
constexpr int kMostOccurrences = 4;
constexpr std::uint32_t kMostPlies = (1u << 14) - 1;
constexpr std::uint32_t kMostCount = 0xFF, kMostInHand = 0x7F;

// Bits of PackedPosition::state and of the extension, which is this word of the pieces.
constexpr int kOccurrencesShift = 1, kPlyShift = 3, kNoProgressShift = 17, kExtensionShift = 31;
constexpr int kExtension = 3;
constexpr int kCountShift = 8, kHandShift[] = {16, 24}, kCounterShift = 7;

Bitboard occupied_by(const PackedPosition& packed) {
  return packed.occupied[0] | Bitboard{packed.occupied[1]} << 32;
}

bool limits_no_progress(const GameInfo& info) { return info.no_progress > 0; }

bool needs_extension(const Position& position) {
  return position.hand[0] | position.hand[1] | position.count_limit | position.count |
         static_cast<int>(position.counter);
}

bool fits(const GameInfo& info, const Position& position, int occurrences) {
  const int pieces = size(position.occupied());
  if (pieces > kMostPieces || (position.obliged[0] | position.obliged[1])) return false;
  if (occurrences > kMostOccurrences || position.ply > kMostPlies) return false;
  if (limits_no_progress(info) && (position.rights || position.no_progress_plies > kMostPlies)) return false;
  if (!needs_extension(position)) return true;
  return pieces <= kMostBesideExtension && position.count_limit <= kMostCount &&
         position.count <= kMostCount && position.hand[0] <= kMostInHand && position.hand[1] <= kMostInHand;
}

void pack_pieces(const Position& position, PackedPosition* packed) {
  const Bitboard bits[4] = {position.kind[1] | position.kind[3] | position.kind[5],
                            position.kind[2] | position.kind[3], position.kind[4] | position.kind[5],
                            position.side[1]};
  Bitboard left = position.occupied();
  for (int piece = 0; left; ++piece) {
    const Square square = pop_first(&left);
    std::uint32_t nibble = 0;
    for (int i = 0; i < 4; ++i) nibble |= static_cast<std::uint32_t>(bits[i] >> square & 1) << i;
    packed->pieces[piece / 8] |= nibble << (4 * (piece % 8));
  }
}

std::uint32_t pack_extension(const Position& position) {
  const std::uint32_t white_counts = position.counter == Counter::kWhite;
  const std::uint32_t black_counts = position.counter == Counter::kBlack;
  return static_cast<std::uint32_t>(position.count_limit) |
         static_cast<std::uint32_t>(position.count) << kCountShift |
         (position.hand[0] | white_counts << kCounterShift) << kHandShift[0] |
         (position.hand[1] | black_counts << kCounterShift) << kHandShift[1];
}

// False where a piece is of no kind of the game.
bool unpack_pieces(const GameInfo& info, const PackedPosition& packed, Position* position) {
  Bitboard left = occupied_by(packed);
  for (int piece = 0; left; ++piece) {
    const Bitboard square = bit(pop_first(&left));
    const std::uint32_t nibble = packed.pieces[piece / 8] >> (4 * (piece % 8)) & 15;
    const std::uint32_t kind = nibble & 7;
    if (kind >= info.kinds.size()) return false;
    position->side[nibble >> 3] |= square;
    position->kind[kind] |= square;
  }
  return true;
}

void unpack_extension(std::uint32_t extension, Position* position) {
  position->count_limit = extension & kMostCount;
  position->count = extension >> kCountShift & kMostCount;
  for (const int side : {0, 1}) {
    const std::uint32_t hand = extension >> kHandShift[side];
    position->hand[side] = hand & kMostInHand;
    if (hand >> kCounterShift & 1) position->counter = side == 0 ? Counter::kWhite : Counter::kBlack;
  }
}

}  // namespace

std::optional<PackedPosition> pack(const GameInfo& info, const Position& position, int occurrences) {
  const int counted = info.repetition > 0 ? occurrences : 1;
  if (!fits(info, position, counted)) return std::nullopt;
  PackedPosition packed;
  const Bitboard occupied = position.occupied();
  packed.occupied[0] = static_cast<std::uint32_t>(occupied);
  packed.occupied[1] = static_cast<std::uint32_t>(occupied >> 32);
  pack_pieces(position, &packed);
  const std::uint32_t quiet = limits_no_progress(info) ? position.no_progress_plies : position.rights;
  packed.state = static_cast<std::uint32_t>(index(position.to_move)) |
                 static_cast<std::uint32_t>(counted - 1) << kOccurrencesShift |
                 std::uint32_t{position.ply} << kPlyShift | quiet << kNoProgressShift;
  if (needs_extension(position)) {
    packed.pieces[kExtension] = pack_extension(position);
    packed.state |= 1u << kExtensionShift;
  }
  return packed;
}

std::optional<UnpackedPosition> unpack(const GameInfo& info, const PackedPosition& packed) {
  const Bitboard occupied = occupied_by(packed);
  if ((occupied & ~info.board()) || size(occupied) > kMostPieces) return std::nullopt;
  UnpackedPosition unpacked;
  Position& position = unpacked.position;
  if (!unpack_pieces(info, packed, &position)) return std::nullopt;
  const std::uint32_t state = packed.state;
  if (state >> kExtensionShift) unpack_extension(packed.pieces[kExtension], &position);
  const std::uint32_t quiet = state >> kNoProgressShift & kMostPlies;
  if (limits_no_progress(info)) {
    position.no_progress_plies = static_cast<std::uint16_t>(quiet);
  } else {
    position.rights = static_cast<std::uint8_t>(quiet);
  }
  position.to_move = static_cast<Color>(state & 1);
  position.ply = static_cast<std::uint16_t>(state >> kPlyShift & kMostPlies);
  unpacked.occurrences = static_cast<int>(state >> kOccurrencesShift & (kMostOccurrences - 1)) + 1;
  if (pack(info, position, unpacked.occurrences) != packed) return std::nullopt;
  return unpacked;
}

}  // namespace makzero::game
