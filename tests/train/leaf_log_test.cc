// The leaf log: what a leaf keeps, what the files hold after crashes and damage, how large they grow, and
// which evaluations are sampled.
#include "train/self_play/leaf_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <latch>
#include <limits>
#include <map>
#include <thread>

#include "game/catalog.h"
#include "game/notation.h"
#include "mcts/blended_evaluator.h"
#include "mcts/hash_evaluator.h"
#include "mcts/rng.h"
#include "mcts/uniform_evaluator.h"
#include "tests/support/file_tools.h"
#include "train/self_play/leaf_logging_evaluator.h"

namespace makzero::train {
namespace {

using models::flipped;
using models::put_file;
using models::read_text_file;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kRoom = 100'000'000;

game::GamePtr game_named(const char* spec) { return *game::make_game(spec); }

// Bits without a meaning that do not compress; numbered from 0.
std::vector<Leaf> random_leaves(std::uint32_t count) {
  mcts::Rng rng(7);
  std::vector<Leaf> leaves(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t& word : leaves[i].position.pieces) word = static_cast<std::uint32_t>(rng.next());
    for (std::uint32_t& word : leaves[i].position.occupied) word = static_cast<std::uint32_t>(rng.next());
    leaves[i].win = static_cast<std::uint16_t>(rng.next());
    leaves[i].draw = static_cast<std::uint16_t>(rng.next());
    leaves[i].position.state = i;
  }
  return leaves;
}

TEST(LeafTest, PositionAndValueComeBack) {
  const game::GamePtr game = game_named("makyek");
  for (const mcts::MoverValue value : {mcts::MoverValue{1, 0, 0}, mcts::MoverValue{0, 1, 0},
                                       mcts::MoverValue{0, 0, 1}, mcts::MoverValue{0.3f, 0.2f, 0.5f}}) {
    const auto leaf = make_leaf(game->info(), game->initial(), 2, value);
    ASSERT_TRUE(leaf);
    const auto unpacked = game::unpack(game->info(), leaf->position);
    EXPECT_EQ(unpacked->position, game->initial());
    EXPECT_EQ(unpacked->occurrences, 2);
    EXPECT_NEAR(value_of(*leaf).win, value.win, 1e-5);
    EXPECT_NEAR(value_of(*leaf).draw, value.draw, 1e-5);
    EXPECT_NEAR(value_of(*leaf).loss, value.loss, 1e-5);
  }
}

TEST(LeafTest, RoundingNeverMakesALossNegative) {
  const game::GamePtr game = game_named("makyek");
  const float half_step = 0.5f / 65535;
  const auto leaf = make_leaf(game->info(), game->initial(), 1, {0.25f + half_step, 0.75f + half_step, 0});
  ASSERT_TRUE(leaf);
  EXPECT_EQ(leaf->win + leaf->draw, 65535);
  EXPECT_GE(value_of(*leaf).loss, 0);
}

TEST(LeafTest, WhatIsNoProbabilityOrDoesNotFitIsNoLeaf) {
  const game::GamePtr game = game_named("makyek");
  const float none = std::numeric_limits<float>::quiet_NaN();
  for (const mcts::MoverValue value :
       {mcts::MoverValue{none, 0, 0}, mcts::MoverValue{0, none, 0}, mcts::MoverValue{-0.5f, 1, 0.5f},
        mcts::MoverValue{0, -0.5f, 1.5f}, mcts::MoverValue{0.9f, 0.9f, 0}})
    EXPECT_FALSE(make_leaf(game->info(), game->initial(), 1, value));
  game::Position obliged = game->initial();
  obliged.obliged[0] = game::bit(game::square_at(0, 3));
  EXPECT_FALSE(make_leaf(game->info(), obliged, 1, {1, 0, 0}));
}

TEST(LeafBlockTest, ABlockComesBackAndAnyPartOfItDoesNot) {
  LeafBlock block{"makyek:jump=on", "0123456789ab", 12, random_leaves(3)};
  const std::string bytes = encode_leaves(block);
  EXPECT_EQ(bytes.size(), 4 + 4 + 2 + 14 + 2 + 12 + 3 * 32);
  const auto decoded = decode_leaves(bytes);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->ruleset, block.ruleset);
  EXPECT_EQ(decoded->network, block.network);
  EXPECT_EQ(decoded->generation, 12);
  EXPECT_EQ(decoded->leaves, block.leaves);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    ASSERT_FALSE(decode_leaves(bytes.substr(0, size))) << size;
  EXPECT_FALSE(decode_leaves(bytes + "x"));
}

