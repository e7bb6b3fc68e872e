// makzero bench: how fast everything is on this machine.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "game/catalog.h"
#include "models/model.h"
#include "models/player/tuned_settings.h"
#include "nn/encoder.h"
#include "nn/evaluators/batching_evaluator.h"
#include "nn/evaluators/torch_evaluator.h"
#include "nn/learner.h"
#include "nn/processors.h"
#include "nn/runtime.h"
#include "play/commands/bench_measures.h"
#include "play/commands/command.h"
#include "train/config.h"
#include "train/learning/trainer.h"

namespace makzero::play {
namespace {

struct BenchRequest {
  std::string game = "makyek";
  std::string preset = "quick";
  std::string model;
  nn::Backend backend;
  int blocks = 0, channels = 0;
  int threads = 0;
  double seconds = 2;
  std::vector<std::string> measurements;  // Empty: all.
  bool simulate_card = false;
  double card_batch_microseconds = 2000, card_row_microseconds = 5, card_learning_microseconds = 10;
  double card_launch_microseconds = 1600;
  int games = 0, max_batch = 0, simulations = 0;
  bool json = false;
};

nn::TorchEvaluatorOptions evaluator_options(const nn::Backend& backend) {
  return {.device = backend.device, .precision = backend.precision};
}

// Measures and prints one thing after the other; what it has measured is kept for --json.
class Bench {
 public:
  Bench(const game::Game& game, const train::Config& config, nn::Network network, const BenchRequest& request)
      : game_(game),
        config_(config),
        network_(std::move(network)),
        request_(request),
        threads_(request.threads > 0 ? request.threads : nn::usable_processors()),
        out_(request.json ? std::cerr : std::cout) {}

  static std::vector<std::string> measurements() {
    std::vector<std::string> names;
    for (const Measurement& measurement : kMeasurements) names.emplace_back(measurement.name);
    return names;
  }

  void run() {
    const std::vector<std::string>& wanted = request_.measurements;
    for (const auto& [name, measure] : kMeasurements) {
      if (wanted.empty() || std::ranges::find(wanted, name) != wanted.end()) (this->*measure)();
    }
    if (request_.json) print(std::cout, "%s\n", figures_.dump().c_str());
  }

 private:
  bool on_cpu() const { return request_.backend.device == "cpu"; }

  void measure_rules() {
    print(out_, "rules\n");
    for (const std::string& name : game::ruleset_names()) {
      const game::GamePtr game = game_or_usage_error(name);
      const PerftRate perft = measure_perft(*game);
      const double simulations = measure_search(*game, 800, request_.seconds / 4);
      print(out_, "  %-16s perft %d = %llu, %.0f million nodes/s; free search %.2f million simulations/s\n",
            name.c_str(), perft.depth, static_cast<unsigned long long>(perft.nodes),
            1e-6 * perft.nodes_per_second, 1e-6 * simulations);
      figures_["rules"][name] = {{"perft_nodes_per_second", perft.nodes_per_second},
                                 {"simulations_per_second", simulations}};
    }
  }

  void measure_network() {
    const int largest = on_cpu() ? 256 : 4096;
    nn::TorchEvaluatorOptions options = evaluator_options(request_.backend);
    options.max_batch = largest;
    nn::TorchEvaluator evaluator(game_, network_, options);
    const double operations = nn::forward_flops(network_.architecture);
    const std::string precision(nn::precision_name(evaluator.precision()));
    print(out_, "network %dx%d of %d planes on %s, %s, %s, %.1f million operations an evaluation\n",
          network_.architecture.blocks, network_.architecture.channels, network_.architecture.plane_count(),
          request_.backend.device.c_str(), precision.c_str(), on_cpu() ? "one thread" : "encoded batches",
          1e-6 * operations);
    figures_["network"] = {
        {"size", models::network_size(network_.architecture.blocks, network_.architecture.channels)},
        {"device", request_.backend.device},
        {"precision", precision}};
    for (int batch = 1; batch <= largest; batch *= batch < 64 ? 8 : 4) {
      // The peak beside each, since the speed of a machine drifts.
      const double peak = nn::matrix_product_peak({request_.backend.device, evaluator.precision()});
      const double rate = measure_forward(game_, &evaluator, batch, request_.seconds, on_cpu());
      const double gigaflops = 1e-9 * rate * operations;
      print(out_, "  batch %-4d %9.0f evaluations/s, %6.0f GFLOP/s, %.0f %% of the matrix product's %.0f\n",
            batch, rate, gigaflops, 100 * gigaflops / peak, peak);
      figures_["network"]["batches"].push_back(
          {{"rows", batch}, {"evaluations_per_second", rate}, {"share_of_matrix_product", gigaflops / peak}});
    }
  }

