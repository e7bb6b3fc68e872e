// The program `makzero`: finds the subcommand, explains wrong use, turns errors into exit statuses.
#include <algorithm>
#include <iostream>
#include <vector>

#include "game/notation.h"
#include "models/error.h"
#include "models/printable.h"
#include "nn/system.h"
#include "play/commands/command.h"
#include "play/commands/completion.h"

namespace makzero::play {

namespace {

struct Command {
  const char* name;
  const char* summary;
  Run (*add)(CLI::App*);
};

constexpr Command kCommands[] = {
    {"train", "Train a network from nothing, or go on with a run", add_train},
    {"worker", "Play for a run that is trained on another machine", add_worker},
    {"play", "Play a game on the terminal", add_play},
    {"uci", "Serve a chess client by the UCI protocol", add_uci},
    {"serve", "Open the web page: play, analyse, watch trainings", add_serve},
    {"analysis", "Search many positions at once, JSON lines in and out", add_analysis},
    {"anneal", "Let the learning rate of a copy of a run fall to 0: its network", add_anneal},
    {"replay", "Look at a saved game move by move", add_replay},
    {"library", "Keep games, find them, and see what is played in a position", add_library},
    {"review", "Search every position of a game: its mistakes, and PGN with evaluations", add_review},
    {"match", "Play two players against each other and print the score", add_match},
    {"openings", "Make a book of level openings for matches", add_openings},
    {"book", "Make the opening book of a game", add_book},
    {"endings", "Solve the endings of a game exactly: what its counts are worth", add_endings},
    {"rate", "Rate the networks of a run against the ladder of opponents", add_rate},
    {"exam", "Measure a player by fixed matches and positions: one page", add_exam},
    {"puzzle", "Find the one best move of a position", add_puzzle},
    {"rules", "Compare the rulesets of a game: length, draws, first mover, best moves", add_rules},
    {"levels", "Measure ten strengths of a network, for people to play against", add_levels},
    {"baseline", "Make positions, judged by deep searches, that networks are measured by", add_baseline},
    {"publish", "Give a network its place in the zoo, with proof of its strength", add_publish},
    {"report", "Write a training as one page to look at", add_report},
    {"fit", "Fit a new network to the stored games of a run: its losses", add_fit},
    {"certify", "Check the proof that a game is drawn from its start", add_certify},
    {"perft", "Count the move sequences of a position: tests and times the rules", add_perft},
    {"bench", "Measure the speed of everything on this machine", add_bench},
    {"tune", "Find the fastest settings of a network on this machine", add_tune},
    {"inspect", "Show what a checkpoint or a file of records holds", add_inspect},
    {"export", "Make a checkpoint into files that other programs play with", add_export},
    {"fsck", "Check every file of a run, and repair it", add_fsck},
    {"games", "List the games, or show the rules and options of one", add_games},
    {"doctor", "Check the machine and say how to repair what is missing", add_doctor},
};

// Commands that the program's own help names on one line.
constexpr std::string_view kBriefly[] = {"openings", "book", "baseline", "fit", "perft", "bench"};

constexpr int kFailed = 1;
constexpr int kWrongUse = 2;

// What the user may have meant by an unknown word, as the end of a sentence.
std::string did_you_mean(const std::string& word, const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return game::did_you_mean(word.substr(0, word.find('=')), names);
}

// An option that has too few or too many values: CLI11 begins its sentence with the name.
std::string explain_count(const CLI::App& app, const std::string& sentence) {
  const CLI::Option* option = app.get_option_no_throw(sentence.substr(0, sentence.find(':')));
  if (!option) return sentence;
  const std::string name = option->get_name(), call = name + " " + option->get_type_name();
  if (static_cast<int>(option->count()) < option->get_items_expected_min())
    return name + " lacks a value: write " + call;
  return name + " is given more than once: write " + call + " once";
}

int explain_wrong_use(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App* app = &program;
  const std::vector<CLI::App*> parsed = program.get_subcommands();
  if (!parsed.empty()) app = parsed.front();
  const std::string call = app == &program ? "makzero" : "makzero " + app->get_name();
  const std::vector<std::string> unknown = app->remaining(false);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) && !unknown.empty()) {
    const char* kind = app == &program ? "command" : "argument";
    if (unknown.front().starts_with('-')) kind = "flag";
    std::cerr << call << ": unknown " << kind << " '" << models::printable_excerpt(unknown.front()) << "'"
              << did_you_mean(unknown.front(), *app) << "\n";
  } else {
    const bool count = dynamic_cast<const CLI::ArgumentMismatch*>(&error);
    const std::string why = count ? explain_count(*app, error.what()) : error.what();
    std::cerr << call << ": " << models::printable_excerpt(why) << "\n";
  }
  std::cerr << "See: " << call << " --help\n";
  return kWrongUse;
}