class LeafLogTest : public models::FolderTest {
 protected:
  static constexpr std::uint32_t kFrame = LeafLog::kLeavesPerFrame;

  LeafLogTest() : leaves_(folder_ / "leaves") {}

  std::filesystem::path shard(std::uint64_t number) const { return leaf_shard_path(leaves_, number); }

  // All leaves of all files, and how often each source holds a block.
  std::vector<Leaf> stored(std::map<std::string, int>* sources = nullptr) const {
    std::vector<Leaf> leaves;
    for (const LeafShard& each : list_leaf_shards(leaves_)) {
      const models::Recovery recovery = read_leaves(each.path, [&](const LeafBlock& block) {
        leaves.insert(leaves.end(), block.leaves.begin(), block.leaves.end());
        if (sources)
          ++(*sources)[block.ruleset + " " + block.network + " " + std::to_string(block.generation)];
      });
      EXPECT_THAT(recovery.damages, IsEmpty());
    }
    return leaves;
  }

  std::uint64_t bytes_on_disk() const {
    std::uint64_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(leaves_)) bytes += entry.file_size();
    return bytes;
  }

  // A log of two frames.
  void write_two_frames() const {
    LeafLog log(leaves_, kRoom);
    log.add("makyek", random_leaves(2 * kFrame - 100));
    log.flush();
    log.add("makyek", random_leaves(100));
    log.flush();
  }

  std::filesystem::path leaves_;
};

TEST_F(LeafLogTest, LeavesComeBackInTheirOrderWithTheNetworkThatEvaluatedThem) {
  const std::vector<Leaf> leaves = random_leaves(100);
  LeafLog log(leaves_, kRoom);
  log.begin("aaaaaaaaaaaa", 3);
  log.add("makyek", std::span(leaves).first(30));
  log.add("makyek", std::span(leaves).subspan(30, 30));
  log.begin("bbbbbbbbbbbb", 4);
  log.add("makyek", std::span(leaves).subspan(60));
  log.flush();
  std::map<std::string, int> sources;
  EXPECT_EQ(stored(&sources), leaves);
  EXPECT_THAT(sources, ElementsAre(testing::Pair("makyek aaaaaaaaaaaa 3", 1),
                                   testing::Pair("makyek bbbbbbbbbbbb 4", 1)));
}

TEST_F(LeafLogTest, AFrameIsOnDiskAsSoonAsItIsFull) {
  const std::vector<Leaf> leaves = random_leaves(kFrame);
  LeafLog log(leaves_, kRoom);
  log.add("makyek", std::span(leaves).first(kFrame - 1));
  EXPECT_THAT(stored(), IsEmpty());
  log.add("makyek", std::span(leaves).last(1));
  EXPECT_EQ(stored(), leaves);
}

TEST_F(LeafLogTest, AnotherSessionGoesOnInTheLastFile) {
  const std::vector<Leaf> leaves = random_leaves(20);
  for (const auto& part : {std::span(leaves).first(5), std::span(leaves).subspan(5)}) {
    LeafLog log(leaves_, kRoom);
    EXPECT_THAT(log.warnings(), IsEmpty());
    log.add("makyek", part);
    log.flush();
  }
  EXPECT_EQ(stored(), leaves);
  EXPECT_EQ(list_leaf_shards(leaves_).size(), 1u);
}

TEST_F(LeafLogTest, ATornFrameIsCutOffAndTheLogGoesOn) {
  write_two_frames();
  std::filesystem::resize_file(shard(0), std::filesystem::file_size(shard(0)) - 5);
  LeafLog log(leaves_, kRoom);
  EXPECT_THAT(log.warnings(), ElementsAre(AllOf(HasSubstr(shard(0).string()), HasSubstr("unfinished"))));
  EXPECT_EQ(stored().size(), 2 * kFrame - 100);
  log.add("makyek", random_leaves(7));
  log.flush();
  EXPECT_EQ(stored().size(), 2 * kFrame - 93);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(leaves_), {}), 1);
}

