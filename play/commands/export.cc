// makzero export: a checkpoint as files that other programs play with.
#include <iostream>
#include <map>
#include <memory>

#include "models/player/player_spec.h"
#include "models/zoo.h"
#include "play/commands/command.h"
#include "play/export_network.h"

namespace makzero::play {
namespace {

struct ExportRequest {
  std::string checkpoint;
  std::string to = "onnx";
  std::string out;
  std::string game;
};

int run_export(const ExportRequest& request) {
  const bool by_game = !std::filesystem::exists(request.checkpoint) && request.game.empty();
  const std::filesystem::path checkpoint = by_game && request.to == "small"
                                               ? models::Zoo::standard().small_network_for(request.checkpoint)
                                               : models::find_checkpoint(request.checkpoint);
  const models::ExportReport report =
      export_network(checkpoint, request.to, request.out, by_game ? request.checkpoint : request.game);
  print(std::cout, "checkpoint %s of %s\n", report.checkpoint.c_str(), report.ruleset.c_str());
  for (const std::filesystem::path& file : report.files) print(std::cout, "  %s\n", file.c_str());
  if (request.to == "small") return 0;
  print(std::cout, "read back as written; net.json has the network's outputs on test positions\n");
  return 0;
}

}  // namespace

Run add_export(CLI::App* app) {
  auto request = std::make_shared<ExportRequest>();
  app->add_option("CHECKPOINT", request->checkpoint,
                  "A checkpoint, a run: its best, or a game: its network of the zoo")
      ->required()
      ->type_name("");
  app->add_option("--to", request->to,
                  "The tower: onnx, json or web (a page); the small network: small (onnx)")
      ->type_name("FORMAT")
      ->check(one_of({export_kinds().begin(), export_kinds().end()}));
  app->add_option("--out", request->out, "Folder to make; an earlier export there is replaced")
      ->required()
      ->type_name("DIR");
  app->add_option("--game", request->game, "Ruleset to export, where the network plays several")
      ->type_name("GAME");
  app->footer(
      "DIR/net.json says how to use the model: planes, move index, rules, test vectors. Front ends to\n"
      "begin with lie in play/examples.\n\n"
      "Examples:\n"
      "  makzero export runs/makyek --to onnx --out makyek-net\n"
      "  makzero export cambodian --to web --out page && python3 -m http.server --directory page\n"
      "  makzero export runs/makyek/checkpoints/000012.mzc --to json --out makyek-json");
  return [request] { return run_export(*request); };
}

}  // namespace makzero::play