  void measure_workers() {
    nn::TorchEvaluatorOptions options = evaluator_options(request_.backend);
    const auto make_network = [&] { return std::make_unique<nn::TorchEvaluator>(game_, network_, options); };
    std::unique_ptr<nn::BatchingEvaluator> card;
    if (!on_cpu()) {
      options.max_batch = config_.self_play().max_batch();
      card = std::make_unique<nn::BatchingEvaluator>(make_network(), options.max_batch);
    }
    double busy_before = 0, busy = 0;
    const SelfPlayRate rate = measure_self_play(
        game_, config_, threads_,
        [&]() -> std::unique_ptr<mcts::Evaluator> {
          if (card) return card->share();
          return make_network();
        },
        2 * request_.seconds,
        [&] {
          if (card) busy_before = std::exchange(busy, card->statistics().running_seconds);
        });
    tell_self_play(rate, card ? std::optional((busy - busy_before) / rate.seconds) : std::nullopt);
  }

  void tell_self_play(const SelfPlayRate& rate, std::optional<double> busy_share) {
    const train::SelfPlayStatistics& statistics = rate.statistics;
    const double microseconds = 1e6 * rate.cpu_seconds / static_cast<double>(statistics.evaluations);
    print(out_, "self-play, %d threads, %d simulations, %d games in flight\n", threads_,
          config_.self_play().simulations(), rate.games_in_flight);
    print(out_, "  %.0f evaluations/s, %.1f us of the CPU each, %.0f %% of it in the forward",
          rate.evaluations_per_second, microseconds, 100 * statistics.forward_share());
    if (busy_share) print(out_, ", card busy %.0f %%", 100 * *busy_share);
    print(out_, "\n");
    figures_["self_play"] = {{"threads", threads_},
                             {"games_in_flight", rate.games_in_flight},
                             {"evaluations_per_second", rate.evaluations_per_second},
                             {"cpu_microseconds_per_evaluation", microseconds},
                             {"forward_share", statistics.forward_share()}};
    if (busy_share) figures_["self_play"]["card_busy_share"] = *busy_share;
  }

  void measure_steps() {
    nn::LearnerOptions options = train::learner_options(config_, threads_);
    options.device = request_.backend.device;
    const int batch = config_.learning().batch();
    const double rate = measure_learning(game_, network_.architecture, options, batch, 2 * request_.seconds);
    print(out_, "learning, %d threads, batch %d: %.0f rows/s\n", threads_, batch, rate);
    figures_["learning"] = {{"threads", threads_}, {"batch", batch}, {"rows_per_second", rate}};
  }

  struct Measurement {
    const char* name;
    void (Bench::*measure)();
  };
  static constexpr Measurement kMeasurements[] = {{"rules", &Bench::measure_rules},
                                                  {"network", &Bench::measure_network},
                                                  {"self-play", &Bench::measure_workers},
                                                  {"learning", &Bench::measure_steps}};

