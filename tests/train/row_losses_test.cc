// Rows of largest loss: what they are named by, and which of them stay.
#include "train/learning/row_losses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "models/error.h"
#include "models/file_io.h"
#include "tests/support/file_tools.h"
#include "tests/support/record_tools.h"
#include "train/run/losses_json.h"

namespace makzero::train {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

// A policy that has all of its weight on one legal move.
std::string policy_of(int move, int legal) {
  std::string policy;
  for (int i = 0; i < legal; ++i) policy += i == move ? "\xff\xff" : std::string(2, '\0');
  return policy;
}

class RowLossesTest : public models::FolderTest {
 protected:
  // Batches of one game.
  void use(const game::Game& game, GameRecord record) {
    store_.emplace(folder_ / "replay", 100);
    store_->add(std::move(record));
    pool_.emplace(std::vector{make(game.info().ruleset)}, RulesetConfig());
    maker_.emplace(&*pool_, BatchOptions{});
    maker_->set_inputs({.planes = {"board"}});
    maker_->update(store_->window());
  }

  // A game of Mak-yek of which every search says that White wins.
  void use_makyek() {
    GameRecord record = record_of(*makyek_, "", {"a3a4", "a6a5", "b3b4", "b6b5"}, {1, 1, 1, 1});
    record.set_number(7);
    use(*makyek_, record);
  }

  std::vector<Sample> samples(const std::vector<int>& plies) const {
    std::vector<Sample> samples;
    for (const int ply : plies) samples.push_back({store_->window()[0].get(), ply});
    return samples;
  }

  nn::TrainBatch batch_of(const std::vector<Sample>& samples, std::uint64_t seed = 1) const {
    mcts::Rng rng(seed);
    nn::TrainBatch batch;
    maker_->add(samples, &rng, &batch);
    return batch;
  }

  // The targets themselves as predictions.
  static nn::Predictions perfect(const nn::TrainBatch& batch) {
    return {batch.targets[nn::Head::kPolicy].values, batch.targets[nn::Head::kValue].values};
  }

  game::GamePtr makyek_ = make("makyek");
  std::optional<ReplayStore> store_;
  std::optional<GamePool> pool_;
  std::optional<BatchMaker> maker_;
};

TEST_F(RowLossesTest, TheLossIsWhatThePredictionLacksOfItsTarget) {
  use_makyek();
  const std::vector<Sample> rows = samples({0});
  const nn::TrainBatch batch = batch_of(rows);
  nn::Predictions predictions = perfect(batch);
  LargestLosses largest(&*maker_, 20);
  largest.add(rows, batch, predictions);
  EXPECT_NEAR(largest.rows().at(0).total(), 0, 1e-5) << "a soft target is no loss";

  const auto moves = static_cast<float>(predictions.policy.size());
  predictions.policy.assign(predictions.policy.size(), 0.5f / (moves - 1));
  predictions.policy[0] = 0.5f;
  predictions.value = {0.25f, 0.5f, 0.25f};
  largest.add(rows, batch, predictions);
  ASSERT_THAT(largest.rows(), SizeIs(1));
  const RowLoss& row = largest.rows()[0];
  const float even = 1 / moves;
  EXPECT_NEAR(row.policy,
              even * std::log(even / 0.5f) + (moves - 1) * even * std::log(even * (moves - 1) / 0.5f), 1e-5);
  EXPECT_NEAR(row.value, std::log(4), 1e-5);
  EXPECT_FLOAT_EQ(row.total(), row.policy + row.value);
  EXPECT_FLOAT_EQ(row.predicted.moves.at(0).share, 0.5f);
  EXPECT_FLOAT_EQ(row.predicted.value.draw, 0.5f);
}

TEST_F(RowLossesTest, ARowIsNamedByItsGameWhateverSideAndSymmetryTheNetworkSees) {
  GameRecord record = record_of(*makyek_, "", {"a3a4", "a6a5", "b3b4"}, {1, 1, 1});
  record.set_number(7);
  use(*makyek_, record);
  const game::Position& position = maker_->position_of(samples({1})[0]);
  game::MoveList legal;
  makyek_->legal_moves(position, &legal);
  const int best = legal.size() - 2;
  record.mutable_plies(1)->set_policy(policy_of(best, legal.size()));
  const std::string move = game::move_text(*makyek_, position, legal[best]);
  const std::string text = game::position_text(*makyek_, position);
  std::filesystem::remove_all(folder_ / "replay");
  use(*makyek_, record);
  std::set<std::int64_t> indices;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const std::vector<Sample> rows = samples({1});
    const nn::TrainBatch batch = batch_of(rows, seed);
    const std::vector<float>& target = batch.targets[nn::Head::kPolicy].values;
    indices.insert(batch.move_index[std::ranges::max_element(target) - target.begin()]);
    LargestLosses largest(&*maker_, 20);
    largest.add(rows, batch, perfect(batch));
    const RowLoss& row = largest.rows().at(0);
    EXPECT_EQ(row.ruleset, "makyek");
    EXPECT_EQ(row.position, text);
    EXPECT_EQ(row.mover, game::Color::kBlack);
    EXPECT_EQ(row.game, 7u);
    EXPECT_EQ(row.ply, 1);
    ASSERT_THAT(row.target.moves, SizeIs(1)) << "moves without a share are none";
    EXPECT_EQ(row.target.moves[0].move, move);
    EXPECT_EQ(row.predicted.moves.at(0).move, move);
    EXPECT_GT(row.target.value.loss, 0.9f) << "White wins, and Black is to move";
  }
  EXPECT_GT(indices.size(), 1u) << "the symmetries differ";
}

