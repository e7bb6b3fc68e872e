#include "models/net_json.h"

#include <array>
#include <charconv>
#include <string_view>

#include "game/catalog.h"
#include "game/notation.h"
#include "models/fingerprint.h"

namespace makzero::models {
namespace {

using Json = nlohmann::ordered_json;

Json numbers(const std::vector<float>& values) {
  Json array = Json::array();
  for (const float value : values) array.push_back(shortest(value));
  return array;
}

// The measured strengths of the tower; none where they were measured for another ruleset.
Json tower_levels(const Manifest& manifest, const std::string& ruleset) {
  const game::Parsed<game::GamePtr> measured = game::make_game(manifest.ruleset());
  if (!measured || (*measured)->info().ruleset != ruleset) return Json::array();
  return levels_json(manifest.levels(), "simulations");
}

// What a search with the network needs to know beside it.
Json search_json(const mcts::SearchOptions& options) {
  Json json;
  for (const auto& [name, member] : mcts::kSearchConstants) json[name] = shortest(options.*member);
  return json;
}

Json vector_json(const game::Game& game, const TestVector& vector) {
  game::MoveList legal;
  game.legal_moves(vector.position, &legal);
  Json moves = Json::array();
  for (const game::Move move : legal) {
    moves.push_back({{"move", game::move_text(game, vector.position, move)},
                     {"index", nn::policy_index(game.info(), move, vector.position.to_move)}});
  }
  return {{"position", game::position_text(game, vector.position)},
          {"ply", vector.position.ply},
          {"quiet_plies", vector.position.no_progress_plies},
          {"planes", numbers(vector.planes)},
          {"policy", numbers(vector.output.policy)},
          {"wdl", numbers(vector.output.wdl)},
          {"moves_left", Json::array({shortest(vector.output.moves_left)})},
          {"legal", std::move(moves)}};
}

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (j < group.size() ? static_cast<unsigned char>(group[j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= group.size() ? kBase64[bits >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

Json ports_json(const std::vector<Port>& ports) {
  Json all = Json::object();
  for (const Port& port : ports) {
    Json shape = Json::array();
    for (const std::int64_t size : port.shape) shape.push_back(size == kBatch ? Json("N") : Json(size));
    all[port.name] = std::move(shape);
  }
  return all;
}

}  // namespace

Json shortest(float value) {
  if (value == 0 || value == 1) return static_cast<int>(value);
  std::array<char, 32> text;
  const char* end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  double number = 0;
  std::from_chars(text.data(), end, number);
  return number;
}

Json net_json(const game::Game& game, const Model& checkpoint, const ModelFile& model,
              const std::vector<TestVector>& vectors) {
  const game::GameInfo& info = game.info();
  const std::vector<std::string>& names = checkpoint.tower.architecture.planes;
  Json planes = Json::array();
  for (const std::string& name : names) {
    planes.push_back({{"name", name}, {"meaning", nn::plane_meaning(name)}});
  }
  Json rows = Json::array();
  for (const TestVector& vector : vectors) rows.push_back(vector_json(game, vector));
  return {
      {"format", "makzero-net"},
      {"version", 1},
      {"game", game::game_of(info.ruleset)},
      {"ruleset", info.ruleset},
      {"title", info.title},
      {"model", model.name},
      {"sha256", sha256(model.bytes)},
      {"checkpoint", checkpoint.tower_id()},
      {"generation", checkpoint.manifest.generation()},
      {"levels", tower_levels(checkpoint.manifest, info.ruleset)},
      {"search", search_json(search_options(checkpoint.manifest))},
      {"encoder", encoder_name(names)},
      {"move_index", move_index_name()},
      {"inputs", {{"planes", Json::array({"N", names.size(), 8, 8})}}},
      {"outputs",
       {{"policy", Json::array({"N", game::kPolicySize})},
        {"wdl", Json::array({"N", 3})},
        {"moves_left", Json::array({"N"})}}},
      {"outputs_mean",
       {{"policy", "a logit for each move index: take those of the legal moves, then softmax"},
        {"wdl", "probabilities that the side to move wins, draws, loses"},
        {"moves_left", "plies until the game ends"}}},
      {"planes", std::move(planes)},
      {"planes_order",
       "planes[n][plane][rank][file], rank 0 is the first rank, file 0 the a-file; always from the mover's "
       "side: for Black the board is rotated by 180 degrees. 'own' is the side to move. On a board of 7 x 7 "
       "the eighth rank and file are 0"},
      {"move_index_formula", move_index_formula()},
      {"board", {{"files", info.files}, {"ranks", info.ranks}, {"kinds", info.kinds}}},
      {"start", game::position_text(game, game.initial())},
      {"rules", game::rules_text(info.ruleset)},
      {"test_vectors", std::move(rows)},
  };
}

Json graph_json(const Graph& graph) {
  Json nodes = Json::array(), weights = Json::array(), shapes = Json::object();
  for (const Node& node : graph.nodes) {
    Json attributes = Json::object();
    for (const Attribute& attribute : node.attributes) {
      std::visit([&](const auto& value) { attributes[attribute.name] = value; }, attribute.value);
    }
    nodes.push_back({{"op", node.op},
                     {"inputs", node.inputs},
                     {"output", node.output},
                     {"attributes", std::move(attributes)}});
  }
  for (const nn::NamedTensor& weight : graph.weights) {
    const std::string_view bytes(reinterpret_cast<const char*>(weight.data.data()),
                                 weight.data.size() * sizeof(float));
    weights.push_back({{"name", weight.name}, {"shape", weight.shape}, {"data", base64(bytes)}});
  }
  for (const ShapeConstant& shape : graph.shapes) shapes[shape.name] = shape.values;
  return {{"format", "makzero-graph"},          {"operator_set", "ONNX 17"},
          {"inputs", ports_json(graph.inputs)}, {"outputs", ports_json(graph.outputs)},
          {"nodes", std::move(nodes)},          {"shapes", std::move(shapes)},
          {"weights", std::move(weights)}};
}

Json levels_json(const google::protobuf::RepeatedPtrField<Level>& levels, const std::string& nodes) {
  Json list = Json::array();
  for (const Level& level : levels) {
    list.push_back({{"level", level.level()},
                    {nodes, level.nodes()},
                    {"temperature", shortest(level.temperature())},
                    {"elo", level.elo()}});
  }
  return list;
}

std::string json_lines(const Json& object) {
  std::string text = "{";
  const char* separator = "\n";
  for (const auto& [key, value] : object.items()) {
    text += separator + Json(key).dump() + ": ";
    separator = ",\n";
    if (!value.is_array() || value.empty() || !value.front().is_object()) {
      text += value.dump();
      continue;
    }
    for (const Json& row : value) text += (&row == &value.front() ? "[\n  " : ",\n  ") + row.dump();
    text += ']';
  }
  return text + "\n}\n";
}

}  // namespace makzero::models
