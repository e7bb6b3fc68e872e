// makzero export: a checkpoint as files that other programs play with, or as a site.
#include <iostream>
#include <map>
#include <memory>

#include "models/player/player_spec.h"
#include "models/zoo.h"
#include "play/commands/command.h"
#include "play/export/export_network.h"

namespace makzero::play {
namespace {

struct ExportRequest {
  std::string checkpoint;
  std::string to = "onnx";
  std::string out;
  std::string game;
  bool tower = false;
};

void print_files(const models::ExportReport& report) {
  for (const std::filesystem::path& file : report.files) print(std::cout, "  %s\n", file.string().c_str());
}

// A name that is no path, of a game or several.
bool names_games(const std::string& name) {
  return !std::filesystem::path(name).has_parent_path() && !std::filesystem::exists(name);
}

// Empty: the checkpoint's own.
const std::string& ruleset_of(const ExportRequest& request) {
  return request.game.empty() && names_games(request.checkpoint) ? request.checkpoint : request.game;
}

std::filesystem::path small_model(const std::string& name) {
  return names_games(name) ? models::Zoo::standard().small_network_for(name) : models::find_checkpoint(name);
}

int run_site(const ExportRequest& request) {
  const std::string& name = request.checkpoint.empty() ? request.game : request.checkpoint;
  if (request.tower && name.empty())
    throw UsageError("--tower: name the game or checkpoint whose tower is exported");
  const auto games = [&] {
    return request.game.empty() && names_games(name) ? zoo_site_games(name)
                                                     : model_site_games(small_model(name), request.game);
  };
  const models::ExportReport report =
      request.tower ? export_tower_site(models::find_checkpoint(name), request.out, ruleset_of(request))
                    : export_site(games(), request.out);
  print_files(report);
  print(std::cout,
        "plays without a server, and without a network once it was opened: python3 -m http.server "
        "--directory %s\n",
        request.out.c_str());
  return 0;
}

int run_export(const ExportRequest& request) {
  if (request.to == "web") return run_site(request);
  if (request.tower) throw UsageError("--tower: for `--to web` alone; onnx and json are of the tower");
  if (request.checkpoint.empty())
    throw UsageError("CHECKPOINT: name what is exported; only `--to web` takes all games");
  const std::filesystem::path checkpoint =
      request.to == "small" ? small_model(request.checkpoint) : models::find_checkpoint(request.checkpoint);
  const models::ExportReport report =
      export_network(checkpoint, request.to, request.out, ruleset_of(request));
  print(std::cout, "checkpoint %s of %s\n", report.checkpoint.c_str(), report.ruleset.c_str());
  print_files(report);
  if (request.to == "small") return 0;
  print(std::cout, "read back as written; net.json has the network's outputs on test positions\n");
  return 0;
}

}  // namespace

Run add_export(CLI::App* app) {
  auto request = std::make_shared<ExportRequest>();
  app->add_option("CHECKPOINT", request->checkpoint,
                  "Checkpoint, run (its best) or game of the zoo; web: several, none: all")
      ->type_name("");
  app->add_option("--to", request->to,
                  "onnx or json: the tower; small or web (a site): the small network (onnx)")
      ->type_name("FORMAT")
      ->check(one_of({export_kinds().begin(), export_kinds().end()}));
  app->add_option("--out", request->out, "Folder to make; files of an earlier export there are replaced")
      ->required()
      ->type_name("DIR");
  app->add_option("--game", request->game, "Ruleset to export, where the network plays several")
      ->type_name("GAME");
  app->add_flag("--tower", request->tower,
                "web: a site of one game whose tower plays, by onnxruntime (17 MB)");
  app->footer(
      "DIR/net.json says how to use the model: planes, move index, rules, test vectors. Front ends to\n"
      "begin with lie in play/examples. A site can be installed, and then needs no network.\n\n"
      "Examples:\n"
      "  makzero export runs/makyek --to onnx --out makyek-net\n"
      "  makzero export --to web --out site && python3 -m http.server --directory site\n"
      "  makzero export makruk,makyek --to web --out site\n"
      "  makzero export runs/makyek/checkpoints/000012.mzc --to json --out makyek-json");
  return [request] { return run_export(*request); };
}

}  // namespace makzero::play
