// Gala against a plain program written from the words of its rules, square by square. The program itself has
// to count what the independent programs of the data count.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "tests/support/plain_reference.h"

namespace makzero::game {
namespace {

struct PlainRules {
  enum Rest { kPass, kTriple, kBlackMoves } rest = kPass;
  bool step = false, neutral = false, closed = false, early = false;
  bool corners = false, white10 = false, ludii = false;
};

class PlainGala {
 public:
  PlainGala(const PlainRules& rules, const std::string& text) : rules_(rules), board_(plain_board(text)) {
    std::istringstream words(text);
    std::string board, side, white_hand, black_hand;
    words >> board >> side >> white_hand >> black_hand;
    mover_ = side == "w" ? 'M' : 'm';
    if (!white_hand.empty()) {
      hand('M') = std::stoi(white_hand.substr(1));
      hand('m') = std::stoi(black_hand.substr(1));
    } else if (discs('M') + discs('m') == 0) {
      hand('M') = rules.white10 ? 10 : 13;
      hand('m') = rules.white10 ? 13 : 10;
    }
  }

  std::string text() const {
    std::string text = plain_board_text(board_);
    text += mover_ == 'M' ? " w" : " b";
    if (hand('M') + hand('m') == 0) return text;
    return text + " W" + std::to_string(hand('M')) + " B" + std::to_string(hand('m'));
  }

  std::map<std::string, PlainGala> moves() const {
    std::map<std::string, PlainGala> moves;
    if (lost('M') || lost('m')) return moves;
    if (hand(mover_) == 0 && hand(enemy()) > 0 && rules_.rest != PlainRules::kBlackMoves) {
      PlainGala after = *this;
      after.mover_ = enemy();
      moves.emplace("--", after);
      return moves;
    }
    if (hand(mover_) > 0) add_drops(&moves);
    if (hand(mover_) == 0 || rules_.early) add_slides(&moves);
    return moves;
  }

  Result result(bool can_move) const {
    if (lost('M')) return Result::kBlackWins;
    if (lost('m') || (!can_move && mover_ == 'm')) return Result::kWhiteWins;
    return can_move ? Result::kOngoing : Result::kBlackWins;
  }

 private:
  char enemy() const { return mover_ == 'M' ? 'm' : 'M'; }
  int& hand(char side) { return hands_[side == 'm']; }
  int hand(char side) const { return hands_[side == 'm']; }
  int discs(char side) const {
    int sum = 0;
    for (const auto& rank : board_) sum += static_cast<int>(std::ranges::count(rank, side));
    return sum;
  }
  // What stands on a square; '#' beyond the edge.
  char at(int file, int rank) const {
    return file < 0 || file > 6 || rank < 0 || rank > 6 ? '#' : board_[rank][file];
  }

  bool lost(char side) const {
    if (hand(side) > 0) return false;
    const bool thirteen = (side == 'M') != rules_.white10;
    return discs(side) == 0 || (rules_.ludii && thirteen && discs(side) == 1);
  }

  // Whether a rank belongs to the side to move.
  bool own_half(int rank) const {
    if (rank == 3) return !rules_.neutral;
    return mover_ == 'M' ? rank < 3 : rank > 3;
  }
  static bool marked(int file, int rank) { return file % 3 == 0 && rank % 3 == 0; }
  static std::string name(int file, int rank) {
    return {static_cast<char>('a' + file), static_cast<char>('1' + rank)};
  }

  void add_drops(std::map<std::string, PlainGala>* moves) const {
    const bool first = discs('M') + discs('m') == 0;
    for (int rank = 0; rank < 7; ++rank) {
      for (int file = 0; file < 7; ++file) {
        const bool centre = file == 3 && rank == 3;
        if (first ? !centre : !own_half(rank) || at(file, rank) != '.') continue;
        if (!first && rules_.closed && marked(file, rank)) continue;
        PlainGala after = *this;
        after.board_[rank][file] = mover_;
        --after.hand(mover_);
        const bool goes_on =
            rules_.rest == PlainRules::kTriple && after.hand(mover_) > 0 && after.hand(enemy()) == 0;
        if (!goes_on) after.mover_ = enemy();
        moves->emplace("@" + name(file, rank), after);
      }
    }
  }

  void add_slides(std::map<std::string, PlainGala>* moves) const {
    for (int rank = 0; rank < 7; ++rank) {
      for (int file = 0; file < 7; ++file) {
        if (at(file, rank) != mover_) continue;
        if (hand(mover_) > 0 && !own_half(rank)) continue;
        for (const auto& [files, ranks] : kSteps) add_slides_along(file, rank, files, ranks, moves);
      }
    }
  }

  void add_slides_along(int file, int rank, int files, int ranks,
                        std::map<std::string, PlainGala>* moves) const {
    for (int steps = 1; steps <= (rules_.step ? 1 : 6); ++steps) {
      const int to_file = file + steps * files, to_rank = rank + steps * ranks;
      if (at(to_file, to_rank) != '.' || (hand(mover_) > 0 && !own_half(to_rank))) return;
      PlainGala after = *this;
      std::swap(after.board_[rank][file], after.board_[to_rank][to_file]);
      after.capture(to_file, to_rank);
      after.mover_ = enemy();
      moves->emplace(name(file, rank) + name(to_file, to_rank), after);
    }
  }

