#include "play/commands/command.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "game/catalog.h"
#include "game/notation.h"
#include "nn/processors.h"
#include "play/system.h"

namespace makzero::play {

game::GamePtr game_or_usage_error(const std::string& ruleset) {
  return value_or_usage_error(game::make_game(ruleset));
}

models::PlayerSpec player_or_usage_error(const std::string& flag, const std::string& text,
                                         const models::PlayerPlaces& places) {
  return value_or_usage_error(models::parse_player(text, places), flag + ": ");
}

models::PlayerSpec limited_player_or_usage_error(const std::string& flag, const std::string& text,
                                                 const models::PlayerPlaces& places) {
  const models::PlayerSpec player = player_or_usage_error(flag, text, places);
  if (!player.searches()) throw UsageError(flag + ": '" + text + "' does not search");
  if (!player.limited()) throw UsageError(flag + ": '" + text + "' has no limit: add ?nodes=N");
  return player;
}

CLI::Validator wanted(const std::string& what, std::function<bool(const std::string&)> fits) {
  const auto check = [what, fits = std::move(fits)](std::string& text) {
    return fits(text) ? "" : "'" + text + "': give " + what;
  };
  return {check, ""};
}

CLI::Validator above_zero() {
  return wanted("a number above 0", [](const std::string& text) {
    double number = 0;
    return CLI::detail::lexical_cast(text, number) && std::isfinite(number) && number > 0;
  });
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  const auto check = [words](std::string& text) {
    if (std::ranges::count(words, text) > 0) return std::string();
    const std::string near = game::nearest_name(text, words);
    return fmt::format("'{}': {}give {}", text, near.empty() ? "" : "did you mean '" + near + "'? ",
                       fmt::join(words, ", "));
  };
  return {check, ""};
}

void add_threads(CLI::App* app, int* threads, const std::string& help) {
  *threads = nn::usable_processors();
  add_number(app, "--threads", threads, help, 1, 1024);
}

void add_language(CLI::App* app, std::string* language) {
  app->add_option("--language", *language, "Of what is said to people: " + language_codes() + " (LANG)")
      ->type_name("CODE");
}

Language language_or_usage_error(const std::string& code) {
  if (code.empty()) return Language::of_environment();
  const std::optional<Language> language = Language::named(code);
  if (!language) throw UsageError("--language: '" + code + "': give " + language_codes());
  return *language;
}

std::filesystem::path kept_file(const char* name) {
  const std::filesystem::path folder = state_folder();
  return folder.empty() ? folder : folder / "makzero" / name;
}

void add_notation(CLI::App* app, Notation* notation) {
  app->add_option_function<std::string>(
         "--notation", [notation](const std::string& name) { *notation = *parse_notation(name); },
         "Of moves: letters, figurines, thai, playok or coordinates (letters)")
      ->type_name("NAME")
      ->check(one_of({std::begin(kNotationNames), std::end(kNotationNames)}));
}

void add_backend(CLI::App* app, nn::Backend* backend) {
  app->add_option("--device", backend->device, "Of networks: cpu, cuda or cuda:N (cpu)")->type_name("NAME");
  app->add_option_function<std::string>(
         "--precision",
         [backend](const std::string& name) { backend->precision = *nn::parse_precision(name); },
         "Of networks: auto, fp32, bf16 or fp16 (auto: fp16 on CUDA)")
      ->type_name("NAME")
      ->check(wanted(std::string(nn::kPrecisionNames),
                     [](const std::string& name) { return nn::parse_precision(name).has_value(); }));
}

}  // namespace makzero::play
