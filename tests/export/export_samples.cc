// Exports a small network of random weights for every game and writes what LibTorch says of 256 positions of
// random games, for other runtimes to be compared with: FOLDER/GAME/{net/, *.f32, legal.json}.
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "game/catalog.h"
#include "models/export.h"
#include "models/file_io.h"
#include "tests/nn/nn_samples.h"

namespace makzero::models {
namespace {

namespace fs = std::filesystem;

constexpr int kPositions = 256;

void write_floats(const fs::path& path, const std::vector<float>& values) {
  write_text_file(path, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

void write_samples(const game::Game& game, const fs::path& folder) {
  nn::NetworkArchitecture shape = nn::small_architecture(nn::default_planes(game.info()));
  shape.rule_features = nn::rule_features_of(game.info());
  const Model checkpoint = make_model(game, nn::random_network(shape, 3));
  write_model(folder / "net.mzc", checkpoint);
  export_checkpoint(folder / "net.mzc", ModelFormat::kOnnx, folder / "net");

  const auto network = make_evaluator(game, checkpoint, {.precision = nn::Precision::kFp32});
  const std::vector<nn::SamplePosition> samples = nn::sample_positions(game, kPositions, 5);
  const std::vector<float> planes = encode_all(network->encoder(), game, samples);
  std::vector<float> policy, wdl, moves_left;
  for (const nn::RawOutput& output : network->forward(planes, kPositions)) {
    policy.insert(policy.end(), output.policy.begin(), output.policy.end());
    wdl.insert(wdl.end(), output.wdl.begin(), output.wdl.end());
    moves_left.push_back(output.moves_left);
  }
  nlohmann::json legal = nlohmann::json::array();
  for (const nn::SamplePosition& sample : samples) {
    nlohmann::json indices = nlohmann::json::array();
    for (const game::Move move : sample.legal) {
      indices.push_back(nn::policy_index(game.info(), move, sample.position.to_move));
    }
    legal.push_back(std::move(indices));
  }
  write_floats(folder / "planes.f32", planes);
  write_floats(folder / "policy.f32", policy);
  write_floats(folder / "wdl.f32", wdl);
  write_floats(folder / "moves_left.f32", moves_left);
  write_text_file(folder / "legal.json", legal.dump());
}

}  // namespace
}  // namespace makzero::models

int main(int argc, char** argv) {
  using makzero::game::game_of;
  if (argc != 2) {
    std::fprintf(stderr, "usage: export_samples FOLDER\n");
    return 2;
  }
  for (const std::string& ruleset : makzero::game::ruleset_names()) {
    if (game_of(ruleset) != ruleset) continue;
    const auto folder = std::filesystem::path(argv[1]) / ruleset;
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    makzero::models::write_samples(**makzero::game::make_game(ruleset), folder);
  }
  return 0;
}
