#include "play/export/export_network.h"

#include <array>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "models/error.h"
#include "models/model.h"
#include "models/new_folder.h"
#include "models/zoo.h"

namespace makzero::play {

std::span<const std::string_view> export_kinds() {
  static constexpr std::array<std::string_view, 4> kKinds = {"onnx", "web", "json", "small"};
  return kKinds;
}

models::ExportReport export_network(const std::filesystem::path& checkpoint, std::string_view kind,
                                    const std::filesystem::path& folder, const std::string& ruleset) {
  if (kind == "web") {
    if (!models::has_small_network(models::read_manifest(checkpoint), ruleset))
      return export_tower_site(checkpoint, folder, ruleset);
    return export_site(model_site_games(checkpoint, ruleset), folder);
  }
  if (kind == "onnx" || kind == "json") {
    const auto format = kind == "onnx" ? models::ModelFormat::kOnnx : models::ModelFormat::kJson;
    return models::export_checkpoint(checkpoint, format, folder, {}, ruleset);
  }
  if (kind == "small") return models::export_small_network(checkpoint, folder, ruleset);
  throw models::Error("'" + std::string(kind) + "' is no kind of export: onnx, web, json or small");
}

models::ExportReport export_site(const std::vector<SiteGame>& games, const std::filesystem::path& folder) {
  models::NewFolder out(folder, {"site.json", "net.json", "model.onnx"}, "site");
  models::ExportReport report;
  for (const SiteFile& file : site_files(games)) {
    out.add(file.name, file.bytes);
    report.files.push_back(folder / file.name);
  }
  out.publish();
  return report;
}

models::ExportReport export_tower_site(const std::filesystem::path& checkpoint,
                                       const std::filesystem::path& folder, const std::string& ruleset) {
  const models::Manifest manifest = models::read_manifest(checkpoint);
  SiteGame game{std::string(game::game_of(ruleset.empty() ? manifest.ruleset() : ruleset)), std::nullopt};
  game.model = models::has_small_network(manifest, game.game) ? checkpoint
                                                              : models::Zoo::standard().find_small(game.game);
  const std::vector<SiteFile> files = site_files({game}, models::tower_id_of(manifest));
  std::vector<models::ExportedFile> others;
  others.reserve(files.size());
  for (const SiteFile& file : files) others.push_back({file.name, file.bytes});
  return models::export_checkpoint(checkpoint, models::ModelFormat::kOnnx, folder, others, ruleset);
}

}  // namespace makzero::play
