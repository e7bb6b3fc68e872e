// What all games of the chess family share: set-up, first-move rights, counting, endings and texts. A game
// adds its moves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "game/options.h"
#include "game/rules/counting.h"
#include "game/rules/first_moves.h"

namespace makzero::game {

struct ChessRules : CountRules {
  bool repetition_off = false;  // Positions may occur any number of times.
  // The draw that stops games in which nothing is counted, by plies from the given position on; a safety net.
  // 0 = never.
  int max_plies = 600;
};

// What a game of the family is made of beside its rules.
struct ChessParts {
  std::vector<ChessKind> first_movers;  // Kinds with first-move rights.
  int promotion_rank = kPromotionRank;  // White's, 1 to 8.
};

class ChessGame : public Game {
 public:
  const GameInfo& info() const override { return info_; }
  Position initial() const override;
  Outcome outcome(const Position& position, bool can_move, int occurrences) const override;
  Threats threats(const Position& position, Color side) const override;
  Bitboard attackers(const Position& position, Square square, Bitboard occupied) const override;
  std::uint8_t symmetries(const Position& position) const override;

  std::vector<Declaration> declarations(const Position& position) const override;
  void declare(Declaration declaration, Position* position) const override;

  std::string fields_text(const Position& position) const override;
  void read_fields(std::span<const std::string_view> fields, Position* position,
                   std::vector<std::string>* reasons) const override;
  void check(const Position& position, std::vector<std::string>* reasons) const override;
  std::string move_suffix(const Position& position, Move move) const override;

 protected:
  // Completes `info` (title, summary, source, options) by what the family shares.
  ChessGame(GameInfo info, const ChessRules& rules, const ChessParts& parts);

  // REQUIRES: both sides have a king.
  bool in_check(const Position& position, Color side) const;

  // The outcome of a position without legal moves.
  Outcome no_reply(const Position& position) const;

  // The outcome of a position with legal moves. `dead`: neither side can mate any more.
  Outcome with_replies(const Position& position, int occurrences, bool dead) const;

  const CountRules& count_rules() const { return rules_; }
  const FirstMoves& first_moves() const { return first_moves_; }

 private:
  ChessRules rules_;
  FirstMoves first_moves_;
  int promotion_rank_;
  GameInfo info_;
};

// A game of the family that lists and counts the moves that Derived::visit_moves<side>(position, visitor)
// visits; see visit_chess_moves().
template <class Derived, class Base = ChessGame>
class VisitedMoves : public Base {  // NOLINT(bugprone-crtp-constructor-accessibility): has those of Base.
 public:
  using Base::Base;

  void legal_moves(const Position& position, MoveList* moves) const override {
    moves->clear();
    MoveLister lister{moves};
    visit(position, &lister);
  }

  int count_moves(const Position& position) const override {
    MoveCounter counter;
    visit(position, &counter);
    return counter.moves;
  }

 private:
  template <class Visitor>
  void visit(const Position& position, Visitor* visitor) const {
    by_side(position.to_move, [&]<Color kSide>() {
      static_cast<const Derived*>(this)->template visit_moves<kSide>(position, visitor);
    });
  }
};

// The features that all games of the family have, the kind of counting excepted.
void add_chess_features(const ChessRules& rules, GameInfo* info);

// The features of Makruk's counting and its options.
void add_count_features(const CountRules& rules, GameInfo* info);

// Neither side can give mate by any sequence of Makruk's moves.
bool insufficient_material(const Position& position);

// Appends the rows that every game with Makruk's counting has to the table of its options.
template <class Rules>
void add_count_options(std::vector<Option>* table) {
  table->push_back(choice_of<&Rules::mode, Rules>("count.mode", {"auto", "manual"}));
  table->push_back(choice_of<&Rules::who, Rules>("count.who", {"weaker", "any"}));
  table->push_back(choice_of<&Rules::board_64, Rules>("count.board", {"65", "64"}));
  table->push_back(choice_of<&Rules::snn_44, Rules>("count.snn", {"32", "44"}));
  table->push_back(choice_of<&Rules::keep_shorter, Rules>("count.keep_shorter", {"off", "on"}));
}

// Appends the rows that every game of the family has.
template <class Rules>
void add_chess_end_options(std::vector<Option>* table) {
  table->push_back(choice_of<&Rules::repetition_off, Rules>("repetition", {"3", "off"}));
  table->push_back(number_of<&Rules::max_plies, Rules>("max_plies", 0, 10000));
}

}  // namespace makzero::game
