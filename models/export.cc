#include "models/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "game/catalog.h"
#include "game/game_state.h"
#include "mcts/rng.h"
#include "models/error.h"
#include "models/fingerprint.h"
#include "models/graph.h"
#include "models/net_json.h"
#include "models/new_folder.h"
#include "models/onnx.h"

namespace makzero::models {
namespace {

namespace fs = std::filesystem;

constexpr int kPositions = 16;
constexpr int kTestVectors = 8;  // Of them.
constexpr int kStride = 5;       // One ply in so many of the random games.

// What single precision leaves of a sum over some thousand products, in another order.
constexpr float kPolicyTolerance = 1e-4f;
constexpr float kWdlTolerance = 1e-5f;
constexpr float kMovesLeftTolerance = 1e-3f;

// Positions of games of random moves, none of them over.
std::vector<game::Position> real_positions(const game::Game& game) {
  mcts::Rng rng(1);
  std::vector<game::Position> positions;
  game::GameState state(game);
  for (int ply = 0; positions.size() < kPositions; ++ply) {
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

// The larger of two differences; one that is no number is the largest.
float worse(float a, float b) { return std::isnan(a) || b <= a ? a : b; }

float difference(std::span<const float> a, std::span<const float> b) {
  if (a.size() != b.size()) throw Error("the exported model gives another number of outputs");
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = worse(largest, std::abs(a[i] - b[i]));
  return largest;
}

void compare(const Graph& graph, const std::vector<TestVector>& vectors, ExportReport* report) {
  for (const TestVector& vector : vectors) {
    const std::vector<std::vector<float>> outputs = run_graph(graph, vector.planes, 1);
    const nn::RawOutput& expected = vector.output;
    report->policy_error = worse(report->policy_error, difference(outputs.at(0), expected.policy));
    report->wdl_error = worse(report->wdl_error, difference(outputs.at(1), expected.wdl));
    report->moves_left_error =
        worse(report->moves_left_error, difference(outputs.at(2), {&expected.moves_left, 1}));
    ++report->positions;
  }
  if (report->policy_error <= kPolicyTolerance && report->wdl_error <= kWdlTolerance &&
      report->moves_left_error <= kMovesLeftTolerance) {
    return;
  }
  throw Error(fmt::format(
      "the exported model does not play as checkpoint {}: policy logits differ by {:.2g} (allowed {:.2g}), "
      "win/draw/loss by {:.2g} ({:.2g}), moves left by {:.2g} plies ({:.2g}); nothing was exported, please "
      "report it",
      report->checkpoint, report->policy_error, kPolicyTolerance, report->wdl_error, kWdlTolerance,
      report->moves_left_error, kMovesLeftTolerance));
}

Metadata metadata_of(const game::Game& game, const Checkpoint& checkpoint) {
  return {{"game", std::string(game::game_of(game.info().ruleset))},
          {"ruleset", game.info().ruleset},
          {"encoder", encoder_name(checkpoint.network.architecture.planes)},
          {"move_index", move_index_name()},
          {"checkpoint", checkpoint.id()}};
}

ModelFile model_file(ModelFormat format, const Graph& graph, const Metadata& metadata) {
  if (format == ModelFormat::kOnnx) return {"model.onnx", onnx_bytes(graph, metadata)};
  nlohmann::ordered_json json = graph_json(graph);
  for (const auto& [key, value] : metadata) json["metadata"][key] = value;
  return {"model.json", json_lines(json)};
}

Graph read_model(ModelFormat format, const std::string& bytes) {
  return format == ModelFormat::kOnnx ? read_onnx(bytes, nullptr) : read_graph_json(bytes);
}

}  // namespace

ExportReport export_checkpoint(const fs::path& path, ModelFormat format, const fs::path& folder,
                               std::span<const ExportedFile> others, const std::string& ruleset) {
  const Checkpoint checkpoint = read_checkpoint(path);
  const game::Parsed<game::GamePtr> game =
      game::make_game(ruleset.empty() ? checkpoint.manifest.ruleset() : ruleset);
  if (!game) throw Error(path, "its ruleset cannot be played: " + game.why());
  const auto network =
      make_evaluator(**game, checkpoint, {.precision = nn::Precision::kFp32, .max_batch = 1});
  const Graph graph = make_graph((*game)->info(), checkpoint.network);
  const ModelFile model = model_file(format, graph, metadata_of(**game, checkpoint));

  NewFolder out(folder, "net.json", "export");
  ExportReport report;
  report.checkpoint = checkpoint.id();
  report.ruleset = (*game)->info().ruleset;
  const auto add = [&](const fs::path& name, std::string_view bytes) {
    out.add(name, bytes);
    report.files.push_back(folder / name);
  };
  add(model.name, model.bytes);
  std::vector<TestVector> vectors = outputs_of(**game, network.get(), real_positions(**game));
  compare(read_model(format, out.read(model.name)), vectors, &report);
  vectors.resize(kTestVectors);
  add("net.json", json_lines(net_json(**game, checkpoint, model, vectors)));
  for (const ExportedFile& file : others) add(file.name, file.bytes);
  out.publish();
  return report;
}

}  // namespace makzero::models