  // Removes what the disc that has arrived takes.
  void capture(int file, int rank) {
    const PlainGala before = *this;
    for (const auto& [files, ranks] : kSteps) {
      if (before.at(file + files, rank + ranks) != enemy()) continue;
      if (before.at(file + 2 * files, rank + 2 * ranks) == mover_) board_[rank + ranks][file + files] = '.';
    }
    if (!rules_.corners) return;
    for (const int corner_file : {0, 6}) {
      for (const int corner_rank : {0, 6}) {
        const int beside_file = corner_file ? 5 : 1, beside_rank = corner_rank ? 5 : 1;
        const bool arrived =
            (file == beside_file && rank == corner_rank) || (file == corner_file && rank == beside_rank);
        if (arrived && before.at(corner_file, corner_rank) == enemy() &&
            before.at(beside_file, corner_rank) == mover_ && before.at(corner_file, beside_rank) == mover_)
          board_[corner_rank][corner_file] = '.';
      }
    }
  }

  static constexpr std::pair<int, int> kSteps[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

  PlainRules rules_;
  std::vector<std::string> board_;  // By rank and file.
  std::array<int, 2> hands_ = {};
  char mover_ = 'M';
};

using RuledGame = Ruled<PlainRules>;

class PlainGalaTest : public testing::TestWithParam<RuledGame> {};

TEST_P(PlainGalaTest, CountsTheLeavesThatOtherProgramsCount) {
  int rows = 0;
  for (const Row& row : all_rows()) {
    if (row.kind != "perft" || spec_of(row.name) != GetParam().spec || row.value.size() > 5) continue;
    const PlainGala plain(GetParam().rules, row.position);
    EXPECT_EQ(plain_perft(plain, std::stoi(row.depth)), std::stoull(row.value))
        << row.position << " depth " << row.depth;
    ++rows;
  }
  EXPECT_GE(rows, 4);
}

INSTANTIATE_TEST_SUITE_P(
    Oracle, PlainGalaTest,
    testing::Values(RuledGame{"gala", {}}, RuledGame{"gala:corner_capture=on", {.corners = true}},
                    RuledGame{"gala:move=step", {.step = true}},
                    RuledGame{"gala:middle_row=neutral", {.neutral = true}},
                    RuledGame{"gala:rest=black_moves", {.rest = PlainRules::kBlackMoves}}),
    name_of<PlainRules>);

class GalaReferenceTest : public testing::TestWithParam<RuledGame> {};

TEST_P(GalaReferenceTest, LeafCountsAreThoseOfThePlainProgram) {
  const GamePtr game = *make_game(GetParam().spec);
  Evidence evidence{.ruleset = game->info().ruleset, .what = "rows of leaf counts"};
  const std::string start = position_text(*game, game->initial());
  for (int depth = 1; depth <= 4; ++depth) {
    const std::uint64_t leaves = perft(*game, game->initial(), depth);
    EXPECT_EQ(leaves, plain_perft(PlainGala(GetParam().rules, start), depth)) << "depth " << depth;
    evidence.add("plain", leaves);
  }
  record(evidence);
}

TEST_P(GalaReferenceTest, RandomGamesAreThoseOfThePlainProgram) {
  const GamePtr game = *make_game(GetParam().spec);
  std::mt19937_64 random(23);
  Evidence evidence{.ruleset = game->info().ruleset,
                    .what = "positions of random games, by moves, captures and winners"};
  const std::string start = position_text(*game, game->initial());
  for (int i = 0; i < 20 && !HasFailure(); ++i) {
    evidence.cases += compare_random_game(*game, PlainGala(GetParam().rules, start), 200, &random);
  }
  evidence.sources["plain"] = evidence.cases;
  record(evidence);
}

INSTANTIATE_TEST_SUITE_P(
    Options, GalaReferenceTest,
    testing::Values(
        RuledGame{"gala:cross=closed", {.closed = true}},
        RuledGame{"gala:middle_row=neutral,cross=closed", {.neutral = true, .closed = true}},
        RuledGame{"gala:early_moves=on", {.early = true}},
        RuledGame{"gala:cross=closed,early_moves=on", {.closed = true, .early = true}},
        RuledGame{"gala:middle_row=neutral,early_moves=on", {.neutral = true, .early = true}},
        RuledGame{"gala:rest=triple,early_moves=on", {.rest = PlainRules::kTriple, .early = true}},
        RuledGame{"gala:rest=black_moves,early_moves=on", {.rest = PlainRules::kBlackMoves, .early = true}},
        RuledGame{"gala:move=step,early_moves=on,corner_capture=on,sides=white10_black13,objective=ludii",
                  {.step = true, .early = true, .corners = true, .white10 = true, .ludii = true}}),
    name_of<PlainRules>);

}  // namespace
}  // namespace makzero::game
