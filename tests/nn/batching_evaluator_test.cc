// Batches joined from many threads: the right evaluations for each, full batches, failures.
#include "nn/evaluators/batching_evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <future>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "game/catalog.h"
#include "tests/nn/nn_samples.h"

namespace makzero::nn {
namespace {

// Takes no time. Its outputs are the keys of the positions, which go through the memory of the batch.
class KeyDevice : public Device {
 public:
  struct Batch : DeviceBatch {
    std::vector<float> keys, outputs;
  };

  std::unique_ptr<DeviceBatch> make_batch(int rows) const override {
    auto batch = std::make_unique<Batch>();
    batch->keys.resize(rows);
    batch->outputs.resize(rows);
    ++made;
    return batch;
  }
  void encode(std::span<const mcts::EvalRequest> requests, int first, DeviceBatch* batch) const override {
    for (size_t i = 0; i < requests.size(); ++i)
      static_cast<Batch*>(batch)->keys[first + i] = key_of(requests[i]);
  }
  void run(int rows, DeviceBatch* batch) override {
    {
      const std::lock_guard lock(mutex);
      sizes.push_back(rows);
    }
    if (gate.valid()) gate.wait();
    if (fails) throw std::runtime_error("the device broke");
    auto* memory = static_cast<Batch*>(batch);
    std::copy_n(memory->keys.begin(), rows, memory->outputs.begin());
  }
  void decode(const DeviceBatch& batch, int first, std::span<const mcts::EvalRequest> requests,
              std::span<mcts::Evaluation> evaluations) const override {
    if (computes_nan) throw std::runtime_error("computes NaN");
    for (size_t i = 0; i < requests.size(); ++i)
      evaluations[i].moves_left = static_cast<const Batch&>(batch).outputs[first + i];
  }

  static float key_of(const mcts::EvalRequest& request) {
    return static_cast<float>(game::evaluation_key(*request.position) % 65536);
  }

  std::shared_future<void> gate;  // Where it is set, batches run only when it is ready.
  bool fails = false, computes_nan = false;
  mutable std::mutex mutex;  // Of the next.
  std::vector<int> sizes;    // Of the batches that were begun.
  mutable int made = 0;      // Batches; by one thread at a time.
};

// Notes who runs it, and has memory for some rows.
class NotingDevice : public KeyDevice {
 public:
  NotingDevice(std::set<std::thread::id>* runners, std::mutex* mutex) : runners_(runners), mutex_(mutex) {}

  void run(int rows, DeviceBatch* batch) override {
    {
      const std::lock_guard lock(*mutex_);
      runners_->insert(std::this_thread::get_id());
    }
    KeyDevice::run(rows, batch);
  }
  int row_limit() const override { return 96; }

 private:
  std::set<std::thread::id>* runners_;
  std::mutex* mutex_;
};

class BatchingEvaluatorTest : public ::testing::Test {
 protected:
  void expect_right(std::span<const mcts::EvalRequest> requests,
                    std::span<const mcts::Evaluation> evaluations) {
    for (size_t i = 0; i < requests.size(); ++i)
      EXPECT_EQ(evaluations[i].moves_left, KeyDevice::key_of(requests[i])) << i;
  }

  // A device that waits for open_.
  std::unique_ptr<KeyDevice> make_gated() {
    auto device = std::make_unique<KeyDevice>();
    device->gate = open_.get_future().share();
    return device;
  }

