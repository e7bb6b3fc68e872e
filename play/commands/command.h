// What a subcommand of the program is, and the table's entries: each lives in a file of its name.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "game/game.h"
#include "game/plain_text.h"
#include "models/player/player_spec.h"
#include "nn/backend.h"
#include "play/commands/output.h"
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

// The value that was read. Throws UsageError with every reason where there is none, behind `what` it is of.
template <class T>
T value_or_usage_error(const game::Parsed<T>& parsed, const std::string& what = "") {
  if (!parsed) throw UsageError(what + parsed.why());
  return *parsed;
}

// The game of a ruleset text. Throws UsageError.
game::GamePtr game_or_usage_error(const std::string& ruleset);

// The player that `flag` names. Throws UsageError.
models::PlayerSpec player_or_usage_error(const std::string& flag, const std::string& text,
                                         const models::PlayerPlaces& places);

// The same, of a player whose searches have a limit.
models::PlayerSpec limited_player_or_usage_error(const std::string& flag, const std::string& text,
                                                 const models::PlayerPlaces& places);

// A check that says what is wanted where a text does not fit: "'0': give a number above 0".
CLI::Validator wanted(const std::string& what, std::function<bool(const std::string&)> fits);

// None where the text is no such number, or more than the type holds.
template <typename Number>
std::optional<Number> number_of(const std::string& text) {
  if constexpr (std::is_integral_v<Number>) return game::parse_number<Number>(text);
  Number number{};
  return CLI::detail::lexical_cast(text, number) ? std::optional(number) : std::nullopt;
}

// Checks of a number from `lowest` to `highest`, of any number above 0, and of one of these words.
template <typename Number>
CLI::Validator number_in(Number lowest, Number highest) {
  const auto fits = [=](const std::string& text) {
    const std::optional<Number> number = number_of<Number>(text);
    return number && *number >= lowest && *number <= highest;
  };
  return wanted(
      fmt::format("a {}number from {} to {}", std::is_integral_v<Number> ? "whole " : "", lowest, highest),
      fits);
}
CLI::Validator above_zero();
CLI::Validator one_of(const std::vector<std::string>& words);

// Adds an option that takes a number from `lowest` to `highest`.
template <typename Number>
CLI::Option* add_number(CLI::App* app, const std::string& name, Number* value, const std::string& help,
                        std::type_identity_t<Number> lowest, std::type_identity_t<Number> highest) {
  return app->add_option(name, *value, help)->type_name("N")->check(number_in<Number>(lowest, highest));
}

// Adds --seed.
template <typename Seed>
void add_seed(CLI::App* app, Seed* seed, const std::string& help) {
  app->add_option("--seed", *seed, help)->type_name("N")->check(number_in<std::uint64_t>(0, UINT64_MAX));
}

// Adds --threads, which is one per core unless said otherwise.
void add_threads(CLI::App* app, int* threads, const std::string& help);

// A file or folder that outlives the program, in $XDG_STATE_HOME/makzero, else below ~/.local/state. Empty
// without a home.
std::filesystem::path kept_file(const char* name);

// Adds --notation, in which moves are shown.
void add_notation(CLI::App* app, Notation* notation);

// Adds --device and --precision of networks.
void add_backend(CLI::App* app, nn::Backend* backend);

// --language: in which people are spoken to; empty: that of the environment.
void add_language(CLI::App* app, std::string* language);
Language language_or_usage_error(const std::string& code);

// Each declares the arguments of its subcommand and returns what runs after parsing.
Run add_analysis(CLI::App* app);
Run add_anneal(CLI::App* app);
Run add_baseline(CLI::App* app);
Run add_bench(CLI::App* app);
Run add_publish(CLI::App* app);
Run add_doctor(CLI::App* app);
Run add_endings(CLI::App* app);
Run add_export(CLI::App* app);
Run add_exam(CLI::App* app);
Run add_puzzle(CLI::App* app);
Run add_fit(CLI::App* app);
Run add_fsck(CLI::App* app);
Run add_games(CLI::App* app);
Run add_inspect(CLI::App* app);
Run add_levels(CLI::App* app);
Run add_match(CLI::App* app);
Run add_openings(CLI::App* app);
Run add_certify(CLI::App* app);
Run add_perft(CLI::App* app);
Run add_play(CLI::App* app);
Run add_rate(CLI::App* app);
Run add_report(CLI::App* app);
Run add_replay(CLI::App* app);
Run add_rules(CLI::App* app);
Run add_library(CLI::App* app);
Run add_book(CLI::App* app);
Run add_review(CLI::App* app);
Run add_serve(CLI::App* app);
Run add_tune(CLI::App* app);
Run add_train(CLI::App* app);
Run add_uci(CLI::App* app);
Run add_worker(CLI::App* app);

}  // namespace makzero::play
