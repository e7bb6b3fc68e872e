#include "game/rules/counting.h"

#include "game/rules/chess_steps.h"

namespace makzero::game {
namespace {

bool bare(const Position& position, Color side) { return size(position.side[index(side)]) == 1; }

Counter as_counter(Color side) { return side == Color::kWhite ? Counter::kWhite : Counter::kBlack; }

void stop_count(Position* position) {
  position->counter = Counter::kNobody;
  position->count_limit = 0;
  position->count = 0;
}

// Pieces' honour against a bare king; `lead` plies fewer are counted at the start.
void start_pieces_honour(const CountRules& rules, Color chaser, int lead, Position* position) {
  const int limit = pieces_honour(rules, *position, chaser);
  const int count = 2 * size(position->occupied()) - lead;
  position->counter = Counter::kNobody;  // Nobody may stop what is left.
  const int left = position->count_limit - position->count;
  if (rules.keep_shorter && position->count_limit > 0 && left < limit - count) return;
  position->count_limit = static_cast<std::uint16_t>(limit);
  position->count = static_cast<std::uint16_t>(count);
}

}  // namespace

int pieces_honour(const CountRules& rules, const Position& position, Color chaser) {
  const Bitboard own = position.side[index(chaser)];
  const int rooks = size(own & position.kind[kRook]);
  const int khons = size(own & position.kind[kKhon]);
  const int knights = size(own & position.kind[kKnight]);
  if (rooks >= 2) return 2 * 8;
  if (rooks == 1) return 2 * 16;
  if (khons >= 2) return 2 * 22;
  if (knights >= 2 && !(khons == 1 && rules.snn_44)) return 2 * 32;
  if (khons == 1) return 2 * 44;
  return 2 * 64;
}

void count_move(const CountRules& rules, const CountedMove& move, Position* position) {
  const bool running = position->count_limit > 0;
  if (running) ++position->count;
  if (position->kind[kPawn]) return;
  const Color replier = position->to_move, mover = other(replier);
  if (bare(*position, mover)) {
    // The bare king took the last pawn: that capture counts as the first move.
    if (move.captured_pawn && !bare(*position, replier)) start_pieces_honour(rules, replier, 1, position);
  } else if (bare(*position, replier)) {
    if (move.captured || move.promoted || !running) start_pieces_honour(rules, mover, 0, position);
  } else if (!running && rules.mode == CountMode::kAuto) {
    position->count_limit = kBoardHonour;
    position->count = 0;
  }
}

bool counts(const Position& position, Color side) { return position.counter == as_counter(side); }

std::vector<Claim> count_claims(const CountRules& rules, const Position& position) {
  if (rules.mode != CountMode::kManual) return {};
  if (counts(position, position.to_move)) return {Claim::kStopCount};
  const bool may_start = position.count_limit == 0 && position.kind[kPawn] == 0 &&
                         !bare(position, Color::kWhite) && !bare(position, Color::kBlack);
  if (may_start) return {Claim::kStartCount};
  return {};
}

void make_count_claim(Claim claim, Position* position) {
  stop_count(position);
  if (claim == Claim::kStopCount) return;
  position->counter = as_counter(position->to_move);
  position->count_limit = kBoardHonour;
}

Counter counter_of_count(const CountRules& rules, const Position& position) {
  const bool declared = rules.mode == CountMode::kManual && position.count_limit == kBoardHonour &&
                        !bare(position, Color::kWhite) && !bare(position, Color::kBlack);
  if (!declared) return Counter::kNobody;
  return as_counter(position.count % 2 == 0 ? position.to_move : other(position.to_move));
}

}  // namespace makzero::game