TEST_F(LeafLogTest, DamageIsNamedWithItsBytesSetAsideAndTheGoodFramesStay) {
  write_two_frames();
  put_file(shard(0), flipped(read_text_file(shard(0)), 60));
  std::uint64_t good = 0;
  const models::Recovery recovery =
      read_leaves(shard(0), [&](const LeafBlock& block) { good += block.leaves.size(); });
  EXPECT_EQ(good, 100u);
  EXPECT_THAT(recovery.damages, ElementsAre(HasSubstr("bytes 24-")));
  const LeafLog log(leaves_, kRoom);
  EXPECT_THAT(log.warnings(), ElementsAre(AllOf(HasSubstr("bytes 24-"), HasSubstr("1 good frames"),
                                                HasSubstr("set aside as *.damaged"))));
  EXPECT_EQ(stored().size(), 100u);
  EXPECT_TRUE(std::filesystem::exists(shard(0).string() + ".damaged"));
}

TEST_F(LeafLogTest, TheFolderStaysWithinItsSizeAndKeepsTheNewest) {
  static constexpr std::uint64_t kMost = 2'000'000;
  static constexpr std::uint32_t kFrames = 40;  // Of 256 KiB.
  const std::vector<Leaf> leaves = random_leaves(kFrames * kFrame);
  LeafLog log(leaves_, kMost);
  for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
    log.add("makyek", std::span(leaves).subspan(frame * kFrame, kFrame));
    ASSERT_LE(bytes_on_disk(), kMost) << frame;
  }
  const std::vector<Leaf> kept = stored();
  EXPECT_GT(bytes_on_disk(), kMost / 2);
  ASSERT_GT(kept.size(), kFrame);
  EXPECT_TRUE(std::equal(kept.rbegin(), kept.rend(), leaves.rbegin()));
}

TEST_F(LeafLogTest, ASmallerSizeHoldsFromTheNextFrameOn) {
  {
    LeafLog log(leaves_, 4'000'000);
    for (int frame = 0; frame < 12; ++frame) log.add("makyek", random_leaves(kFrame));
  }
  ASSERT_GT(bytes_on_disk(), 2'000'000u);
  LeafLog log(leaves_, 1'000'000);
  log.add("makyek", random_leaves(kFrame));
  EXPECT_LE(bytes_on_disk(), 1'000'000u);
  EXPECT_GE(stored().size(), kFrame);
}

TEST_F(LeafLogTest, FilesAreNumberedOnBehindThoseThatWereDeleted) {
  {
    LeafLog log(leaves_, 1'000'000);
    for (int frame = 0; frame < 12; ++frame) log.add("makyek", random_leaves(kFrame));
  }
  const std::vector<LeafShard> before = list_leaf_shards(leaves_);
  EXPECT_GT(before.front().number, 0u);
  put_file(leaves_ / "notes.txt", "not ours");
  put_file(leaves_ / "000001x.mzf", "not ours");
  LeafLog log(leaves_, 1'000'000);
  log.add("makyek", random_leaves(kFrame));
  EXPECT_EQ(list_leaf_shards(leaves_).back().number, before.back().number + 1);
  EXPECT_TRUE(std::filesystem::exists(leaves_ / "000001x.mzf"));
}

TEST_F(LeafLogTest, SeveralThreadsLoseNothing) {
  static constexpr std::uint32_t kThreads = 4, kEach = 3 * kFrame, kBatch = 16;
  const std::vector<Leaf> leaves = random_leaves(kThreads * kEach);
  LeafLog log(leaves_, kRoom);
  std::latch start(kThreads);
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&log, &start, own = std::span(leaves).subspan(i * kEach, kEach)] {
      start.arrive_and_wait();
      for (std::size_t begin = 0; begin < own.size(); begin += kBatch)
        log.add("makyek", own.subspan(begin, kBatch));
    });
  }
  for (std::thread& thread : threads) thread.join();
  log.flush();
  std::vector<Leaf> kept = stored();
  std::ranges::sort(kept, {}, [](const Leaf& leaf) { return leaf.position.state; });
  EXPECT_EQ(kept, leaves);
}

