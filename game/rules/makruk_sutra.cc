// Makruk with the sutras, extra first moves, and with Takhaeng Ruea, a handicap.
//
// Source: Wikipedia "Makruk", sections on Sut Khun, Sut Met, Sut Ma and Takhaeng Ruea. Choices where it
// is silent:
//  - Each sutra is the piece's own first move, once, whatever else has moved. A capture elsewhere does
//    not end it (`sutra_requires_no_captures=on`: any capture ends all, as in Ok).
//  - Sut Khun: the king leaps like a knight to an empty square of the row before it, b2 or f2; not
//    while in check (`sut_khun_in_check=on`: also then).
//  - Sut Met: the pawn before the met steps from its third rank to the fourth, and the met takes its
//    place, over whatever stands between. Sut Ma: the same with a pawn a knight's move ahead of a
//    knight. Both are one move, never take, and may answer a check by blocking it.
//  - `takhaeng=a1h1` sets up mets for the rooks ("tilted boats") of these squares, given in any order.
// Each of `sut_khun`, `sut_met`, `sut_ma` may be off. All else as in Makruk.
//
// Position: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w BDEGbdeg - 0 1"; the letters are the files
// of the pieces that keep their first move. Moves: "d1b2" Sut Khun, "e1e3" Sut Met (with e3e4), "b1c3"
// Sut Ma (with c3c4): the piece's own squares; its pawn still stands on the destination.
#include <utility>

#include "game/rule_features.h"
#include "game/rules/chess_game.h"
#include "game/rules/chess_moves.h"
#include "game/rules/first_moves.h"
#include "game/rules/games.h"
#include "game/rules/named_rules.h"

namespace makzero::game {
namespace {

struct SutraRules : ChessRules {
  bool khun_off = false, met_off = false, ma_off = false;
  bool khun_in_check = false;         // The king may also leap out of check.
  bool requires_no_captures = false;  // A capture ends all first moves.
  int takhaeng = 0;                   // Bits 0-3: a met instead of the rook on a1, h1, a8, h8.
};

constexpr Square kCorners[] = {square_at(0, 0), square_at(7, 0), square_at(0, 7), square_at(7, 7)};
constexpr int kCornerSets = 1 << 4;

// The value of `takhaeng` for a set of corners: "none", "a1", "h1", "a1h1", ...
std::string corners_text(int set) {
  std::string text;
  for (int i = 0; i < 4; ++i) {
    if (set >> i & 1) text += square_text(kCorners[i]);
  }
  return text.empty() ? "none" : text;
}

// The same corners in the order in which they are written; any other text stays as it is.
std::string in_order(const std::string& corners) {
  int set = 0;
  for (int i = 0; i < 4; ++i) {
    if (corners.find(square_text(kCorners[i])) != std::string::npos) set |= 1 << i;
  }
  const std::string ordered = corners_text(set);
  return ordered.size() == corners.size() && set ? ordered : corners;
}

std::vector<Option> sutra_options() {
  std::vector<Option> table;
  add_count_options<SutraRules>(&table);
  add_chess_end_options<SutraRules>(&table);
  table.push_back(choice_of<&SutraRules::khun_off, SutraRules>("sut_khun", {"on", "off"}));
  table.push_back(choice_of<&SutraRules::met_off, SutraRules>("sut_met", {"on", "off"}));
  table.push_back(choice_of<&SutraRules::ma_off, SutraRules>("sut_ma", {"on", "off"}));
  table.push_back(choice_of<&SutraRules::khun_in_check, SutraRules>("sut_khun_in_check", {"off", "on"}));
  table.push_back(
      choice_of<&SutraRules::requires_no_captures, SutraRules>("sutra_requires_no_captures", {"off", "on"}));
  std::vector<std::string> corners(kCornerSets);
  for (int set = 0; set < kCornerSets; ++set) corners[set] = corners_text(set);
  table.push_back(choice_of<&SutraRules::takhaeng, SutraRules>("takhaeng", corners));
  return table;
}

void add_features(const SutraRules& rules, GameInfo* info) {
  add_chess_features(rules, info);
  add_count_features(rules, info);
  add_feature("king_leap", !rules.khun_off, info);
  add_feature("king_leap_in_check", rules.khun_in_check, info);
  add_feature("sut_met", !rules.met_off, info);
  add_feature("sut_ma", !rules.ma_off, info);
  add_feature("captures_end_first_moves", rules.requires_no_captures, info);
}

ChessParts sutra_parts(const SutraRules& rules) {
  ChessParts parts;
  if (!rules.khun_off) parts.first_movers.push_back(kKing);
  if (!rules.met_off) parts.first_movers.push_back(kMet);
  if (!rules.ma_off) parts.first_movers.push_back(kKnight);
  return parts;
}

// Where an unmoved piece may change places with a pawn: `way` are the pawns that may step on. Such a move is
// safe for the king if the pawn's step is and nothing pins the piece; its destination stays occupied, so that
// a pin of the pawn does not matter.
template <Color kSide>
Bitboard double_move(const Position& position, const ChecksAndPins& safety, FirstMove piece, Square home,
                     Bitboard way) {
  return unmoved<kSide>(position, piece) && !contains(safety.pinned, home) ? way : 0;
}

template <Color kSide, class Visitor>
void visit_sutras(const SutraRules& rules, const Position& position, const ChecksAndPins& safety,
                  Visitor* visitor) {
  if (rules.khun_in_check || !contains(safety.attacked, safety.king)) {
    visitor->from(safety.king, king_leaps<kSide>(position, safety) & kSecondRow<kSide>);
  }
  constexpr Bitboard third_row = forward<kSide>(kSecondRow<kSide>);
  const Bitboard pawns = position.own() & position.kind[kPawn] & third_row;
  const Bitboard steps = forward<kSide>(pawns) & ~position.occupied() & safety.targets;
  const Bitboard way = forward<other(kSide)>(steps);
  if (way == 0) return;
  constexpr Square met = kMetHome<kSide>;
  constexpr Bitboard before_met = forward<kSide>(forward<kSide>(bit(met)));
  visitor->from(met, double_move<kSide>(position, safety, kMetUnmoved, met, way & before_met));
  constexpr Square left = kLeftKnightHome<kSide>, right = kRightKnightHome<kSide>;
  visitor->from(left, double_move<kSide>(position, safety, kLeftUnmoved, left, way & kSteps[left].knight));
  visitor->from(right,
                double_move<kSide>(position, safety, kRightUnmoved, right, way & kSteps[right].knight));
}

// The mover's pawn steps on. The no-progress plies run on all the same: the move is its piece's.
void step_aside(const Displacement& pawn, Position* position) {
  const Bitboard step = bit(pawn.from) | bit(pawn.to);
  position->kind[kPawn] ^= step;
  position->side[index(position->to_move)] ^= step;
}

class MakrukSutra final : public VisitedMoves<MakrukSutra> {
 public:
  MakrukSutra(GameInfo info, const SutraRules& rules)
      : VisitedMoves(std::move(info), rules, sutra_parts(rules)), rules_(rules) {}

