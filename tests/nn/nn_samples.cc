#include "tests/nn/nn_samples.h"

#include <cmath>
#include <cstdlib>

#include "game/rule_features.h"
#include "mcts/rng.h"
#include "nn/system.h"

namespace makzero::nn {

std::string test_device() {
  const char* name = std::getenv("MAKZERO_TEST_DEVICE");
  if (!name) return "cpu";
  configure_process();
  return name;
}

std::vector<SamplePosition> sample_positions(const game::Game& game, int count, std::uint64_t seed) {
  mcts::Rng rng(seed);
  std::vector<SamplePosition> samples;
  game::Position position = game.initial();
  while (static_cast<int>(samples.size()) < count) {
    game::MoveList legal;
    game.legal_moves(position, &legal);
    if (game.outcome(position, !legal.empty(), 1).over()) {
      position = game.initial();
      continue;
    }
    samples.push_back({position, legal});
    game.apply(legal[static_cast<int>(rng.below(legal.size()))], &position);
  }
  return samples;
}

std::vector<mcts::EvalRequest> requests_for(const game::Game& game,
                                            const std::vector<SamplePosition>& samples) {
  std::vector<mcts::EvalRequest> requests;
  requests.reserve(samples.size());
  for (const SamplePosition& sample : samples)
    requests.push_back({&game, &sample.position, &sample.legal, 1});
  return requests;
}

std::vector<float> encode_all(const Encoder& encoder, const game::Game& game,
                              const std::vector<SamplePosition>& samples) {
  const size_t row = static_cast<size_t>(encoder.plane_count()) * game::kSquares;
  std::vector<float> planes(samples.size() * row);
  for (size_t i = 0; i < samples.size(); ++i) encoder.encode(game, samples[i].position, 1, &planes[i * row]);
  return planes;
}

Network random_network(const NetworkArchitecture& shape, std::uint64_t seed) {
  Weights weights = initial_weights(shape, seed);
  mcts::Rng rng(seed + 1);
  for (NamedTensor& weight : weights) {
    if (weight.name == kRulesWeight) {
      for (float& value : weight.data) value = static_cast<float>(0.5 * rng.normal());
      continue;
    }
    if (weight.shape.size() >= 2) {
      // Untrained policies are nearly even; these shall not be.
      if (weight.name.ends_with("project.weight")) {
        for (float& value : weight.data) value *= 2;
      }
      continue;
    }
    const bool variance = weight.name.ends_with("running_var");
    for (float& value : weight.data) {
      value += static_cast<float>(variance ? rng.uniform() - 0.5 : 0.2 * rng.normal());
    }
  }
  return {shape, std::move(weights)};
}

TrainBatch random_batch(const Encoder& encoder, const game::Game& game,
                        const std::vector<SamplePosition>& samples, std::uint64_t seed) {
  mcts::Rng rng(seed);
  TrainBatch batch;
  batch.add_rows(static_cast<int>(samples.size()), encoder.plane_count(), 0);
  batch.planes = encode_all(encoder, game, samples);
  const auto write_distribution = [&rng](float* values) {
    const auto win = static_cast<float>(rng.uniform());
    const auto draw = static_cast<float>(rng.uniform()) * (1 - win);
    values[0] = win;
    values[1] = draw;
    values[2] = 1 - win - draw;
  };
  Target& policy = batch.targets[Head::kPolicy];
  Target& survival = batch.targets[Head::kSurvival];
  for (int row = 0; row < batch.rows; ++row) {
    const SamplePosition& sample = samples[row];
    const game::Color mover = sample.position.to_move;
    const int count = sample.legal.size(), best = static_cast<int>(rng.below(count));
    for (int i = 0; i < count; ++i) {
      batch.move_index.push_back(policy_index(game.info(), sample.legal[i], mover));
      policy.values.push_back((i == best ? 0.8f : 0.0f) + 0.2f / static_cast<float>(count));
    }
    batch.move_begin.push_back(static_cast<std::int64_t>(policy.values.size()));
    policy.mask[row] = 1;
    write_distribution(batch.target(Head::kValue, row));
    write_distribution(batch.target(Head::kShortTerm, row));
    *batch.target(Head::kMovesLeft, row) = static_cast<float>(rng.below(100));
    *batch.target(Head::kReply, row) = static_cast<float>(rng.below(game::kPolicySize));
    int at = row * 2 * game::kSquares;
    for (const game::Bitboard side : {sample.position.own(), sample.position.enemy()}) {
      for (int square = 0; square < game::kSquares; ++square, ++at) {
        survival.mask[at] = game::contains(side, square) ? 1.0f : 0.0f;
        survival.values[at] = rng.below(2) ? 1.0f : 0.0f;
      }
    }
  }
  return batch;
}

SmallBatch random_small_batch(const game::Game& game, int rows, std::uint64_t seed) {
  std::vector<float> rules, other_rules;
  for (const std::string& name : rule_features_of(game.info())) {
    rules.push_back(game::rule_feature(game.info(), name));
    other_rules.push_back(0.5f * rules.back() + 0.25f);
  }
  mcts::Rng rng(seed);
  SmallBatch batch;
  for (const SamplePosition& sample : sample_positions(game, rows, seed))
    batch.add(game.info(), sample.position, batch.rows % 3 == 0 ? other_rules : rules,
              static_cast<float>(rng.below(5)) / 4);
  return batch;
}

std::vector<std::string> rule_features_of(const game::GameInfo& info) {
  const std::span<const std::string_view> names = game::rule_feature_names(info.family);
  return {names.begin(), names.end()};
}

NetworkArchitecture small_architecture(std::vector<std::string> planes) {
  return {.planes = std::move(planes), .blocks = 2, .channels = 16, .attention = 8, .hidden = 16};
}

}  // namespace makzero::nn