TEST_F(LeafLogTest, FramesOfAnotherFormatAndOtherFilesAreRefused) {
  std::filesystem::create_directories(leaves_);
  models::FrameAppender(shard(0), models::FileKind::kLeaves).add("what a newer program writes");
  EXPECT_THAT(models::error_of([&] { read_leaves(shard(0), [](const LeafBlock&) {}); }),
              AllOf(HasSubstr(shard(0).string()), HasSubstr("newer version")));
  models::FrameAppender(shard(1), models::FileKind::kGames).add("game");
  EXPECT_THAT(models::error_of([&] { read_leaves(shard(1), [](const LeafBlock&) {}); }),
              HasSubstr("holds game records, not leaves"));
  put_file(folder_ / "file", "");
  EXPECT_THAT(models::error_of([&] { LeafLog(folder_ / "file", kRoom); }),
              HasSubstr("cannot make the folder"));
}

class LeafLoggingTest : public LeafLogTest {
 protected:
  LeafLoggingTest() : game_(game_named("makyek")), position_(game_->initial()) {
    game_->legal_moves(position_, &legal_);
  }

  // The leaves that this share of so many evaluations of the initial position leaves.
  std::size_t sampled(int evaluations, float share, std::uint64_t seed) {
    std::filesystem::remove_all(leaves_);
    LeafLog log(leaves_, kRoom);
    LeafLoggingEvaluator evaluator(std::make_unique<mcts::UniformEvaluator>(), share, seed, &log);
    const std::vector<mcts::EvalRequest> requests(100, {game_.get(), &position_, &legal_, 1});
    std::vector<mcts::Evaluation> results(requests.size());
    for (int i = 0; i < evaluations; i += 100) evaluator.evaluate(requests, results);
    log.flush();
    return stored().size();
  }

  game::GamePtr game_;
  game::Position position_;
  game::MoveList legal_;
};

TEST_F(LeafLoggingTest, TheShareIsThatOfTheEvaluations) {
  static constexpr int kEvaluations = 100'000;
  for (const double share : {0.25, 0.01, 0.9}) {
    const double deviation = std::sqrt(kEvaluations * share * (1 - share));
    const auto count = static_cast<double>(sampled(kEvaluations, static_cast<float>(share), 1));
    EXPECT_NEAR(count, share * kEvaluations, 4 * deviation);
  }
  EXPECT_EQ(sampled(1000, 1, 1), 1000u);
  EXPECT_EQ(sampled(1000, 0, 1), 0u);
  EXPECT_NE(sampled(kEvaluations, 0.25f, 1), sampled(kEvaluations, 0.25f, 2));
}

TEST_F(LeafLoggingTest, TheNetworksOwnValueIsLoggedAndItsEvaluationIsPassedOn) {
  LeafLog log(leaves_, kRoom);
  mcts::BlendedEvaluator blended(
      std::make_unique<LeafLoggingEvaluator>(std::make_unique<mcts::HashEvaluator>(), 1.0f, 1, &log),
      std::make_unique<mcts::UniformEvaluator>(), 0.5f);
  mcts::BlendedEvaluator without(std::make_unique<mcts::HashEvaluator>(),
                                 std::make_unique<mcts::UniformEvaluator>(), 0.5f);
  const mcts::EvalRequest request{game_.get(), &position_, &legal_, 1};
  mcts::Evaluation with_log, without_log, pure;
  blended.evaluate({&request, 1}, {&with_log, 1});
  without.evaluate({&request, 1}, {&without_log, 1});
  mcts::HashEvaluator().evaluate({&request, 1}, {&pure, 1});
  log.flush();
  EXPECT_EQ(with_log.value.win, without_log.value.win);
  EXPECT_EQ(with_log.priors, without_log.priors);
  const std::vector<Leaf> leaves = stored();
  ASSERT_EQ(leaves.size(), 1u);
  EXPECT_EQ(game::unpack(game_->info(), leaves[0].position)->position, position_);
  EXPECT_NEAR(value_of(leaves[0]).win, pure.value.win, 1e-4);
  EXPECT_NEAR(value_of(leaves[0]).draw, pure.value.draw, 1e-4);
  EXPECT_GT(std::abs(pure.value.win - with_log.value.win), 0.001f);
}

TEST_F(LeafLoggingTest, PositionsThatDoNotFitAreLeftOut) {
  position_.obliged[0] = game::bit(game::square_at(0, 3));
  EXPECT_EQ(sampled(1000, 1, 1), 0u);
}

}  // namespace
}  // namespace makzero::train
