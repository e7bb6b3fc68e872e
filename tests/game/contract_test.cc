// What every game promises to search, records and network, checked on random games of every ruleset of the
// catalog.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "game/catalog.h"
#include "game/history.h"
#include "game/notation.h"
#include "game/packed_position.h"
#include "game/symmetry.h"
#include "tests/support/position_tools.h"

namespace makzero::game {
namespace {

using testing::ElementsAreArray;

// Rulesets with options that change the kind of moves, besides all the named ones.
const std::vector<std::string> kOptionSpecs = {
    "makyek:repetition=0,no_progress=0,max_plies=0",
    "makyek:custodian_total=one",
    "makyek:setup=rows12,no_move=pass,limit_result=material",
    "makyek-low:custodian_total=one,corner_capture=on,jump=on",
    "makyek:custodian=line,same_axis=intervention_only",
    "makyek:custodian=line,same_axis=custodian_only",
    "apit:setup=rows13,jump=on,cap_result=material",
    "rek:kings=right,order=simultaneous",
    "rek:kings=mirror,order=surround_first,no_move=pass",
    "rek:surround=single",
    "minrekchanh:obligation=transition",
    "minrekchanh:obligation=transition,surround=on,king=step,no_move=pass",
    "minrekchanh:obligation=none,surround=on,order=simultaneous,king=rook",
    "minrekchanh:surround=on",
    "minrekchanh:surround=single,king=rook",
    "gala:rest=triple,middle_row=neutral,sides=white10_black13",
    "gala:rest=black_moves,corner_capture=on,objective=ludii",
    "gala:move=step,no_move=pass,limit_result=material",
    "gala:cross=closed,early_moves=on",
    "gala:middle_row=neutral,cross=closed,rest=black_moves,early_moves=on,corner_capture=on",
    "hunt:chain=on",
    "hunt:chain=on,flying=on,hunter_move=step,min_men=1",
    "hunt:flying=on,men_move=step_forward_sideways,limit_result=hunter_wins",
    "makruk:count.mode=manual,count.who=any,count.board=64",
    "makruk-sutra:sut_khun_in_check=on,sutra_requires_no_captures=on,takhaeng=a1h8",
    "makruk-sutra:sut_met=off,takhaeng=a1h8",
    "ok:ok.king_leap=any,ok.counting=seagames",
    "kaok:ok.met_leap_captures=on,ok.leaps_after_captures=on,ok.rook_aim=on",
    "low1839:low.khon=first,low.khoon=orthogonal",
    "low1839-dlp:low.khon=silver,low.promotion=6",
};

// Where random games stop that nothing ends; beyond the limits of the rulesets.
constexpr int kMostPlies = 700;

std::vector<std::string> all_specs() {
  std::vector<std::string> specs = ruleset_names();
  specs.insert(specs.end(), kOptionSpecs.begin(), kOptionSpecs.end());
  return specs;
}

class ContractTest : public testing::TestWithParam<std::string> {
 protected:
  ContractTest() : game_(*make_game(GetParam())), info_(game_->info()) {}

  using Visitor = std::function<void(const Position&, const MoveList& legal, const History&)>;

  // Plays random games to their end, or to kMostPlies, and shows every `stride`-th position with its legal
  // moves.
  void visit(int games, int stride, const Visitor& visitor) const {
    std::mt19937_64 rng(7);
    for (int i = 0; i < games; ++i) {
      Position position = game_->initial();
      History history(position);
      MoveList legal;
      for (int ply = 0;; ++ply) {
        game_->legal_moves(position, &legal);
        const bool over =
            ply == kMostPlies || game_->outcome(position, !legal.empty(), history.occurrences()).over();
        if (over || ply % stride == i % stride) visitor(position, legal, history);
        if (over || HasFailure()) break;
        game_->apply(legal[static_cast<int>(rng() % legal.size())], &position);
        history.push(position);
      }
    }
  }

  MoveList legal_moves(const Position& position) const {
    MoveList moves;
    game_->legal_moves(position, &moves);
    return moves;
  }

  Position after(Position position, Move move) const {
    game_->apply(move, &position);
    return position;
  }

  // The positions that each policy index leads to: alternatives of one index have no order.
  using Results = std::map<int, std::multiset<std::string>>;
  Results results(const Position& position, const std::function<Position(const Position&)>& map = {},
                  const std::function<Move(Move)>& map_move = {}) const {
    Results results;
    for (const Move move : legal_moves(position)) {
      const Position child = after(position, move);
      results[(map_move ? map_move(move) : move).index()].insert(
          position_text(*game_, map ? map(child) : child));
    }
    return results;
  }

