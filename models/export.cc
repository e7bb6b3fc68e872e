#include "models/export.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "game/rule_features.h"
#include "mcts/rng.h"
#include "models/error.h"
#include "models/fingerprint.h"
#include "models/graph.h"
#include "models/net_json.h"
#include "models/new_folder.h"
#include "models/onnx.h"
#include "models/small_network_file.h"

namespace makzero::models {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kFiles = {"net.json", "model.onnx", "model.json", "small_network.bin"};
constexpr std::size_t kTestVectors = 8;  // Of a tower.
constexpr std::size_t kSmallTestVectors =
    64;                     // Of a small network: few bytes each, and late positions differ.
constexpr int kStride = 5;  // One ply in so many of the random games.

// Positions of games of random moves, none of them over.
std::vector<game::Position> real_positions(const game::Game& game, std::size_t count) {
  mcts::Rng rng(1);
  std::vector<game::Position> positions;
  game::GameState state(game);
  for (int ply = 0; positions.size() < count; ++ply) {
    if (state.over()) {
      state = game::GameState(game);
      continue;
    }
    if (ply % kStride == 0) positions.push_back(state.position());
    state.random_playout(1, &rng);
  }
  return positions;
}

std::vector<TestVector> outputs_of(const game::Game& game, nn::TorchEvaluator* network,
                                   const std::vector<game::Position>& positions) {
  std::vector<TestVector> vectors;
  for (const game::Position& position : positions) {
    std::vector<float> planes(static_cast<std::size_t>(network->encoder().plane_count()) * game::kSquares);
    network->encoder().encode(game, position, 1, planes.data());
    nn::RawOutput output = network->forward(planes, 1).front();
    vectors.push_back({position, std::move(planes), std::move(output)});
  }
  return vectors;
}

// The inputs of state that hold for a side, in the numbers of the network's file.
std::vector<int> state_inputs_of(const game::GameInfo& info, const mcts::SmallNetwork& network,
                                 const game::Position& position, game::Color side) {
  mcts::FeatureList list;
  mcts::add_state_features(info, mcts::state_inputs(info, network.inputs), position, side, &list);
  std::vector<int> numbers;
  int first = 0;  // Of a group in the file.
  for (const std::string& name : network.inputs) {
    const mcts::SmallInput& input = *mcts::find_small_input(name);
    for (const int feature : list) {
      if (feature >= input.first && feature < input.first + input.size)
        numbers.push_back(feature - input.first + first);
    }
    first += input.size;
  }
  return numbers;
}

// What an evaluator of the flat file must know beside it, and scores to test it with (mcts/SMALL_NETWORK.md).
nlohmann::ordered_json small_net_json(const game::Game& game, const mcts::SmallNetwork& network) {
  const game::GameInfo& info = game.info();
  nlohmann::ordered_json json = {
      {"game", network.game},
      {"ruleset", info.ruleset},
      {"small_network", small_network_id(network)},
      {"file", "small_network.bin"},
      {"board", {{"files", info.files}, {"ranks", info.ranks}, {"kinds", info.kinds}}},
      {"rule_features", nlohmann::ordered_json::object()}};
  for (const std::string& name : network.rule_features) {
    if (const float value = game::rule_feature(info, name); value != 0)
      json["rule_features"][name] = shortest(value);
  }
  for (const std::string& name : network.inputs)
    json["inputs"].push_back({{"name", name}, {"size", mcts::find_small_input(name)->size}});
  const mcts::SmallEvaluator evaluator(info, network);
  for (const game::Position& position : real_positions(game, kSmallTestVectors)) {
    mcts::SmallAccumulator sums;
    evaluator.refresh(position, &sums);
    json["test_vectors"].push_back(
        {{"position", game::position_text(game, position)},
         {"state_inputs",
          {state_inputs_of(info, network, position, position.to_move),
           state_inputs_of(info, network, position, game::other(position.to_move))}},
         {"score", evaluator.evaluate(position, sums).value}});
  }
  return json;
}

void require_numbers(const Graph& graph) {
  for (const nn::NamedTensor& weight : graph.weights) {
    if (!std::ranges::all_of(weight.data, [](float value) { return std::isfinite(value); }))
      throw Error("weight " + weight.name + " is no finite number: no front end can play with it");
  }
}

Metadata metadata_of(const game::Game& game, const Model& checkpoint) {
  return {{"game", std::string(game::game_of(game.info().ruleset))},
          {"ruleset", game.info().ruleset},
          {"encoder", encoder_name(checkpoint.tower.architecture.planes)},
          {"move_index", move_index_name()},
          {"checkpoint", checkpoint.tower_id()}};
}

ModelFile model_file(ModelFormat format, const Graph& graph, const Metadata& metadata) {
  if (format == ModelFormat::kOnnx) return {"model.onnx", onnx_bytes(graph, metadata)};
  nlohmann::ordered_json json = graph_json(graph);
  for (const auto& [key, value] : metadata) json["metadata"][key] = value;
  return {"model.json", json_lines(json)};
}

}  // namespace

