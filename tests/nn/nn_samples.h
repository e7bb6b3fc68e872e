// Positions of random games, random weights and random training batches for the tests of nn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "game/game.h"
#include "mcts/evaluator.h"
#include "nn/encoder.h"
#include "nn/learner.h"
#include "nn/network.h"
#include "nn/small_gradient.h"

namespace makzero::nn {

// The device of the tests that run on any: MAKZERO_TEST_DEVICE, or the CPU. Sets the process up as main()
// does where it is another.
std::string test_device();

struct SamplePosition {
  game::Position position;
  game::MoveList legal;
};

// Positions of games of random moves, none of them over.
std::vector<SamplePosition> sample_positions(const game::Game& game, int count, std::uint64_t seed);

std::vector<mcts::EvalRequest> requests_for(const game::Game& game,
                                            const std::vector<SamplePosition>& samples);

// [count, planes, 8, 8]
std::vector<float> encode_all(const Encoder& encoder, const game::Game& game,
                              const std::vector<SamplePosition>& samples);

// A network of this shape whose every weight, bias and batch-norm statistic is random.
Network random_network(const NetworkArchitecture& shape, std::uint64_t seed);

// A batch with a target in every head: the policy prefers one legal move, the rest is random.
TrainBatch random_batch(const Encoder& encoder, const game::Game& game,
                        const std::vector<SamplePosition>& samples, std::uint64_t seed);

// Sampled positions with random targets, every third of them under other rules. The same bits on every
// machine.
SmallBatch random_small_batch(const game::Game& game, int rows, std::uint64_t seed);

// All rule features of the game's family.
std::vector<std::string> rule_features_of(const game::GameInfo& info);

// A network small enough for tests.
NetworkArchitecture small_architecture(std::vector<std::string> planes);

}  // namespace makzero::nn
