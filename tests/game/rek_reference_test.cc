// Rek and Min Rek Chanh against a plain program written from the words of their rules, square by square. The
// program itself has to count what the independent programs of the data count.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "tests/support/plain_reference.h"

namespace makzero::game {
namespace {

struct PlainRules {
  enum King { kRook, kStep, kImmobile } king = kRook;
  enum Surround { kOff, kGroups, kSingle } surround = kGroups;
  enum Order { kPairFirst, kTogether, kGroupsFirst } order = kPairFirst;
  bool must_capture = false;
};

class PlainRek {
 public:
  PlainRek(const PlainRules& rules, const std::string& text)
      : rules_(rules), board_(plain_board(text)), white_(text.ends_with("w")) {}

  std::string text() const { return plain_board_text(board_) + (white_ ? " w" : " b"); }

  std::map<std::string, PlainRek> moves() const {
    std::map<std::string, PlainRek> all, captures;
    if (!has_king(true) || !has_king(false)) return all;
    for (int rank = 0; rank < 8; ++rank) {
      for (int file = 0; file < 8; ++file) {
        if (own(file, rank)) add_slides(file, rank, &all, &captures);
      }
    }
    return rules_.must_capture && !captures.empty() ? captures : all;
  }

  Result result(bool can_move) const {
    if (!has_king(true)) return Result::kBlackWins;
    if (!has_king(false) || (!can_move && !white_)) return Result::kWhiteWins;
    return can_move ? Result::kOngoing : Result::kBlackWins;
  }

