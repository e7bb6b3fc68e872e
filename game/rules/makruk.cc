#include "game/rules/makruk.h"

#include "game/rules/chess_fields.h"
#include "game/rules/chess_moves.h"
#include "game/symmetry.h"

namespace makzero::game {
namespace {

constexpr int kPromotionRank = 6;                       // White's; Black's is the third.
constexpr Bitboard kDarkSquares = 0xAA55AA55AA55AA55u;  // a1 is dark.

// Where a pawn of the side becomes a met.
constexpr Bitboard promotion_zone(Color side) {
  const int behind = 8 * (kPromotionRank - 1);
  return side == Color::kWhite ? kAllSquares << behind : kAllSquares >> behind;
}

const std::vector<Option<MakrukRules>>& makruk_options() {
  static const std::vector<Option<MakrukRules>> kOptions = {
      choice_of<&CountRules::mode, MakrukRules>("count.mode", {"auto", "manual"}),
      choice_of<&CountRules::snn_44, MakrukRules>("count.snn", {"32", "44"}),
      choice_of<&CountRules::keep_shorter, MakrukRules>("count.keep_shorter", {"off", "on"}),
      choice_of<&MakrukRules::repetition_off, MakrukRules>("repetition", {"3", "off"}),
      number_of<&MakrukRules::max_plies, MakrukRules>("max_plies", 1, 10000),
  };
  return kOptions;
}

GameInfo makruk_info(std::string ruleset, const MakrukRules& rules) {
  GameInfo info;
  info.ruleset = std::move(ruleset);
  info.title = "Makruk";
  info.summary =
      "Thai chess: mate the king; pawns promote to mets on the sixth rank; pawnless endings are counted.";
  info.source = "Wikipedia, Makruk; Fairy-Stockfish and the Thai federation where it is silent";
  info.kinds = kChessKinds;
  info.kind_value = {0, 170, 260, 300, 500, 100};
  info.has_counting = true;
  info.repetition = rules.repetition_off ? 0 : 3;
  info.max_plies = rules.max_plies;
  info.options = describe_options(makruk_options(), rules);
  return info;
}

constexpr std::span<const Right> kNoRights = {};

}  // namespace

bool dead_material(const Position& position) {
  const Bitboard pieces = position.occupied() & ~position.kind[kKing];
  if (pieces & (position.kind[kRook] | position.kind[kKhon])) return false;
  const Bitboard mets = position.kind[kMet];
  if (pieces == mets) return !(mets & kDarkSquares) || !(mets & ~kDarkSquares);
  return size(pieces) == 1;
}

Makruk::Makruk(std::string ruleset, const MakrukRules& rules)
    : rules_(rules), info_(makruk_info(std::move(ruleset), rules)) {}

Position Makruk::initial() const {
  Position position;
  position.kind[kKing] = bit(square_at(3, 0)) | bit(square_at(4, 7));
  position.kind[kMet] = bit(square_at(4, 0)) | bit(square_at(3, 7));
  position.kind[kKhon] = 0x2400000000000024u;
  position.kind[kKnight] = 0x4200000000000042u;
  position.kind[kRook] = 0x8100000000000081u;
  position.kind[kPawn] = kRank1 << 16 | kRank1 << 40;
  position.side[0] = kRank1 | kRank1 << 16;
  position.side[1] = kRank8 | kRank1 << 40;
  return position;
}

void Makruk::legal_moves(const Position& position, MoveList* moves) const {
  moves->clear();
  MoveLister lister{moves};
  visit_chess_moves(position, &lister);
}

int Makruk::count_moves(const Position& position) const {
  MoveCounter counter;
  visit_chess_moves(position, &counter);
  return counter.moves;
}

void Makruk::apply(Move move, Position* position) const {
  const Bitboard origin = bit(move.origin()), destination = bit(move.destination());
  const Color mover = position->to_move;
  CountedMove done;
  done.captured = position->occupied() & destination;
  done.captured_pawn = position->kind[kPawn] & destination;
  const bool pawn_moved = position->kind[kPawn] & origin;

  // Every kind alike, so that nobody has to find out which one moves and which is taken.
  for (Bitboard& kind : position->kind) {
    const Bitboard moved = (kind >> move.origin() & 1) << move.destination();
    kind = (kind & ~(origin | destination)) | moved;
  }
  position->side[index(mover)] ^= origin | destination;
  position->side[index(other(mover))] &= ~destination;
  if (pawn_moved && (destination & promotion_zone(mover))) {
    done.promoted = true;
    position->kind[kPawn] ^= destination;
    position->kind[kMet] ^= destination;
  }
  position->quiet_plies = done.captured || pawn_moved ? 0 : position->quiet_plies + 1;
  ++position->ply;
  position->to_move = other(mover);
  count_move(rules_, done, position);
}

Outcome Makruk::outcome(const Position& position, const MoveList& legal, int occurrences) const {
  const Color mover = other(position.to_move);
  if (legal.empty()) {
    if (!in_check(position, position.to_move)) return {Result::kDraw, Reason::kStalemate};
    if (counts(position, mover)) return {Result::kDraw, Reason::kCounterMated};
    return {win_of(mover), Reason::kCheckmate};
  }
  if (dead_material(position)) return {Result::kDraw, Reason::kDeadMaterial};
  if (count_exceeded(position)) return {Result::kDraw, Reason::kCountExceeded};
  if (!rules_.repetition_off && occurrences >= info_.repetition) return {Result::kDraw, Reason::kRepetition};
  if (position.ply >= rules_.max_plies) return {Result::kDraw, Reason::kPlyLimit};
  return {};
}

Threats Makruk::threats(const Position& position, Color side) const {
  const Bitboard attacks = chess_attacks(position, side);
  return {attacks & position.side[index(other(side))], attacks};
}

std::uint8_t Makruk::symmetries(const Position&) const { return kLeftRight; }

std::vector<Claim> Makruk::claims(const Position& position) const { return count_claims(rules_, position); }

void Makruk::make_claim(Claim claim, Position* position) const { make_count_claim(claim, position); }

std::string Makruk::fields_text(const Position& position) const {
  return chess_fields_text(kNoRights, position);
}

void Makruk::read_fields(std::span<const std::string_view> fields, Position* position,
                         std::vector<std::string>* reasons) const {
  read_chess_fields(kNoRights, fields, position, reasons);
  position->counter = counter_of_count(rules_, *position);
}

void Makruk::check(const Position& position, std::vector<std::string>* reasons) const {
  check_chess_position(kNoRights, kPromotionRank, position, reasons);
}

std::string Makruk::move_suffix(const Position& position, Move move) const {
  const bool pawn = contains(position.kind[kPawn], move.origin());
  return pawn && contains(promotion_zone(position.to_move), move.destination()) ? "m" : "";
}

Parsed<GamePtr> make_makruk(std::string_view ruleset, const OptionTexts& options) {
  std::vector<std::string> reasons;
  MakrukRules rules;
  read_options(makruk_options(), options, &rules, &reasons);
  if (!reasons.empty()) return Parsed<GamePtr>::failure(std::move(reasons));
  return GamePtr(
      std::make_shared<Makruk>(ruleset_text(ruleset, makruk_options(), MakrukRules(), rules), rules));
}

}  // namespace makzero::game