  const game::Game& game_;
  const train::Config& config_;
  nn::Network network_;
  const BenchRequest& request_;
  int threads_;
  std::ostream& out_;
  nlohmann::json figures_;
};

// Self-play and learning with a card that is none: what the CPU's part of them allows.
void bench_card(const game::Game& game, const train::Config& config, const BenchRequest& request) {
  const int threads = request.threads > 0 ? request.threads : nn::usable_processors();
  const std::vector<std::string> planes = nn::default_planes(game.info());
  const auto duration = [](double microseconds) {
    return std::chrono::nanoseconds(static_cast<std::int64_t>(1000 * microseconds));
  };
  const SimulatedCardOptions card = {.batch = duration(request.card_batch_microseconds),
                                     .row = duration(request.card_row_microseconds),
                                     .launch = duration(request.card_launch_microseconds)};
  const CardRate rate = measure_card(game, config, threads, planes, card, 2 * request.seconds);
  const SelfPlayRate& self_play = rate.self_play;
  const FeedRate feed =
      measure_feed(game, config, threads, duration(request.card_learning_microseconds), request.seconds);
  const CardAnalysisRate analysis = measure_card_analysis(game, planes, card, request.seconds);
  if (request.json) {
    print(std::cout,
          "{\"simulations_per_second\": %.0f, \"card_busy_share\": %.4f, "
          "\"cpu_microseconds_per_simulation\": %.3f, \"evaluator_share\": %.4f, \"rows_per_batch\": %.1f, "
          "\"batches_per_second\": %.1f, \"games_per_second\": %.3f, \"threads\": %d, "
          "\"games_in_flight\": %d, \"max_batch\": %d, \"seconds\": %.3f, \"rows_learnt_per_second\": %.0f, "
          "\"learner_waiting_share\": %.4f, \"analysis_simulations_per_second\": %.0f, "
          "\"analysis_card_busy_share\": %.4f, \"analysis_rows_per_batch\": %.1f}\n",
          self_play.evaluations_per_second, rate.card.busy_share, rate.cpu_microseconds_per_simulation(),
          self_play.statistics.forward_share(), rate.card.rows_per_batch, rate.card.batches_per_second,
          self_play.games_per_second, threads, self_play.games_in_flight, config.self_play().max_batch(),
          self_play.seconds, feed.rows_per_second, feed.waiting_share, analysis.simulations_per_second,
          analysis.card.busy_share, analysis.card.rows_per_batch);
    return;
  }
  print(std::cout, "self-play with a simulated card, %.0f us a batch and %.1f us a row of %zu planes\n",
        request.card_batch_microseconds, request.card_row_microseconds, planes.size());
  print(std::cout, "  %d threads, %d simulations a move, %d games in flight, batches to %d\n", threads,
        config.self_play().simulations(), self_play.games_in_flight, config.self_play().max_batch());
  print(std::cout, "  %.0f simulations/s, card busy %.0f %%, batch %.0f\n", self_play.evaluations_per_second,
        100 * rate.card.busy_share, rate.card.rows_per_batch);
  print(std::cout, "  %.1f us of the CPU a simulation, %.0f %% of it encoding and reading\n",
        rate.cpu_microseconds_per_simulation(), 100 * self_play.statistics.forward_share());
  print(std::cout,
        "learning with it, %.1f us a row, batch %d: %.0f rows/s, %.1f %% of the time waiting for a batch\n",
        request.card_learning_microseconds, config.learning().batch(), feed.rows_per_second,
        100 * feed.waiting_share);
  print(std::cout, "analysis with it, one search: %.0f simulations/s, card busy %.0f %%, batch %.0f\n",
        analysis.simulations_per_second, 100 * analysis.card.busy_share, analysis.card.rows_per_batch);
}

train::Config with_size(train::Config config, const BenchRequest& request) {
  if (request.blocks > 0) config.mutable_network()->set_blocks(request.blocks);
  if (request.channels > 0) config.mutable_network()->set_channels(request.channels);
  return config;
}

train::Config with_flags(train::Config config, const BenchRequest& request) {
  train::SelfPlayConfig* self_play = config.mutable_self_play();
  if (request.games > 0) self_play->set_games(request.games);
  if (request.max_batch > 0) self_play->set_max_batch(request.max_batch);
  if (request.simulations > 0) self_play->set_simulations(request.simulations);
  return config;
}

int run_bench(const BenchRequest& request) {
  const game::GamePtr game = game_or_usage_error(request.game);
  const train::Config config = with_flags(
      value_or_usage_error(train::preset_config(request.preset, game->info().ruleset), "--preset: "),
      request);
  if (request.simulate_card) {
    bench_card(*game, config, request);
    return 0;
  }
  Bench(*game, config, choose_network(*game, with_size(config, request), request.model), request).run();
  return 0;
}

}  // namespace

Run add_bench(CLI::App* app) {
  auto request = std::make_shared<BenchRequest>();
  app->add_option("GAME", request->game, "Game of network and self-play (makyek)")->type_name("");
  app->add_option("--preset", request->preset, "Whose network size and self-play (quick)")->type_name("NAME");
  add_number(app, "--blocks", &request->blocks, "Residual blocks instead", 1, 1 << 20);
  add_number(app, "--channels", &request->channels, "Channels instead", 1, 1 << 20);
  app->add_option("--model", request->model, "This network instead")->type_name("FILE|RUN");
  add_backend(app, &request->backend);
  add_number(app, "--threads", &request->threads, "Workers of self-play (one per core)", 1, 1 << 20);
  app->add_option("--seconds", request->seconds, "Per measurement (2)")->type_name("S")->check(above_zero());
  app->add_option("--measure", request->measurements,
                  "Only rules, network, self-play or learning; several by commas (all)")
      ->type_name("LIST")
      ->delimiter(',')
      ->check(one_of(Bench::measurements()));
  add_number(app, "--games", &request->games, "Games of self-play in flight instead", 1, 1 << 20);
  add_number(app, "--simulations", &request->simulations, "Simulations a move instead", 1, 1 << 20);
  add_number(app, "--max-batch", &request->max_batch, "Rows of a batch on a card instead", 1, 1 << 20);
  app->add_flag("--simulate-card", request->simulate_card,
                "Only what a card that computes nothing gets to do");
  app->add_option("--card-batch-us", request->card_batch_microseconds, "Its cost of a batch (2000)")
      ->type_name("US")
      ->check(number_in(0.0, 1e9));
  app->add_option("--card-row-us", request->card_row_microseconds, "Its cost of a row (5)")
      ->type_name("US")
      ->check(number_in(0.0, 1e9));
  app->add_option("--card-launch-us", request->card_launch_microseconds,
                  "Processor time to launch a batch (1600)")
      ->type_name("US")
      ->check(number_in(0.0, 1e9));
  app->add_option("--card-learning-us", request->card_learning_microseconds,
                  "Its cost of a row of learning (10)")
      ->type_name("US")
      ->check(above_zero());
  app->add_flag("--json", request->json, "The figures as one line of JSON; the text goes to stderr");
  app->footer(
      "Examples:\n"
      "  makzero bench --simulate-card --preset gpu --threads 2 --json");
  return [request] { return run_bench(*request); };
}

}  // namespace makzero::play
