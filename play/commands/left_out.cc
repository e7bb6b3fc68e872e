// The commands that a program which plays alone is without: they say so.
#include "play/commands/command.h"

namespace makzero::play {
namespace {

// Hides the command.
Run left_out(CLI::App* app) {
  app->group("");
  app->allow_extras();
  return []() -> int { throw UsageError("this program plays alone: use that for Linux"); };
}

}  // namespace

Run add_anneal(CLI::App* app) { return left_out(app); }
Run add_baseline(CLI::App* app) { return left_out(app); }
Run add_bench(CLI::App* app) { return left_out(app); }
Run add_doctor(CLI::App* app) { return left_out(app); }
Run add_exam(CLI::App* app) { return left_out(app); }
Run add_puzzle(CLI::App* app) { return left_out(app); }
Run add_fit(CLI::App* app) { return left_out(app); }
Run add_fsck(CLI::App* app) { return left_out(app); }
Run add_inspect(CLI::App* app) { return left_out(app); }
Run add_levels(CLI::App* app) { return left_out(app); }
Run add_library(CLI::App* app) { return left_out(app); }
Run add_publish(CLI::App* app) { return left_out(app); }
Run add_rate(CLI::App* app) { return left_out(app); }
Run add_report(CLI::App* app) { return left_out(app); }
Run add_review(CLI::App* app) { return left_out(app); }
Run add_rules(CLI::App* app) { return left_out(app); }
Run add_serve(CLI::App* app) { return left_out(app); }
Run add_train(CLI::App* app) { return left_out(app); }
Run add_tune(CLI::App* app) { return left_out(app); }
Run add_worker(CLI::App* app) { return left_out(app); }

}  // namespace makzero::play