// A command with what its parsed arguments will run.
struct Entry {
  CLI::App* app;
  Run run;
};

int run_entry(const Entry& entry) {
  const std::string call = "makzero " + entry.app->get_name() + ": ";
  try {
    return entry.run();
  } catch (const UsageError& error) {
    std::cerr << call << models::printable_excerpt(error.what()) << "\n";
    return kWrongUse;
  } catch (const std::exception& error) {
    std::cout.flush();
    std::cerr << call << models::printable_excerpt(models::explain(error)) << "\n";
    return kFailed;
  }
}

// A game may be named by its title in any language.
CLI::Validator title_reader() {
  const auto read = [](std::string& text) {
    text = ruleset_of_title(text);
    return std::string();
  };
  return {read, ""};
}

// One screen: all commands of this program.
std::string program_help(const CLI::App& program) {
  static constexpr std::size_t kColumn = 26;
  std::string text =
      "Trains AlphaZero-style networks for the board games of Southeast Asia, plays and rates them.\n";
  for (const Command& command : kCommands) {
    const std::string name = command.name;
    if (program.get_subcommand(name)->get_group().empty()) continue;  // Hidden.
    if (std::ranges::count(kBriefly, name) > 0) continue;
    text += "  " + name + std::string(kColumn - name.size(), ' ') + command.summary + "\n";
  }
  text += fmt::format("  {:<{}}{}\n", "also", kColumn, fmt::join(kBriefly, ", "));
  return text +
         "  makzero games: what can be played; COMMAND --help: all of a command; --version; --completion "
         "SHELL\n";
}

int run_program(int argc, char** argv) {
  CLI::App program("", "makzero");
  program.set_version_flag("--version", "makzero " MAKZERO_VERSION);
  std::string shell;
  program.add_option("--completion", shell)->check(one_of({kShells.begin(), kShells.end()}));
  std::vector<Entry> entries;
  for (const Command& command : kCommands) {
    CLI::App* app = program.add_subcommand(command.name, command.summary);
    app->get_formatter()->column_width(28);
    entries.push_back({app, command.add(app)});
    for (const char* name : {"GAME", "RULESET"}) {
      if (CLI::Option* game = app->get_option_no_throw(name)) game->transform(title_reader());
    }
  }
  // The commands have the formatter from before.
  program.formatter_fn([&program](auto...) { return program_help(program); });
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "help") {  // As `makzero COMMAND --help`.
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  std::ranges::reverse(words);
  try {
    program.parse(words);
  } catch (const CLI::Success& success) {
    return program.exit(success);
  } catch (const CLI::ParseError& error) {
    return explain_wrong_use(program, error);
  }
  if (!shell.empty()) {
    std::cout << completion(program, shell);
    return 0;
  }
  for (const Entry& entry : entries) {
    if (entry.app->parsed()) return run_entry(entry);
  }
  std::cout << program.help();
  return kWrongUse;
}

}  // namespace
}  // namespace makzero::play

int main(int argc, char** argv) {
  makzero::play::prepare_process();
  makzero::nn::configure_process();
  const makzero::play::StandardOutput output;
  return makzero::play::run_program(argc, argv);
}
