// Makruk against a plain second implementation of its rules: a letter per square, every move tried, the count
// as the rules' text puts it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <random>

#include "tests/support/playthrough.h"
#include "tests/support/position_tools.h"
#include "tests/support/random_arrangement.h"

namespace makzero::game {
namespace {

struct Offset {
  int files, ranks;
};

// A game of Makruk, slow and simple. Squares are numbers as in square.h; '.' is an empty one.
class Reference {
 public:
  explicit Reference(const Position& position) {
    board_.fill('.');
    for (Square square = 0; square < kSquares; ++square) {
      for (int kind = 0; kind < kKinds; ++kind) {
        if (!contains(position.kind[kind], square)) continue;
        const char letter = "KMSNRP"[kind];
        board_[square] =
            contains(position.side[0], square) ? letter : static_cast<char>(std::tolower(letter));
      }
    }
    white_ = position.to_move == Color::kWhite;
    limit_ = position.count_limit;
    count_ = position.count;
  }

  struct Step {
    Square from, to;
  };

  std::vector<Step> moves() const {
    std::vector<Step> legal;
    for (const Step step : steps_of(white_, false)) {
      Reference after = *this;
      after.move_piece(step);
      if (!after.attacked(white_)) legal.push_back(step);
    }
    return legal;
  }

  std::string text(Step step) const {
    return square_text(step.from) + square_text(step.to) + (promotes(step) ? "m" : "");
  }

  void play(Step step) {
    const char taken = board_[step.to];
    const bool captured = taken != '.', pawn_taken = captured && std::toupper(taken) == 'P';
    const bool promoted = promotes(step);
    move_piece(step);
    update_count(captured, pawn_taken, promoted);
    white_ = !white_;
  }

  int limit() const { return limit_; }
  int count() const { return limit_ > 0 ? count_ : 0; }

  Outcome outcome() const {
    if (moves().empty()) {
      if (!attacked(white_)) return {Result::kDraw, Reason::kStalemate};
      return {white_ ? Result::kBlackWins : Result::kWhiteWins, Reason::kCheckmate};
    }
    if (dead()) return {Result::kDraw, Reason::kInsufficientMaterial};
    if (limit_ > 0 && count_ > limit_) return {Result::kDraw, Reason::kCountExceeded};
    return {};
  }

 private:
  bool is_white(Square square) const { return std::isupper(static_cast<unsigned char>(board_[square])); }
  bool owned(Square square, bool white) const { return board_[square] != '.' && is_white(square) == white; }

  // What a side can do when its king may be left in check; `captures_only` also lists captures of nothing,
  // that is, every attacked square.
  std::vector<Step> steps_of(bool white, bool captures_only) const {
    std::vector<Step> steps;
    for (Square from = 0; from < kSquares; ++from) {
      if (owned(from, white)) add_steps(from, captures_only, &steps);
    }
    return steps;
  }

  void add_steps(Square from, bool captures_only, std::vector<Step>* steps) const {
    const bool white = is_white(from);
    const int ahead = white ? 1 : -1;
    const char kind = static_cast<char>(std::toupper(board_[from]));
    static const std::vector<Offset> kStraight = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    static const std::vector<Offset> kDiagonal = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    static const std::vector<Offset> kLeaps = {{1, 2},  {2, 1},  {-1, 2},  {-2, 1},
                                               {1, -2}, {2, -1}, {-1, -2}, {-2, -1}};
    std::vector<Offset> offsets;
    if (kind == 'K' || kind == 'R') offsets = kStraight;
    if (kind == 'K' || kind == 'M' || kind == 'S')
      offsets.insert(offsets.end(), kDiagonal.begin(), kDiagonal.end());
    if (kind == 'S') offsets.push_back({0, ahead});
    if (kind == 'N') offsets = kLeaps;
    for (const Offset offset : offsets) add_line(from, offset, kind == 'R' ? 7 : 1, steps);
    if (kind != 'P') return;
    for (const int side : {-1, 1}) {
      const auto to = moved(from, {side, ahead});
      if (to && (captures_only || owned(*to, !white))) steps->push_back({from, *to});
    }
    const auto to = moved(from, {0, ahead});
    if (!captures_only && to && board_[*to] == '.') steps->push_back({from, *to});
  }

  void add_line(Square from, Offset offset, int length, std::vector<Step>* steps) const {
    auto to = moved(from, offset);
    for (int i = 0; i < length && to; ++i) {
      if (owned(*to, is_white(from))) return;
      steps->push_back({from, *to});
      if (board_[*to] != '.') return;
      to = moved(*to, offset);
    }
  }

  static std::optional<Square> moved(Square from, Offset offset) {
    const int file = file_of(from) + offset.files, rank = rank_of(from) + offset.ranks;
    if (file < 0 || file > 7 || rank < 0 || rank > 7) return std::nullopt;
    return square_at(file, rank);
  }

  // Could the other side take this side's king?
  bool attacked(bool white) const {
    for (const Step step : steps_of(!white, true)) {
      if (board_[step.to] == (white ? 'K' : 'k')) return true;
    }
    return false;
  }

  bool promotes(Step step) const {
    if (board_[step.from] == 'P') return rank_of(step.to) == 5;
    return board_[step.from] == 'p' && rank_of(step.to) == 2;
  }

  void move_piece(Step step) {
    const bool promoted = promotes(step);
    board_[step.to] = board_[step.from];
    board_[step.from] = '.';
    if (promoted) board_[step.to] = board_[step.to] == 'P' ? 'M' : 'm';
  }