TEST_F(RowLossesTest, MovesThatShareAnIndexAreListedOnce) {
  const game::GamePtr game = make("makyek:custodian_total=one");
  const std::string start = "8/4m1m1/2m5/Mm3M2/2m4m/3Mm2M/5m2/5M2 w";  // f5f3:e3 and f5f3:f2.
  const game::Position position = *game::parse_position(*game, start);
  game::MoveList legal;
  game->legal_moves(position, &legal);
  use(*game, record_of(*game, start, {game::move_text(*game, position, legal[0])}));
  const nn::TrainBatch batch = batch_of(samples({0}));
  EXPECT_LT(batch.move_index.size(), static_cast<std::size_t>(legal.size()));
  EXPECT_THAT(listed_moves(*game, position), SizeIs(batch.move_index.size()));
}

TEST_F(RowLossesTest, TheLargestStayInOrderAndEachPositionOnce) {
  use_makyek();
  const std::vector<Sample> rows = samples({0, 1, 2, 3, 1});
  const nn::TrainBatch batch = batch_of(rows);
  nn::Predictions predictions = perfect(batch);
  // From White's side: the less is predicted for White, the larger is the loss.
  const std::vector<float> white = {0.5f, 0.2f, 0.9f, 0.1f, 0.05f};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const bool black = rows[row].ply % 2 == 1;
    predictions.value[3 * row] = black ? 1 - white[row] : white[row];
    predictions.value[3 * row + 1] = 0;
    predictions.value[3 * row + 2] = black ? white[row] : 1 - white[row];
  }
  LargestLosses largest(&*maker_, 3);
  largest.add(rows, batch, predictions);
  largest.add(rows, batch, perfect(batch));  // Smaller: they change nothing.
  ASSERT_THAT(largest.rows(), SizeIs(3));
  const std::vector<int> plies = {1, 3, 0};
  const std::vector<float> predicted = {0.05f, 0.1f, 0.5f};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(largest.rows()[i].ply, plies[i]);
    EXPECT_NEAR(largest.rows()[i].value, -std::log(predicted[i]), 1e-4);
  }
}

TEST_F(RowLossesTest, ARowWithoutAPolicyHasTheLossOfItsValueAlone) {
  GameRecord record = record_of(*makyek_, "", {"a3a4"}, {1});
  record.mutable_plies(0)->clear_policy();
  use(*makyek_, record);
  const std::vector<Sample> rows = samples({0});
  const nn::TrainBatch batch = batch_of(rows);
  LargestLosses largest(&*maker_, 20);
  largest.add(rows, batch, {{}, {0.5f, 0.5f, 0}});
  EXPECT_EQ(largest.rows().at(0).policy, 0);
  EXPECT_NEAR(largest.rows()[0].value, std::log(2), 1e-5);
  EXPECT_TRUE(largest.rows()[0].target.moves.empty());
}

TEST_F(RowLossesTest, TheFileSaysAllOfThemAndIsShownToPeople) {
  const RowLoss row{.ruleset = "makyek",
                    .position = "8/8 w",
                    .mover = game::Color::kBlack,
                    .game = 12,
                    .ply = 3,
                    .target = {{0.25f, 0.5f, 0.25f}, {{"a3a5", 0.75f}}},
                    .predicted = {{0, 0, 1}, {{"b3b4", 0.5f}}},
                    .policy = 1.5f,
                    .value = 0.25f};
  models::write_text_file(folder_ / "losses.json", losses_json(4, std::vector{row}));
  const auto json = nlohmann::json::parse(models::read_text_file(folder_ / "losses.json"));
  EXPECT_EQ(json, nlohmann::json::parse(R"({"generation": 4, "rows": [{"ruleset": "makyek",
      "position": "8/8 w", "side": "black", "game": 12, "ply": 3, "loss": 1.75, "policy_loss": 1.5,
      "value_loss": 0.25,
      "target": {"win": 0.25, "draw": 0.5, "loss": 0.25, "moves": [{"move": "a3a5", "share": 0.75}]},
      "predicted": {"win": 0.0, "draw": 0.0, "loss": 1.0, "moves": [{"move": "b3b4", "share": 0.5}]}}]})"));
  const std::string shown = inspect_losses(folder_ / "losses.json");
  EXPECT_THAT(shown, HasSubstr("makyek game 12, ply 3: policy 1.50, value 0.25"));
  EXPECT_THAT(shown, HasSubstr("target    win 0.25, draw 0.50, loss 0.25; a3a5 0.75"));
  models::write_text_file(folder_ / "losses.json", R"({"rows": [{"loss": "much"}]})");
  EXPECT_THROW(inspect_losses(folder_ / "losses.json"), models::Error);
}

}  // namespace
}  // namespace makzero::train
