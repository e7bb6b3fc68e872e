// The planes of hand-made positions, for both colours.
#include "nn/encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/symmetry.h"
#include "tests/nn/nn_samples.h"
#include "tests/support/position_tools.h"

namespace makzero::nn {
namespace {

using game::Position;

class EncoderTest : public testing::Test {
 protected:
  // Returns the initial position.
  Position use(const std::string& spec) {
    game_ = *game::make_game(spec);
    encoder_.emplace(default_planes(game_->info()));
    return game_->initial();
  }

  Position read(const std::string& text) const {
    const auto position = game::parse_position(*game_, text);
    EXPECT_TRUE(position) << position.why();
    return *position;
  }

  std::vector<float> encode(const Position& position, int occurrences = 1) const {
    std::vector<float> planes(static_cast<size_t>(encoder_->plane_count()) * 64, -1.0f);
    encoder_->encode(*game_, position, occurrences, planes.data());
    return planes;
  }

  // The squares of a plane that are not 0, as the mover sees them: "a1 c3".
  std::string squares(const Position& position, const std::string& plane) const {
    const std::vector<float> planes = encode(position);
    std::string text;
    for (int square = 0; square < 64; ++square) {
      if (planes[index_of(plane) * 64 + square] != 0)
        text += (text.empty() ? "" : " ") + game::square_text(square);
    }
    return text;
  }

  // The value of a constant plane.
  float constant(const Position& position, const std::string& plane, int occurrences = 1) const {
    const std::vector<float> planes = encode(position, occurrences);
    const auto begin = planes.begin() + static_cast<std::ptrdiff_t>(index_of(plane) * 64);
    EXPECT_EQ(std::count(begin, begin + 64, *begin), 64) << plane << " is not constant";
    return *begin;
  }

  size_t index_of(const std::string& plane) const {
    const auto& names = encoder_->planes();
    const auto found = std::find(names.begin(), names.end(), plane);
    EXPECT_NE(found, names.end()) << "no plane '" << plane << "'";
    return static_cast<size_t>(found - names.begin());
  }