  int number(char letter) const { return static_cast<int>(std::count(board_.begin(), board_.end(), letter)); }

  int number(char letter, bool white) const {
    return number(white ? letter : static_cast<char>(std::tolower(letter)));
  }

  int pieces(bool white) const {
    int sum = 0;
    for (const char letter : {'K', 'M', 'S', 'N', 'R', 'P'}) sum += number(letter, white);
    return sum;
  }

  // Table T of the rules, in moves.
  int table(bool chaser) const {
    if (number('R', chaser) >= 2) return 8;
    if (number('R', chaser) == 1) return 16;
    if (number('S', chaser) >= 2) return 22;
    if (number('N', chaser) >= 2) return 32;
    if (number('S', chaser) == 1) return 44;
    return 64;
  }

  // The five cases of the rules, after a move of A = the side to move, before the turn passes to B.
  void update_count(bool captured, bool pawn_taken, bool promoted) {
    const bool a = white_, b = !white_;
    const int unpromoted = number('P') + number('p');
    if (limit_ > 0) count_ += 1;
    if (unpromoted > 0) return;
    if (pieces(b) == 1 && pieces(a) > 1 && (captured || promoted || limit_ == 0)) {
      limit_ = 2 * table(a);
      count_ = 2 * (pieces(a) + pieces(b));
    } else if (pieces(a) == 1 && pieces(b) > 1 && pawn_taken) {
      limit_ = 2 * table(b);
      count_ = 2 * (pieces(a) + pieces(b)) - 1;
    } else if (pieces(a) > 1 && pieces(b) > 1 && limit_ == 0) {
      limit_ = 128;
      count_ = 0;
    }
  }

  bool dead() const {
    int mets[2] = {}, others = 0, knights_or_pawns = 0;
    for (Square square = 0; square < kSquares; ++square) {
      const char kind = static_cast<char>(std::toupper(board_[square]));
      if (kind == 'M') ++mets[(file_of(square) + rank_of(square)) % 2];
      if (kind == 'N' || kind == 'P') ++knights_or_pawns;
      if (kind == 'S' || kind == 'R') ++others;
    }
    if (others > 0) return false;
    if (knights_or_pawns > 0) return knights_or_pawns == 1 && mets[0] + mets[1] == 0;
    return mets[0] == 0 || mets[1] == 0;
  }

  std::array<char, kSquares> board_;
  bool white_ = true;
  int limit_ = 0;
  int count_ = 0;
};

// Plays random moves on both implementations and compares all they say; returns how the game ended.
Reason compare_game(const Game& game, Position position, std::mt19937_64* random) {
  Reference reference(position);
  for (int ply = 0; ply < 400; ++ply) {
    const std::string where = position_text(game, position);
    MoveList legal;
    game.legal_moves(position, &legal);
    std::vector<std::string> texts, expected;
    for (const Move move : legal) texts.push_back(move_text(game, position, move));
    const std::vector<Reference::Step> steps = reference.moves();
    for (const Reference::Step step : steps) expected.push_back(reference.text(step));
    EXPECT_THAT(texts, testing::UnorderedElementsAreArray(expected)) << where;
    EXPECT_EQ(game.count_moves(position), static_cast<int>(steps.size())) << where;
    const Outcome outcome = game.outcome(position, !legal.empty(), 1);
    EXPECT_EQ(outcome, reference.outcome()) << where;
    EXPECT_EQ(position.count_limit, reference.limit()) << where;
    EXPECT_EQ(position.count, reference.count()) << where;
    EXPECT_TRUE(well_formed(position, kAllSquares)) << where;
    if (outcome.over() || testing::Test::HasFailure()) return outcome.reason;
    const Reference::Step step = steps[(*random)() % steps.size()];
    game.apply(*parse_move(game, position, reference.text(step)), &position);
    reference.play(step);
  }
  return Reason::kNone;
}

TEST(MakrukReferenceTest, RandomGamesFromTheStartAgree) {
  const auto game = make_game("makruk");
  std::mt19937_64 random(20);
  for (int i = 0; i < 30 && !HasFailure(); ++i) compare_game(**game, (*game)->initial(), &random);
}

TEST(MakrukReferenceTest, RandomEndingsAgreeAndEndInEveryWay) {
  const auto game = make_game("makruk");
  std::mt19937_64 random(21);
  std::map<Reason, int> ends;
  for (int i = 0; i < 2000 && !HasFailure(); ++i) {
    const auto position = random_arrangement(**game, 8, &random);
    if (position) ++ends[compare_game(**game, *position, &random)];
  }
  for (const Reason reason :
       {Reason::kCheckmate, Reason::kStalemate, Reason::kInsufficientMaterial, Reason::kCountExceeded}) {
    EXPECT_GT(ends[reason], 3) << reason_text(reason);
  }
}

TEST(MakrukReferenceTest, RandomArrangementsHaveTheSameMoves) {
  const auto game = make_game("makruk");
  std::mt19937_64 random(22);
  for (int i = 0; i < 20000 && !HasFailure(); ++i) {
    const auto position = random_arrangement(**game, 24, &random);
    if (!position) continue;
    EXPECT_EQ((*game)->count_moves(*position), static_cast<int>(Reference(*position).moves().size()))
        << position_text(**game, *position);
  }
}

}  // namespace
}  // namespace makzero::game
