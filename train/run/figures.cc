#include "train/run/figures.h"

#include <functional>

namespace makzero::train {
namespace {

using Type = FigureKind::Type;

void show_workers(const std::vector<WorkerState>& workers, Gauges* gauges) {
  const auto show = [&](const char* name, Type type, const char* help,
                        const std::function<double(const WorkerState&)>& value) {
    std::vector<Gauges::Sample> samples;
    samples.reserve(workers.size());
    for (const WorkerState& worker : workers) samples.push_back({{{"worker", worker.name}}, value(worker)});
    gauges->set({name, type, help}, std::move(samples));
  };
  show("makzero_hub_worker_games_total", Type::kCounter, "Games of a worker since its start.",
       [](const WorkerState& worker) { return static_cast<double>(worker.games); });
  show("makzero_hub_worker_games_per_second", Type::kGauge, "Games of a worker per second.",
       [](const WorkerState& worker) { return worker.games_per_second; });
  show("makzero_hub_worker_generation", Type::kGauge, "Generation of the network that a worker plays with.",
       [](const WorkerState& worker) { return static_cast<double>(worker.generation); });
  show("makzero_hub_worker_spooled_games", Type::kGauge, "Games that only the worker has on its disk.",
       [](const WorkerState& worker) { return static_cast<double>(worker.spooled); });
  show("makzero_hub_worker_silent_seconds", Type::kGauge, "Time since a worker's last report.",
       [](const WorkerState& worker) { return worker.silent_seconds; });
}

void show_hub(const HubState& hub, Gauges* gauges) {
  const auto show = [&](const char* name, Type type, const char* help, auto value) {
    gauges->set({name, type, help}, static_cast<double>(value));
  };
  show("makzero_hub_up", Type::kGauge, "1 where the hub answers.", hub.is_away ? 0 : 1);
  show("makzero_hub_backlog_games", Type::kGauge, "Games in the stream.", hub.backlog);
  show("makzero_hub_workers", Type::kGauge, "Workers that have reported within a minute.",
       hub.workers.size());
  show("makzero_hub_games_kept_total", Type::kCounter, "Games of workers in the shards.", hub.games.kept);
  show("makzero_hub_games_repeated_total", Type::kCounter, "Games that came again.", hub.games.repeated);
  show("makzero_hub_games_refused_total", Type::kCounter, "Games in quarantine.", hub.games.refused);
  show_workers(hub.workers, gauges);
}

}  // namespace

void show_figures(const DisplayState& state, Gauges* gauges) {
  const auto show = [&](const char* name, Type type, const char* help, auto value) {
    gauges->set({name, type, help}, static_cast<double>(value));
  };
  const GenerationMetrics& last = state.last;
  show("makzero_generation", Type::kGauge, "Generation of the newest network.", last.generation);
  show("makzero_games_total", Type::kCounter, "Games of the run.", last.games);
  show("makzero_rows_total", Type::kCounter, "Training positions of the run.", last.rows);
  show("makzero_evaluations_total", Type::kCounter, "Evaluations by networks in self-play.",
       last.evaluations);
  show("makzero_steps_total", Type::kCounter, "Steps of the optimiser.", last.steps);
  show("makzero_window_rows", Type::kGauge, "Training positions that are learnt from.", last.window_rows);
  show("makzero_games_per_second", Type::kGauge, "Games that arrive or end here per second.",
       state.games_per_second);
  show("makzero_loss_policy", Type::kGauge, "Of the last generation, in nats.",
       last.learning[nn::Head::kPolicy]);
  show("makzero_loss_value", Type::kGauge, "Of the last generation, in nats.",
       last.learning[nn::Head::kValue]);
  show("makzero_held_out_loss_policy", Type::kGauge, "The same, of games held back.",
       last.validation[nn::Head::kPolicy]);
  show("makzero_held_out_loss_value", Type::kGauge, "The same, of games held back.",
       last.validation[nn::Head::kValue]);
  for (const GameFigure& figure : kGameFigures)
    gauges->set({std::string(figure.gauge), Type::kGauge, std::string(figure.help)},
                (last.played.*figure.value)());
  show("makzero_replay_ratio", Type::kGauge, "How often each new position was learnt from.",
       last.replay_ratio());
  show("makzero_cores_busy_ratio", Type::kGauge, "Of self-play's time: that its threads computed.",
       last.core_share());
  show("makzero_card_busy_ratio", Type::kGauge, "Of self-play's time: that the card computed; 0 without one.",
       last.card_share());
  if (last.baseline) {
    for (const BaselineFigure& figure : kBaselineFigures)
      gauges->set({std::string(figure.gauge), Type::kGauge, std::string(figure.help)},
                  (*last.baseline).*figure.value);
  }
  if (last.elo.known())
    show("makzero_elo", Type::kGauge, "Of the last rated network; random play is 0.", last.elo.elo);
  if (last.small_elo.known())
    show("makzero_small_elo", Type::kGauge, "Of the last rated small network beside a tower.",
         last.small_elo.elo);
  gauges->set({"makzero_phase", Type::kGauge, "What the training does."}, {{{{"phase", state.phase}}, 1}});
  if (state.hub) show_hub(*state.hub, gauges);
  gauges->set_process();
}

}  // namespace makzero::train
