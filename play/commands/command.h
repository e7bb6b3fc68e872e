// What a subcommand of the program is, and the table's entries: each lives in a file of its name.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "game/game.h"
#include "nn/backend.h"
#include "play/language.h"
#include "play/notation/written_move.h"

namespace makzero::play {

// Does what the command line asked for and returns the exit status: 0 done, 1 failed, 2 wrong use.
using Run = std::function<int()>;

// Wrong use of the command line: exit status 2. The message says what is wrong and how to repair it.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The game of a ruleset text. Throws UsageError.
game::GamePtr game_or_usage_error(const std::string& ruleset);

// Adds an option that takes a whole number from `lowest` to `highest`.
template <typename Number>
void add_number(CLI::App* app, const std::string& name, Number* value, const std::string& help,
                std::type_identity_t<Number> lowest, std::type_identity_t<Number> highest) {
  app->add_option(name, *value, help)->type_name("N")->check(CLI::Range(lowest, highest).description(""));
}

// Checks of numbers that need not be whole: above 0, and 0 or more.
CLI::Validator above_zero();
CLI::Validator zero_or_more();

// Adds --threads, which is one per core unless said otherwise.
void add_threads(CLI::App* app, int* threads, const std::string& help);

// Adds --notation, in which moves are shown.
void add_notation(CLI::App* app, Notation* notation);

// Adds --device and --precision of networks.
void add_backend(CLI::App* app, nn::Backend* backend);

// --language: in which people are spoken to; empty: that of the environment.
void add_language(CLI::App* app, std::string* language);
Language language_or_usage_error(const std::string& code);

// Each declares the arguments of its subcommand and returns what runs after parsing.
Run add_ablate(CLI::App* app);
Run add_analysis(CLI::App* app);
Run add_anneal(CLI::App* app);
Run add_bench(CLI::App* app);
Run add_publish(CLI::App* app);
Run add_distill(CLI::App* app);
Run add_doctor(CLI::App* app);
Run add_export(CLI::App* app);
Run add_fit(CLI::App* app);
Run add_fsck(CLI::App* app);
Run add_games(CLI::App* app);
Run add_inspect(CLI::App* app);
Run add_label(CLI::App* app);
Run add_levels(CLI::App* app);
Run add_match(CLI::App* app);
Run add_perft(CLI::App* app);
Run add_play(CLI::App* app);
Run add_rate(CLI::App* app);
Run add_report(CLI::App* app);
Run add_replay(CLI::App* app);
Run add_review(CLI::App* app);
Run add_serve(CLI::App* app);
Run add_tune(CLI::App* app);
Run add_train(CLI::App* app);
Run add_uci(CLI::App* app);
Run add_worker(CLI::App* app);

}  // namespace makzero::play
