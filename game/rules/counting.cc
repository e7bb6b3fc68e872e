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

// The limit of pieces' honour in moves, by the chaser's pieces.
int honoured_moves(const CountRules& rules, const Position& position, Color chaser) {
  const Bitboard own = position.side[index(chaser)];
  const int rooks = size(own & position.kind[kRook]);
  const int khons = size(own & position.kind[kKhon]);
  const int knights = size(own & position.kind[kKnight]);
  if (rooks >= 2) return 8;
  if (rooks == 1) return 16;
  if (khons >= 2) return 22;
  if (knights >= 2 && !(khons == 1 && rules.snn_44)) return 32;
  return khons == 1 ? 44 : 64;
}

// Pieces' honour against a bare king; `lead` plies fewer are counted at the start.
void start_pieces_honour(const CountRules& rules, Color chaser, int lead, Position* position) {
  const int limit = pieces_honour(rules, *position, chaser);
  const int count = 2 * size(position->occupied()) - lead;
  const bool declared = position->counter != Counter::kNobody;
  position->counter = Counter::kNobody;  // Nobody may stop what is left.
  const bool keep_shorter = rules.keep_shorter || (declared && rules.scheme == CountScheme::kSeaGames);
  const int left = position->count_limit - position->count;
  if (keep_shorter && position->count_limit > 0 && left < limit - count) return;
  position->count_limit = static_cast<std::uint16_t>(limit);
  position->count = static_cast<std::uint16_t>(count);
}

// The side to move may count board's honour while both sides have pieces.
bool board_honour_begins(const CountRules& rules, const Position& position) {
  if (rules.scheme == CountScheme::kMakruk) return position.kind[kPawn] == 0;
  return size(position.own()) <= 3;
}

}  // namespace

int pieces_honour(const CountRules& rules, const Position& position, Color chaser) {
  const int moves = honoured_moves(rules, position, chaser);
  return 2 * (rules.scheme == CountScheme::kMakruk ? moves : moves - 1);
}

void count_move(const CountRules& rules, const CountedMove& move, Position* position) {
  const bool running = position->count_limit > 0;
  if (running) ++position->count;
  const bool pawns = position->kind[kPawn];
  if (pawns && rules.scheme == CountScheme::kMakruk) return;
  const Color replier = position->to_move, mover = other(replier);
  if (bare(*position, mover)) {
    // The bare king took the last pawn: that capture counts as the first move.
    if (move.captured_pawn && !pawns && !bare(*position, replier))
      start_pieces_honour(rules, replier, 1, position);
  } else if (bare(*position, replier)) {
    if (!pawns && (move.captured || move.promoted || !running))
      start_pieces_honour(rules, mover, 0, position);
  } else if (!running && rules.mode == CountMode::kAuto && board_honour_begins(rules, *position)) {
    position->count_limit = static_cast<std::uint16_t>(board_honour(rules));
    position->count = 0;
  }
}

bool counts(const Position& position, Color side) { return position.counter == as_counter(side); }

std::vector<Declaration> count_declarations(const CountRules& rules, const Position& position, bool weaker) {
  if (rules.mode != CountMode::kManual) return {};
  if (counts(position, position.to_move)) return {Declaration::kStopCount};
  const bool may_start = (weaker || rules.who == CountWho::kAny) && position.count_limit == 0 &&
                         board_honour_begins(rules, position) && !bare(position, Color::kWhite) &&
                         !bare(position, Color::kBlack);
  if (may_start) return {Declaration::kStartCount};
  return {};
}

void declare_count(const CountRules& rules, Declaration declaration, Position* position) {
  stop_count(position);
  if (declaration == Declaration::kStopCount) return;
  position->counter = as_counter(position->to_move);
  position->count_limit = static_cast<std::uint16_t>(board_honour(rules));
}

Counter counter_of_count(const CountRules& rules, const Position& position) {
  const bool pieces_honour =
      position.kind[kPawn] == 0 && (bare(position, Color::kWhite) || bare(position, Color::kBlack));
  const bool declared =
      rules.mode == CountMode::kManual && !pieces_honour && position.count_limit == board_honour(rules);
  if (!declared) return Counter::kNobody;
  return as_counter(position.count % 2 == 0 ? position.to_move : other(position.to_move));
}

}  // namespace makzero::game