  const GamePtr game_;
  const GameInfo& info_;
};

TEST_P(ContractTest, InfoIsComplete) {
  EXPECT_FALSE(info_.title.empty());
  EXPECT_FALSE(info_.summary.empty());
  EXPECT_FALSE(info_.source.empty());
  EXPECT_GE(info_.max_plies, 0);
  ASSERT_FALSE(info_.kinds.empty());
  ASSERT_LE(info_.kinds.size(), static_cast<size_t>(kKinds));
  for (const OptionInfo& option : info_.options) {
    if (option.values.empty()) {
      EXPECT_LE(option.minimum, std::stoi(option.value)) << option.name;
      EXPECT_GE(option.maximum, std::stoi(option.value)) << option.name;
    } else {
      EXPECT_THAT(option.values, testing::Contains(option.value)) << option.name;
    }
  }
}

TEST_P(ContractTest, RulesetTextReadsBackToTheSameGame) {
  const auto again = make_game(info_.ruleset);
  ASSERT_TRUE(again) << again.why();
  const GameInfo& info = (*again)->info();
  EXPECT_EQ(info.ruleset, info_.ruleset);
  EXPECT_EQ((*again)->initial(), game_->initial());
  ASSERT_EQ(info.options.size(), info_.options.size());
  for (size_t i = 0; i < info.options.size(); ++i) EXPECT_EQ(info.options[i].value, info_.options[i].value);
}

TEST_P(ContractTest, PositionsStayWellFormedAndPliesCount) {
  visit(20, 1, [&](const Position& position, const MoveList&, const History& history) {
    ASSERT_TRUE(well_formed(position, info_.board())) << position_text(*game_, position);
    ASSERT_EQ(position.ply + 1, history.size());
  });
}

// A sutra moves a pawn, too, but is a move of the piece.
TEST_P(ContractTest, NoProgressPliesAreThoseSinceTheLastCaptureDropOrPawnStep) {
  const size_t pawn = info_.kinds.find('P');
  Position before;
  int quiet = 0;
  visit(20, 1, [&](const Position& position, const MoveList&, const History&) {
    const Bitboard pawns = pawn == std::string::npos ? 0 : position.kind[pawn];
    const Bitboard pawns_before = pawn == std::string::npos ? 0 : before.kind[pawn];
    const bool only_pawns =
        (position.occupied() ^ before.occupied()) == (pawns ^ pawns_before) && pawns != pawns_before;
    const bool changed =
        size(position.occupied()) != size(before.occupied()) || size(pawns) != size(pawns_before);
    quiet = position.ply == 0 || changed || only_pawns ? 0 : quiet + 1;
    ASSERT_EQ(position.no_progress_plies, quiet) << position_text(*game_, position);
    before = position;
  });
}

TEST_P(ContractTest, GamesEndByTheirLimits) {
  visit(50, 1, [&](const Position& position, const MoveList&, const History&) {
    ASSERT_TRUE(position.count_limit > 0 || info_.max_plies == 0 || position.ply <= info_.max_plies);
    ASSERT_TRUE(info_.no_progress == 0 || position.no_progress_plies <= info_.no_progress);
  });
}

TEST_P(ContractTest, PliesLeftAreThoseThatTheOutcomeLeaves) {
  const std::string ruleset = info_.ruleset.substr(0, info_.ruleset.find(",max_plies="));
  const std::string separator = ruleset.find(':') == std::string::npos ? ":" : ",";
  const GamePtr brief = *make_game(ruleset + separator + "max_plies=30");
  visit(20, 1, [&](const Position& position, const MoveList& legal, const History& history) {
    const Outcome outcome = brief->outcome(position, !legal.empty(), history.occurrences());
    const int left = plies_left(brief->info(), position);
    if (position.count_limit > 0) {
      ASSERT_EQ(left, std::numeric_limits<int>::max());
    } else {
      ASSERT_EQ(left, std::max(0, 30 - position.ply));
    }
    ASSERT_TRUE(left > 0 || outcome.over()) << position_text(*game_, position);
    ASSERT_TRUE(left == 0 || outcome.reason != Reason::kPlyLimit) << position_text(*game_, position);
  });
}

TEST_P(ContractTest, MovesDependOnThePositionAlone) {
  MoveList reused;
  visit(5, 3, [&](const Position& position, const MoveList& legal, const History&) {
    game_->legal_moves(position, &reused);
    ASSERT_THAT(std::vector<Move>(reused.begin(), reused.end()),
                ElementsAreArray(legal.begin(), legal.end()));
    const auto read = parse_position(*game_, position_text(*game_, position));
    ASSERT_TRUE(read) << read.why();
    game_->legal_moves(*read, &reused);
    ASSERT_THAT(std::vector<Move>(reused.begin(), reused.end()),
                ElementsAreArray(legal.begin(), legal.end()));
  });
}

TEST_P(ContractTest, CountAgreesWithTheList) {
  visit(20, 1, [&](const Position& position, const MoveList& legal, const History&) {
    ASSERT_EQ(game_->count_moves(position), legal.size()) << position_text(*game_, position);
  });
}

TEST_P(ContractTest, OnlyAlternativesShareAPolicyIndex) {
  visit(20, 1, [&](const Position& position, const MoveList& legal, const History&) {
    std::set<std::uint16_t> bits;
    std::map<int, std::set<int>> alternatives;
    for (const Move move : legal) {
      ASSERT_TRUE(bits.insert(move.bits()).second) << move_text(*game_, position, move) << " is listed twice";
      ASSERT_LT(move.index(), kPolicySize);
      alternatives[move.index()].insert(move.alternative());
    }
    for (const auto& [index, numbers] : alternatives) {
      ASSERT_EQ(*numbers.begin(), 0);
      ASSERT_EQ(*numbers.rbegin() + 1, static_cast<int>(numbers.size()));
    }
  });
}

TEST_P(ContractTest, PositionTextsReadBack) {
  visit(5, 1, [&](const Position& position, const MoveList&, const History&) {
    const std::string text = position_text(*game_, position);
    const auto read = parse_position(*game_, text);
    ASSERT_TRUE(read) << text << ": " << read.why();
    ASSERT_EQ(position_text(*game_, *read), text);
    ASSERT_EQ(repetition_key(*read), repetition_key(position)) << text;
  });
}

TEST_P(ContractTest, PackedPositionsReadBackUnlessMovesAreObligatory) {
  visit(20, 1, [&](const Position& position, const MoveList&, const History& history) {
    const auto packed = pack(info_, position, history.occurrences());
    const bool obliged = position.obliged[0] | position.obliged[1];
    ASSERT_EQ(packed.has_value(), !obliged) << position_text(*game_, position);
    if (obliged) return;
    const auto unpacked = unpack(info_, *packed);
    ASSERT_TRUE(unpacked) << position_text(*game_, position);
    Position kept = position;
    if (info_.no_progress == 0) kept.no_progress_plies = 0;
    ASSERT_EQ(unpacked->position, kept) << position_text(*game_, position);
    ASSERT_EQ(unpacked->occurrences, info_.repetition > 0 ? history.occurrences() : 1);
  });
}

TEST_P(ContractTest, MoveTextsReadBack) {
  visit(3, 5, [&](const Position& position, const MoveList& legal, const History&) {
    for (const Move move : legal) {
      const std::string text = move_text(*game_, position, move);
      const auto read = parse_move(*game_, position, text);
      ASSERT_TRUE(read) << text << ": " << read.why();
      ASSERT_EQ(*read, move) << text;
    }
  });
}

TEST_P(ContractTest, OutcomeFitsTheLegalMoves) {
  visit(50, 1, [&](const Position& position, const MoveList& legal, const History& history) {
    const Outcome outcome = game_->outcome(position, !legal.empty(), history.occurrences());
    ASSERT_EQ(outcome.over(), outcome.reason != Reason::kNone);
    ASSERT_TRUE(outcome.over() || !legal.empty());
    const bool on_the_board =
        outcome.reason == Reason::kNoPieces || outcome.reason == Reason::kKingCaptured ||
        outcome.reason == Reason::kTooFewMen || outcome.reason == Reason::kNoLegalMove ||
        outcome.reason == Reason::kCheckmate || outcome.reason == Reason::kStalemate ||
        outcome.reason == Reason::kCheck;
    ASSERT_TRUE(!on_the_board || legal.empty()) << position_text(*game_, position);
  });
}

TEST_P(ContractTest, RepeatedPositionsAreCountedAndEndTheGame) {
  // Twelve shuffling games: the move back is played whenever it is legal, so that positions recur.
  std::mt19937_64 rng(11);
  bool repeated = false;
  for (int i = 0; i < 12; ++i) {
    Position position = game_->initial();
    History history(position);
    std::vector<std::string> keys;
    std::vector<Move> played;
    for (;;) {
      Position bare = position;
      bare.count = bare.count_limit = bare.no_progress_plies = bare.ply = 0;
      bare.counter = Counter::kNobody;
      keys.push_back(position_text(*game_, bare));
      const int expected = static_cast<int>(std::ranges::count(keys, keys.back()));
      ASSERT_EQ(history.occurrences(), expected) << keys.back();
      const MoveList legal = legal_moves(position);
      const Outcome outcome = game_->outcome(position, !legal.empty(), history.occurrences());
      repeated |= outcome.reason == Reason::kRepetition;
      if (outcome.over() || position.ply == kMostPlies) break;
      ASSERT_TRUE(info_.repetition == 0 || expected < info_.repetition);
      Move move = legal[static_cast<int>(rng() % legal.size())];
      if (played.size() >= 2 && played[played.size() - 2].is_step() && rng() % 4) {
        const Move last = played[played.size() - 2];
        const Move back = Move::step(last.destination(), last.origin());
        if (std::ranges::count(legal, back)) move = back;
      }
      played.push_back(move);
      game_->apply(move, &position);
      history.push(position);
    }
  }
  EXPECT_EQ(repeated, info_.repetition > 0) << "the shuffling games never repeated a position";
}

TEST_P(ContractTest, DeclaredSymmetriesMapMovesOutcomesAndThreats) {
  visit(3, 9, [&](const Position& position, const MoveList& legal, const History&) {
    const std::uint8_t declared = game_->symmetries(position);
    ASSERT_TRUE(declared & kIdentityOnly);
    for (int id = 1; id < kSymmetries; ++id) {
      if (!(declared >> id & 1)) continue;
      const Symmetry symmetry(id, info_.files, info_.ranks);
      const Position image = symmetry(position);
      ASSERT_EQ(results(image), results(
                                    position, [&](const Position& p) { return symmetry(p); },
                                    [&](Move move) { return symmetry(move); }))
          << "symmetry " << id << " of " << position_text(*game_, position);
      ASSERT_EQ(game_->outcome(image, !legal_moves(image).empty(), 1),
                game_->outcome(position, !legal.empty(), 1));
      for (const Color side : {Color::kWhite, Color::kBlack}) {
        const Threats threats = game_->threats(position, side), mapped = game_->threats(image, side);
        ASSERT_EQ(mapped.targets, symmetry(threats.targets));
        ASSERT_EQ(mapped.destinations, symmetry(threats.destinations));
      }
    }
  });
}

Outcome swapped(Outcome outcome) {
  if (outcome.result == Result::kWhiteWins) return {Result::kBlackWins, outcome.reason};
  if (outcome.result == Result::kBlackWins) return {Result::kWhiteWins, outcome.reason};
  return outcome;
}

TEST_P(ContractTest, ColorsMayBeSwappedWhereTheSidesAreAlike) {
  const bool own_goals =
      std::ranges::any_of(info_.options, [](const OptionInfo& option) { return option.value == "ludii"; });
  if (own_goals || info_.ruleset.starts_with("hunt")) GTEST_SKIP() << "the sides differ";
  const Symmetry rotated = rotation(info_);
  visit(3, 9, [&](const Position& position, const MoveList& legal, const History&) {
    if (position.hand[0] + position.hand[1] > 0) return;  // Gala's drops begin in the centre, by Black.
    const Position image = swap_colors(info_, position);
    ASSERT_EQ(results(image), results(
                                  position, [&](const Position& p) { return swap_colors(info_, p); },
                                  [&](Move move) { return rotated(move); }))
        << position_text(*game_, position);
    ASSERT_EQ(game_->outcome(image, !legal_moves(image).empty(), 1),
              swapped(game_->outcome(position, !legal.empty(), 1)));
  });
}

TEST_P(ContractTest, ThreatsHoldAllThatTheMovesTake) {
  visit(5, 3, [&](const Position& position, const MoveList& legal, const History&) {
    const Threats threats = game_->threats(position, position.to_move);
    for (const Move move : legal) {
      const Bitboard taken = position.enemy() & ~after(position, move).side[index(other(position.to_move))];
      ASSERT_EQ(taken & ~threats.targets, 0u) << position_text(*game_, position);
      ASSERT_TRUE(!taken || contains(threats.destinations, move.destination()))
          << position_text(*game_, position);
    }
  });
}

TEST_P(ContractTest, WhoMustTakeHasNoOtherMoves) {
  if (!info_.must_take) GTEST_SKIP() << "nobody must";
  int obliged = 0;
  visit(20, 1, [&](const Position& position, const MoveList& legal, const History&) {
    const bool takes = !legal.empty() && game_->threats(position, position.to_move).targets != 0;
    obliged += takes;
    for (const Move move : legal)
      EXPECT_EQ(size(after(position, move).occupied()) < size(position.occupied()), takes) << move.bits();
  });
  EXPECT_GT(obliged, 20);
}

INSTANTIATE_TEST_SUITE_P(Catalog, ContractTest, testing::ValuesIn(all_specs()), [](const auto& test) {
  std::string name = test.param;
  for (char& letter : name) letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  return name;
});

}  // namespace
}  // namespace makzero::game
