// makzero games: lists the rulesets, or prints the full rules of one with its board and options.
#include <iostream>
#include <memory>
#include <string>

#include "game/catalog.h"
#include "game/notation.h"
#include "models/model.h"
#include "models/player/player_spec.h"
#include "models/zoo.h"
#include "play/commands/command.h"
#include "play/language.h"
#include "play/terminal/rules_view.h"

namespace makzero::play {
namespace {

// "small-4f2a91c03b7e, 7dd0ecb2af52": the zoo's small network and tower for just this ruleset, as players are
// named; empty where it has neither.
std::string zoo_networks(const std::string& ruleset) {
  std::string names;
  for (const std::string_view word : {models::kSmallName, models::kZooName}) {
    const auto player = models::parse_player(std::string(word), {.ruleset = ruleset});
    if (player) names += (names.empty() ? "" : ", ") + player->name();
  }
  return names;
}

constexpr int kLabelColumn = 8, kWideColumn = 10;

// "  source  Captain James Low, 1836".
std::string row(const Language& language, const char* label, const std::string& text) {
  return padded(language.text(label), kLabelColumn) + text + "\n";
}

void list_games(const Language& language) {
  for (const std::string& name : game::ruleset_names()) {
    const game::GamePtr game = game_or_usage_error(name);
    const game::GameInfo& info = game->info();
    std::cout << name << "  (" << language.text(info.title) << ", " << info.files << "x" << info.ranks
              << ")\n"
              << "  " << language.text(info.summary) << "\n"
              << "  " << row(language, later("source"), info.source) << "  "
              << row(language, later("start"), game::position_text(*game, game->initial()));
    if (const std::string networks = zoo_networks(name); !networks.empty())
      std::cout << "  " << row(language, later("zoo"), networks);
  }
  std::cout << "\n"
            << language.text(
                   later("`makzero games NAME` prints the full rules of one, its board and its options. "
                         "Titles and usual spellings are names too: makzero games \"Thai chess\""))
            << "\n";
}

std::string allowed_values(const game::OptionInfo& option) {
  if (option.values.empty()) return std::to_string(option.minimum) + ".." + std::to_string(option.maximum);
  std::string all;
  for (const std::string& value : option.values) all += (all.empty() ? "" : "|") + value;
  return all;
}

void show_options(const game::GameInfo& info, const Language& language) {
  const char* more = info.ruleset.find(':') == std::string::npos ? ":" : ",";
  std::cout << "\n"
            << language.text(
                   message("Options, written like {ruleset}NAME=VALUE,NAME=VALUE; the value in use is in "
                           "brackets:",
                           {{"ruleset", info.ruleset + more}}))
            << "\n";
  for (const game::OptionInfo& option : info.options) {
    std::cout << "  " << option.name << " = " << allowed_values(option) << "  [" << option.value << "]\n";
  }
}

// The rules as they stand in their file, or in another language what of them concerns players.
std::string rules_in(const Language& language, const std::string& ruleset) {
  return language.code() == Language().code() ? std::string(game::rules_text(ruleset))
                                              : rules_view(ruleset, "", language);
}

void show_game(const std::string& name, const Language& language) {
  const game::GamePtr game = game_or_usage_error(name);
  const game::GameInfo& info = game->info();
  const std::string& ruleset = info.ruleset;
  const game::Position start = game->initial();
  const MessageValues values = {{"title", info.title}, {"ruleset", ruleset}};
  std::cout << rules_in(language, ruleset) << "\n## "
            << language.text(message("In use: {title} ({ruleset})", values)) << "\n\n"
            << language.text(info.summary) << "\n\n"
            << game::board_text(*game, start) << "\n"
            << padded(language.text(later("position")), kWideColumn) << game::position_text(*game, start)
            << "\n";
  game::MoveList legal;
  game->legal_moves(start, &legal);
  if (!legal.empty()) {
    std::cout << padded(language.text(later("a move")), kWideColumn)
              << game::move_text(*game, start, legal[0]) << "\n";
  }
  show_options(info, language);
  if (const std::string networks = zoo_networks(ruleset); !networks.empty()) {
    std::cout << "\n"
              << language.text(
                     message("Networks of the zoo for it: {networks}. Against them: makzero play {ruleset}",
                             {{"networks", networks}, {"ruleset", ruleset}}))
              << "\n";
  }
  const std::string_view certificate = game::certificate(ruleset);
  std::cout << "\nCertificate " << models::rules_validation(ruleset) << "\n"
            << certificate.substr(0, certificate.find('\n')) << "\n";
}

}  // namespace

Run add_games(CLI::App* app) {
  auto ruleset = std::make_shared<std::string>();
  auto code = std::make_shared<std::string>();
  app->add_option("GAME", *ruleset, "Print the rules of this one, with options if wanted")->type_name("");
  add_language(app, code.get());
  app->footer(
      "Examples:\n"
      "  makzero games\n"
      "  makzero games makyek\n"
      "  makzero games makyek:custodian=line\n"
      "  makzero games \"Thai chess\"      titles and usual spellings name a game in every command");
  return [ruleset, code] {
    const Language language = language_or_usage_error(*code);
    ruleset->empty() ? list_games(language) : show_game(*ruleset, language);
    return 0;
  };
}

}  // namespace makzero::play
