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
#include "play/commands/command.h"
#include "play/notation/pgn.h"
#include "train/run/inspect.h"
#include "train/run/inspect_records.h"
#include "train/run_folder.h"

namespace makzero::play {
namespace {

constexpr std::size_t kShownGames = 12;

std::string inspect_pgn(const std::string& path) {
  const std::string text = models::read_given_text(path);
  const std::vector<std::string_view> games = split_games(text);
  models::FactSheet sheet(fmt::format("PGN {}: {}", path, models::size_text(text.size())));
  sheet.add("games", std::to_string(games.size()));
  for (std::size_t i = 0; i < games.size(); ++i) {
    const game::Parsed<AnnotatedGame> read = read_annotated_pgn(games[i]);
    if (!read) throw models::Error(path, fmt::format("game {}: {}", i + 1, read.why()));
    if (i >= kShownGames) continue;
    sheet.add(fmt::format("game {}", i + 1),
              fmt::format("{}, {} - {}, {} plies, {}", read->game.rules().info().ruleset, read->tags.white,
                          read->tags.black, read->game.actions().size(),
                          game::result_text(read->game.outcome().result)));
  }
  return sheet.text();
}

}  // namespace

Run add_inspect(CLI::App* app) {
  auto file = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  app->add_option("FILE", *file, "File of a run or PGN; run: its network and leaf log; game: the zoo's")
      ->required()
      ->type_name("");
  app->add_flag("--json", *json, "The model card of a network of the zoo, as JSON");
  app->footer(
      "Every byte is verified on the way.\n\n"
      "Examples:\n"
      "  makzero inspect runs/makyek/checkpoints/000012.mzc\n"
      "  makzero inspect runs/makyek/matches.mzm\n"
      "  makzero inspect --json makyek");
  return [file, json] {
    if (*json) {
      std::cout << models::model_card_json(models::find_checkpoint(*file));
      return 0;
    }
    if (file->ends_with(".pgn")) {
      std::cout << inspect_pgn(*file);
      return 0;
    }
    std::cout << train::inspect_file(models::find_checkpoint(*file))
              << train::inspect_leaf_log(train::RunPaths(*file).leaves());
    return 0;
  };
}

}  // namespace makzero::play
