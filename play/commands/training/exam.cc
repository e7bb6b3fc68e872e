// makzero exam: the same matches and positions for all players of a game, as one page.
#include "train/zoo/exam.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "game/catalog.h"
#include "models/file_io.h"
#include "models/player/child_process.h"
#include "models/zoo.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "play/commands/training/suites.h"
#include "train/run/progress_line.h"
#include "train/zoo/exam_suites.h"

namespace makzero::play {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLeadsSuite = "leads";
constexpr const char* kPuzzlesSuite = "puzzles";
constexpr int kUsualPositions = 200;

struct ExamCommand {
  std::string game, player = "small";
  int ms = 20, positions = 0;  // 0: all of a suite.
  bool long_time = false, json = false, endings = false;
  fs::path openings, suites;  // Empty: of the sources.
  fs::path folder;            // Empty: exams/GAME/PLAYER.
  std::string made;           // A suite.
  train::MatchOptions match = {.games = 60};
};

models::PlayerPlaces places_of(const ExamCommand& command, const game::Game& game) {
  return {.run = "runs/" + game.info().ruleset,
          .ruleset = game.info().ruleset,
          .device = command.match.backend.device};
}

std::vector<train::MatchOpening> read_openings(const game::Game& game, const fs::path& file) {
  return value_or_usage_error(train::parse_openings(game, models::read_given_text(file), file.string()))
      .openings;
}

// Fairy-Stockfish where it is installed and plays these rules.
std::string other_program(const game::Game& game) {
  constexpr std::string_view known[] = {"makruk", "cambodian", "karouk"};
  const bool plays = std::ranges::count(known, std::string_view(game.info().ruleset)) > 0;
  return plays && models::is_installed("fairy-stockfish") ? "uci:fairy-stockfish" : "alphabeta";
}

// Everything but the player; suites that are not there stay empty.
train::ExamRequest request_of(const ExamCommand& command, const game::Game& game) {
  const models::PlayerPlaces places = places_of(command, game);
  const auto player = [&](const std::string& text) { return player_or_usage_error("PLAYER", text, places); };
  train::ExamRequest request;
  request.match = command.match;
  request.player = player(command.player);
  const auto most = static_cast<std::size_t>(command.positions > 0 ? command.positions : kUsualPositions);
  request.endings = static_cast<int>(most);
  request.time = std::chrono::milliseconds(command.long_time ? 100 : command.ms);
  if (command.endings) return request;
  if (request.player.limited())
    throw UsageError("PLAYER: '" + command.player +
                     "' has a limit: name it without, --ms says how long it searches");
  request.control = player("control");
  const bool has_small = models::Zoo::standard().find_small(game.info().ruleset).has_value();
  request.strongest = has_small ? player("small") : request.player;
  request.anchor = has_small ? request.strongest : request.control;
  request.pool = {player("random"), player("greedy"),  player("alphabeta:2"),
                  request.control,  request.strongest, player(other_program(game))};
  request.match.openings =
      read_openings(game, command.openings.empty() ? suite_file(game, shipped_folder("openings"), "-exam.txt")
                                                   : command.openings);
  const fs::path suites = command.suites.empty() ? shipped_folder("exams") : command.suites;
  if (!command.suites.empty() && !fs::is_directory(suites))
    throw UsageError("--suites: there is no folder '" + suites.string() + "'");
  if (const fs::path file = suite_file(game, suites, "-leads.txt"); fs::exists(file))
    request.leads = read_openings(game, file);
  request.puzzles = read_puzzles(game, suites);
  request.leads.resize(std::min(request.leads.size(), most));
  request.puzzles.positions.resize(std::min(request.puzzles.positions.size(), most));
  return request;
}

// The name of a player as that of a folder.
std::string folder_name(std::string name) {
  std::ranges::replace_if(
      name, [](char letter) { return !std::isalnum(static_cast<unsigned char>(letter)); }, '-');
  return name;
}

int take_exam(const ExamCommand& command, const game::Game& game) {
  train::ExamRequest request = request_of(command, game);
  request.folder = command.folder.empty() ? fs::path("exams") / folder_name(game.info().ruleset) /
                                                folder_name(request.player.name())
                                          : command.folder;
  models::make_folder(request.folder);
  request.match.stop = stop_on_interrupt("\nstopping: finished games are kept, the same command goes on\n");
  train::ProgressLine line;
  const auto report = train::take_exam(game, request, [&](const train::Progress& now) { line.show(now); });
  line.clear();
  if (!report) return 1;
  models::write_text_file(request.folder / "exam.md", train::exam_page(*report));
  models::write_text_file(request.folder / "exam.json", train::exam_json(*report));
  std::cout << (command.json ? train::exam_json(*report) : train::exam_page(*report));
  std::cerr << "written to " << request.folder.string() << "/exam.md and exam.json\n";
  return 0;
}

int make_suite(const ExamCommand& command, const game::Game& game) {
  if (command.folder.empty()) throw UsageError("--make: give --to FILE");
  const models::PlayerPlaces places = places_of(command, game);
  const auto player = [&](const char* text) { return player_or_usage_error("--make", text, places); };
  train::BaselineRequest request;
  request.positions = command.positions > 0 ? command.positions : kUsualPositions;
  request.match.seed = command.match.seed;
  request.match.threads = command.match.threads;
  request.match.backend = command.match.backend;
  request.match.stop = stop_on_interrupt("\nstopping: nothing is written\n");
  train::ProgressLine line;
  const train::ShowProgress progress = [&](const train::Progress& now) { line.show(now); };
  std::string text;
  if (command.made == kLeadsSuite) {
    request.player = player("small?nodes=1000");
    const auto leads = train::make_leads(game, request, player("alphabeta:2"), progress);
    if (leads)
      text = train::leads_text(
          game, *leads,
          fmt::format("makzero exam {} --make leads --positions {} --seed {}: {} v alphabeta:2", command.game,
                      request.positions, command.match.seed, request.player.name()));
  } else {
    request.player = player("small?nodes=100");
    request.judges = {player("small?nodes=200"), player("small?nodes=5000"), player("small?nodes=100000")};
    if (const auto puzzles = train::make_puzzles(game, request, progress))
      text = train::baseline_text(game, *puzzles);
  }
  line.clear();
  if (text.empty()) return 1;
  models::write_text_file(command.folder, text);
  return 0;
}

}  // namespace

