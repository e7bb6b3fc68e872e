// The review of a game: what counts as a mistake, and what is written of it.
#include "play/analysis/review.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "game/catalog.h"
#include "game/notation.h"
#include "play/json/document_json.h"
#include "play/notation/document_reader.h"
#include "play/notation/document_writer.h"

namespace makzero::play {
namespace {

using testing::HasSubstr;

PlayedGame game_of(const std::string& ruleset, const std::string& start, std::vector<std::string> moves) {
  const game::GamePtr rules = *game::make_game(ruleset);
  PlayedGame game(rules, start.empty() ? rules->initial() : *game::parse_position(*rules, start));
  for (const std::string& move : moves) EXPECT_FALSE(play_word(move, &game)) << move;
  return game;
}

// A review of positions that a network is supposed to see so: what White expects, and the best move there.
GameReview review_of(const PlayedGame& game, const std::vector<float>& expected,
                     const std::vector<std::string>& best) {
  GameReview review;
  for (size_t i = 0; i < expected.size(); ++i) {
    ReviewedPosition position{.expected = expected[i], .eval = {}, .line = {}};
    if (i < best.size()) {
      const auto& at = game.position_before(static_cast<int>(i));
      position.line = {*game::parse_move(game.rules(), at, best[i])};
    }
    review.positions.emplace_back(position);
  }
  judge(game, &review);
  return review;
}

TEST(ReviewTest, MistakesAreWhatTheMoverLosesGreatestFirst) {
  const PlayedGame game = game_of("makruk", "", {"e3e4", "e6e5", "d3d4", "d6d5"});
  const GameReview review =
      review_of(game, {0.5f, 0.44f, 0.60f, 0.49f, 0.49f}, {"d3d4", "d6d5", "b1d2", "a6a5"});
  ASSERT_EQ(review.mistakes.size(), 3u);
  EXPECT_EQ(review.mistakes[0].action, 1);
  EXPECT_EQ(review.mistakes[0].side, game::Color::kBlack);
  EXPECT_EQ(review.mistakes[0].judgement, Judgement::kBlunder);
  EXPECT_NEAR(review.mistakes[0].loss, 0.16f, 1e-6f);
  EXPECT_NEAR(review.mistakes[0].before, 0.56f, 1e-6f);
  EXPECT_EQ(review.mistakes[1].judgement, Judgement::kMistake);
  EXPECT_EQ(review.mistakes[2].judgement, Judgement::kInaccuracy);
  EXPECT_NEAR(review.average_loss[0], (0.06f + 0.11f) / 2, 1e-6f);
  EXPECT_NEAR(review.average_loss[1], 0.08f, 1e-6f);
}

TEST(ReviewTest, TheBestMoveIsNoMistakeWhateverIsSeenAfterIt) {
  const PlayedGame game = game_of("makruk", "", {"e3e4"});
  EXPECT_TRUE(review_of(game, {0.9f, 0.1f}, {"e3e4", "e6e5"}).mistakes.empty());
}

TEST(ReviewTest, AMistakeIsAnnotatedWithItsGlyphAndTheBetterLine) {
  const PlayedGame game = game_of("makruk", "", {"e3e4", "e6e5"});
  const GameReview review = review_of(game, {0.5f, 0.5f, 0.9f}, {"e3e4", "d6d5", "b1d2"});
  GameDocument annotated(game);
  annotate(review, &annotated);
  const std::string text = game_pgn(annotated);
  EXPECT_THAT(text,
              HasSubstr("1... e5?? { [%eval 0.00] (50 % to 10 %) Blunder. d5 was\nbest. } (1... d5) *"));
  EXPECT_EQ(read_document(text)->game.actions(), game.actions());
}

ReviewOptions small() { return {.player = models::choose_player("alphabeta:2", {}), .visits = 8}; }

// White mates at once with a1a8, and plays another move first.
TEST(ReviewTest, AMissedMateIsFound) {
  const PlayedGame game = game_of("makruk", "7k/8/6K1/8/8/4P3/8/R7 w - - 0 1", {"a1b1", "h8g8", "b1b8"});
  SearchPool pool({});
  int calls = 0;
  const auto review = review_game(game, small(), &pool, [&](int searched, int of) {
    EXPECT_EQ(searched, ++calls);
    EXPECT_EQ(of, 3);
  });
  ASSERT_TRUE(review);
  EXPECT_EQ(calls, 3);
  ASSERT_TRUE(review->positions[0]);
  EXPECT_EQ(review->positions[0]->eval.mate, 1);
  EXPECT_EQ(game::move_text(game.rules(), game.start(), review->positions[0]->line[0]), "a1a8");
  EXPECT_EQ(review->positions[3]->expected, 1);  // The mate on the board.
}

TEST(ReviewTest, AGameThatWasResignedIsSearchedToItsLastPosition) {
  PlayedGame game = game_of("makyek", "", {"a3a4"});
  game.end({game::Result::kWhiteWins, game::Reason::kResignation});
  SearchPool pool({});
  const auto review = review_game(game, small(), &pool, [](int, int) {});
  ASSERT_TRUE(review);
  ASSERT_TRUE(review->positions[1]);
  EXPECT_FALSE(review->positions[1]->line.empty());
}

TEST(ReviewTest, DeclarationsAreSkipped) {
  const PlayedGame game = game_of("makruk:count.mode=manual", "4k2n/8/8/8/8/8/RR6/4K3 b - - 0 1",
                                  {"count", "e8e7", "a2a3", "stop", "e7e6"});
  SearchPool pool({});
  const auto review = review_game(game, small(), &pool, [](int, int of) { EXPECT_EQ(of, 4); });
  ASSERT_TRUE(review);
  EXPECT_FALSE(review->positions[0]);
  EXPECT_TRUE(review->positions[1]);
  GameDocument annotated(game);
  annotate(*review, &annotated);
  EXPECT_EQ(read_document(game_pgn(annotated))->game.actions(), game.actions());
}

TEST(ReviewTest, ItCanBeEnded) {
  const PlayedGame game = game_of("makruk", "", {"e3e4", "e6e5", "d3d4", "d6d5"});
  SearchPool pool({});
  std::stop_source stop;
  ReviewOptions options = small();
  options.stop = stop.get_token();
  EXPECT_FALSE(review_game(game, options, &pool, [&](int, int) { stop.request_stop(); }));
}

TEST(JudgementTest, TheLimitsAreLichesss) {
  EXPECT_EQ(judgement_of(0.049), std::nullopt);
  EXPECT_EQ(judgement_of(0.05), Judgement::kInaccuracy);
  EXPECT_EQ(judgement_of(0.149), Judgement::kMistake);
  EXPECT_EQ(judgement_of(0.15), Judgement::kBlunder);
}

TEST(JudgementTest, AsJsonTheyAreThoseOfTheProgramTheWorstFirst) {
  EXPECT_EQ(judgements_json(), nlohmann::json::parse(R"([
    {"word": "Blunder", "glyph": "??", "nag": 4, "loss": 0.15},
    {"word": "Mistake", "glyph": "?", "nag": 2, "loss": 0.1},
    {"word": "Inaccuracy", "glyph": "?!", "nag": 6, "loss": 0.05}])"));
}

TEST(DocumentJsonTest, ATreeReadsBackFromItsJson) {
  const GameDocument game = *read_document(
      "[Variant \"Makruk\"]\n\n1. e4 { [%eval 0.25] } e5?! { Too early. } (1... d5 2. Nd2 (2. d4 d5) 2... "
      "Nd7) 2. Nd2 { [%eval #2] } *");
  std::string field;
  const auto again = document_from_json(game.game, document_json(game), &field);
  ASSERT_TRUE(again) << again.why();
  EXPECT_EQ(game_pgn(*again), game_pgn(game));
  EXPECT_EQ(document_json(game)["line"][1]["variations"][0][1]["written"], "Nd2");
}

TEST(DocumentJsonTest, WrongLinesAreRefusedWithTheReason) {
  const PlayedGame game = game_of("makruk", "", {});
  for (const auto& [text, why] : std::vector<std::pair<const char*, const char*>>{
           {R"({"line": 3})", "must be a list"},
           {R"({"line": [3]})", "with 'move'"},
           {R"({"line": [{"move": "a1a9"}]})", "not legal"},
           {R"({"line": [{"move": "e3e4", "variations": 3}]})", "list of lines"}}) {
    std::string field;
    const auto read = document_from_json(game, nlohmann::json::parse(text), &field);
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.why(), HasSubstr(why));
    EXPECT_EQ(field, "line");
  }
}

}  // namespace
}  // namespace makzero::play
