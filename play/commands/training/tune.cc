// makzero tune: the fastest settings for a network on this machine that compute what fp32 does.
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/model.h"
#include "models/player/tuned_settings.h"
#include "nn/evaluators/batching_evaluator.h"
#include "nn/evaluators/torch_evaluator.h"
#include "nn/machine.h"
#include "nn/processors.h"
#include "play/commands/bench_measures.h"
#include "play/commands/command.h"
#include "train/config.h"

namespace makzero::play {
namespace {

// What a precision may differ from fp32 by, in probability: trained networks differ by some 0.01 in bf16.
constexpr double kLargestError = 0.05;

struct TuneRequest {
  std::string game = "makyek";
  std::string preset = "quick";
  std::string model;
  nn::Backend backend;
  double seconds = 2;
  bool dry_run = false;
};

class Tuner {
 public:
  Tuner(const game::Game& game, train::Config config, nn::Network network, const TuneRequest& request)
      : game_(game), config_(std::move(config)), network_(std::move(network)), request_(request) {}

  models::TunedSettings tune() {
    models::TunedSettings best;
    best.machine = nn::machine_text();
    best.device = request_.backend.device;
    best.network = models::network_size(network_.architecture.blocks, network_.architecture.channels);
    print(std::cout, "network %s on %s\n", best.network.c_str(), best.device.c_str());
    best.precision = choose_precision();
    best.max_batch = choose_batch(best.precision);
    choose_workers(&best);
    return best;
  }

 private:
  bool on_cpu() const { return request_.backend.device == "cpu"; }

  std::unique_ptr<nn::TorchEvaluator> make(nn::Precision precision, int max_batch) const {
    return std::make_unique<nn::TorchEvaluator>(
        game_, network_,
        nn::TorchEvaluatorOptions{
            .device = request_.backend.device, .precision = precision, .max_batch = max_batch});
  }

  double rate(nn::Precision precision, int batch) const {
    const auto evaluator = make(precision, batch);
    return measure_forward(game_, evaluator.get(), batch, request_.seconds, on_cpu());
  }

  // The most exact whose rate is as good as the best.
  nn::Precision choose_precision() const {
    std::vector<Candidate> candidates;
    for (const nn::Precision precision : {nn::Precision::kFp32, nn::Precision::kBf16, nn::Precision::kFp16}) {
      const std::string name(nn::precision_name(precision));
      try {
        const auto exact = make(nn::Precision::kFp32, kBatch), rounded = make(precision, kBatch);
        const double error = largest_difference(game_, exact.get(), rounded.get());
        const double speed = rate(precision, kBatch);
        const bool refused = !(error <= kLargestError);
        print(std::cout, "  %s  %9.0f evaluations/s, differs by %.4f at most%s\n", name.c_str(), speed, error,
              refused ? ": refused" : "");
        if (!refused) candidates.push_back({precision, error, speed});
      } catch (const std::runtime_error& impossible) {
        print(std::cout, "  %s  not here: %s\n", name.c_str(), impossible.what());
      }
    }
    if (candidates.empty()) return nn::Precision::kFp32;
    const double enough = kAsGood * std::ranges::max(candidates, {}, &Candidate::rate).rate;
    std::erase_if(candidates, [enough](const Candidate& each) { return each.rate < enough; });
    return std::ranges::min(candidates, {}, &Candidate::error).precision;
  }

  // The smallest whose rate is as good as the best: more games in flight are played by more networks.
  int choose_batch(nn::Precision precision) const {
    if (on_cpu()) return config_.self_play().max_batch();  // A worker's games are its batch.
    std::vector<std::pair<int, double>> rates;
    for (int batch = 128; batch <= 4096; batch *= 2) {
      rates.emplace_back(batch, rate(precision, batch));
      print(std::cout, "  batch %-5d %9.0f evaluations/s\n", batch, rates.back().second);
    }
    double best = 0;
    for (const auto& [batch, speed] : rates) best = std::max(best, speed);
    return std::find_if(rates.begin(), rates.end(),
                        [best](const auto& each) { return each.second >= kAsGood * best; })
        ->first;
  }