 private:
  using Squares = std::set<std::pair<int, int>>;  // File and rank.
  static constexpr std::pair<int, int> kSteps[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

  // What stands on a square; '#' beyond the edge.
  char at(int file, int rank) const {
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? '#' : board_[rank][file];
  }
  bool own(int file, int rank) const {
    const int letter = static_cast<unsigned char>(at(file, rank));
    return white_ ? std::isupper(letter) : std::islower(letter);
  }
  bool enemy(int file, int rank) const {
    return std::isalpha(static_cast<unsigned char>(at(file, rank))) && !own(file, rank);
  }
  bool has_king(bool white) const {
    return std::ranges::any_of(
        board_, [&](const auto& rank) { return std::ranges::count(rank, white ? 'K' : 'k') > 0; });
  }

  void add_slides(int file, int rank, std::map<std::string, PlainRek>* all,
                  std::map<std::string, PlainRek>* captures) const {
    const bool king = std::toupper(at(file, rank)) == 'K';
    if (king && rules_.king == PlainRules::kImmobile) return;
    const int longest = king && rules_.king == PlainRules::kStep ? 1 : 7;
    for (const auto& [files, ranks] : kSteps) {
      for (int steps = 1; steps <= longest; ++steps) {
        const int to_file = file + steps * files, to_rank = rank + steps * ranks;
        if (at(to_file, to_rank) != '.') break;
        PlainRek after = *this;
        std::swap(after.board_[rank][file], after.board_[to_rank][to_file]);
        const bool captured = after.capture(to_file, to_rank);
        after.white_ = !white_;
        const std::string text = {static_cast<char>('a' + file), static_cast<char>('1' + rank),
                                  static_cast<char>('a' + to_file), static_cast<char>('1' + to_rank)};
        all->emplace(text, after);
        if (captured) captures->emplace(text, after);
      }
    }
  }

  // Removes what the piece that has arrived takes; whether there was anything.
  bool capture(int file, int rank) {
    Squares taken;
    if (rules_.order == PlainRules::kPairFirst) {
      taken = pair(file, rank);
      remove(taken);
      taken.merge(removed(surrounded(file, rank)));
    } else if (rules_.order == PlainRules::kTogether) {
      taken = pair(file, rank);
      taken.merge(surrounded(file, rank));
      remove(taken);
    } else {
      taken = removed(surrounded(file, rank));
      taken.merge(removed(pair(file, rank)));
    }
    return !taken.empty();
  }

  void remove(const Squares& squares) {
    for (const auto& [file, rank] : squares) board_[rank][file] = '.';
  }
  Squares removed(const Squares& squares) {
    remove(squares);
    return squares;
  }

  Squares pair(int file, int rank) const {
    Squares taken;
    if (enemy(file - 1, rank) && enemy(file + 1, rank)) taken.insert({{file - 1, rank}, {file + 1, rank}});
    if (enemy(file, rank - 1) && enemy(file, rank + 1)) taken.insert({{file, rank - 1}, {file, rank + 1}});
    return taken;
  }

  Squares surrounded(int file, int rank) const {
    Squares taken;
    if (rules_.surround == PlainRules::kOff) return taken;
    for (const auto& [files, ranks] : kSteps) {
      if (!enemy(file + files, rank + ranks)) continue;
      Squares group;
      if (!closed(file + files, rank + ranks, &group)) continue;
      if (rules_.surround == PlainRules::kSingle && group.size() != 1) continue;
      taken.merge(group);
    }
    return taken;
  }

  // Adds the group of enemies around a square; false where one of them has an empty square beside it.
  bool closed(int file, int rank, Squares* group) const {
    if (at(file, rank) == '.') return false;
    if (!enemy(file, rank) || !group->insert({file, rank}).second) return true;
    bool shut = true;
    for (const auto& [files, ranks] : kSteps) shut = closed(file + files, rank + ranks, group) && shut;
    return shut;
  }

  PlainRules rules_;
  std::vector<std::string> board_;  // By rank and file.
  bool white_;
};

using RuledGame = Ruled<PlainRules>;

class PlainRekTest : public testing::TestWithParam<RuledGame> {};

TEST_P(PlainRekTest, CountsTheLeavesThatOtherProgramsCount) {
  int rows = 0;
  for (const Row& row : all_rows()) {
    if (row.kind != "perft" || spec_of(row.name) != GetParam().spec || row.value.size() > 5) continue;
    const PlainRek plain(GetParam().rules, row.position);
    EXPECT_EQ(plain_perft(plain, std::stoi(row.depth)), std::stoull(row.value))
        << row.position << " depth " << row.depth;
    ++rows;
  }
  EXPECT_GE(rows, 3);
}

INSTANTIATE_TEST_SUITE_P(
    Oracle, PlainRekTest,
    testing::Values(
        RuledGame{"rek", {}}, RuledGame{"rek:order=simultaneous", {.order = PlainRules::kTogether}},
        RuledGame{"rek:order=surround_first", {.order = PlainRules::kGroupsFirst}},
        RuledGame{"minrekchanh",
                  {.king = PlainRules::kImmobile, .surround = PlainRules::kOff, .must_capture = true}},
        RuledGame{"minrekchanh:surround=on", {.king = PlainRules::kImmobile, .must_capture = true}},
        RuledGame{"minrekchanh:obligation=none",
                  {.king = PlainRules::kImmobile, .surround = PlainRules::kOff}}),
    name_of<PlainRules>);

class RekReferenceTest : public testing::TestWithParam<RuledGame> {};

TEST_P(RekReferenceTest, LeafCountsAreThoseOfThePlainProgram) {
  const GamePtr game = *make_game(GetParam().spec);
  Evidence evidence{.ruleset = game->info().ruleset, .what = "rows of leaf counts"};
  for (const std::string& text : positions_of({"rek", "minrekchanh"})) {
    for (int depth = 1; depth <= 2; ++depth) {
      const std::uint64_t leaves = perft(*game, *parse_position(*game, text), depth);
      EXPECT_EQ(leaves, plain_perft(PlainRek(GetParam().rules, text), depth)) << text << " depth " << depth;
      evidence.add("plain", leaves);
    }
  }
  EXPECT_GT(evidence.cases, 30u);
  record(evidence);
}

TEST_P(RekReferenceTest, RandomGamesAreThoseOfThePlainProgram) {
  const GamePtr game = *make_game(GetParam().spec);
  std::mt19937_64 random(17);
  Evidence evidence{.ruleset = game->info().ruleset,
                    .what = "positions of random games, by moves, captures and winners"};
  const std::string start = position_text(*game, game->initial());
  for (int i = 0; i < 20 && !HasFailure(); ++i) {
    evidence.cases += compare_random_game(*game, PlainRek(GetParam().rules, start), 200, &random);
  }
  evidence.sources["plain"] = evidence.cases;
  record(evidence);
}

INSTANTIATE_TEST_SUITE_P(
    Rulesets, RekReferenceTest,
    testing::Values(
        RuledGame{"minrekchanh-surround", {.king = PlainRules::kImmobile}},
        RuledGame{"rek:surround=single", {.surround = PlainRules::kSingle}},
        RuledGame{"rek:order=simultaneous,surround=single",
                  {.surround = PlainRules::kSingle, .order = PlainRules::kTogether}},
        RuledGame{"rek:order=surround_first,surround=single",
                  {.surround = PlainRules::kSingle, .order = PlainRules::kGroupsFirst}},
        RuledGame{"minrekchanh:surround=single",
                  {.king = PlainRules::kImmobile, .surround = PlainRules::kSingle, .must_capture = true}},
        RuledGame{"minrekchanh:surround=single,king=step",
                  {.king = PlainRules::kStep, .surround = PlainRules::kSingle, .must_capture = true}},
        RuledGame{"minrekchanh:obligation=none,surround=single",
                  {.king = PlainRules::kImmobile, .surround = PlainRules::kSingle}}),
    name_of<PlainRules>);

}  // namespace
}  // namespace makzero::game
