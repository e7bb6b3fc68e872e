#include "train/hub/worker.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "mcts/material_evaluator.h"
#include "models/model.h"
#include "nn/evaluators/torch_evaluator.h"
#include "train/config.h"
#include "train/hub/network_fetch.h"
#include "train/hub/run_metadata.h"
#include "train/hub/spool.h"
#include "train/hub/spool_sender.h"
#include "train/self_play/game_pool.h"
#include "train/self_play/self_play.h"
#include "train/self_play/self_play_evaluators.h"

namespace makzero::train {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kRound{250};  // Between two looks at the hub.
constexpr std::chrono::milliseconds kReport{5000};
constexpr std::chrono::milliseconds kTick{50};
constexpr std::chrono::seconds kLongestFetch{60};

// The first spool of the folder that is free.
std::unique_ptr<Spool> take_spool(const WorkerRequest& request) {
  for (int number = 0;; ++number) {
    try {
      return std::make_unique<Spool>(request.spools / std::to_string(number), request.spool_bytes,
                                     request.account);
    } catch (const SpoolInUse&) {
      continue;
    }
  }
}

std::uint64_t seed_of(const WorkerRequest& request, const Spool& spool) {
  if (request.seed) return *request.seed;
  const std::string name = fmt::format("{} {}", spool.worker(), spool.starts());
  return XXH3_64bits(name.data(), name.size());
}

// The configuration of the run that a checkpoint is of, with what is this machine's own.
Config config_of(const models::Model& checkpoint, const WorkerRequest& request) {
  const Config config = models::value_or_error(
      parse_config(checkpoint.manifest.config(), "the configuration of " + checkpoint.id()));
  return models::value_or_error(
      override_config(config, {{"device", request.device}, {"precision", request.precision}}));
}

class Worker {
 public:
  Worker(const WorkerRequest& request, const std::stop_token& stop)
      : request_(request),
        stop_(stop),
        spool_(take_spool(request)),
        sender_(spool_.get(), request.stream_limit),
        rng_(seed_of(request, *spool_)),
        link_(request.open, request.log, rng_.next()) {
    for (const std::string& warning : spool_->warnings()) request_.log("spool " + warning);
  }

  void run() {
    while (!stop_.stop_requested() && !network_) look_for_run();
    if (network_) play();
    finish();
  }

 private:
  // --- The run and its network.

  void look_for_run() {
    link_.attempt([&](Hub* hub) {
      if (!is_agreed_) agree(hub);
      fetch_newest(hub);
    });
    if (!network_) std::this_thread::sleep_for(kRound);
  }

  void agree(Hub* hub) {
    const RunMetadata metadata = hub->about();
    if (metadata.empty()) {
      if (!std::exchange(has_waited_, true)) request_.log("waits for the trainer of the run");
      return;
    }
    games_ = games_of(metadata);
    is_agreed_ = true;
  }

  // The newest network, where it is another than that which plays, and piece by piece.
  void fetch_newest(Hub* hub) {
    if (!is_agreed_) return;
    if (!fetch_) begin_fetch(hub->newest_network());
    if (!fetch_) return;
    if (!fetch_->pump(hub)) return fetch_.reset();  // Expired, or lost: the next round sees another.
    if (!fetch_->is_done()) return;
    auto checkpoint =
        std::make_unique<models::Model>(models::parse_model("network " + fetch_->id(), fetch_->bytes()));
    (network_ ? next_network_ : network_) = std::move(checkpoint);
    fetch_.reset();
  }

  // All workers see a network at once: each fetches it over a tenth of the time since the one before.
  void begin_fetch(const std::optional<PublishedNetwork>& newest) {
    if (!newest || (network_ && newest->id == network_->id())) return;
    if (next_network_ && newest->id == next_network_->id()) return;
    const Clock::time_point now = Clock::now();
    Clock::duration span = request_.fetch_span;
    if (network_) span = std::min<Clock::duration>((now - announced_) / 10, kLongestFetch);
    announced_ = now;
    fetch_.emplace(*newest, now, span, rng_.uniform());
  }

