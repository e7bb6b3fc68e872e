#include "train/run/losses_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "models/error.h"
#include "models/file_io.h"
#include "models/inspect.h"

namespace makzero::train {
namespace {

using nlohmann::ordered_json;

// Four digits behind the point.
double rounded(float number) { return std::round(static_cast<double>(number) * 1e4) / 1e4; }

ordered_json distributions_json(const RowDistributions& row) {
  ordered_json json = {{"win", rounded(row.value.win)},
                       {"draw", rounded(row.value.draw)},
                       {"loss", rounded(row.value.loss)},
                       {"moves", ordered_json::array()}};
  for (const MoveShare& move : row.moves)
    json["moves"].push_back({{"move", move.move}, {"share", rounded(move.share)}});
  return json;
}

// "win 0.10, draw 0.20, loss 0.70; a3a5 0.61, b3b4 0.20".
std::string distributions_text(const ordered_json& row) {
  std::string text = fmt::format("win {:.2f}, draw {:.2f}, loss {:.2f};", row.at("win").get<double>(),
                                 row.at("draw").get<double>(), row.at("loss").get<double>());
  for (const ordered_json& move : row.at("moves"))
    text += fmt::format(" {} {:.2f}", move.at("move").get<std::string>(), move.at("share").get<double>());
  return text;
}

}  // namespace

std::string losses_json(std::int64_t generation, std::span<const RowLoss> rows) {
  ordered_json json = {{"generation", generation}, {"rows", ordered_json::array()}};
  for (const RowLoss& row : rows) {
    json["rows"].push_back({{"ruleset", row.ruleset},
                            {"position", row.position},
                            {"side", row.mover == game::Color::kWhite ? "white" : "black"},
                            {"game", row.game},
                            {"ply", row.ply},
                            {"loss", rounded(row.total())},
                            {"policy_loss", rounded(row.policy)},
                            {"value_loss", rounded(row.value)},
                            {"target", distributions_json(row.target)},
                            {"predicted", distributions_json(row.predicted)}});
  }
  return json.dump(1) + "\n";
}

std::string inspect_losses(const std::filesystem::path& path) try {
  const ordered_json json = ordered_json::parse(models::read_text_file(path));
  models::FactSheet sheet(fmt::format("held-out rows of largest loss, {}", path.string()));
  sheet.add("generation", std::to_string(json.at("generation").get<std::int64_t>()));
  for (const ordered_json& row : json.at("rows")) {
    sheet.add(fmt::format("loss {:.2f}", row.at("loss").get<double>()),
              fmt::format("{} game {}, ply {}: policy {:.2f}, value {:.2f}\n{}\ntarget    {}\npredicted {}",
                          row.at("ruleset").get<std::string>(), row.at("game").get<std::uint64_t>(),
                          row.at("ply").get<int>(), row.at("policy_loss").get<double>(),
                          row.at("value_loss").get<double>(), row.at("position").get<std::string>(),
                          distributions_text(row.at("target")), distributions_text(row.at("predicted"))));
  }
  return sheet.text();
} catch (const nlohmann::json::exception&) {
  throw models::Error(path, "is no list of losses; the next generation writes it anew");
}

}  // namespace makzero::train