  Position initial() const override {
    Position position = ChessGame::initial();
    for (int i = 0; i < 4; ++i) {
      if (!(rules_.takhaeng >> i & 1)) continue;
      position.kind[kRook] ^= bit(kCorners[i]);
      position.kind[kMet] ^= bit(kCorners[i]);
    }
    return position;
  }

  template <Color kSide, class Visitor>
  void visit_moves(const Position& position, Visitor* visitor) const {
    const MakrukSteps steps;
    const ChecksAndPins safety = checks_and_pins<kSide>(position, steps);
    visit_chess_moves<kSide>(position, steps, safety, visitor);
    if (position.rights) visit_sutras<kSide>(rules_, position, safety, visitor);
  }

  void apply(Move move, Position* position) const override {
    if (const auto pawn = displacement(*position, move)) step_aside(*pawn, position);
    const CountedMove done = move_piece(move, kPromotionRank, position);
    position->rights &= ~(first_moves().at(move.origin()) | first_moves().at(move.destination()));
    if (done.captured && rules_.requires_no_captures) position->rights = 0;
    count_move(rules_, done, position);
  }

  std::optional<Displacement> displacement(const Position& position, Move move) const override {
    if (!contains(position.own(), move.destination())) return std::nullopt;
    const int ahead = position.to_move == Color::kWhite ? 8 : -8;
    return Displacement{move.destination(), static_cast<Square>(move.destination() + ahead)};
  }

 private:
  SutraRules rules_;
};

}  // namespace

Rulesets makruk_sutra_rulesets() {
  Rulesets rulesets = make_rulesets<MakrukSutra, SutraRules>(
      {"chess",
       "Wikipedia, Makruk (Sut Khun, Sut Met, Sut Ma, Takhaeng Ruea); Makruk's sources for the rest",
       {{"makruk-sutra",
         "Makruk with sutras",
         "Thai chess with extra first moves: the king's leap, and queens and knights that change places with "
         "a "
         "pawn that steps on.",
         {}}},
       sutra_options(),
       add_features});
  rulesets.make = [make = rulesets.make](std::string_view ruleset, OptionTexts options) {
    for (auto& [name, value] : options) {
      if (name == "takhaeng") value = in_order(value);
    }
    return make(ruleset, options);
  };
  return rulesets;
}

}  // namespace makzero::game