ExportReport export_checkpoint(const fs::path& path, ModelFormat format, const fs::path& folder,
                               std::span<const ExportedFile> others, const std::string& ruleset) {
  const Model checkpoint = read_model(path);
  if (checkpoint.tower_id().empty())
    throw Error(path, "has no tower, only a small network: `--to small` exports it");
  const game::Parsed<game::GamePtr> game =
      game::make_game(ruleset.empty() ? checkpoint.manifest.ruleset() : ruleset);
  if (!game) throw Error(path, "its ruleset cannot be played: " + game.why());
  const auto network =
      make_evaluator(**game, checkpoint, {.precision = nn::Precision::kFp32, .max_batch = 1});
  const Graph graph = make_graph((*game)->info(), checkpoint.tower);
  require_numbers(graph);
  const ModelFile model = model_file(format, graph, metadata_of(**game, checkpoint));

  NewFolder out(folder, kFiles, "export");
  ExportReport report;
  report.checkpoint = checkpoint.tower_id();
  report.ruleset = (*game)->info().ruleset;
  const auto add = [&](const fs::path& name, std::string_view bytes) {
    out.add(name, bytes);
    report.files.push_back(folder / name);
  };
  add(model.name, model.bytes);
  if (out.read(model.name) != model.bytes)
    throw Error(folder / model.name, "is, read back, not what was written; nothing was exported, try again");
  const std::vector<TestVector> vectors =
      outputs_of(**game, network.get(), real_positions(**game, kTestVectors));
  add("net.json", json_lines(net_json(**game, checkpoint, model, vectors)));
  for (const ExportedFile& file : others) add(file.name, file.bytes);
  out.publish();
  return report;
}

ExportReport export_small_network(const fs::path& path, const fs::path& folder, const std::string& ruleset) {
  const Manifest manifest = read_manifest(path);
  const std::string wanted = ruleset.empty() ? manifest.ruleset() : ruleset;
  const game::Parsed<game::GamePtr> game = game::make_game(wanted);
  if (!game) throw Error(path, "its ruleset cannot be played: " + game.why());
  const mcts::SmallNetwork network = load_small_network(path, wanted);
  nlohmann::ordered_json json = small_net_json(**game, network);
  if (const SmallNetworkEntry* entry = small_entry(manifest, small_network_id(network)))
    json["levels"] = levels_json(entry->levels(), "positions");
  NewFolder out(folder, kFiles, "export");
  out.add("small_network.bin", mcts::encode_small_network(network));
  out.add("net.json", json_lines(json));
  out.publish();
  return {.checkpoint = small_network_id(network),
          .ruleset = (*game)->info().ruleset,
          .files = {folder / "small_network.bin", folder / "net.json"}};
}

}  // namespace makzero::models
