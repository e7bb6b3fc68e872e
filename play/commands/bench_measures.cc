#include "play/commands/bench_measures.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/perft.h"
#include "mcts/lockstep.h"
#include "mcts/rng.h"
#include "mcts/search.h"
#include "mcts/searcher_batch.h"
#include "mcts/tree_searcher.h"
#include "mcts/uniform_evaluator.h"
#include "models/error.h"
#include "models/model.h"
#include "models/player/player.h"
#include "models/player/player_spec.h"
#include "nn/encoder.h"
#include "nn/evaluators/batching_evaluator.h"
#include "nn/system.h"
#include "play/engine/search_pool.h"
#include "train/learning/trainer.h"
#include "train/self_play/game_pool.h"

namespace makzero::play {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kLeastPerftSeconds = 0.1;
constexpr double kSelfPlayWarmUp = 1;  // Seconds: the first batches allocate.

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct Sample {
  game::Position position;
  game::MoveList legal;
};

double process_cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Positions of one random game after another.
std::vector<Sample> random_positions(const game::Game& game, int count) {
  mcts::Rng rng(kSeed);
  std::vector<Sample> samples;
  game::GameState state(game);
  while (static_cast<int>(samples.size()) < count) {
    samples.push_back({state.position(), state.legal()});
    state.random_playout(1, &rng);
    if (state.over()) state = game::GameState(game);
  }
  return samples;
}

// Requests for positions of random games. Must stay where it is.
struct Requests {
  Requests(const game::Game& game, int count) : samples(random_positions(game, count)), all(count) {
    for (int i = 0; i < count; ++i) {
      all[i].game = &game;
      all[i].position = &samples[i].position;
      all[i].legal = &samples[i].legal;
    }
  }
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  std::vector<Sample> samples;
  std::vector<mcts::EvalRequest> all;
};

// State of a simulated card.
struct CardReading {
  double busy_seconds;
  nn::BatchingStatistics batching;
};

CardUse use_of_card(const CardReading& before, const CardReading& after, double seconds) {
  const auto batches = static_cast<double>(after.batching.batches - before.batching.batches);
  return {.busy_share = (after.busy_seconds - before.busy_seconds) / seconds,
          .batches_per_second = batches / seconds,
          .rows_per_batch = static_cast<double>(after.batching.rows - before.batching.rows) / batches};
}

// Even policies and zeros: as much work as any other targets.
nn::TrainBatch batch_of(const game::Game& game, const nn::NetworkArchitecture& shape,
                        const std::vector<Sample>& samples) {
  const nn::Encoder encoder(shape.planes);
  const size_t planes = static_cast<size_t>(encoder.plane_count()) * game::kSquares;
  nn::TrainBatch batch;
  batch.add_rows(static_cast<int>(samples.size()), encoder.plane_count(), shape.rule_feature_count());
  nn::Target& policy = batch.targets[nn::Head::kPolicy];
  for (int row = 0; row < batch.rows; ++row) {
    const auto& [position, legal] = samples[row];
    encoder.encode(game, position, 1, &batch.planes[row * planes]);
    std::set<std::int64_t> indices;  // Alternatives share one.
    for (const game::Move move : legal) indices.insert(nn::policy_index(game.info(), move, position.to_move));
    batch.move_index.insert(batch.move_index.end(), indices.begin(), indices.end());
    policy.values.resize(batch.move_index.size(), 1 / static_cast<float>(indices.size()));
    batch.move_begin.push_back(static_cast<std::int64_t>(batch.move_index.size()));
  }
  for (nn::Target& target : batch.targets.values) std::ranges::fill(target.mask, 1.0f);
  return batch;
}

}  // namespace

PerftRate measure_perft(const game::Game& game) {
  PerftRate rate;
  for (double spent = 0; spent < kLeastPerftSeconds;) {
    ++rate.depth;
    const Stopwatch watch;
    rate.nodes = game::perft(game, game.initial(), rate.depth);
    spent = watch.seconds();
    rate.nodes_per_second = static_cast<double>(rate.nodes) / spent;
    if (rate.nodes == 0) break;
  }
  return rate;
}

double measure_search(const game::Game& game, int simulations, double seconds) {
  mcts::UniformEvaluator evaluator;
  mcts::SearchOptions options;
  options.simulations = simulations;
  mcts::Search search(game, options, kSeed);
  const game::Position start = game.initial();
  const game::History history(start);
  std::int64_t done = 0;
  const Stopwatch watch;
  while (watch.seconds() < seconds) {
    search.set_root(start, history);
    done += mcts::run_search(&search, &evaluator).simulations;
  }
  return static_cast<double>(done) / watch.seconds();
}

