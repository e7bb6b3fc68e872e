#include "game/signature.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "game/game_state.h"
#include "game/notation.h"

namespace makzero::game {
namespace {

constexpr int kGames = 200;

// FNV-1a over 64-bit words.
void mix(std::uint64_t word, std::uint64_t* hash) {
  *hash = (*hash ^ word) * 0x100000001B3u;
  *hash ^= *hash >> 32;
}

void mix(std::string_view text, std::uint64_t* hash) {
  for (const char letter : text) mix(static_cast<unsigned char>(letter), hash);
}

// The bits of the legal moves in rising order, so that the order of generation does not matter.
std::vector<std::uint16_t> sorted_bits(const MoveList& legal) {
  std::vector<std::uint16_t> bits;
  for (const Move move : legal) bits.push_back(move.bits());
  std::sort(bits.begin(), bits.end());
  return bits;
}

// Plays one game; the hash itself chooses the moves.
void mix_game(const Game& game, std::uint64_t* hash) {
  for (GameState state(game);;) {
    const std::vector<std::uint16_t> moves = sorted_bits(state.legal());
    mix(position_text(game, state.position()), hash);
    for (const std::uint16_t move : moves) mix(move, hash);
    mix(result_text(state.outcome().result), hash);
    mix(reason_text(state.outcome().reason), hash);
    if (state.over()) return;
    state.play(Move::from_bits(moves[*hash % moves.size()]));
  }
}

}  // namespace

std::uint64_t rules_signature(const Game& game) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (int i = 0; i < kGames; ++i) mix_game(game, &hash);
  return hash;
}

}  // namespace makzero::game
