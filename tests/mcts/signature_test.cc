// The signature of the search: one number that changes when behaviour does.
#include "mcts/signature.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/toy_games.h"

namespace makzero::mcts {
namespace {

std::uint64_t signature_of(const std::vector<const game::Game*>& games) {
  std::vector<SignatureCase> cases;
  cases.reserve(games.size());
  for (const game::Game* game : games) cases.push_back({game, game->initial()});
  return search_signature(cases);
}

TEST(SignatureTest, IsTheSameEveryTime) {
  const testing::RandomTree game(1, 5, 8);
  EXPECT_EQ(signature_of({&game}), signature_of({&game}));
}

TEST(SignatureTest, DependsOnTheGame) {
  const testing::RandomTree one(1, 5, 8), other(2, 5, 8);
  EXPECT_NE(signature_of({&one}), signature_of({&other}));
  EXPECT_NE(signature_of({&one, &other}), signature_of({&other, &one}));
}

// A change here is a change of the search: make it on purpose, and say so in the commit. Golden trees show it
// as text.
TEST(SignatureTest, IsTheReviewedNumber) {
  const testing::RandomTree toy(1, 5, 8);
  EXPECT_EQ(signature_of({&toy}), 15922879126792630568u);
}

}  // namespace
}  // namespace makzero::mcts
