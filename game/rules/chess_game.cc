#include "game/rules/chess_game.h"

#include "game/rule_features.h"
#include "game/rules/chess_fields.h"
#include "game/rules/chess_moves.h"
#include "game/rules/piece_limits.h"
#include "game/symmetry.h"

namespace makzero::game {
namespace {

constexpr Bitboard kDarkSquares = 0xAA55AA55AA55AA55u;  // a1 is dark.

constexpr int kRepetition = 3;

std::string name_of(Color side) { return side == Color::kWhite ? "White" : "Black"; }

// True if both sides have one king; adds a reason where they do not.
bool check_kings(const Position& position, std::vector<std::string>* reasons) {
  bool good = true;
  for (const Color side : {Color::kWhite, Color::kBlack}) {
    const int count = size(position.side[index(side)] & position.kind[kKing]);
    if (count == 1) continue;
    good = false;
    reasons->push_back(name_of(side) + " has " + std::to_string(count) + " kings: place exactly one " +
                       (side == Color::kWhite ? "K" : "k"));
  }
  return good;
}

// As many of a kind as the set-up has, and a met for every pawn.
void check_counts(const Position& start, const Position& position, std::vector<std::string>* reasons) {
  static constexpr std::pair<ChessKind, const char*> kNames[] = {
      {kMet, "mets"}, {kKhon, "khons"}, {kKnight, "knights"}, {kRook, "rooks"}, {kPawn, "pawns"}};
  for (const Color side : {Color::kWhite, Color::kBlack}) {
    const int us = index(side);
    for (const auto& [kind, name] : kNames) {
      const Bitboard sources = start.kind[kind] | (kind == kMet ? start.kind[kPawn] : 0);
      check_at_most(size(start.side[us] & sources), name, side, size(position.side[us] & position.kind[kind]),
                    reasons);
    }
  }
}

void check_pawns(Color side, int promotion_rank, const Position& position,
                 std::vector<std::string>* reasons) {
  const Bitboard zone = promotion_zone(side, promotion_rank);
  for (Bitboard pawns = position.side[index(side)] & position.kind[kPawn] & zone; pawns;) {
    reasons->push_back(name_of(side) + "'s pawn on " + square_text(pop_first(&pawns)) +
                       " has passed its promotion rank: write it as a met, " +
                       (side == Color::kWhite ? "M" : "m"));
  }
}

void check_rights(std::span<const Right> rights, const Position& position,
                  std::vector<std::string>* reasons) {
  for (const Right& right : rights) {
    const Bitboard piece = position.side[index(right.side)] & position.kind[right.kind];
    if (!(position.rights & right.bit) || contains(piece, right.home)) continue;
    reasons->push_back("first-move right '" + std::string(1, right.letter) + "' needs " +
                       name_of(right.side) + "'s " + kChessKinds[right.kind] + " on " +
                       square_text(right.home) + ": place it or leave the right out");
  }
}

}  // namespace

void add_chess_features(const ChessRules& rules, GameInfo* info) {
  if (!rules.repetition_off) add_feature("repetition", 2.0f / kRepetition, info);
}

void add_count_features(const CountRules& rules, GameInfo* info) {
  add_choice_feature(rules.scheme, {"counting=makruk", "counting=seagames"}, info);
  add_choice_feature(rules.mode, {"", "count.mode=manual"}, info);
  add_feature("count.snn=44", rules.snn_44, info);
  add_feature("count.keep_shorter", rules.keep_shorter, info);
  add_choice_feature(rules.who, {"", "count.who=any"}, info);
  add_feature("count.board=64", rules.board_64, info);
}

ChessGame::ChessGame(GameInfo info, const ChessRules& rules, const ChessParts& parts)
    : rules_(rules),
      first_moves_(parts.first_movers),
      promotion_rank_(parts.promotion_rank),
      info_(std::move(info)) {
  info_.kinds = kChessKinds;
  info_.kind_value = {0, 170, 260, 300, 500, 100};
  info_.has_rights = first_moves_.all() != 0;
  info_.takes_by_arrival = true;
  info_.has_counting = true;
  info_.repetition = rules.repetition_off ? 0 : kRepetition;
  info_.max_plies = rules.max_plies;
}

Position ChessGame::initial() const {
  Position position;
  position.kind[kKing] = bit(square_at(3, 0)) | bit(square_at(4, 7));
  position.kind[kMet] = bit(square_at(4, 0)) | bit(square_at(3, 7));
  position.kind[kKhon] = 0x2400000000000024u;
  position.kind[kKnight] = 0x4200000000000042u;
  position.kind[kRook] = 0x8100000000000081u;
  position.kind[kPawn] = kRank1 << 16 | kRank1 << 40;
  position.side[0] = kRank1 | kRank1 << 16;
  position.side[1] = kRank8 | kRank1 << 40;
  position.rights = first_moves_.all();
  return position;
}

Outcome ChessGame::outcome(const Position& position, bool can_move, int occurrences) const {
  if (!can_move) return no_reply(position);
  return with_replies(position, occurrences, insufficient_material(position));
}

Threats ChessGame::threats(const Position& position, Color side) const {
  const Bitboard attacks = chess_attacks(position, side);
  return {attacks & position.side[index(other(side))], attacks};
}

Bitboard ChessGame::attackers(const Position& position, Square square, Bitboard occupied) const {
  return chess_attackers(position, square, occupied);
}

// A piece that keeps its first move has its home on one wing.
std::uint8_t ChessGame::symmetries(const Position& position) const {
  return position.rights ? kIdentityOnly : kLeftRight;
}

std::vector<Declaration> ChessGame::declarations(const Position& position) const {
  return count_declarations(rules_, position, material_lead(info_, position, position.to_move) < 0);
}

void ChessGame::declare(Declaration declaration, Position* position) const {
  declare_count(rules_, declaration, position);
}

std::string ChessGame::fields_text(const Position& position) const {
  return chess_fields_text(first_moves_.rights(), position);
}

void ChessGame::read_fields(std::span<const std::string_view> fields, Position* position,
                            std::vector<std::string>* reasons) const {
  read_chess_fields(first_moves_.rights(), fields, position, reasons);
  position->counter = counter_of_count(rules_, *position);
}

void ChessGame::check(const Position& position, std::vector<std::string>* reasons) const {
  const Color waiting = other(position.to_move);
  if (check_kings(position, reasons) && in_check(position, waiting)) {
    reasons->push_back(name_of(waiting) + " is in check but " + name_of(position.to_move) +
                       " is to move: change the side to move or the pieces");
  }
  for (const Color side : {Color::kWhite, Color::kBlack})
    check_pawns(side, promotion_rank_, position, reasons);
  check_counts(initial(), position, reasons);
  check_rights(first_moves_.rights(), position, reasons);
}

std::string ChessGame::move_suffix(const Position& position, Move move) const {
  const bool pawn = contains(position.kind[kPawn], move.origin());
  return pawn && contains(promotion_zone(position.to_move, promotion_rank_), move.destination()) ? "m" : "";
}

bool ChessGame::in_check(const Position& position, Color side) const {
  return threats(position, other(side)).targets & position.kind[kKing];
}

Outcome ChessGame::no_reply(const Position& position) const {
  if (!in_check(position, position.to_move)) return {Result::kDraw, Reason::kStalemate};
  const Color mover = other(position.to_move);
  if (counts(position, mover)) return {Result::kDraw, Reason::kCounterMated};
  return {win_of(mover), Reason::kCheckmate};
}

Outcome ChessGame::with_replies(const Position& position, int occurrences, bool dead) const {
  if (dead) return {Result::kDraw, Reason::kInsufficientMaterial};
  if (count_exceeded(position)) return {Result::kDraw, Reason::kCountExceeded};
  if (!rules_.repetition_off && occurrences >= info_.repetition) return {Result::kDraw, Reason::kRepetition};
  if (plies_left(info_, position) == 0) return {Result::kDraw, Reason::kPlyLimit};
  return {};
}

bool insufficient_material(const Position& position) {
  const Bitboard pieces = position.occupied() & ~position.kind[kKing];
  if (pieces & (position.kind[kRook] | position.kind[kKhon])) return false;
  const Bitboard mets = position.kind[kMet];
  if (pieces == mets) return !(mets & kDarkSquares) || !(mets & ~kDarkSquares);
  return size(pieces) == 1;
}

}  // namespace makzero::game