  // --- Self-play.

  void play() {
    config_ = config_of(*network_, request_);
    if (trains_tower(config_)) nn::require_backend(backend_of(config_, config_.device()));
    GamePool pool(games_, config_.rulesets());
    const bool stagger = network_->manifest.generation() == 0;
    const int threads = config_.deterministic() ? 1 : request_.threads;
    SelfPlay self_play(&pool, config_, threads, seed_of(request_, *spool_), stagger);
    SelfPlayEvaluators evaluators(&pool, config_);
    request_.log(
        fmt::format("worker begins name={} start={} network={} generation={} threads={} device={} waiting={}",
                    spool_->worker(), spool_->starts(), network_->id(), network_->manifest.generation(),
                    threads, config_.device(), spool_->games().size()));
    begin_ = Clock::now();
    while (!stop_.stop_requested()) {
      if (spool_->full()) {
        wait_for_room();
        continue;
      }
      play_network(pool, &self_play, &evaluators);
      if (next_network_) use_next_network();
    }
  }

  // Until there is another network, the spool is full or the worker is stopped.
  void play_network(const GamePool& pool, SelfPlay* self_play, SelfPlayEvaluators* evaluators) {
    const models::Manifest& manifest = network_->manifest;
    const PlayingNetwork network{network_->tower, network_->id()};
    const auto who = evaluator_of(config_, manifest.generation());
    const bool by_network = who == SelfPlayConfig::NETWORK;
    if (by_network && !network_->tower.weights.empty()) evaluators->load(network);
    self_play->set_small_networks(
        std::make_shared<SmallNetworks>(small_networks_for(pool, network_->small_networks)));
    self_play->set_phase(phase_of(config_, who, manifest.generation()));
    const EvaluatorFactory make_evaluator = [&]() -> std::unique_ptr<mcts::Evaluator> {
      if (!by_network) return make_bootstrap_evaluator(who);
      return evaluators->make_network(network);
    };
    self_play->run(make_evaluator, [&](std::vector<GameRecord> finished) {
      const std::int64_t evaluations = evaluations_ = self_play->statistics().evaluations;
      for (GameRecord& record : finished) {
        record.set_evaluations(by_network ? evaluations - counted_evaluations_ : 0);
        counted_evaluations_ = evaluations;
        keep(std::move(record));
      }
      look_at_hub();
      return !stop_.stop_requested() && !next_network_ && !spool_->full();
    });
    counted_evaluations_ = self_play->statistics().evaluations;
  }

  void keep(GameRecord record) {
    record.set_network(network_->id());
    record.set_build(MAKZERO_VERSION);
    record.set_network_generation(network_->manifest.generation());
    spool_->add(std::move(record));
    ++games_played_;
  }

  // The run may have been resumed with other options; its games stay.
  void use_next_network() {
    network_ = std::move(next_network_);
    const std::string games = config_.game();
    config_ = config_of(*network_, request_);
    if (config_.game() != games) {
      throw models::Error(
          fmt::format("the run trains '{}' now, not '{}': start the worker again", config_.game(), games));
    }
  }

  void wait_for_room() {
    if (!std::exchange(was_full_, true)) {
      request_.log(
          fmt::format("spool full bytes={}: waits until the trainer has taken games", spool_->bytes()));
    }
    look_at_hub();
    std::this_thread::sleep_for(kTick);
    if (!spool_->full()) was_full_ = false;
  }

  // --- The hub.

  void look_at_hub() {
    if (Clock::now() < next_look_) return;
    next_look_ = Clock::now() + kRound;
    show_figures();
    const bool done = link_.attempt([&](Hub* hub) {
      sender_.pump(hub);
      fetch_newest(hub);
      report(hub);
    });
    if (!done) sender_.forget_sent();
  }