Run add_exam(CLI::App* app) {
  auto command = std::make_shared<ExamCommand>();
  app->add_option("GAME", command->game, "Game, with options if wanted")->required()->type_name("");
  app->add_option("PLAYER", command->player, "Without a limit (small)")->type_name("");
  add_number(app, "--games", &command->match.games, "Of a match (60)", 2, 10'000);
  add_number(app, "--ms", &command->ms, "Of processor time a move (20); --long: 100", 1, 100'000);
  app->add_flag("--long", command->long_time, "100 ms a move");
  app->add_flag("--endings", command->endings, "Solved endings alone; PLAYER may have a limit then");
  add_number(app, "--positions", &command->positions, "Of leads, endings and puzzles, at most (200)", 1,
             10'000);
  app->add_option("--to", command->folder, "Folder of games and page, or a suite's file (exams/GAME/PLAYER)")
      ->type_name("DIR|FILE");
  app->add_option("--openings", command->openings, "Instead of models/openings/GAME-exam.txt")
      ->type_name("FILE");
  app->add_option("--suites", command->suites, "Folder of the positions (models/exams)")->type_name("DIR");
  app->add_option("--make", command->made, "Make positions instead: leads or puzzles")
      ->type_name("SUITE")
      ->check(one_of({kLeadsSuite, kPuzzlesSuite}));
  add_seed(app, &command->match.seed, "Of the positions that are made (1)");
  add_threads(app, &command->match.threads, "Games are spread over them (one per core)");
  add_backend(app, &command->match.backend);
  app->add_flag("--json", command->json, "Print JSON instead of the page; both are written");
  app->footer(
      "Pool, decided variant, safety, solved endings (of `makzero endings GAME`), leads and puzzles, some\n"
      "50 minutes of one core. Ctrl-C keeps what is finished; the same command goes on.\n\n"
      "Examples:\n"
      "  makzero exam makyek runs/makyek\n"
      "  makzero exam apit --make leads --to models/exams/apit-leads.txt");
  return [command] {
    const game::GamePtr game = game_or_usage_error(command->game);
    return command->made.empty() ? take_exam(*command, *game) : make_suite(*command, *game);
  };
}

}  // namespace makzero::play
