#include "game/rules/makruk_sutra.h"

#include "game/rule_features.h"
#include "game/rules/chess_moves.h"
#include "game/rules/first_moves.h"

namespace makzero::game {
namespace {

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

const std::vector<Option<SutraRules>>& sutra_options() {
  static const std::vector<Option<SutraRules>> kOptions = [] {
    std::vector<Option<SutraRules>> table;
    add_count_options(&table);
    add_chess_end_options(&table);
    table.push_back(choice_of<&SutraRules::khun_off, SutraRules>("sut_khun", {"on", "off"}));
    table.push_back(choice_of<&SutraRules::met_off, SutraRules>("sut_met", {"on", "off"}));
    table.push_back(choice_of<&SutraRules::ma_off, SutraRules>("sut_ma", {"on", "off"}));
    table.push_back(choice_of<&SutraRules::khun_in_check, SutraRules>("sut_khun_in_check", {"off", "on"}));
    table.push_back(choice_of<&SutraRules::requires_no_captures, SutraRules>("sutra_requires_no_captures",
                                                                             {"off", "on"}));
    std::vector<std::string> corners(kCornerSets);
    for (int set = 0; set < kCornerSets; ++set) corners[set] = corners_text(set);
    table.push_back(choice_of<&SutraRules::takhaeng, SutraRules>("takhaeng", corners));
    return table;
  }();
  return kOptions;
}

GameInfo sutra_info(std::string ruleset, const SutraRules& rules) {
  GameInfo info;
  info.ruleset = std::move(ruleset);
  info.title = "Makruk with sutras";
  info.summary =
      "Thai chess with extra first moves: the king's leap, and queens and knights that change places with a "
      "pawn "
      "that steps on.";
  info.source = "Wikipedia, Makruk (Sut Khun, Sut Met, Sut Ma, Takhaeng Ruea); Makruk's sources for the rest";
  info.options = describe_options(sutra_options(), rules);
  add_chess_features("makruk-sutra", rules, &info);
  add_count_features(rules, &info);
  add_feature("king_leap", !rules.khun_off, &info);
  add_feature("king_leap_in_check", rules.khun_in_check, &info);
  add_feature("sut_met", !rules.met_off, &info);
  add_feature("sut_ma", !rules.ma_off, &info);
  add_feature("captures_end_first_moves", rules.requires_no_captures, &info);
  return info;
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

template <class Visitor>
void visit_moves(const SutraRules& rules, const Position& position, Visitor* visitor) {
  by_side(position.to_move, [&]<Color kSide>() {
    const MakrukSteps steps;
    const ChecksAndPins safety = checks_and_pins<kSide>(position, steps);
    visit_chess_moves<kSide>(position, steps, safety, visitor);
    if (position.rights) visit_sutras<kSide>(rules, position, safety, visitor);
  });
}

// The mover's pawn steps on. The no-progress plies run on all the same: the move is its piece's.
void step_aside(const Displacement& pawn, Position* position) {
  const Bitboard step = bit(pawn.from) | bit(pawn.to);
  position->kind[kPawn] ^= step;
  position->side[index(position->to_move)] ^= step;
}

}  // namespace

MakrukSutra::MakrukSutra(std::string ruleset, const SutraRules& rules)
    : ChessGame(sutra_info(std::move(ruleset), rules), rules, sutra_parts(rules)), rules_(rules) {}

Position MakrukSutra::initial() const {
  Position position = ChessGame::initial();
  for (int i = 0; i < 4; ++i) {
    if (!(rules_.takhaeng >> i & 1)) continue;
    position.kind[kRook] ^= bit(kCorners[i]);
    position.kind[kMet] ^= bit(kCorners[i]);
  }
  return position;
}

void MakrukSutra::legal_moves(const Position& position, MoveList* moves) const {
  moves->clear();
  MoveLister lister{moves};
  visit_moves(rules_, position, &lister);
}

int MakrukSutra::count_moves(const Position& position) const {
  MoveCounter counter;
  visit_moves(rules_, position, &counter);
  return counter.moves;
}

std::optional<Displacement> MakrukSutra::displacement(const Position& position, Move move) const {
  if (!contains(position.own(), move.destination())) return std::nullopt;
  const int ahead = position.to_move == Color::kWhite ? 8 : -8;
  return Displacement{move.destination(), static_cast<Square>(move.destination() + ahead)};
}

void MakrukSutra::apply(Move move, Position* position) const {
  if (const auto pawn = displacement(*position, move)) step_aside(*pawn, position);
  const CountedMove done = move_piece(move, kPromotionRank, position);
  position->rights &= ~(first_moves().at(move.origin()) | first_moves().at(move.destination()));
  if (done.captured && rules_.requires_no_captures) position->rights = 0;
  count_move(rules_, done, position);
}

Parsed<GamePtr> make_makruk_sutra(std::string_view ruleset, const OptionTexts& options) {
  OptionTexts ordered = options;
  for (auto& [name, value] : ordered) {
    if (name == "takhaeng") value = in_order(value);
  }
  return make_chess_game<MakrukSutra>(ruleset, sutra_options(), SutraRules(), ordered);
}

}  // namespace makzero::game