  void show_figures() {
    using Type = FigureKind::Type;
    if (!request_.gauges) return;
    const auto show = [&](const char* name, Type type, const char* help, auto value) {
      request_.gauges->set({name, type, help}, static_cast<double>(value));
    };
    show("makzero_worker_games_total", Type::kCounter, "Games of this start.", games_played_);
    show("makzero_worker_evaluations_total", Type::kCounter, "Of the network in self-play.", evaluations_);
    show("makzero_worker_resends_total", Type::kCounter, "Times that games were sent again.",
         sender_.resends());
    show("makzero_worker_spooled_games", Type::kGauge, "Games that the trainer does not have on its disk.",
         spool_->games().size());
    show("makzero_worker_spool_bytes", Type::kGauge, "Bytes of those games.", spool_->bytes());
    show("makzero_worker_threads", Type::kGauge, "Threads that play.", request_.threads);
    show("makzero_worker_hub_up", Type::kGauge, "1 where the hub answers.", link_.is_away() ? 0 : 1);
    request_.gauges->set({"makzero_worker_generation", Type::kGauge, "Generation of the network that plays."},
                         {{{{"worker", spool_->worker()}, {"network", network_->id()}},
                           static_cast<double>(network_->manifest.generation())}});
    request_.gauges->set_process();
  }

  void report(Hub* hub) {
    if (Clock::now() < next_report_) return;
    next_report_ = Clock::now() + kReport;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    hub->report_worker(
        spool_->worker(),
        fmt::format(R"({{"unix": {}, "threads": {}, "network": "{}", "generation": {}, "games": {}, )"
                    R"("games_per_second": {:.3f}, "spooled": {}, "resends": {}}})",
                    std::time(nullptr), request_.threads, network_->id(), network_->manifest.generation(),
                    games_played_, static_cast<double>(games_played_) / std::max(1.0, seconds),
                    spool_->games().size(), sender_.resends()));
  }

  // What is in the spool stays there for the next start, if the hub is away.
  void finish() {
    spool_->sync();
    link_.attempt_now([&](Hub* hub) { sender_.pump(hub); });
    request_.log(fmt::format("worker stops name={} games={} evaluations={} spooled={}", spool_->worker(),
                             games_played_, evaluations_, spool_->games().size()));
  }

  const WorkerRequest& request_;
  const std::stop_token stop_;
  std::unique_ptr<Spool> spool_;
  SpoolSender sender_;
  mcts::Rng rng_;  // For what is not played: pauses.
  HubLink link_;
  std::vector<game::GamePtr> games_;
  bool is_agreed_ = false, has_waited_ = false, was_full_ = false;
  std::unique_ptr<models::Model> network_, next_network_;
  std::optional<NetworkFetch> fetch_;  // Of the next one.
  Clock::time_point announced_;        // Time at which it was seen.
  Config config_;
  std::int64_t games_played_ = 0, counted_evaluations_ = 0;
  std::int64_t evaluations_ = 0;  // Of all games, those in flight too.
  Clock::time_point begin_, next_look_, next_report_;
};

bool drain(const WorkerRequest& request, Spool* spool, const std::stop_token& stop) {
  SpoolSender sender(spool, request.stream_limit);
  HubLink link(request.open, request.log, spool->starts());
  request.log(fmt::format("drains name={} games={}", spool->worker(), spool->games().size()));
  while (!spool->games().empty() && !stop.stop_requested()) {
    if (!link.attempt([&](Hub* hub) { sender.pump(hub); })) sender.forget_sent();
    if (!spool->games().empty()) std::this_thread::sleep_for(kTick);
  }
  request.log(fmt::format("drained name={} left={}", spool->worker(), spool->games().size()));
  return spool->games().empty();
}

}  // namespace

void run_worker(const WorkerRequest& request, const std::stop_token& stop) { Worker(request, stop).run(); }

bool drain_spools(const WorkerRequest& request, const std::stop_token& stop) {
  bool are_empty = true;
  for (int number = 0; std::filesystem::exists(request.spools / std::to_string(number)); ++number) {
    try {
      Spool spool(request.spools / std::to_string(number), request.spool_bytes, request.account);
      are_empty = drain(request, &spool, stop) && are_empty;
    } catch (const SpoolInUse& error) {
      request.log(error.what());
    }
  }
  return are_empty;
}

}  // namespace makzero::train