nn::Network choose_network(const game::Game& game, const train::Config& config, const std::string& model) {
  if (!model.empty()) {
    const std::filesystem::path file = models::find_checkpoint(model);
    nn::Network tower = models::read_model(file).tower;
    if (tower.weights.empty()) throw models::Error(file, "has no tower, only a small network");
    return tower;
  }
  const train::NetworkConfig& network = config.network();
  const nn::NetworkArchitecture shape = {.planes = nn::default_planes(game.info()),
                                         .blocks = network.blocks(),
                                         .channels = network.channels(),
                                         .attention = network.attention(),
                                         .hidden = network.hidden()};
  return {shape, nn::initial_weights(shape, kSeed)};
}

double largest_difference(const game::Game& game, mcts::Evaluator* a, mcts::Evaluator* b) {
  static constexpr int kPositions = 256;
  const Requests requests(game, kPositions);
  std::vector<mcts::Evaluation> of_a(kPositions), of_b(kPositions);
  a->evaluate(requests.all, of_a);
  b->evaluate(requests.all, of_b);
  float largest = 0;
  for (int i = 0; i < kPositions; ++i) {
    largest = std::max({largest, std::abs(of_a[i].value.win - of_b[i].value.win),
                        std::abs(of_a[i].value.loss - of_b[i].value.loss)});
    for (size_t move = 0; move < of_a[i].priors.size(); ++move)
      largest = std::max(largest, std::abs(of_a[i].priors[move] - of_b[i].priors[move]));
  }
  return largest;
}

double measure_forward(const game::Game& game, nn::TorchEvaluator* evaluator, int batch, double seconds,
                       bool on_cpu) {
  const Requests requests(game, batch);
  std::vector<mcts::Evaluation> evaluations(batch);
  const auto encoded = evaluator->make_batch(batch);
  evaluator->encode(requests.all, 0, encoded.get());
  const auto forward = [&] {
    if (on_cpu) {
      evaluator->evaluate(requests.all, evaluations);
    } else {
      evaluator->run(batch, encoded.get());
    }
  };
  forward();  // The first call allocates.
  std::int64_t done = 0;
  const std::int64_t computed_before = nn::thread_cpu_nanoseconds();
  const Stopwatch watch;
  while (watch.seconds() < seconds) {
    forward();
    done += batch;
  }
  const double computed = 1e-9 * static_cast<double>(nn::thread_cpu_nanoseconds() - computed_before);
  return static_cast<double>(done) / (on_cpu ? computed : watch.seconds());
}

double measure_learning(const game::Game& game, const nn::NetworkArchitecture& shape,
                        const nn::LearnerOptions& options, int batch, double seconds) {
  nn::Learner learner(shape, options, kSeed);
  const auto rows = learner.stage(batch_of(game, shape, random_positions(game, batch)));
  learner.step(*rows);  // The first call allocates.
  learner.losses();
  std::int64_t done = 0;
  const Stopwatch watch;
  while (watch.seconds() < seconds) {
    learner.step(*rows);
    done += batch;
  }
  learner.losses();  // Waits for a card.
  return static_cast<double>(done) / watch.seconds();
}

SelfPlayRate measure_self_play(const game::Game& game, train::Config config, int threads,
                               const train::EvaluatorFactory& make_evaluator, double seconds,
                               const std::function<void()>& on_reading) {
  config.mutable_self_play()->set_small_share(0);
  train::GamePool pool({*game::make_game(game.info().ruleset)}, config.rulesets());
  train::SelfPlay self_play(&pool, config, threads, kSeed, true);
  SelfPlayRate before, after;
  std::int64_t games = 0;
  const Stopwatch watch;
  const auto read = [&] {
    on_reading();
    return SelfPlayRate{.seconds = watch.seconds(),
                        .cpu_seconds = process_cpu_seconds(),
                        .statistics = self_play.statistics()};
  };
  self_play.run(make_evaluator, [&](const std::vector<train::GameRecord>& finished) {
    if (after.seconds > 0 || watch.seconds() < kSelfPlayWarmUp) return after.seconds == 0;
    if (before.seconds == 0) {
      before = read();
      return true;
    }
    games += static_cast<std::int64_t>(finished.size());
    if (watch.seconds() < before.seconds + seconds) return true;
    after = read();
    return false;
  });
  SelfPlayRate rate;
  rate.seconds = after.seconds - before.seconds;
  rate.cpu_seconds = after.cpu_seconds - before.cpu_seconds;
  rate.statistics = after.statistics - before.statistics;
  rate.games_in_flight = self_play.games_in_flight();
  rate.evaluations_per_second = static_cast<double>(rate.statistics.evaluations) / rate.seconds;
  rate.games_per_second = static_cast<double>(games) / rate.seconds;
  return rate;
}