  game::GamePtr game_ = *game::make_game("makruk");
  std::vector<SamplePosition> samples_ = sample_positions(*game_, 200, 3);
  std::vector<mcts::EvalRequest> requests_ = requests_for(*game_, samples_);
  std::promise<void> open_;
};

TEST_F(BatchingEvaluatorTest, WhatComesWhileTheDeviceRunsIsOneBatch) {
  auto owned = make_gated();
  const KeyDevice& device = *owned;
  BatchingEvaluator evaluator(std::move(owned), 64);
  std::vector<mcts::Evaluation> evaluations(46);
  const auto requests = std::span(requests_).first(46);
  std::vector<mcts::Ticket> tickets;
  // The first is on its way to the device at some point; the others join it or each other.
  for (const auto& [begin, size] : {std::pair(0, 16), {16, 16}, {32, 14}}) {
    tickets.push_back(
        evaluator.begin(requests.subspan(begin, size), std::span(evaluations).subspan(begin, size)));
  }
  open_.set_value();
  for (mcts::Ticket& ticket : tickets) ticket.finish();
  expect_right(requests, evaluations);
  EXPECT_LE(device.sizes.size(), 2u);
  for (const int size : device.sizes) EXPECT_EQ(size % 8, 0);  // An eighth of 64.
  EXPECT_EQ(evaluator.statistics().rows, 46);
  EXPECT_EQ(evaluator.statistics().batches, static_cast<std::int64_t>(device.sizes.size()));
}

TEST_F(BatchingEvaluatorTest, AFullBatchIsBegunWhileAnotherRunsAndOneWithRoomIsNot) {
  auto owned = make_gated();
  const KeyDevice& device = *owned;
  BatchingEvaluator evaluator(std::move(owned), 16);
  const auto begun = [&] {
    const std::lock_guard lock(device.mutex);
    return device.sizes;
  };
  const auto wait_for = [&](size_t batches) {
    for (int i = 0; i < 1000 && begun().size() < batches; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return begun();
  };
  std::vector<mcts::Evaluation> evaluations(40);
  const auto begin = [&](int from, int rows) {
    return evaluator.begin(std::span(requests_).subspan(from, rows),
                           std::span(evaluations).subspan(from, rows));
  };
  mcts::Ticket first = begin(0, 4);
  EXPECT_EQ(wait_for(1), (std::vector{4}));
  mcts::Ticket with_room = begin(4, 6);
  EXPECT_EQ(wait_for(1), (std::vector{4}));
  mcts::Ticket fills_it = begin(10, 10);
  EXPECT_EQ(wait_for(2), (std::vector{4, 16}));
  mcts::Ticket third = begin(20, 16);
  EXPECT_EQ(wait_for(2), (std::vector{4, 16}));
  open_.set_value();
  for (mcts::Ticket* ticket : {&first, &with_room, &fills_it, &third}) ticket->finish();
  EXPECT_EQ(begun(), (std::vector{4, 16, 16}));
  expect_right(std::span(requests_).first(36), std::span(evaluations).first(36));
}

TEST_F(BatchingEvaluatorTest, ALargeRequestIsSplitAndFillsBatches) {
  auto owned = std::make_unique<KeyDevice>();
  const KeyDevice& device = *owned;
  BatchingEvaluator evaluator(std::move(owned), 64);
  std::vector<mcts::Evaluation> evaluations(requests_.size());
  evaluator.evaluate(requests_, evaluations);
  expect_right(requests_, evaluations);
  EXPECT_EQ(evaluator.statistics().rows, static_cast<std::int64_t>(requests_.size()));
  for (const int size : device.sizes) EXPECT_LE(size, 64);
}

TEST_F(BatchingEvaluatorTest, ManyThreadsEachGetTheirOwn) {
  BatchingEvaluator evaluator(std::make_unique<KeyDevice>(), 48);
  constexpr int kThreads = 4, kRounds = 200;
  std::barrier start(kThreads);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      const std::unique_ptr<mcts::Evaluator> own = evaluator.share();
      std::vector<mcts::Evaluation> evaluations[2];
      mcts::Ticket tickets[2];
      std::span<const mcts::EvalRequest> requests[2];
      start.arrive_and_wait();
      for (int round = 0; round < kRounds; ++round) {
        const int group = round % 2;
        tickets[group].finish();
        expect_right(requests[group], evaluations[group]);
        const int size = 1 + (7 * round + 13 * thread) % 40;
        requests[group] = std::span(requests_).subspan((11 * round + 37 * thread) % 150, size);
        evaluations[group].resize(size);
        tickets[group] = own->begin(requests[group], evaluations[group]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(BatchingEvaluatorTest, AFailureOfTheDeviceReachesWhoWaits) {
  auto owned = std::make_unique<KeyDevice>();
  owned->fails = true;
  BatchingEvaluator evaluator(std::move(owned), 64);
  std::vector<mcts::Evaluation> evaluations(requests_.size());
  EXPECT_THROW(evaluator.evaluate(requests_, evaluations), std::runtime_error);
  evaluator.set_device(std::make_unique<KeyDevice>());
  evaluator.evaluate(requests_, evaluations);
  expect_right(requests_, evaluations);
}

TEST_F(BatchingEvaluatorTest, AnAbandonedTicketGivesItsRowsBack) {
  auto owned = std::make_unique<KeyDevice>();
  const KeyDevice& device = *owned;
  BatchingEvaluator evaluator(std::move(owned), 64);
  std::vector<mcts::Evaluation> evaluations(10);
  for (int i = 0; i < 20; ++i) {
    const mcts::Ticket abandoned = evaluator.begin(std::span(requests_).first(10), evaluations);
  }
  EXPECT_EQ(device.made, 1);
}

TEST_F(BatchingEvaluatorTest, OutputsThatCannotBeReadGiveTheirRowsBack) {
  auto owned = std::make_unique<KeyDevice>();
  owned->computes_nan = true;
  const KeyDevice& device = *owned;
  BatchingEvaluator evaluator(std::move(owned), 64);
  std::vector<mcts::Evaluation> evaluations(10);
  for (int i = 0; i < 20; ++i)
    EXPECT_THROW(evaluator.evaluate(std::span(requests_).first(10), evaluations), std::runtime_error);
  EXPECT_EQ(device.made, 1);
}

// A thread that runs batches takes a stream of the card, and each stream keeps memory.
TEST_F(BatchingEvaluatorTest, TheSameTwoThreadsRunTheNetworksOfAllGenerations) {
  std::set<std::thread::id> runners;
  std::mutex mutex;
  BatchingEvaluator evaluator(std::make_unique<NotingDevice>(&runners, &mutex), 64);
  std::vector<mcts::Evaluation> evaluations(requests_.size());
  for (int generation = 0; generation < 50; ++generation) {
    evaluator.set_device(std::make_unique<NotingDevice>(&runners, &mutex));
    evaluator.begin(requests_, evaluations).finish();
    expect_right(requests_, evaluations);
  }
  EXPECT_LE(runners.size(), 2u);
  EXPECT_EQ(evaluator.row_limit(), 96);
}

}  // namespace
}  // namespace makzero::nn