  game::GamePtr game_;
  std::optional<Encoder> encoder_;
};

TEST_F(EncoderTest, GamesHaveOnlyThePlanesThatTheyNeed) {
  use("makyek");
  const std::vector<std::string> makyek = {
      "own M",      "enemy M",     "own targets", "enemy targets", "own destinations", "enemy destinations",
      "repetition", "no progress", "plies left",  "board"};
  EXPECT_EQ(encoder_->planes(), makyek);
  use("makruk");
  const auto& names = encoder_->planes();
  EXPECT_EQ(std::count(names.begin(), names.end(), "count limit"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "own hand"), 0);
}

TEST_F(EncoderTest, WhiteSeesTheBoardAsItIs) {
  use("makyek");
  const Position position = read("8/8/8/8/8/8/1m6/MM6 w");
  EXPECT_EQ(squares(position, "own M"), "a1 b1");
  EXPECT_EQ(squares(position, "enemy M"), "b2");
}

TEST_F(EncoderTest, BlackSeesTheBoardRotatedAndHisMenAsOwn) {
  use("makyek");
  const Position position = read("8/8/8/8/8/8/1m6/MM6 b");
  EXPECT_EQ(squares(position, "own M"), "g7");
  EXPECT_EQ(squares(position, "enemy M"), "g8 h8");
}

TEST_F(EncoderTest, ThreatPlanesShowWhatEitherSideCouldTake) {
  use("makyek");
  // The man on a2 may slide to a4: with c4 it then catches b4.
  const Position position = read("8/8/8/8/1mM5/8/M7/8 w");
  EXPECT_EQ(squares(position, "own targets"), "b4");
  EXPECT_EQ(squares(position, "own destinations"), "a4");
  EXPECT_EQ(squares(position, "enemy targets"), "");
}

TEST_F(EncoderTest, EveryKindHasItsPlanes) {
  use("makruk");
  const Position position = game_->initial();
  EXPECT_EQ(squares(position, "own P"), "a3 b3 c3 d3 e3 f3 g3 h3");
  EXPECT_EQ(squares(position, "own R"), "a1 h1");
  EXPECT_EQ(squares(position, "enemy N"), "b8 g8");
}

TEST_F(EncoderTest, APositionAndItsColourSwapEncodeEqually) {
  for (const std::string spec : {"makyek", "makruk"}) {
    use(spec);
    for (const SamplePosition& sample : sample_positions(*game_, 200, 5)) {
      const Position swapped = game::swap_colors(game_->info(), sample.position);
      ASSERT_EQ(encode(sample.position), encode(swapped)) << game::position_text(*game_, sample.position);
    }
  }
}

TEST_F(EncoderTest, PlanesOfSquaresRotateLikeTheSymmetryOfTheRules) {
  use("makyek");
  const game::Symmetry rotation = game::rotation(game_->info());
  for (SamplePosition& sample : sample_positions(*game_, 50, 6)) {
    sample.position.to_move = game::Color::kBlack;
    const std::vector<float> planes = encode(sample.position);
    for (int square = 0; square < 64; ++square) {
      ASSERT_EQ(planes[rotation(square)] != 0, game::contains(sample.position.own(), square));
      ASSERT_EQ(mover_view(game_->info(), square, game::Color::kBlack), rotation(square));
    }
  }
}

TEST_F(EncoderTest, RepetitionIsTheShareOfTheOccurrencesThatEndTheGame) {
  use("makyek");
  EXPECT_FLOAT_EQ(constant(game_->initial(), "repetition", 2), 2 / 3.0f);
  use("makyek:repetition=5");
  EXPECT_FLOAT_EQ(constant(game_->initial(), "repetition", 2), 0.4f);
  use("makyek:repetition=0");
  EXPECT_EQ(constant(game_->initial(), "repetition", 2), 0);
}

TEST_F(EncoderTest, ProgressIsTheShareOfTheLimit) {
  Position position = use("makyek");
  position.no_progress_plies = static_cast<std::uint16_t>(game_->info().no_progress / 2);
  EXPECT_FLOAT_EQ(constant(position, "no progress"), 0.5f);
  use("makyek:no_progress=0");
  EXPECT_EQ(constant(position, "no progress"), 0);
}

TEST_F(EncoderTest, TheLastPliesBeforeTheLimitAreCounted) {
  Position position = use("makyek:max_plies=100");
  EXPECT_EQ(constant(position, "plies left"), 1);
  position.ply = 68;
  EXPECT_FLOAT_EQ(constant(position, "plies left"), 0.5f);
  position.ply = 100;
  EXPECT_EQ(constant(position, "plies left"), 0);
  use("makyek:max_plies=0");
  EXPECT_EQ(constant(position, "plies left"), 1);
}

// As the networks of the zoo were trained with them.
TEST_F(EncoderTest, RetiredPlanesAreWrittenAsBefore) {
  Position position = use("makyek");
  encoder_.emplace(std::vector<std::string>{"seen 1", "quiet plies", "ply", "board"});
  EXPECT_EQ(constant(position, "seen 1", 1), 0);
  EXPECT_EQ(constant(position, "seen 1", 2), 1);
  position.no_progress_plies = 50;
  position.ply = 35;
  EXPECT_FLOAT_EQ(constant(position, "quiet plies"), 0.5f);
  EXPECT_FLOAT_EQ(constant(position, "ply"), 32 / 400.0f);
}

TEST_F(EncoderTest, PlanesOfOtherGamesAreEmpty) {
  use("makyek");
  encoder_.emplace(std::vector<std::string>{"own R", "board rek", "board makyek"});
  EXPECT_EQ(squares(game_->initial(), "own R"), "");
  EXPECT_EQ(squares(game_->initial(), "board rek"), "");
  EXPECT_EQ(constant(game_->initial(), "board makyek"), 1);
}

TEST(PlanesTest, EveryDefaultPlaneIsKnownAndExplained) {
  for (const std::string& ruleset : game::ruleset_names()) {
    const game::GamePtr game = *game::make_game(ruleset);
    const std::vector<std::string> planes = default_planes(game->info());
    EXPECT_EQ(unknown_plane(planes), "");
    EXPECT_EQ(missing_plane(planes, game->info()), "");
    for (const std::string& plane : planes) EXPECT_NE(plane_meaning(plane), "") << plane;
  }
}

TEST(PlanesTest, NamesOfNoGameAreUnknown) {
  for (const std::string name : {"own", "own m", "own KK", "own right 4", "own right -1", "seen", "seen x",
                                 "boards", "own board", "repetition 1", ""}) {
    EXPECT_EQ(find_plane(name).has_value(), false) << name;
    const std::vector<std::string> planes = {"own M", name};
    EXPECT_EQ(unknown_plane(planes), name);
  }
}

TEST_F(EncoderTest, CountingStateIsFromTheMoversSide) {
  use("makruk");
  Position position = game_->initial();
  position.count_limit = 64;
  position.count = 16;
  position.counter = game::Counter::kBlack;
  EXPECT_FLOAT_EQ(constant(position, "count limit"), 0.5f);
  EXPECT_FLOAT_EQ(constant(position, "count used"), 0.25f);
  EXPECT_EQ(constant(position, "own count"), 0);
  EXPECT_EQ(constant(position, "enemy count"), 1);
  position.to_move = game::Color::kBlack;
  EXPECT_EQ(constant(position, "own count"), 1);
}

TEST_F(EncoderTest, PolicyIndicesRotateLikeThePlanes) {
  use("makyek");
  const game::Move move = game::Move::step(game::square_at(0, 0), game::square_at(0, 3));
  EXPECT_EQ(policy_index(game_->info(), move, game::Color::kWhite), 0 * 64 + 24);
  EXPECT_EQ(policy_index(game_->info(), move, game::Color::kBlack), 63 * 64 + 39);
}

TEST(PlanesTest, JointPlanesAreThoseOfAnyGameWithOneBoard) {
  const std::vector<game::GamePtr> games = {*game::make_game("makyek"), *game::make_game("rek")};
  const std::vector<std::string> joint = joint_planes(games);
  EXPECT_EQ(joint_planes(std::span(games).first(1)), default_planes(games[0]->info()));
  for (const game::GamePtr& game : games) {
    for (const std::string& plane : default_planes(game->info()))
      EXPECT_EQ(std::count(joint.begin(), joint.end(), plane), 1) << plane;
    EXPECT_EQ(missing_plane(joint, game->info()), "");
  }
}

TEST_F(EncoderTest, ASmallBoardIsRotatedWithinItself) {
  use("gala");
  const game::Move move = game::Move::step(game::square_at(0, 0), game::square_at(0, 2));
  EXPECT_EQ(policy_index(game_->info(), move, game::Color::kWhite), 0 * 64 + 16);
  EXPECT_EQ(policy_index(game_->info(), move, game::Color::kBlack), 54 * 64 + 38);
  EXPECT_EQ(policy_index(game_->info(), game::Move::drop(8), game::Color::kBlack), 64 * 64 + 46);
  EXPECT_EQ(policy_index(game_->info(), game::Move::pass(), game::Color::kBlack), game::kPolicySize - 1);
}

TEST(PlanesTest, EveryGameFindsItsOwnAmongJointPlanesAndLeavesTheOthersEmpty) {
  const std::vector<game::GamePtr> games = {*game::make_game("makyek"), *game::make_game("makruk"),
                                            *game::make_game("makyek:jump=on")};
  const Encoder joint(joint_planes(games));
  for (const game::GamePtr& game : games) {
    const std::vector<std::string> planes = default_planes(game->info());
    const Encoder own(planes);
    for (const SamplePosition& sample : sample_positions(*game, 20, 5)) {
      std::vector<float> few(planes.size() * 64), all(joint.planes().size() * 64, -1.0f);
      own.encode(*game, sample.position, 1, few.data());
      joint.encode(*game, sample.position, 1, all.data());
      for (size_t plane = 0; plane < joint.planes().size(); ++plane) {
        const auto known = std::find(planes.begin(), planes.end(), joint.planes()[plane]);
        std::vector<float> expected(64, 0.0f);
        if (known != planes.end())
          std::copy_n(&few[static_cast<size_t>(known - planes.begin()) * 64], 64, expected.begin());
        EXPECT_EQ(std::vector(&all[plane * 64], &all[plane * 64] + 64), expected) << joint.planes()[plane];
      }
    }
  }
}

// A line for each plane of a new network: its name, the games that have it, its meaning.
std::string planes_text() {
  std::vector<std::string> names;
  std::map<std::string, std::string> games;
  const std::vector<std::string> rulesets = game::ruleset_names();
  for (const std::string& ruleset : rulesets) {
    for (const std::string& plane : default_planes((*game::make_game(ruleset))->info())) {
      std::string& known = games[plane];
      if (known.empty()) names.push_back(plane);
      known += (known.empty() ? "" : ", ") + ruleset;
    }
  }
  std::string every;
  for (const std::string& ruleset : rulesets) every += (every.empty() ? "" : ", ") + ruleset;
  std::string text =
      "# Input planes\n\nWhat a new network sees of a position, 8 x 8 numbers for each plane, from the "
      "mover's "
      "side. Made from the table in `planes.cc` by `tests/nn/encoder_test.cc`.\n\n"
      "| plane | games | meaning |\n|---|---|---|\n";
  for (const std::string& name : names) {
    text += "| `" + name + "` | " + (games[name] == every ? "all" : games[name]) + " | " +
            plane_meaning(name) + " |\n";
  }
  return text;
}

TEST(PlanesTest, TheListOfPlanesIsThatOnFile) {
  const std::string path = MAKZERO_TEST_DATA "/../../nn/PLANES.md";
  if (std::getenv("MAKZERO_WRITE_GOLDEN")) std::ofstream(path) << planes_text();
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), planes_text())
      << "write it anew with MAKZERO_WRITE_GOLDEN=1 and review the difference";
}

}  // namespace
}  // namespace makzero::nn
