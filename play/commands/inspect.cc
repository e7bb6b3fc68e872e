// makzero inspect: what a file of ours says of itself.
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string_view>
#include <vector>

#include "models/error.h"
#include "models/file_io.h"
#include "models/inspect.h"
#include "models/player/player_spec.h"
#include "models/zoo.h"
#include "play/commands/command.h"
#include "play/json/document_json.h"
#include "play/notation/document_reader.h"
#include "train/run/inspect.h"
#include "train/run/window_slice.h"

namespace makzero::play {
namespace {

constexpr std::size_t kShownGames = 12;
constexpr int kMostRows = 100'000;  // A gigabyte.

struct InspectRequest {
  std::string file;
  bool json = false;
  std::string npz;
  int rows = 10'000;
};

std::string inspect_games(const std::string& path) {
  const std::string text = document_text(models::read_given_text(path));
  const std::vector<std::string> games = split_documents(text);
  models::FactSheet sheet(fmt::format("Games {}: {}", path, models::size_text(text.size())));
  sheet.add("games", std::to_string(games.size()));
  for (std::size_t i = 0; i < games.size(); ++i) {
    const game::Parsed<GameDocument> read = read_any_document(games[i], "");
    if (!read) throw models::Error(path, fmt::format("game {}: {}", i + 1, read.why()));
    if (!read->fault.empty()) throw models::Error(path, fmt::format("game {}: {}", i + 1, read->fault));
    if (i >= kShownGames) continue;
    sheet.add(fmt::format("game {}", i + 1),
              fmt::format("{}, {} - {}, {} plies, {}", read->game.rules().info().ruleset,
                          read->tags.value("White", "?"), read->tags.value("Black", "?"),
                          read->game.actions().size(), game::result_text(read->game.outcome().result)));
  }
  return sheet.text();
}

// A game names its model of the zoo, also where that holds a small network alone.
std::filesystem::path find_model(const std::string& name) {
  std::filesystem::path model = models::Zoo::standard().entry(name).network();
  const bool is_in_zoo = !std::filesystem::exists(name) && std::filesystem::exists(model);
  return is_in_zoo ? model : models::find_checkpoint(name);
}

int run_inspect(const InspectRequest& request) {
  const std::string& file = request.file;
  if (request.json) {
    std::cout << models::model_card_json(find_model(file));
  } else if (!request.npz.empty()) {
    std::cout << train::write_window_slice(file, request.npz, request.rows);
  } else if (file.ends_with(".pgn")) {
    std::cout << inspect_games(file);
  } else {
    std::cout << train::inspect_file(find_model(file));
  }
  return 0;
}

}  // namespace

Run add_inspect(CLI::App* app) {
  auto request = std::make_shared<InspectRequest>();
  app->add_option("FILE", request->file, "File of a run or PGN; run: its network; game: the zoo's")
      ->required()
      ->type_name("");
  app->add_flag("--json", request->json, "The model card of a network of the zoo, as JSON");
  CLI::Option* npz =
      app->add_option("--npz", request->npz, "Write positions of the run's window there, as NumPy arrays")
          ->excludes("--json")
          ->type_name("FILE");
  app->add_option("--rows", request->rows, "Of how many positions, evenly spread over the window (10000)")
      ->needs(npz)
      ->type_name("N")
      ->check(CLI::Range(1, kMostRows));
  app->footer(
      "Every byte is verified on the way. Arrays are as the learner sees them: train/run/window_slice.h.\n\n"
      "Examples:\n"
      "  makzero inspect runs/makyek/checkpoints/000012.mzc\n"
      "  makzero inspect runs/makyek/matches.mzm\n"
      "  makzero inspect runs/makyek --npz rows.npz --rows 1000\n"
      "  makzero inspect --json makyek");
  return [request] { return run_inspect(*request); };
}

}  // namespace makzero::play
