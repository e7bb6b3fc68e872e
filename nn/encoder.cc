#include "nn/encoder.h"

#include <algorithm>
#include <cassert>

namespace makzero::nn {
namespace {

using game::Bitboard;
using game::Color;
using game::Counter;

constexpr float kHandScale = 1 / 16.0f;    // 16 men are the most that any game holds.
constexpr float kCountScale = 1 / 128.0f;  // 64 moves of either side; only Low's counts may be longer.
constexpr int kRightsPerSide = 4;

// All 64 bits in reverse order: three steps within the bytes, then the bytes.
constexpr Bitboard reverse(Bitboard set) {
  set = (set >> 1 & 0x5555555555555555u) | (set & 0x5555555555555555u) << 1;
  set = (set >> 2 & 0x3333333333333333u) | (set & 0x3333333333333333u) << 2;
  set = (set >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (set & 0x0F0F0F0F0F0F0F0Fu) << 4;
  return __builtin_bswap64(set);
}

// Writes one plane after the other, as the mover sees them.
class PlaneWriter {
 public:
  PlaneWriter(const game::GameInfo& info, Color mover, float* out)
      : rotated_(mover == Color::kBlack),
        shift_(8 - info.files + 8 * (8 - info.ranks)),
        board_(info.board()),
        out_(out) {}

  void squares(Bitboard set) {
    if (rotated_) set = reverse(set) >> shift_;
    for (int square = 0; square < game::kSquares; ++square)
      out_[square] = static_cast<float>(set >> square & 1);
    out_ += game::kSquares;
  }

  void constant(float value) {
    for (int square = 0; square < game::kSquares; ++square) {
      out_[square] = board_ >> square & 1 ? value : 0.0f;
    }
    out_ += game::kSquares;
  }

  const float* end() const { return out_; }

 private:
  bool rotated_;
  int shift_;  // What the reversal of all 64 squares moves a smaller board too far.
  Bitboard board_;
  float* out_;
};

std::vector<std::string> plane_names(const game::GameInfo& info, const TacticalPlanes& tactics) {
  std::vector<std::string> names;
  for (const char* side : {"own ", "enemy "}) {
    for (const char kind : info.kinds) names.push_back(std::string(side) + kind);
  }
  if (tactics.captures)
    names.insert(names.end(), {"own targets", "own destinations", "enemy targets", "enemy destinations"});
  if (tactics.exposure && info.has_exposure)
    names.insert(names.end(), {"own reach", "own exposed", "enemy reach", "enemy exposed"});
  if (info.has_obligations) names.emplace_back("obliged");
  if (info.has_hands) names.insert(names.end(), {"own hand", "enemy hand"});
  if (info.has_rights) {
    for (const char* side : {"own ", "enemy "}) {
      for (int right = 0; right < kRightsPerSide; ++right)
        names.push_back(side + ("right " + std::to_string(right)));
    }
  }
  if (info.has_counting) names.insert(names.end(), {"count limit", "count used", "own count", "enemy count"});
  for (int seen = 1; seen <= info.repetition - 2; ++seen) names.push_back("seen " + std::to_string(seen));
  if (info.no_progress > 0) names.push_back("quiet plies");
  if (info.max_plies > 0) names.push_back("ply");
  names.push_back("board");
  return names;
}

float share(int part, int whole) {
  return std::min(1.0f, static_cast<float>(part) / static_cast<float>(whole));
}

}  // namespace

Encoder::Encoder(const game::Game& game, TacticalPlanes tactics)
    : game_(game),
      tactics_(tactics),
      rotation_(game::rotation(game.info())),
      names_(plane_names(game.info(), tactics)) {}

void Encoder::encode(const game::Position& position, int occurrences, float* out) const {
  const game::GameInfo& info = game_.info();
  const Color mover = position.to_move, enemy = game::other(mover);
  PlaneWriter planes(info, mover, out);

  for (const Bitboard side : {position.own(), position.enemy()}) {
    for (size_t kind = 0; kind < info.kinds.size(); ++kind) planes.squares(position.kind[kind] & side);
  }
  const bool exposure = tactics_.exposure && info.has_exposure;
  if (tactics_.captures || exposure) {
    const game::Threats threats[] = {game_.threats(position, mover), game_.threats(position, enemy)};
    for (const game::Threats& side : threats) {
      if (!tactics_.captures) break;
      planes.squares(side.targets);
      planes.squares(side.destinations);
    }
    for (const game::Threats& side : threats) {
      if (!exposure) break;
      planes.squares(side.reach);
      planes.squares(side.exposed);
    }
  }
  if (info.has_obligations) planes.squares(position.obliged[0] | position.obliged[1]);
  if (info.has_hands) {
    for (const Color side : {mover, enemy}) planes.constant(kHandScale * position.hand[game::index(side)]);
  }
  if (info.has_rights) {
    for (const Color side : {mover, enemy}) {
      const int rights = position.rights >> (kRightsPerSide * game::index(side));
      for (int right = 0; right < kRightsPerSide; ++right)
        planes.constant(static_cast<float>(rights >> right & 1));
    }
  }
  if (info.has_counting) {
    const bool running = position.count_limit > 0;
    planes.constant(kCountScale * position.count_limit);
    planes.constant(running ? share(position.count, position.count_limit) : 0);
    for (const Color side : {mover, enemy}) {
      const Counter counter = side == Color::kWhite ? Counter::kWhite : Counter::kBlack;
      planes.constant(position.counter == counter);
    }
  }
  for (int seen = 1; seen <= info.repetition - 2; ++seen) planes.constant(occurrences > seen);
  if (info.no_progress > 0) planes.constant(share(position.quiet_plies, info.no_progress));
  if (info.max_plies > 0) planes.constant(share(position.ply / kPlyStep * kPlyStep, info.max_plies));
  planes.constant(1);
  assert(planes.end() == out + static_cast<std::ptrdiff_t>(names_.size()) * game::kSquares);
}

}  // namespace makzero::nn
