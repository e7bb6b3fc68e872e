// Opening books: their text, and that engines play from them.
#include "play/engine/book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "game/catalog.h"
#include "game/notation.h"
#include "models/file_io.h"
#include "play/engine/search_pool.h"

namespace makzero::play {
namespace {

using testing::HasSubstr;

constexpr const char* kText = "# remark\n: c3c4 e3e4\nc3c4 : d6d5\n";

TEST(BookTest, APositionHasItsMovesAlsoByAnotherOrder) {
  const game::GamePtr rules = *game::make_game("makruk");
  const Book book = *parse_book(*rules, ": c3c4 e3e4\nc3c4 d6d5 e3e4 : e6e5\n");
  PlayedGame game(rules);
  EXPECT_EQ(book.moves(game.position()).size(), 2u);
  for (const char* move : {"e3e4", "d6d5", "c3c4"}) ASSERT_FALSE(play_word(move, &game));
  ASSERT_EQ(book.moves(game.position()).size(), 1u);
  EXPECT_EQ(game::move_text(*rules, game.position(), book.moves(game.position())[0]), "e6e5");
  game.play(book.moves(game.position())[0]);
  EXPECT_TRUE(book.moves(game.position()).empty());
}

TEST(BookTest, TheTextReadsBack) {
  const game::GamePtr rules = *game::make_game("makruk");
  const game::Position start = rules->initial();
  const game::Move first = *game::parse_move(*rules, start, "c3c4"),
                   other = *game::parse_move(*rules, start, "e3e4");
  game::Position after = start;
  rules->apply(first, &after);
  const Book::Lines lines = {{{}, {first, other}}, {{first}, {*game::parse_move(*rules, after, "d6d5")}}};
  EXPECT_EQ(book_text(*rules, lines, "remark"), kText);
}

TEST(BookTest, AFaultNamesItsLine) {
  const game::GamePtr rules = *game::make_game("makruk");
  EXPECT_THAT(parse_book(*rules, "# x\n: a1a9\n").why(), HasSubstr("line 2: move 'a1a9' is not legal"));
  EXPECT_THAT(parse_book(*rules, "c3c4 :\n").why(), HasSubstr("line 1: no moves"));
}

TEST(BookTest, EveryGameOfTheZooHasOneAndTheyAreSmall) {
  std::uintmax_t bytes = 0;
  for (const std::string& ruleset : game::ruleset_names()) {
    if (game::game_of(ruleset) != ruleset) continue;
    const std::filesystem::path file =
        std::filesystem::path(MAKZERO_SOURCE "/models/zoo") / ruleset / "book.txt";
    const game::GamePtr rules = *game::make_game(ruleset);
    const auto book = parse_book(*rules, models::read_text_file(file));
    ASSERT_TRUE(book) << file << ": " << book.why();
    EXPECT_FALSE(book->moves(rules->initial()).empty()) << ruleset;
    bytes += std::filesystem::file_size(file);
  }
  EXPECT_LT(bytes, 300'000u);
}

TEST(BookTest, TheSeedChoosesAmongTheMoves) {
  const game::GamePtr rules = *game::make_game("makruk");
  const Book book = *parse_book(*rules, kText);
  std::set<int> chosen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(book.choose(rules->initial(), seed), book.choose(rules->initial(), seed));
    chosen.insert(book.choose(rules->initial(), seed)->bits());
  }
  EXPECT_EQ(chosen.size(), 2u);
}

SearchInfo answer_of(const PlayedGame& game, std::shared_ptr<const Book> book, SearchPool* pool) {
  SearchInfo answer;
  SearchRequest request{
      .game = game, .player = models::choose_player("alphabeta:3", {}), .book = std::move(book)};
  limit_by_player(1, &request);
  pool->start(std::move(request), {.info = [](const SearchInfo&) {},
                                   .finished = [&](const SearchInfo& info) { answer = info; },
                                   .failed = [](const std::string& why) { ADD_FAILURE() << why; }});
  pool->wait();
  return answer;
}

TEST(BookTest, ASearchAnswersFromTheBookAndSearchesBehindIt) {
  const game::GamePtr rules = *game::make_game("makruk");
  const auto book = std::make_shared<const Book>(*parse_book(*rules, ": a3a4\n"));
  SearchPool pool({});
  PlayedGame game(rules);
  const SearchInfo known = answer_of(game, book, &pool);
  EXPECT_EQ(game::move_text(*rules, game.position(), known.best()), "a3a4");
  EXPECT_EQ(known.nodes, 0u);
  game.play(known.best());
  EXPECT_GT(answer_of(game, book, &pool).nodes, 0u);
}

}  // namespace
}  // namespace makzero::play
