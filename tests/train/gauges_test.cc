// Figures in Prometheus' text format, and what the trainer says of its workers.
#include "train/gauges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "train/hub/hub_state.h"
#include "train/run/display.h"
#include "train/run/figures.h"

namespace makzero::train {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Type = FigureKind::Type;

TEST(GaugesTest, AFigureHasItsHelpItsTypeAndItsValue) {
  Gauges gauges;
  gauges.set({"b_total", Type::kCounter, "Games."}, 1234567890123);
  gauges.set({"a", Type::kGauge, "Speed."}, 0.25);
  EXPECT_EQ(gauges.text(),
            "# HELP a Speed.\n# TYPE a gauge\na 0.25\n"
            "# HELP b_total Games.\n# TYPE b_total counter\nb_total 1234567890123\n");
}

TEST(GaugesTest, LabelsAndHelpAreEscaped) {
  Gauges gauges;
  gauges.set({"a", Type::kGauge, "C:\\ \"quoted\"\nline"}, {{{{"worker", "a\\b\"c\"\nd} 1\na 7"}}, 1}});
  EXPECT_EQ(gauges.text(),
            "# HELP a C:\\\\ \"quoted\"\\nline\n# TYPE a gauge\n"
            "a{worker=\"a\\\\b\\\"c\\\"\\nd} 1\\na 7\"} 1\n");
}

TEST(GaugesTest, TheSamplesOfBeforeAreGone) {
  Gauges gauges;
  gauges.set({"a", Type::kGauge, ""}, {{{{"worker", "x"}, {"run", "r"}}, 1}, {{{"worker", "y"}}, 2}});
  EXPECT_THAT(gauges.text(), HasSubstr("a{worker=\"x\",run=\"r\"} 1\na{worker=\"y\"} 2\n"));
  gauges.set({"a", Type::kGauge, ""}, {{{{"worker", "y"}}, 3}});
  EXPECT_THAT(gauges.text(), Not(HasSubstr("\"x\"")));
}

TEST(GaugesTest, NumbersThatAreNoneHaveTheirNames) {
  Gauges gauges;
  const double infinity = std::numeric_limits<double>::infinity();
  gauges.set({"a", Type::kGauge, ""}, {{{}, std::nan("")}, {{}, infinity}, {{}, -infinity}});
  EXPECT_THAT(gauges.text(), HasSubstr("a NaN\na +Inf\na -Inf\n"));
}

TEST(GaugesTest, TheProcessIsMeasured) {
  Gauges gauges;
  gauges.set_process();
  EXPECT_THAT(gauges.text(), HasSubstr("\nprocess_resident_memory_bytes "));
  EXPECT_THAT(gauges.text(), HasSubstr("\nprocess_cpu_seconds_total "));
}

TEST(FiguresTest, ATrainerShowsEachOfItsWorkers) {
  DisplayState state;
  state.phase = "rating \"x\"";
  state.last.run.games = 12;
  Gauges gauges;
  show_figures(state, &gauges);
  EXPECT_THAT(gauges.text(), HasSubstr("\nmakzero_games_total 12\n"));
  EXPECT_THAT(gauges.text(), HasSubstr("makzero_phase{phase=\"rating \\\"x\\\"\"} 1\n"));
  EXPECT_THAT(gauges.text(), Not(HasSubstr("makzero_hub_")));
  WorkerState worker;
  worker.name = "w-1";
  worker.generation = 4;
  worker.games_per_second = 0.5;
  state.hub.emplace();
  state.hub->backlog = 3;
  state.hub->workers = {worker};
  show_figures(state, &gauges);
  EXPECT_THAT(gauges.text(), HasSubstr("makzero_hub_backlog_games 3\n"));
  EXPECT_THAT(gauges.text(), HasSubstr("makzero_hub_worker_games_per_second{worker=\"w-1\"} 0.5\n"));
  EXPECT_THAT(gauges.text(), HasSubstr("makzero_hub_worker_generation{worker=\"w-1\"} 4\n"));
}

TEST(FiguresTest, ATrainerShowsWhatTheGamesOfAGenerationWereLike) {
  GameRecord game;
  game.set_result(static_cast<std::uint32_t>(game::Result::kDraw));
  game.set_reason(static_cast<std::uint32_t>(game::Reason::kCut));
  PlyRecord* ply = game.add_plies();
  ply->set_full_search(true);
  ply->set_surprise(0.5f);
  DisplayState state;
  state.last.played.games.add(game, 3);
  Gauges gauges;
  show_figures(state, &gauges);
  for (const char* line :
       {"makzero_games_drawn_ratio 1", "makzero_games_won_ratio 0", "makzero_games_cut_ratio 1",
        "makzero_games_adjudicated_ratio 0", "makzero_games_white_score 0.5", "makzero_game_plies 1",
        "makzero_game_captures 3", "makzero_policy_surprise 0.5"})
    EXPECT_THAT(gauges.text(), HasSubstr("\n" + std::string(line) + "\n"));
}

// --- The reports behind them.

std::vector<std::string> names(const std::vector<WorkerState>& workers) {
  std::vector<std::string> all;
  for (const WorkerState& worker : workers) all.push_back(worker.name);
  return all;
}

TEST(WorkerWatchTest, AWorkerIsThereWhileItsReportChanges) {
  WorkerWatch watch;
  const WorkerWatch::Clock::time_point begin{};
  watch.update({{"gone", "{\"games\": 9}"}, {"here", "{\"games\": 1}"}}, begin);
  EXPECT_THAT(watch.workers(begin), IsEmpty());
  watch.update({{"gone", "{\"games\": 9}"}, {"here", "{\"games\": 2}"}}, begin + seconds(5));
  const auto workers = watch.workers(begin + seconds(7));
  ASSERT_THAT(names(workers), ElementsAre("here"));
  EXPECT_EQ(workers[0].games, 2);
  EXPECT_EQ(workers[0].silent_seconds, 2);
  EXPECT_THAT(watch.workers(begin + seconds(66)), IsEmpty());
}

TEST(WorkerWatchTest, WhatIsNoReportIsLeftOut) {
  WorkerWatch watch;
  const WorkerWatch::Clock::time_point begin{};
  watch.update({{"a", ""}, {"b", ""}, {"c", ""}, {"../d", ""}, {"e", ""}}, begin);
  watch.update({{"a", "[1]"},
                {"b", R"({"games": "many", "network": "<script>", "spooled": -3, "threads": 1e300})"},
                {"c", "{\"network\": \"" + std::string(5000, 'x') + "\"}"},
                {"../d", "{}"},
                {"e", R"({"network": "0123456789ab", "generation": 7, "games_per_second": 1.5})"}},
               begin);
  const auto workers = watch.workers(begin);
  ASSERT_THAT(names(workers), ElementsAre("b", "e"));
  EXPECT_EQ(workers[0].games, 0);
  EXPECT_EQ(workers[0].network, "");
  EXPECT_EQ(workers[0].spooled, 0);
  EXPECT_EQ(workers[0].threads, 0);
  EXPECT_EQ(workers[1].network, "0123456789ab");
  EXPECT_EQ(workers[1].generation, 7);
  EXPECT_EQ(workers[1].games_per_second, 1.5);
}

}  // namespace
}  // namespace makzero::train
