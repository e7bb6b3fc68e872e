// The counts of the chess family against a plain reading of the rules' text, in random endings, with random
// declarations.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/playthrough.h"
#include "tests/support/random_arrangement.h"

namespace makzero::game {
namespace {

// A ruleset and what its text says about counting.
struct Counted {
  std::string ruleset;
  enum Scheme { kMakruk, kSeaGames, kLow } scheme = kMakruk;
  bool manual = false;
  int snn = 32;               // Moves for a khon and two knights.
  bool keep_shorter = false;  // A board's honour that ends sooner is kept.
  bool anybody = false;       // Both sides may declare, not the one with less material alone.
  int board = 65;             // Moves of the side that board's honour finds to move.
};

void PrintTo(const Counted& counted, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << counted.ruleset;
}

// The letters of a position's board.
std::string letters_of(const Game& game, const Position& position) {
  const std::string text = position_text(game, position);
  return text.substr(0, text.find(' '));
}

// A count as a person with the rules in hand would keep it, from the letters on the board.
class SlowCount {
 public:
  explicit SlowCount(const Counted& rules) : rules_(rules) {}

  int limit = 0, count = 0;
  int counter = -1;  // The side that has declared a count: 0 White, 1 Black, -1 nobody.

  bool may_start(const std::string& board, int side) const {
    if (!rules_.manual || limit > 0 || pieces(board, 0) == 1 || pieces(board, 1) == 1) return false;
    if (!rules_.anybody && worth(board, side) >= worth(board, 1 - side)) return false;
    return rules_.scheme == Counted::kMakruk ? pawns(board) == 0 : pieces(board, side) <= 3;
  }
  bool may_stop(int side) const { return counter == side; }

  void start(int side) { limit = board_limit(), count = 0, counter = side; }
  void stop() { limit = 0, count = 0, counter = -1; }

  // After a move of A from one board to the other; B is to move.
  void move(const std::string& before, const std::string& after, int a) {
    const int b = 1 - a;
    if (limit > 0) ++count;
    if (rules_.scheme == Counted::kLow) return bare_king_of_low(after);
    const bool captured = pieces(after, b) < pieces(before, b);
    const bool took_pawn = number(after, 'P', b) < number(before, 'P', b);
    const bool promoted = number(after, 'P', a) < number(before, 'P', a);
    if (pawns(after) > 0) {
      if (rules_.scheme == Counted::kSeaGames) begin_board_honour(after, b);
    } else if (pieces(after, b) == 1 && pieces(after, a) > 1) {
      if (captured || promoted || limit == 0) pieces_honour(after, a, 0);
    } else if (pieces(after, a) == 1 && pieces(after, b) > 1) {
      if (took_pawn) pieces_honour(after, b, 1);
    } else {
      begin_board_honour(after, b);
    }
  }

 private:
  static int number(const std::string& board, char piece, int side) {
    return static_cast<int>(std::ranges::count(board, side == 0 ? piece : static_cast<char>(piece + 32)));
  }
  static int pieces(const std::string& board, int side) {
    int sum = 0;
    for (const char piece : {'K', 'M', 'S', 'N', 'R', 'P'}) sum += number(board, piece, side);
    return sum;
  }
  // In tenths of a pawn.
  static int worth(const std::string& board, int side) {
    const std::pair<char, int> values[] = {{'M', 17}, {'S', 26}, {'N', 30}, {'R', 50}, {'P', 10}};
    int sum = 0;
    for (const auto& [piece, value] : values) sum += value * number(board, piece, side);
    return sum;
  }
  static int pawns(const std::string& board) { return number(board, 'P', 0) + number(board, 'P', 1); }

  int board_limit() const {
    if (rules_.scheme == Counted::kSeaGames) return 126;
    return rules_.board == 64 ? 127 : 128;
  }

  void begin_board_honour(const std::string& board, int to_move) {
    if (limit > 0 || rules_.manual || pieces(board, 0) == 1 || pieces(board, 1) == 1) return;
    if (rules_.scheme == Counted::kSeaGames && pieces(board, to_move) > 3) return;
    limit = board_limit();
    count = 0;
  }

  void pieces_honour(const std::string& board, int chaser, int lead) {
    const int moves = table(board, chaser) - (rules_.scheme == Counted::kSeaGames ? 1 : 0);
    const int begin = 2 * (pieces(board, 0) + pieces(board, 1)) - lead;
    const bool keeps = rules_.keep_shorter || (counter >= 0 && rules_.scheme == Counted::kSeaGames);
    counter = -1;
    if (keeps && limit > 0 && limit - count < 2 * moves - begin) return;
    limit = 2 * moves;
    count = begin;
  }

  int table(const std::string& board, int chaser) const {
    const int rooks = number(board, 'R', chaser), khons = number(board, 'S', chaser),
              knights = number(board, 'N', chaser);
    if (rooks > 0) return rooks > 1 ? 8 : 16;
    if (khons > 1) return 22;
    if (knights > 1) return khons == 1 ? rules_.snn : 32;
    return khons == 1 ? 44 : 64;
  }

  void bare_king_of_low(const std::string& board) {
    if (limit > 0 || (pieces(board, 0) == 1) == (pieces(board, 1) == 1)) return;
    const int chaser = pieces(board, 0) == 1 ? 1 : 0;
    const std::pair<char, std::pair<int, int>> highest_first[] = {
        {'R', {8, 16}}, {'S', {22, 44}}, {'N', {33, 66}}};
    int moves = 88;
    for (const auto& [piece, two_or_one] : highest_first) {
      const int have = number(board, piece, chaser);
      if (have == 0) continue;
      moves = have > 1 ? two_or_one.first : two_or_one.second;
      break;
    }
    limit = 2 * moves;
    count = 2 * (pieces(board, 0) + pieces(board, 1));
  }

