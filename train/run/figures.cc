#include "train/run/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>

#include "train/run/display.h"

namespace makzero::train {
namespace {

using Metrics = GenerationMetrics;
using Value = std::function<std::optional<double>(const Metrics&)>;
using Type = FigureKind::Type;

double number(std::int64_t count) { return static_cast<double>(count); }

std::optional<double> only_if(bool holds, double value) {
  return holds ? std::optional(value) : std::nullopt;
}

Value total(std::int64_t RunTotals::*count) {
  return [count](const Metrics& m) { return number(m.run.*count); };
}

Value seconds_of(Activity activity) {
  return [activity](const Metrics& m) { return m.seconds_of[static_cast<std::size_t>(activity)]; };
}

Value of_games(double (GameStatistics::*value)() const) {
  return [value](const Metrics& m) { return (m.played.games.*value)(); };
}

// A rate of self-play; none where there is none of it.
Value rate(std::int64_t (*count)(const Played&)) {
  return [count](const Metrics& m) {
    const std::int64_t counted = count(m.played);
    return only_if(counted > 0, number(counted) / std::max(m.played.seconds, 1e-3));
  };
}

// Of the network's batches in self-play.
Value of_batches(double (*value)(const Metrics&)) {
  return [value](const Metrics& m) { return only_if(m.played.self_play.batches > 0, value(m)); };
}

Value of_tower(double (*value)(const Metrics&)) {
  return [value](const Metrics& m) { return only_if(m.has_tower(), value(m)); };
}

Value of_small(double (*value)(const Metrics&)) {
  return [value](const Metrics& m) { return only_if(m.played.small_rows > 0, value(m)); };
}

Value of_small_held_out(double SmallLosses::*value) {
  return [value](const Metrics& m) { return only_if(m.learnt.small.validation > 0, m.learnt.small.*value); };
}

Value of_baseline(double BaselineFigures::*value) {
  return [value](const Metrics& m) {
    return m.learnt.baseline ? std::optional((*m.learnt.baseline).*value) : std::nullopt;
  };
}

Value of_annealed_baseline(double BaselineFigures::*value) {
  return [value](const Metrics& m) {
    const auto& annealed = m.learnt.annealed;
    return annealed && annealed->baseline ? std::optional((*annealed->baseline).*value) : std::nullopt;
  };
}

std::vector<Figure> totals() {
  return {
      {.name = "seconds", .value = [](const Metrics& m) { return m.run.seconds; }},
      {.name = "processor_seconds", .value = [](const Metrics& m) { return m.run.processor_seconds; }},
      {.name = "games",
       .value = total(&RunTotals::games),
       .log = {"games"},
       .shown = {"run", "  {:.0f} games"},
       .gauge = {"makzero_games_total", Type::kCounter, "Games of the run."}},
      {.name = "rows",
       .value = total(&RunTotals::rows),
       .log = {"rows"},
       .shown = {"run", "  {:.0f} rows"},
       .gauge = {"makzero_rows_total", Type::kCounter, "Training positions of the run."}},
      {.name = "evaluations",
       .value = total(&RunTotals::evaluations),
       .shown = {"run", "  {:.0f} evaluations"},
       .gauge = {"makzero_evaluations_total", Type::kCounter, "Evaluations by networks in self-play."}},
      {.name = "steps",
       .value = total(&RunTotals::steps),
       .log = {"steps"},
       .shown = {"run", "  {:.0f} steps"},
       .gauge = {"makzero_steps_total", Type::kCounter, "Steps of the optimiser."}},
      {.name = "window_rows",
       .value = total(&RunTotals::window_rows),
       .gauge = {"makzero_window_rows", Type::kGauge, "Training positions that are learnt from."}},
      {.name = "small_window_rows",
       .value =
           [](const Metrics& m) {
             return only_if(m.run.small_window_rows > 0, number(m.run.small_window_rows));
           }},
      {.name = "time/self_play", .value = seconds_of(Activity::kPlaying), .log = {"playing", 1}},
      {.name = "time/learning", .value = seconds_of(Activity::kLearning), .log = {"learning", 1}},
      {.name = "time/rating", .value = seconds_of(Activity::kRating), .log = {"rating", 1}},
      {.name = "time/waiting", .value = seconds_of(Activity::kWaiting), .log = {"waiting", 1}},
  };
}

std::vector<Figure> self_play() {
  return {
      {.name = "self_play/games_per_second",
       .value = rate([](const Played& played) { return played.all_games - played.earlier_games; }),
       .shown = {"self-play", "  {:.1f} games/s"},
       .gauge = {"makzero_games_per_second", Type::kGauge, "Games that arrive or end here per second."}},
      {.name = "self_play/positions_per_second",
       .value = rate([](const Played& played) { return played.self_play.small_nodes; }),
       .shown = {"self-play", "  {:.0f} positions/s by alpha-beta"}},
      {.name = "self_play/evaluations_per_second",
       .value = rate([](const Played& played) { return played.self_play.evaluations; }),
       .log = {"evaluations_per_second"},
       .shown = {"self-play", "  {:.0f} evaluations/s"}},
      {.name = "self_play/rows_per_batch",
       .value = of_batches([](const Metrics& m) { return m.played.self_play.rows_per_batch(); }),
       .shown = {"self-play", "  batch {:.0f}"}},
      {.name = "self_play/forward_share",
       .value = of_batches([](const Metrics& m) { return m.played.self_play.forward_share(); }),
       .shown = {"self-play", "  network {:.0f} % of CPU", 100}},
      {.name = "self_play/core_share",
       .value = [](const Metrics& m) { return m.core_share(); },
       .log = {"cores", 2},
       .gauge = {"makzero_cores_busy_ratio", Type::kGauge,
                 "Of self-play's time: that its threads computed."}},
      {.name = "self_play/card_share",
       .value = [](const Metrics& m) { return only_if(m.card_share() > 0, m.card_share()); },
       .log = {"card", 2},
       .gauge = {"makzero_card_busy_ratio", Type::kGauge, "Of self-play's time: that the card computed."}},
  };
}

std::vector<Figure> games() {
  return {
      {.name = "games/new", .value = [](const Metrics& m) { return number(m.played.all_games); }},
      {.name = "games/new_rows", .value = [](const Metrics& m) { return number(m.played.rows); }},
      {.name = "games/draw_share",
       .value = of_games(&GameStatistics::draw_share),
       .log = {"draws", 3},
       .shown = {"games", "  draws {:.0f} %", 100},
       .gauge = {"makzero_games_drawn_ratio", Type::kGauge,
                 "Of the last generation's games: drawn, or cut without a result."}},
      {.name = "games/decisive_share",
       .value = of_games(&GameStatistics::decisive_share),
       .log = {"decided", 3},
       .shown = {"games", "  decided {:.0f} %", 100},
       .gauge = {"makzero_games_won_ratio", Type::kGauge, "The same: won by the rules."}},
      {.name = "games/cut_share",
       .value = of_games(&GameStatistics::cut_share),
       .log = {"cut", 3},
       .gauge = {"makzero_games_cut_ratio", Type::kGauge,
                 "The same: cut at the maximum game length without a result."}},
      {.name = "games/adjudicated_share",
       .value = of_games(&GameStatistics::adjudicated_share),
       .log = {"adjudicated", 3},
       .gauge = {"makzero_games_adjudicated_ratio", Type::kGauge,
                 "The same: cut and adjudicated by material."}},
      {.name = "games/white_score",
       .value = of_games(&GameStatistics::white_score),
       .log = {"white", 3},
       .gauge = {"makzero_games_white_score", Type::kGauge, "The same: White's mean score."}},
      {.name = "games/plies",
       .value = of_games(&GameStatistics::mean_plies),
       .log = {"plies", 1},
       .shown = {"games", "  {:.0f} plies"},
       .gauge = {"makzero_game_plies", Type::kGauge, "Mean length of the last generation's games."}},
      {.name = "games/captures",
       .value = of_games(&GameStatistics::captures_per_game),
       .log = {"captures", 1},
       .shown = {"games", "  {:.1f} captures"},
       .gauge = {"makzero_game_captures", Type::kGauge, "Pieces taken in a game on average."}},
      {.name = "games/surprise",
       .value = of_games(&GameStatistics::mean_surprise),
       .log = {"surprise", 4},
       .gauge = {"makzero_policy_surprise", Type::kGauge,
                 "Mean divergence of the searched policies from the evaluator's own, in nats."}},
  };
}

// Losses of a tower: learnt, held out, and held out of the annealed copy.
std::vector<Figure> losses() {
  std::vector<Figure> all = {
      {.name = "learning_rate",
       .value = of_tower([](const Metrics& m) { return double{m.learnt.learning.learning_rate}; })},
      {.name = "policy_entropy",
       .value = of_tower([](const Metrics& m) { return double{m.learnt.learning.policy_entropy}; })},
      {.name = "gradient_norm",
       .value = of_tower([](const Metrics& m) { return double{m.learnt.learning.gradient_norm}; })},
      {.name = "replay_ratio",
       .value = of_tower([](const Metrics& m) { return m.replay_ratio(); }),
       .log = {"replay_ratio", 2},
       .gauge = {"makzero_replay_ratio", Type::kGauge, "How often each new position was learnt from."}},
  };
  struct Source {
    const char *name, *log, *shown, *gauge, *help;  // Without a gauge it is for curves alone.
    const nn::Losses* (*losses)(const Metrics&);
  };
  static constexpr std::array kSources = {
      Source{"loss/", "", "", "makzero_loss_", "Of the last generation, in nats.",
             [](const Metrics& m) { return m.has_tower() ? &m.learnt.learning : nullptr; }},
      Source{"validation/", "held_out_", "held-out ", "makzero_held_out_loss_",
             "The same, of games held back.",
             [](const Metrics& m) { return m.has_tower() ? &m.learnt.validation : nullptr; }},
      Source{
          "validation_small_games/", "", "", "", "",
          [](const Metrics& m) { return m.learnt.small_games.total > 0 ? &m.learnt.small_games : nullptr; }},
      Source{"annealed/", "", "", "", "",
             [](const Metrics& m) { return m.learnt.annealed ? &m.learnt.annealed->validation : nullptr; }},
  };
  static constexpr std::array kTold = {nn::Head::kPolicy, nn::Head::kValue};
  for (const Source& source : kSources) {
    const auto add = [&](const std::string& name, auto value) {
      all.push_back({.name = source.name + name, .value = [get = source.losses, value](const Metrics& m) {
                       const nn::Losses* losses = get(m);
                       return losses ? std::optional<double>(value(*losses)) : std::nullopt;
                     }});
    };
    add("total", [](const nn::Losses& losses) { return losses.total; });
    for (const nn::HeadInfo& head : nn::kHeads) {
      const std::string name(head.name);
      add(name, [which = head.head](const nn::Losses& losses) { return losses[which]; });
      if (std::ranges::find(kTold, head.head) == kTold.end() || !*source.gauge) continue;
      all.back().log = {source.log + name, 4};
      all.back().shown = {"losses", fmt::format("  {}{} {{:.3f}}", source.shown, name)};
      all.back().gauge = {source.gauge + name, Type::kGauge, source.help};
    }
  }
  return all;
}

std::vector<Figure> small_networks() {
  return {
      {.name = "small/new_rows",
       .value = of_small([](const Metrics& m) { return number(m.played.small_rows); }),
       .log = {"small_rows"},
       .shown = {"small", "  {:.0f} new rows"}},
      {.name = "small/steps",
       .value = of_small([](const Metrics& m) { return number(m.learnt.small.steps); }),
       .log = {"small_steps"}},
      {.name = "small/nodes_per_second", .value = of_small([](const Metrics& m) {
                                           const SelfPlayStatistics& played = m.played.self_play;
                                           return number(played.small_nodes) /
                                                  std::max(played.small_cpu_seconds, 1e-3);
                                         })},
      {.name = "small/time_share", .value = of_small([](const Metrics& m) {
                                     const SelfPlayStatistics& played = m.played.self_play;
                                     return played.small_cpu_seconds / std::max(played.cpu_seconds, 1e-3);
                                   })},
      {.name = "small/loss",
       .value = of_small([](const Metrics& m) { return m.learnt.small.learning; }),
       .log = {"small", 4},
       .shown = {"small", "  loss {:.3f}"},
       .gauge = {"makzero_small_loss", Type::kGauge, "Of small networks in the last generation, in nats."}},
      {.name = "small/validation",
       .value = of_small_held_out(&SmallLosses::validation),
       .log = {"held_out_small", 4},
       .shown = {"small", "  held out {:.3f}"},
       .gauge = {"makzero_held_out_small_loss", Type::kGauge, "The same, of games held back."}},
      {.name = "small/entropy",
       .value = of_small_held_out(&SmallLosses::entropy),
       .log = {"least_small", 4},
       .shown = {"small", " (least {:.3f})"}},
  };
}

std::vector<Figure> baselines() {
  return {
      {.name = "baseline/agreement",
       .value = of_baseline(&BaselineFigures::agreement),
       .log = {"baseline_agreement", 3},
       .gauge = {"makzero_baseline_agreement_ratio", Type::kGauge,
                 "Of the judges' moves in the baseline: that the policy ranks first."}},
      {.name = "baseline/policy",
       .value = of_baseline(&BaselineFigures::policy_loss),
       .log = {"baseline_policy", 4},
       .gauge = {"makzero_baseline_loss_policy", Type::kGauge, "Of the baseline's moves, in nats."}},
      {.name = "baseline/value",
       .value = of_baseline(&BaselineFigures::value_loss),
       .log = {"baseline_value", 4},
       .gauge = {"makzero_baseline_loss_value", Type::kGauge, "Squared distance of the baseline's results."}},
      {.name = "annealed/baseline_agreement", .value = of_annealed_baseline(&BaselineFigures::agreement)},
      {.name = "annealed/baseline_policy", .value = of_annealed_baseline(&BaselineFigures::policy_loss)},
      {.name = "annealed/baseline_value", .value = of_annealed_baseline(&BaselineFigures::value_loss)},
  };
}

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

std::vector<Figure> ratings() {
  std::vector<Figure> all;
  const auto add = [&](const std::string& prefix, EloFigures GenerationMetrics::*which, FigureKind gauge) {
    const auto of = [which](auto value) {
      return [which, value](const Metrics& m) {
        return only_if((m.*which).known(), static_cast<double>((m.*which).*value));
      };
    };
    all.push_back({.name = prefix + "elo", .value = of(&EloFigures::elo), .gauge = std::move(gauge)});
    all.push_back({.name = prefix + "elo_low", .value = of(&EloFigures::low)});
    all.push_back({.name = prefix + "elo_high", .value = of(&EloFigures::high)});
    all.push_back({.name = prefix + "rated_generation", .value = of(&EloFigures::generation)});
  };
  add("", &GenerationMetrics::elo,
      {"makzero_elo", Type::kGauge, "Of the last rated network; random play is 0."});
  add("small/", &GenerationMetrics::small_elo,
      {"makzero_small_elo", Type::kGauge, "Of the last rated small network beside a tower."});
  return all;
}

}  // namespace

const std::vector<Figure>& figures() {
  static const std::vector<Figure> kAll = [] {
    std::vector<Figure> all;
    for (const auto make : {totals, self_play, games, losses, small_networks, baselines, ratings}) {
      std::ranges::move(make(), std::back_inserter(all));
    }
    return all;
  }();
  return kAll;
}

std::vector<std::pair<std::string, double>> scalars(const GenerationMetrics& metrics) {
  std::vector<std::pair<std::string, double>> all;
  for (const Figure& figure : figures()) {
    if (const auto value = figure.value(metrics)) all.emplace_back(figure.name, *value);
  }
  return all;
}

std::string metrics_json(const GenerationMetrics& metrics) {
  nlohmann::ordered_json line;
  line["generation"] = metrics.run.generation;
  for (const auto& [name, value] : scalars(metrics)) {
    const auto whole = static_cast<std::int64_t>(value);
    if (static_cast<double>(whole) == value)
      line[name] = whole;
    else
      line[name] = value;
  }
  for (const auto& [reason, games] : metrics.played.games.reasons()) line["reasons"][reason] = games;
  return line.dump();
}

std::string log_columns(const GenerationMetrics& metrics) {
  std::string text;
  for (const Figure& figure : figures()) {
    if (figure.log.key.empty()) continue;
    if (const auto value = figure.value(metrics))
      text += fmt::format(" {}={:.{}f}", figure.log.key, *value, figure.log.digits);
  }
  return text;
}

std::string display_columns(std::string_view line, const GenerationMetrics& metrics) {
  std::string text;
  for (const Figure& figure : figures()) {
    if (figure.shown.line != line || figure.shown.text.empty()) continue;
    if (const auto value = figure.value(metrics))
      text += fmt::format(fmt::runtime(figure.shown.text), *value * figure.shown.factor);
  }
  return text.substr(std::min(text.size(), text.find_first_not_of(' ')));
}

void show_figures(const DisplayState& state, Gauges* gauges) {
  const GenerationMetrics now{.played = state.played, .threads = state.last.threads};
  gauges->set({"makzero_generation", Type::kGauge, "Generation of the newest network."},
              number(state.last.run.generation));
  for (const Figure& figure : figures()) {
    if (figure.gauge.name.empty()) continue;
    const bool is_now = now.played.seconds > 0 && figure.name.starts_with("self_play/");
    if (const auto value = figure.value(is_now ? now : state.last)) gauges->set(figure.gauge, *value);
  }
  gauges->set({"makzero_phase", Type::kGauge, "What the training does."}, {{{{"phase", state.phase}}, 1}});
  if (state.hub) show_hub(*state.hub, gauges);
  gauges->set_process();
}

}  // namespace makzero::train
