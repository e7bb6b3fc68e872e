#include "nn/encoder.h"

#include <cassert>
#include <cstdint>
#include <utility>

namespace makzero::nn {
namespace {

using game::Bitboard;
using game::Color;

// All 64 bits in reverse order: three steps within the bytes, then the bytes.
constexpr Bitboard reverse(Bitboard set) {
  set = (set >> 1 & 0x5555555555555555u) | (set & 0x5555555555555555u) << 1;
  set = (set >> 2 & 0x3333333333333333u) | (set & 0x3333333333333333u) << 2;
  set = (set >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (set & 0x0F0F0F0F0F0F0F0Fu) << 4;
  return __builtin_bswap64(set);
}

// Writes planes as the mover sees them.
class PlaneWriter {
 public:
  PlaneWriter(const game::GameInfo& info, Color mover)
      : rotated_(mover == Color::kBlack),
        shift_(8 - info.files + 8 * (8 - info.ranks)),
        board_(info.board()) {}

  void write(const PlaneContent& content, float* plane) const {
    // The board itself is the same from both sides.
    Bitboard set = content.constant ? board_ : content.squares;
    if (rotated_ && !content.constant) set = reverse(set) >> shift_;
    // In halves: the compiler compares eight 32-bit words at once, of 64-bit words only four.
    for (int half = 0; half < 2; ++half) {
      const auto bits = static_cast<std::uint32_t>(set >> 32 * half);
      for (int i = 0; i < 32; ++i) plane[32 * half + i] = bits >> i & 1 ? content.value : 0.0f;
    }
  }

 private:
  bool rotated_;
  int shift_;  // What the reversal of all 64 squares moves a smaller board too far.
  Bitboard board_;
};

}  // namespace

Encoder::Encoder(std::vector<std::string> planes) : names_(std::move(planes)) {
  planes_.reserve(names_.size());
  for (const std::string& name : names_) {
    std::optional<Plane> plane = find_plane(name);
    assert(plane);
    needs_threats_ = needs_threats_ || plane->needs_threats;
    planes_.push_back(*std::move(plane));
  }
}

void Encoder::encode(const game::Game& game, const game::Position& position, int occurrences,
                     float* out) const {
  const game::GameInfo& info = game.info();
  const Color mover = position.to_move;
  PlaneInput input(info, position, occurrences);
  if (needs_threats_)
    input.threats = {game.threats(position, mover), game.threats(position, game::other(mover))};
  const PlaneWriter writer(info, mover);
  for (const Plane& plane : planes_) {
    const bool in_game = plane.ruleset.empty() || plane.ruleset == info.ruleset;
    writer.write(in_game ? plane.content(input, plane.side, plane.number) : PlaneContent{}, out);
    out += game::kSquares;
  }
}

}  // namespace makzero::nn