double CardRate::cpu_microseconds_per_simulation() const {
  return 1e6 * self_play.cpu_seconds / static_cast<double>(self_play.statistics.evaluations);
}

CardRate measure_card(const game::Game& game, const train::Config& config, int threads,
                      const std::vector<std::string>& planes, const SimulatedCardOptions& options,
                      double seconds) {
  auto owned = std::make_unique<SimulatedCard>(planes, options);
  const SimulatedCard& card = *owned;
  nn::BatchingEvaluator evaluator(std::move(owned), config.self_play().max_batch());
  std::vector<CardReading> readings;
  CardRate rate;
  rate.self_play = measure_self_play(
      game, config, threads, [&] { return evaluator.share(); }, seconds,
      [&] {
        readings.push_back({card.busy_seconds(), evaluator.statistics()});
      });
  rate.card = use_of_card(readings.front(), readings.back(), rate.self_play.seconds);
  return rate;
}

CardAnalysisRate measure_card_analysis(const game::Game& game, const std::vector<std::string>& planes,
                                       const SimulatedCardOptions& options, double seconds) {
  static constexpr std::uint64_t kWarm = 20'000;  // Simulations: from some 8,000 on a tree fills the batches.
  auto owned = std::make_unique<SimulatedCard>(planes, options);
  const SimulatedCard& card = *owned;
  nn::BatchingEvaluator evaluator(std::move(owned), models::kTowerBatch);
  mcts::TreeSearcher searcher(game, {});
  const game::GameState state(game);
  searcher.begin({&state.position(), &state.history(), &state.legal(), &state.position()}, {});
  mcts::Searcher* const searchers[] = {&searcher};
  mcts::SearcherBatch batch;
  const auto read = [&] { return CardReading{card.busy_seconds(), evaluator.statistics()}; };
  const auto step = [&] { return batch.step(searchers, {.leaves = kCardLeaves}, &evaluator); };
  while (step() && searcher.info().nodes < kWarm) continue;
  const std::uint64_t simulations = searcher.info().nodes;
  const CardReading before = read();
  const Stopwatch watch;
  while (watch.seconds() < seconds && step()) continue;
  const double spent = watch.seconds();
  return {static_cast<double>(searcher.info().nodes - simulations) / spent,
          use_of_card(before, read(), spent)};
}

namespace {

// Games of almost random moves: rows like any others.
std::vector<std::unique_ptr<train::GameRecord>> quick_games(train::GamePool* pool, train::Config config) {
  static constexpr size_t kGames = 64;
  config.mutable_self_play()->set_games(kGames);
  config.mutable_self_play()->set_simulations(2);
  config.mutable_self_play()->set_small_share(0);
  std::vector<std::unique_ptr<train::GameRecord>> games;
  train::SelfPlay self_play(pool, config, 1, kSeed, true);
  self_play.run([] { return std::make_unique<mcts::UniformEvaluator>(); },
                [&](std::vector<train::GameRecord> finished) {
                  for (train::GameRecord& game : finished) {
                    game.set_number(static_cast<std::int64_t>(games.size()));
                    games.push_back(std::make_unique<train::GameRecord>(std::move(game)));
                  }
                  return games.size() < kGames;
                });
  return games;
}

}  // namespace

FeedRate measure_feed(const game::Game& game, const train::Config& preset, int threads,
                      std::chrono::nanoseconds row, double seconds) {
  train::Config config = preset;
  config.set_device("cpu");
  train::GamePool pool({*game::make_game(game.info().ruleset)}, config.rulesets());
  const auto games = quick_games(&pool, config);
  train::Trainer trainer(&pool, config, 1, kSeed);
  trainer.set_window(games);
  const int batch = config.learning().batch();
  const auto steps =
      std::max<std::int64_t>(4, static_cast<std::int64_t>(seconds / (1e-9 * row.count() * batch)));
  train::BatchPipeline batches = trainer.batches(steps, threads);
  auto staged = batches.next();
  const Stopwatch watch;
  auto ready = std::chrono::steady_clock::now();
  for (; staged; staged = batches.next()) {
    ready = std::max(ready, std::chrono::steady_clock::now()) + row * batch;
    std::this_thread::sleep_until(ready);
  }
  return {static_cast<double>(steps * batch) / watch.seconds(), batches.waited_seconds() / watch.seconds()};
}

}  // namespace makzero::play