  // All processors, or half of them: two may share a core. On a card two batches' worth of games, one
  // searched while the other is computed; on a CPU each worker has the games that the preset gives it.
  void choose_workers(models::TunedSettings* best) {
    const int processors = nn::usable_processors();
    train::SelfPlayConfig* self_play = config_.mutable_self_play();
    if (!on_cpu()) self_play->set_games(2 * best->max_batch);
    self_play->set_max_batch(best->max_batch);
    best->games = self_play->games();
    for (int threads = processors; threads >= 1 && 2 * threads >= processors; threads /= 2) {
      const double speed = self_play_rate(best->precision, best->max_batch, threads);
      print(std::cout, "  %d workers  %9.0f evaluations/s in self-play\n", threads, speed);
      if (speed <= best->evaluations_per_second) continue;
      best->evaluations_per_second = speed;
      best->threads = threads;
    }
  }

  double self_play_rate(nn::Precision precision, int max_batch, int threads) const {
    std::unique_ptr<nn::BatchingEvaluator> card;
    if (!on_cpu()) card = std::make_unique<nn::BatchingEvaluator>(make(precision, max_batch), max_batch);
    const auto evaluator = [&]() -> std::unique_ptr<mcts::Evaluator> {
      if (card) return card->share();
      return make(precision, max_batch);
    };
    return measure_self_play(game_, config_, threads, evaluator, 2 * request_.seconds).evaluations_per_second;
  }

  struct Candidate {
    nn::Precision precision;
    double error, rate;
  };

  static constexpr int kBatch = 256;
  static constexpr double kAsGood = 0.97;  // Of the best rate: measurements differ by that much.
  const game::Game& game_;
  train::Config config_;
  nn::Network network_;
  const TuneRequest& request_;
};

int run_tune(const TuneRequest& request) {
  const game::GamePtr game = game_or_usage_error(request.game);
  const train::Config preset =
      value_or_usage_error(train::preset_config(request.preset, game->info().ruleset), "--preset: ");
  nn::require_backend(request.backend);
  Tuner tuner(*game, preset, choose_network(*game, preset, request.model), request);
  const models::TunedSettings best = tuner.tune();
  print(std::cout, "best: %s, %d workers, ", nn::precision_name(best.precision).data(), best.threads);
  if (best.games > 0) print(std::cout, "%d games in batches to %d, ", best.games, best.max_batch);
  print(std::cout, "%.0f evaluations/s\n", best.evaluations_per_second);
  if (request.dry_run) return 0;
  models::keep_tuned_settings(best);
  print(std::cout,
        "kept in %s: new trainings on this device with a network of this size take all of it, play the "
        "precision\n",
        models::tuned_settings_path().c_str());
  return 0;
}

}  // namespace

Run add_tune(CLI::App* app) {
  auto request = std::make_shared<TuneRequest>();
  app->add_option("GAME", request->game, "Game of network and self-play (makyek)")->type_name("");
  app->add_option("--preset", request->preset, "Whose network size and self-play (quick)")->type_name("NAME");
  app->add_option("--model", request->model, "This network instead of random weights")->type_name("FILE|RUN");
  app->add_option("--device", request->backend.device, "Of the network: cpu, cuda or cuda:N (cpu)")
      ->type_name("NAME");
  app->add_option("--seconds", request->seconds, "Per measurement (2)")->type_name("S")->check(above_zero());
  app->add_flag("--dry-run", request->dry_run, "Keep nothing");
  app->footer(
      "Measures precisions, batches and workers, and keeps the fastest for this machine, device and size of\n"
      "network in ~/.config/makzero/tuned.json (MAKZERO_TUNED names another file), where `train` and the\n"
      "programs that play find them; a flag says otherwise. A precision whose outputs are further than 0.05\n"
      "from those in fp32 is refused: with --model that is measured on the network that will play.\n\n"
      "Examples:\n"
      "  makzero tune --preset gpu --device cuda\n"
      "  makzero tune makruk --model models/zoo/makruk/network.mzc --dry-run");
  return [request] { return run_tune(*request); };
}

}  // namespace makzero::play
