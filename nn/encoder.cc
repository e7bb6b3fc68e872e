#include "nn/encoder.h"

#include <algorithm>
#include <cassert>
#include <utility>

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
  // `places`: the place of each plane in `out`.
  PlaneWriter(const game::GameInfo& info, Color mover, std::span<const int> places, float* out)
      : rotated_(mover == Color::kBlack),
        shift_(8 - info.files + 8 * (8 - info.ranks)),
        board_(info.board()),
        places_(places),
        out_(out) {}

  void squares(Bitboard set) {
    if (rotated_) set = reverse(set) >> shift_;
    float* plane = next();
    for (int square = 0; square < game::kSquares; ++square)
      plane[square] = static_cast<float>(set >> square & 1);
  }

  void constant(float value) {
    float* plane = next();
    for (int square = 0; square < game::kSquares; ++square)
      plane[square] = board_ >> square & 1 ? value : 0.0f;
  }

  size_t written() const { return written_; }

 private:
  float* next() { return out_ + static_cast<std::ptrdiff_t>(places_[written_++]) * game::kSquares; }

  bool rotated_;
  int shift_;  // What the reversal of all 64 squares moves a smaller board too far.
  Bitboard board_;
  std::span<const int> places_;
  float* out_;
  size_t written_ = 0;
};

constexpr const char* kBoardPlane = "board";

// What tells a game from the others that a network plays.
std::string board_plane_of(const game::GameInfo& info) { return kBoardPlane + (" " + info.ruleset); }

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
  names.emplace_back(kBoardPlane);
  return names;
}

float share(int part, int whole) {
  return std::min(1.0f, static_cast<float>(part) / static_cast<float>(whole));
}

}  // namespace

Encoder::Encoder(const game::Game& game, TacticalPlanes tactics)
    : Encoder(game, tactics, plane_names(game.info(), tactics)) {}

Encoder::Encoder(const game::Game& game, TacticalPlanes tactics, std::vector<std::string> planes)
    : game_(game), tactics_(tactics), rotation_(game::rotation(game.info())), names_(std::move(planes)) {
  for (const std::string& plane : plane_names(game.info(), tactics)) {
    const auto place = std::find(names_.begin(), names_.end(), plane);
    assert(place != names_.end());
    places_.push_back(static_cast<int>(place - names_.begin()));
  }
}

void Encoder::encode(const game::Position& position, int occurrences, float* out) const {
  const game::GameInfo& info = game_.info();
  const Color mover = position.to_move, enemy = game::other(mover);
  if (places_.size() < names_.size()) std::fill_n(out, names_.size() * game::kSquares, 0.0f);
  PlaneWriter planes(info, mover, places_, out);

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
  assert(planes.written() == places_.size());
}

std::vector<std::string> shared_planes(std::span<const game::GamePtr> games, TacticalPlanes tactics) {
  std::vector<std::string> shared;
  for (const game::GamePtr& game : games) {
    for (std::string& plane : plane_names(game->info(), tactics)) {
      if (games.size() > 1 && plane == kBoardPlane) plane = board_plane_of(game->info());
      if (std::find(shared.begin(), shared.end(), plane) == shared.end()) shared.push_back(std::move(plane));
    }
  }
  return shared;
}

std::vector<std::string> planes_as_seen_by(const game::Game& game, std::vector<std::string> shared) {
  std::replace(shared.begin(), shared.end(), board_plane_of(game.info()), std::string(kBoardPlane));
  return shared;
}

}  // namespace makzero::nn
