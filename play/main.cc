// The program `makzero`: finds the subcommand, explains wrong use, turns errors into exit statuses.
#include <iostream>
#include <vector>

#include "game/catalog.h"
#include "game/notation.h"
#include "nn/environment.h"
#include "play/command.h"

namespace makzero::play {

game::GamePtr game_or_usage_error(const std::string& ruleset) {
  const game::Parsed<game::GamePtr> game = game::make_game(ruleset);
  if (!game) throw UsageError(game.why());
  return *game;
}

namespace {

struct Command {
  const char* name;
  const char* summary;
  Run (*add)(CLI::App*);
};

constexpr Command kCommands[] = {
    {"train", "Train a network from nothing, or go on with a run", add_train},
    {"play", "Play a game on the terminal", add_play},
    {"uci", "Serve a chess client by the UCI protocol", add_uci},
    {"match", "Play two players against each other and tell the score", add_match},
    {"rate", "Rate the networks of a run against the ladder of opponents", add_rate},
    {"perft", "Count the move sequences of a position: tests and times the rules", add_perft},
    {"inspect", "Show what a checkpoint or a file of records holds", add_inspect},
    {"games", "List the games, or show the rules and options of one", add_games},
    {"doctor", "Check the machine and say how to mend what is missing", add_doctor},
};

constexpr int kFailed = 1;
constexpr int kWrongUse = 2;

// What the user may have meant by a word that nobody understood, as the end of a sentence.
std::string did_you_mean(const std::string& word, const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::string near = game::nearest_name(word.substr(0, word.find('=')), names);
  return near.empty() ? "" : ": did you mean '" + near + "'?";
}

int explain_wrong_use(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App* app = &program;
  const std::vector<CLI::App*> parsed = program.get_subcommands();
  if (!parsed.empty()) app = parsed.front();
  const std::string call = app == &program ? "makzero" : "makzero " + app->get_name();
  const std::vector<std::string> unknown = app->remaining(false);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) && !unknown.empty()) {
    const bool flag = unknown.front().starts_with("-");
    const bool command = app == &program && !flag;
    std::cerr << call << ": unknown "
              << (flag      ? "flag"
                  : command ? "command"
                            : "argument")
              << " '" << unknown.front() << "'" << did_you_mean(unknown.front(), *app) << "\n";
  } else {
    std::cerr << call << ": " << error.what() << "\n";
  }
  std::cerr << "See: " << call << " --help\n";
  return kWrongUse;
}

int run_program(int argc, char** argv) {
  CLI::App program(
      "Trains AlphaZero-style networks for the board games of Southeast Asia, plays and rates them.",
      "makzero");
  program.set_version_flag("--version", "makzero " MAKZERO_VERSION, "Print the version");
  program.get_formatter()->column_width(28);
  program.footer(
      "Start here:\n"
      "  makzero games                                   what can be played\n"
      "  makzero COMMAND --help                          each command on one screen");
  std::vector<std::pair<CLI::App*, Run>> runs;
  for (const Command& command : kCommands) {
    CLI::App* app = program.add_subcommand(command.name, command.summary);
    app->get_formatter()->column_width(28);
    runs.emplace_back(app, command.add(app));
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return program.exit(success);
  } catch (const CLI::ParseError& error) {
    return explain_wrong_use(program, error);
  }
  for (const auto& [app, run] : runs) {
    if (!app->parsed()) continue;
    try {
      return run();
    } catch (const UsageError& error) {
      std::cerr << "makzero " << app->get_name() << ": " << error.what() << "\n";
      return kWrongUse;
    } catch (const std::exception& error) {
      std::cerr << "makzero " << app->get_name() << ": " << error.what() << "\n";
      return kFailed;
    }
  }
  std::cout << program.help();
  return kWrongUse;
}

}  // namespace
}  // namespace makzero::play

int main(int argc, char** argv) {
  makzero::nn::configure_process();
  return makzero::play::run_program(argc, argv);
}
