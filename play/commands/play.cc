// makzero play: a game against the engine on the terminal.
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <random>

#include "game/notation.h"
#include "mcts/sample_move.h"
#include "models/error.h"
#include "models/file_io.h"
#include "models/player/auto_player.h"
#include "play/commands/command.h"
#include "play/commands/game_files.h"
#include "play/commands/interrupt.h"
#include "play/engine/engine.h"
#include "play/terminal/terminal.h"

namespace makzero::play {
namespace {

struct PlayOptions {
  std::string game;  // Empty: Mak-yek, or what a file says.
  std::string model;
  std::string side = "white";
  std::optional<std::string> position;
  std::string load;
  std::string number;  // Of several games in that file; empty: it has one.
  bool resume = false;
  int simulations = 0;  // Or positions of alpha-beta.
  double seconds = 0;
  int level = 0;  // 0 = by simulations or seconds.
  std::optional<std::uint64_t> seed;
  std::string language;
  Notation notation = Notation::kLetters;
  nn::Backend backend;
};

std::filesystem::path last_game() { return kept_file("last-game.txt"); }

// `lines`: where a person is asked who counts; null where nobody can be.
PlayedGame new_game(const PlayOptions& options, LineReader* lines, const Language& language) {
  const std::string load = options.resume ? last_game().string() : options.load;
  if (options.resume && !std::filesystem::exists(load))
    throw UsageError("--resume: no game is kept" + (load.empty() ? "" : " in " + load));
  if (!load.empty()) {
    const GameChoice choice = {
        .file = load, .number = options.resume ? "1" : options.number, .ruleset = options.game};
    const NumberedGame first = choose_games(choice).front();
    const GameDocument game = models::value_or_error(load, read_chosen(first, choice));
    note_reading(first, game);
    return game.game;
  }
  game::GamePtr rules = game_or_usage_error(options.game.empty() ? "makyek" : options.game);
  if (lines && options.side != "none") rules = ask_who_counts(rules, options.game, lines, language);
  if (!options.position) return PlayedGame(rules);
  return {rules, value_or_usage_error(game::parse_position(*rules, *options.position), "--position: ")};
}

constexpr int kFirstLevel = 3;  // Of who has not played before.
constexpr int kUsualSimulations = 400;

// A person who has not played before, and asks for no strength, meets a level that beginners can beat.
bool is_first_game(const PlayOptions& options) {
  const std::filesystem::path kept = last_game();
  return options.simulations == 0 && options.seconds == 0 && options.model.empty() &&
         options.side != "none" && !kept.empty() && !std::filesystem::exists(kept);
}

// --level: what the network was measured at, and how the opponent is called.
void set_level(const PlayOptions& options, const Engine& engine, TerminalOptions* terminal) {
  const bool first = options.level == 0 && is_first_game(options);
  if (options.level == 0 && !first) return;
  const models::PlayerLevel* level = models::find_level(engine.levels(), first ? kFirstLevel : options.level);
  if (!level && first) return;
  if (!level) {
    throw UsageError("--level: " +
                     (engine.levels().empty()
                          ? "this opponent has no measured levels; `makzero levels` measures them"
                          : "give one from 1 to " + std::to_string(engine.levels().size())));
  }
  terminal->limits.nodes = level->nodes;
  terminal->limits.temperature = level->temperature;
  terminal->opponent = engine.description() + ", level " + models::level_label(*level);
  if (first)
    std::cout << "Your first game: level " << kFirstLevel
              << ". --level N asks for another, --seconds N for its best.\n";
}

int run_play(const PlayOptions& options) {
  if (options.resume + !options.load.empty() + options.position.has_value() > 1)
    throw UsageError("--resume, --load and --position say where to start: give one of them");
  if (options.level > 0 && options.simulations > 0)
    throw UsageError("--level has its own simulations: leave --simulations out");
  const Language language = language_or_usage_error(options.language);
  std::unique_ptr<LineReader> lines = line_editor(kept_file("history"), take_interrupt);
  const PlayedGame game = new_game(options, lines.get(), language);
  EngineOptions engine_options;
  const std::string& ruleset = game.rules().info().ruleset;
  engine_options.player =
      models::choose_player(options.model, {.ruleset = ruleset, .device = options.backend.device});
  const std::string note = options.model.empty() ? models::auto_note(ruleset) : "";
  if (!note.empty()) std::cout << note << "\n";
  engine_options.simulations = kUsualSimulations;
  engine_options.seed = options.seed.value_or(std::random_device{}());
  engine_options.backend = options.backend;
  engine_options.own_book = options.level == 0;
  Engine engine(game.rules_pointer(), engine_options);

  TerminalOptions terminal;
  terminal.human[0] = options.side == "white" || options.side == "both";
  terminal.human[1] = options.side == "black" || options.side == "both";
  if (options.seconds > 0) {
    terminal.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * options.seconds));
  }
  if (options.simulations > 0) terminal.limits.nodes = options.simulations;
  terminal.limits.varied_plies = mcts::kVariedPlies;
  set_level(options, engine, &terminal);
  terminal.keep = last_game();
  terminal.interrupt = take_interrupt;
  take_interrupt();
  terminal.style.color = shows_color();
  terminal.style.notation = options.notation;
  terminal.style.flipped = options.side == "black";
  terminal.style.language = language;
  if (!lines) lines = std::make_unique<StreamLines>(std::cin, std::cout, take_interrupt);
  Terminal(lines.get(), std::cout, &engine, game, terminal).run();
  return 0;
}

}  // namespace

Run add_play(CLI::App* app) {
  auto options = std::make_shared<PlayOptions>();
  app->add_option("GAME", options->game, "Game, with options if wanted (makyek, or as the file has it)")
      ->type_name("");
  app->add_option("--model", options->model, "As `makzero match --help` has it (auto: the strongest)")
      ->type_name("WHO");
  add_number(app, "--simulations", &options->simulations,
             "Per move, or positions of alpha-beta (400, or depth 8)", 1, 1'000'000'000);
  app->add_option("--seconds", options->seconds, "Thinking time per move instead")
      ->type_name("S")
      ->check(number_in(0.001, 1e6));
  add_number(app, "--level", &options->level, "Of the network: 1 (beginner) to 10, as measured", 1, 10);
  app->add_option("--side", options->side, "Who you are: white, black, both or none (white)")
      ->type_name("SIDE")
      ->check(one_of({"white", "black", "both", "none"}));
  // Not into the optional itself: an empty text would leave it empty.
  app->add_option_function<std::string>(
         "--position", [options](const std::string& text) { options->position = text; }, "Where to start")
      ->type_name("TEXT");
  app->add_option("--load", options->load, "Go on with a game that was saved")->type_name("FILE");
  app->add_option("--number", options->number, "Which of several games in that file")
      ->type_name("N")
      ->check(number_in(1, 1'000'000'000));
  app->add_flag("--resume", options->resume, "Go on with the last game, wherever it was left");
  add_seed(app, &options->seed, "Of the opponent: the same one plays the same game (any)");
  add_language(app, &options->language);
  add_notation(app, &options->notation);
  add_backend(app, &options->backend);
  app->footer(
      "Type moves like a3-a5, Nd2 or b1d2; 'help' lists hint, undo, flip, save and more.\n"
      "Counts of the chess family start by themselves, with makruk:count.mode=manual by declaration.\n\n"
      "Examples:\n"
      "  makzero play makyek\n"
      "  makzero play makruk --model small:10 --side black\n"
      "  makzero play --load game.txt");
  return [options] { return run_play(*options); };
}

}  // namespace makzero::play
