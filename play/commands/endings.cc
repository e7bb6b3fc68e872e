// makzero endings: solves the endings of a game, or writes what its counts are worth.
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "mcts/endings/solver.h"
#include "models/endings_file.h"
#include "models/error.h"
#include "play/commands/command.h"
#include "play/commands/counts_page.h"
#include "play/commands/interrupt.h"
#include "train/run/progress_line.h"

namespace makzero::play {
namespace {

struct EndingsCommand {
  std::string game;
  bool counts = false;
  bool check = false;
};

// Thrown by the progress of a class.
struct Stopped : std::exception {};

// Progress over all classes: a class has as many steps as numbers, to solve it and to check it.
class Progress {
 public:
  Progress(std::size_t steps, std::stop_token stop) : steps_(steps), stop_(std::move(stop)) {}

  // For a class of so many steps; its work goes on from `from` to `to`, in [0, 1].
  mcts::SolverOptions options(const mcts::EndingClass& ending, double from, double to) {
    return {.progress = [this, &ending, from, to](double share) {
      if (stop_.stop_requested()) throw Stopped();
      const double done =
          static_cast<double>(done_) + static_cast<double>(ending.size()) * (from + (to - from) * share);
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
      const double left = spent.count() * (static_cast<double>(steps_) / std::max(done, 1.0) - 1);
      line_.show(fmt::format("{}: {:.0f} % of all endings, {} left", ending.name(),
                             100 * done / static_cast<double>(steps_), train::duration_text(left)));
    }};
  }

  void finish(const mcts::EndingClass& ending) { done_ += ending.size(); }
  void clear() { line_.clear(); }

 private:
  std::size_t steps_, done_ = 0;
  std::stop_token stop_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  train::ProgressLine line_;
};

void refuse_faults(const mcts::EndingClass& ending, std::size_t faults) {
  if (faults == 0) return;
  throw models::Error(fmt::format("{}: {} values do not follow from those of the moves; nothing is written",
                                  ending.name(), faults));
}

// A damaged file throws where it is first needed.
void add_file(const game::GameInfo& info, mcts::EndingClass ending, mcts::Endings* endings) {
  endings->add(std::move(ending),
               [&info](const mcts::EndingClass& wanted) { return models::read_ending(info, wanted); });
}

// Verdict on the start of a game that is solved whole; empty of others.
std::string verdict_on(const game::Game& game, const mcts::Endings& endings) {
  const std::optional<mcts::EndingValue> value = endings.probe_unlimited(game.initial());
  if (!value) return "";
  if (value->result == 0) return "the initial position is a draw\n";
  return fmt::format("the initial position is {} in {} plies for who begins\n",
                     value->result > 0 ? "won" : "lost", value->plies);
}

// Solves, checks and writes what is missing; with --check, what is there is checked too.
int make_endings(const game::Game& game, const EndingsCommand& command) {
  const game::GameInfo& info = game.info();
  std::vector<mcts::EndingClass> classes;
  std::size_t steps = 0;
  for (const mcts::Material material : mcts::ending_materials(game)) {
    classes.emplace_back(game, material);
    if (command.check || !std::filesystem::exists(models::ending_path(info, classes.back().name())))
      steps += classes.back().size();
  }
  Progress progress(
      steps, stop_on_interrupt("\nstopping: the next call goes on behind the endings that are done\n"));
  mcts::Endings endings(game);
  std::uint64_t bytes = 0;
  for (mcts::EndingClass& ending : classes) {
    const std::filesystem::path path = models::ending_path(info, ending.name());
    const bool there = std::filesystem::exists(path);
    if (!there || command.check) {
      const mcts::EndingTable table =
          there ? mcts::EndingTable{ending, models::read_ending(info, ending)}
                : mcts::solve_ending(game, endings, ending.material(), progress.options(ending, 0, 0.6));
      refuse_faults(ending,
                    mcts::count_faults(game, endings, table, progress.options(ending, there ? 0 : 0.6, 1)));
      if (!there) models::write_ending(info, table);
      progress.finish(ending);
      progress.clear();
      std::cout << fmt::format("{}: {} numbers, 0 faults, {} kB", ending.name(), table.codes.size(),
                               std::filesystem::file_size(path) / 1000)
                << std::endl;
    }
    bytes += std::filesystem::file_size(path);
    add_file(info, std::move(ending), &endings);
  }
  std::cout << fmt::format("{} endings of {}, {:.1f} MB, in {}\n", classes.size(), info.ruleset,
                           1e-6 * static_cast<double>(bytes),
                           models::ending_path(info, "").parent_path().string())
            << verdict_on(game, endings);
  return 0;
}

int write_counts(const game::Game& game) {
  const game::GameInfo& info = game.info();
  if (!info.has_counting) throw UsageError("--counts: " + info.title + " has no counts");
  mcts::Endings endings(game);
  for (const mcts::Material material : mcts::ending_materials(game)) {
    mcts::EndingClass ending(game, material);
    if (!std::filesystem::exists(models::ending_path(info, ending.name())))
      throw UsageError("--counts: endings are missing: run `makzero endings " + info.ruleset + "` first");
    add_file(info, std::move(ending), &endings);
  }
  std::cout << counts_page(game, endings);
  return 0;
}

int run_endings(const EndingsCommand& command) {
  const game::GamePtr game = game_or_usage_error(command.game);
  if (const std::string reason = models::no_endings_reason(game->info()); !reason.empty())
    throw UsageError(command.game + ": " + reason);
  if (models::endings_folder().empty())
    throw UsageError("MAKZERO_ENDINGS is empty, which means no endings: name a folder, or unset it");
  if (command.counts) return write_counts(*game);
  try {
    return make_endings(*game, command);
  } catch (const Stopped&) {
    return 1;
  }
}

}  // namespace

Run add_endings(CLI::App* app) {
  auto command = std::make_shared<EndingsCommand>();
  app->add_option("GAME", command->game, "Game")->required()->type_name("");
  app->add_flag("--check", command->check,
                "Check endings that are there already too: every value, by the moves");
  app->add_flag("--counts", command->counts, "Write a page on what the counts are worth, from the endings");
  app->footer(
      "Exact values of all positions without pawns and with at most four pieces, five in the hunt:\n"
      "minutes of one core; with setup=5x5 of all positions. They are kept in $MAKZERO_ENDINGS, else in\n"
      "$XDG_DATA_HOME/makzero/endings, else in ~/.local/share/makzero/endings; play finds them there.\n\n"
      "Examples:\n"
      "  makzero endings makruk\n"
      "  makzero endings makruk --counts > counts.md");
  return [command] { return run_endings(*command); };
}

}  // namespace makzero::play