  const Counted rules_;
};

class CountingReferenceTest : public testing::TestWithParam<Counted> {};

int counter_of(const Position& position) { return static_cast<int>(position.counter) - 1; }

// Claims of the side to move are those of the text; one of four is made.
void compare_declarations(const Game& game, SlowCount* slow, Position* position, std::mt19937_64* random) {
  const int side = index(position->to_move);
  std::vector<Declaration> expected;
  if (slow->may_stop(side)) expected = {Declaration::kStopCount};
  if (slow->may_start(letters_of(game, *position), side)) expected = {Declaration::kStartCount};
  const std::vector<Declaration> declarations = game.declarations(*position);
  ASSERT_EQ(declarations, expected) << position_text(game, *position);
  if (declarations.empty() || (*random)() % 4 != 0) return;
  game.declare(declarations[0], position);
  declarations[0] == Declaration::kStartCount ? slow->start(side) : slow->stop();
}

// The outcome with a count is the one without it, but for a count that ran out and for a counter who mates.
Outcome expected_outcome(const Game& game, const SlowCount& slow, Position position, const MoveList& legal) {
  position.count = position.count_limit = 0;
  position.counter = Counter::kNobody;
  const Outcome plain = game.outcome(position, !legal.empty(), 1);
  if (plain.reason == Reason::kCheckmate && slow.counter == 1 - index(position.to_move))
    return {Result::kDraw, Reason::kCounterMated};
  const bool ended = plain.over() && plain.reason != Reason::kPlyLimit;
  const bool exceeded = slow.limit > 0 && slow.count > slow.limit;
  return !ended && exceeded ? Outcome{Result::kDraw, Reason::kCountExceeded} : plain;
}

// A random move; every other one ends the game or captures where that is possible.
Move random_move(const Game& game, const MoveList& legal, const Position& position, std::mt19937_64* random) {
  std::vector<Move> captures, last;
  for (const Move move : legal) {
    Position child = position;
    game.apply(move, &child);
    if (size(child.occupied()) < size(position.occupied())) captures.push_back(move);
    if (game.count_moves(child) == 0) last.push_back(move);
  }
  const std::vector<Move>& wild = last.empty() ? captures : last;
  if (!wild.empty() && (*random)() % 2) return wild[(*random)() % wild.size()];
  return legal[static_cast<int>((*random)() % legal.size())];
}

TEST_P(CountingReferenceTest, CountsDeclarationsAndEndsAreThoseOfTheText) {
  const GamePtr game = *make_game(GetParam().ruleset);
  std::mt19937_64 random(40);
  std::map<Reason, int> ends;
  for (int i = 0; i < 1500; ++i) {
    const auto start = random_arrangement(*game, 8, &random);
    if (!start) continue;
    Position position = *start;
    SlowCount slow(GetParam());
    for (;;) {
      MoveList legal;
      game->legal_moves(position, &legal);
      const std::string where = position_text(*game, position);
      ASSERT_EQ(position.count_limit, slow.limit) << where;
      ASSERT_EQ(position.count, slow.limit > 0 ? slow.count : 0) << where;
      ASSERT_EQ(counter_of(position), slow.counter) << where;
      const Outcome outcome = game->outcome(position, !legal.empty(), 1);
      ASSERT_EQ(outcome, expected_outcome(*game, slow, position, legal)) << where;
      if (outcome.over() && ++ends[outcome.reason]) break;
      ASSERT_NO_FATAL_FAILURE(compare_declarations(*game, &slow, &position, &random));
      const std::string before = letters_of(*game, position);
      const int mover = index(position.to_move);
      game->apply(random_move(*game, legal, position, &random), &position);
      slow.move(before, letters_of(*game, position), mover);
    }
  }
  EXPECT_GT(ends[Reason::kCountExceeded], 10);
  EXPECT_GT(ends[Reason::kCheckmate] + ends[Reason::kCheck], 10);
  const bool counter_may_mate = GetParam().manual && ends[Reason::kCheck] == 0;
  EXPECT_EQ(ends[Reason::kCounterMated] > 0, counter_may_mate);
}

INSTANTIATE_TEST_SUITE_P(
    Rulesets, CountingReferenceTest,
    testing::Values(
        Counted{"makruk"}, Counted{"makruk:count.snn=44", Counted::kMakruk, false, 44},
        Counted{"makruk:count.keep_shorter=on", Counted::kMakruk, false, 32, true},
        Counted{"makruk:count.mode=manual", Counted::kMakruk, true}, Counted{"makruk-sutra"},
        Counted{"makruk:count.mode=manual,count.who=any", Counted::kMakruk, true, 32, false, true},
        Counted{"makruk:count.board=64", Counted::kMakruk, false, 32, false, false, 64},
        Counted{"ok:count.mode=manual,count.who=any,count.board=64", Counted::kMakruk, true, 32, false, true,
                64},
        Counted{"cambodian:count.board=64", Counted::kSeaGames, false, 32, false, false, 64}, Counted{"ok"},
        Counted{"ok-cutechess"}, Counted{"cambodian", Counted::kSeaGames},
        Counted{"cambodian:count.mode=manual,count.who=any", Counted::kSeaGames, true, 32, false, true},
        Counted{"kaok"}, Counted{"kaok:count.mode=manual", Counted::kMakruk, true},
        Counted{"karouk", Counted::kSeaGames}, Counted{"low1839", Counted::kLow},
        Counted{"low1839-dlp", Counted::kLow}),
    [](const auto& test) {
      std::string name = test.param.ruleset;
      for (char& letter : name) letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
      return name;
    });

}  // namespace
}  // namespace makzero::game
