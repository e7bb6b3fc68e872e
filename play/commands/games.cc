// makzero games: lists the rulesets, or prints the full rules of one with its board and options.
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "game/catalog.h"
#include "game/notation.h"
#include "models/checkpoint.h"
#include "models/zoo.h"
#include "play/commands/command.h"

namespace makzero::play {
namespace {

// "4f2a91c03b7e": the zoo's network for just this ruleset; empty where there is none.
std::string zoo_network(const std::string& ruleset) {
  const std::optional<std::filesystem::path> network = models::Zoo::standard().find(ruleset);
  return network ? models::id_of(models::read_manifest(*network)) : "";
}

void list_games() {
  for (const std::string& name : game::ruleset_names()) {
    const game::GamePtr game = game_or_usage_error(name);
    const game::GameInfo& info = game->info();
    std::cout << name << "  (" << info.title << ", " << info.files << "x" << info.ranks << ")\n"
              << "  " << info.summary << "\n"
              << "  source  " << info.source << "\n"
              << "  start   " << game::position_text(*game, game->initial()) << "\n";
    if (const std::string network = zoo_network(name); !network.empty())
      std::cout << "  network " << network << " of the zoo\n";
  }
  std::cout
      << "\n`makzero games NAME` prints the full rules of one, its board and its options. Titles and usual "
         "spellings\nare names too: makzero games \"Thai chess\"\n";
}

std::string allowed_values(const game::OptionInfo& option) {
  if (option.values.empty()) return std::to_string(option.minimum) + ".." + std::to_string(option.maximum);
  std::string all;
  for (const std::string& value : option.values) all += (all.empty() ? "" : "|") + value;
  return all;
}

void show_game(const std::string& name) {
  const game::GamePtr game = game_or_usage_error(name);
  const game::GameInfo& info = game->info();
  const std::string& ruleset = info.ruleset;
  const game::Position start = game->initial();
  std::cout << game::rules_text(ruleset) << "\n## In use: " << info.title << " (" << ruleset << ")\n\n"
            << info.summary << "\n\n"
            << game::board_text(*game, start) << "\n"
            << "position  " << game::position_text(*game, start) << "\n";
  game::MoveList legal;
  game->legal_moves(start, &legal);
  if (!legal.empty()) std::cout << "a move    " << game::move_text(*game, start, legal[0]) << "\n";
  std::cout << "\nOptions, written like " << ruleset << (ruleset.find(':') == std::string::npos ? ":" : ",")
            << "NAME=VALUE,NAME=VALUE; the value in use is in brackets:\n";
  for (const game::OptionInfo& option : info.options) {
    std::cout << "  " << option.name << " = " << allowed_values(option) << "  [" << option.value << "]\n";
  }
  const std::string_view certificate = game::certificate(ruleset);
  if (const std::string network = zoo_network(ruleset); !network.empty())
    std::cout << "\nNetwork " << network << " of the zoo plays it: makzero play " << ruleset << "\n";
  std::cout << "\nCertificate " << models::rules_validation(ruleset) << "\n"
            << certificate.substr(0, certificate.find('\n')) << "\n";
}

}  // namespace

Run add_games(CLI::App* app) {
  auto ruleset = std::make_shared<std::string>();
  app->add_option("GAME", *ruleset, "Print the rules of this one, with options if wanted")->type_name("");
  app->footer(
      "Examples:\n"
      "  makzero games\n"
      "  makzero games makyek\n"
      "  makzero games makyek:custodian=line\n"
      "  makzero games \"Thai chess\"      titles and usual spellings name a game in every command");
  return [ruleset] {
    ruleset->empty() ? list_games() : show_game(*ruleset);
    return 0;
  };
}

}  // namespace makzero::play
