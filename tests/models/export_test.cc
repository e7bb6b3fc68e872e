// Exports: the graph against LibTorch, the files against themselves, and what is refused.
#include "models/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "game/catalog.h"
#include "models/file_io.h"
#include "models/fingerprint.h"
#include "models/graph.h"
#include "models/net_json.h"
#include "models/onnx.h"
#include "tests/models/graph_run.h"
#include "tests/models/read_graph.h"
#include "tests/nn/nn_samples.h"
#include "tests/support/featured_game.h"
#include "tests/support/file_tools.h"

namespace makzero::models {
namespace {

using testing::HasSubstr;

// Every weight random, batch norms as well; the second block has squeeze and excite.
Model random_checkpoint(const game::Game& game, bool capture_planes = true) {
  nn::NetworkArchitecture shape = nn::small_architecture(nn::default_planes(game.info(), capture_planes));
  shape.rule_features = nn::rule_features_of(game.info());
  return make_model(game, nn::random_network(shape, 7));
}

Graph graph_of(const game::Game& game, const Model& checkpoint) {
  return make_graph(game.info(), checkpoint.tower);
}

void expect_near(const std::vector<float>& values, const std::vector<float>& expected, float tolerance) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], expected[i], tolerance) << i;
}

TEST(GraphTest, GivesWhatLibTorchGivesInEveryGame) {
  for (const char* ruleset : {"makyek", "gala", "minrekchanh", "makruk"}) {
    const game::GamePtr game = *game::make_game(ruleset);
    const Model checkpoint = random_checkpoint(*game);
    const auto network = make_evaluator(*game, checkpoint, {.precision = nn::Precision::kFp32});
    const std::vector<float> planes =
        encode_all(network->encoder(), *game, nn::sample_positions(*game, 3, 1));
    const std::vector<nn::RawOutput> expected = network->forward(planes, 3);
    const std::vector<std::vector<float>> outputs = run_graph(graph_of(*game, checkpoint), planes, 3);
    ASSERT_EQ(outputs.size(), 3U) << ruleset;
    for (int i = 0; i < 3; ++i) {
      SCOPED_TRACE(ruleset);
      const auto policy = outputs[0].begin() + i * game::kPolicySize;
      expect_near({policy, policy + game::kPolicySize}, expected[i].policy, 1e-4f);
      expect_near({&outputs[1][3 * i], &outputs[1][3 * i] + 3}, expected[i].wdl, 1e-5f);
      EXPECT_NEAR(outputs[2][i], expected[i].moves_left, 1e-3);
    }
  }
}

TEST(GraphTest, TheRulesAreFoldedIntoTheGraph) {
  const game::FeaturedGame game("makyek", {{"game=makyek", 1}, {"repetition", 0.5f}});
  nn::NetworkArchitecture shape = nn::small_architecture(nn::default_planes(game.info()));
  shape.rule_features = {"jump", "repetition", "game=makyek"};
  const nn::Network trained = nn::random_network(shape, 7);
  nn::TorchEvaluator network(game, trained, {.precision = nn::Precision::kFp32});
  const std::vector<float> planes = encode_all(network.encoder(), game, nn::sample_positions(game, 1, 1));
  const nn::RawOutput expected = network.forward(planes, 1).front();
  const Graph graph = make_graph(game.info(), trained);
  EXPECT_EQ(graph.inputs.size(), 1U);
  const std::vector<std::vector<float>> outputs = run_graph(graph, planes, 1);
  expect_near(outputs[0], expected.policy, 1e-4f);
  expect_near(outputs[1], expected.wdl, 1e-5f);
  const game::FeaturedGame other("makyek", {{"jump", 1}});
  EXPECT_GT(std::abs(run_graph(make_graph(other.info(), trained), planes, 1)[1][0] - expected.wdl[0]), 1e-4f);
}

TEST(GraphTest, WeightsOfAnotherShapeAreRefusedByName) {
  const game::GamePtr game = *game::make_game("makyek");
  nn::Network network = random_checkpoint(*game).tower;
  network.architecture.hidden *= 2;
  EXPECT_THAT(error_of([&] { make_graph(game->info(), network); }), HasSubstr("hidden.weight"));
  network.weights.clear();
  EXPECT_THAT(error_of([&] { make_graph(game->info(), network); }), HasSubstr("no tensor rules.weight"));
}

TEST(OnnxTest, ReadsBackWhatItWrote) {
  const game::GamePtr game = *game::make_game("makyek");
  const Graph graph = graph_of(*game, random_checkpoint(*game));
  const Metadata metadata = {{"game", "makyek"}, {"encoder", "1-x"}};
  Metadata read;
  EXPECT_EQ(read_onnx(onnx_bytes(graph, metadata), &read), graph);
  EXPECT_EQ(read, metadata);
  EXPECT_THAT(error_of([] { read_onnx("no model", nullptr); }), HasSubstr("no ONNX file"));
}

TEST(GraphJsonTest, ReadsBackWhatItWrote) {
  const game::GamePtr game = *game::make_game("makyek");
  const Graph graph = graph_of(*game, random_checkpoint(*game));
  EXPECT_EQ(read_graph_json(json_lines(graph_json(graph))), graph);
  EXPECT_THAT(error_of([] { read_graph_json("{}"); }), HasSubstr("no exported graph"));
}

TEST(FingerprintTest, Sha256IsThatOfTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

std::vector<std::string> default_planes(const char* ruleset) {
  return nn::default_planes((*game::make_game(ruleset))->info());
}

// Front ends compare these names: a change here is a change of kEncoderVersion or kMoveIndexVersion, or of
// the planes of a game.
TEST(FingerprintTest, NamesStayAsTheyAre) {
  EXPECT_EQ(encoder_name(default_planes("makyek")), "1-70a5a21dd934");
  EXPECT_EQ(encoder_name(default_planes("makruk")), "1-8e366e048088");
  const std::vector<std::string> former = {"own M",         "enemy M",
                                           "own targets",   "own destinations",
                                           "enemy targets", "enemy destinations",
                                           "seen 1",        "quiet plies",
                                           "ply",           "board"};
  EXPECT_EQ(encoder_name(former), "1-6cc8fc8d8778");
  EXPECT_EQ(move_index_name(), "1-0376168ef34b");
}

class ExportTest : public FolderTest {
 protected:
  // A checkpoint of Mak-yek with this tensor changed.
  template <class Change>
  Model changed(const std::string& name, const Change& change) {
    const game::GamePtr game = *game::make_game("makyek");
    Model checkpoint = random_checkpoint(*game);
    for (nn::NamedTensor& tensor : checkpoint.tower.weights) {
      if (tensor.name == name) std::for_each(tensor.data.begin(), tensor.data.end(), change);
    }
    checkpoint = make_model(*game, checkpoint.tower);
    write_model(folder_ / "net.mzc", checkpoint);
    return checkpoint;
  }

  std::filesystem::path checkpoint(const char* ruleset) {
    std::filesystem::path path = folder_ / "net.mzc";
    write_model(path, random_checkpoint(**game::make_game(ruleset)));
    return path;
  }

  // What stands in the folder, sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
};

TEST_F(ExportTest, EveryGameIsExportedAndSaysHowItsModelIsUsed) {
  for (const std::string& ruleset : game::ruleset_names()) {
    if (game::game_of(ruleset) != ruleset) continue;
    export_checkpoint(checkpoint(ruleset.c_str()), ModelFormat::kOnnx, folder_ / "out");
    const auto net = nlohmann::json::parse(read_text_file(folder_ / "out/net.json"));
    const std::string model = read_text_file(folder_ / "out/model.onnx");
    EXPECT_EQ(net["sha256"], sha256(model));
    EXPECT_EQ(net["game"], ruleset);
    EXPECT_EQ(net["test_vectors"].size(), 8U);
    Metadata metadata;
    read_onnx(model, &metadata);
    for (const auto& [key, value] : metadata) EXPECT_EQ(net[key], value);
    for (const auto& plane : net["planes"]) EXPECT_NE(plane["meaning"], "") << plane["name"];
  }
}

TEST_F(ExportTest, ANetworkWithoutCapturePlanesHasAnotherEncoder) {
  const game::GamePtr game = *game::make_game("makyek");
  write_model(folder_ / "net.mzc", random_checkpoint(*game, false));
  export_checkpoint(folder_ / "net.mzc", ModelFormat::kOnnx, folder_ / "out");
  const auto net = nlohmann::json::parse(read_text_file(folder_ / "out/net.json"));
  EXPECT_EQ(net["encoder"], encoder_name(nn::default_planes(game->info(), false)));
  EXPECT_NE(net["encoder"], encoder_name(default_planes("makyek")));
  Metadata metadata;
  read_onnx(read_text_file(folder_ / "out/model.onnx"), &metadata);
  for (const auto& [key, value] : metadata) EXPECT_EQ(net[key], value);
}

// A network of random weights whose strength was "measured".
Model rated_checkpoint() {
  Model rated = random_checkpoint(**game::make_game("makyek"));
  Level* level = rated.manifest.add_levels();
  level->set_level(2);
  level->set_nodes(64);
  level->set_temperature(0.5f);
  level->set_elo(1200);
  return rated;
}

TEST_F(ExportTest, MeasuredLevelsGoAlong) {
  write_model(folder_ / "net.mzc", rated_checkpoint());
  export_checkpoint(folder_ / "net.mzc", ModelFormat::kOnnx, folder_ / "out");
  const auto net = nlohmann::json::parse(read_text_file(folder_ / "out/net.json"));
  EXPECT_EQ(net["levels"],
            nlohmann::json::parse(R"([{"level": 2, "simulations": 64, "temperature": 0.5, "elo": 1200}])"));
}

TEST_F(ExportTest, LevelsOfAnotherRulesetStayBehind) {
  write_model(folder_ / "net.mzc", rated_checkpoint());
  export_checkpoint(folder_ / "net.mzc", ModelFormat::kOnnx, folder_ / "out", {}, "makyek:max_plies=60");
  const auto net = nlohmann::json::parse(read_text_file(folder_ / "out/net.json"));
  EXPECT_EQ(net["ruleset"], "makyek:max_plies=60");
  EXPECT_EQ(net["levels"], nlohmann::json::array());
}

TEST_F(ExportTest, TestVectorsHoldInTheModelBesideThem) {
  export_checkpoint(checkpoint("gala"), ModelFormat::kJson, folder_ / "out");
  const auto net = nlohmann::json::parse(read_text_file(folder_ / "out/net.json"));
  const Graph graph = read_graph_json(read_text_file(folder_ / "out/model.json"));
  for (const auto& vector : net["test_vectors"]) {
    const auto outputs = run_graph(graph, vector["planes"], 1);
    expect_near(outputs[0], vector["policy"], 1e-4f);
    expect_near(outputs[1], vector["wdl"], 1e-5f);
    expect_near(outputs[2], vector["moves_left"], 1e-3f);
    for (const auto& move : vector["legal"]) EXPECT_LT(move["index"], game::kPolicySize);
  }
}

TEST_F(ExportTest, AnEarlierExportIsReplacedAndNothingElseIsTouched) {
  const auto path = checkpoint("makyek");
  export_checkpoint(path, ModelFormat::kJson, folder_ / "out");
  export_checkpoint(path, ModelFormat::kOnnx, folder_ / "out/");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/model.json"));
  EXPECT_THAT(names(), testing::ElementsAre("net.mzc", "out"));

  std::filesystem::create_directory(folder_ / "mine");
  put_file(folder_ / "mine/letter", "dear");
  EXPECT_THAT(error_of([&] { export_checkpoint(path, ModelFormat::kOnnx, folder_ / "mine"); }),
              HasSubstr("mine: exists and is no earlier export"));
  EXPECT_EQ(read_text_file(folder_ / "mine/letter"), "dear");
}

TEST_F(ExportTest, AnotherExportIntoAFolderKeepsWhatPeoplePutThere) {
  const auto path = checkpoint("makyek");
  export_checkpoint(path, ModelFormat::kJson, folder_ / "out");
  std::filesystem::create_directory(folder_ / "out/source");
  put_file(folder_ / "out/source/main.c", "dear");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_ / "out");
  export_checkpoint(path, ModelFormat::kOnnx, ".");
  std::filesystem::current_path(before);
  EXPECT_EQ(read_text_file(folder_ / "out/source/main.c"), "dear");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/model.onnx"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/net.json.tmp"));
}

TEST_F(ExportTest, OtherVersionsAreRefusedNamingBothAndLeaveNothing) {
  Model other = random_checkpoint(**game::make_game("makyek"));
  other.manifest.set_encoder_version(99);
  write_model(folder_ / "other.mzc", other);
  const auto refusal = [&] {
    return error_of([&] { export_checkpoint(folder_ / "other.mzc", ModelFormat::kOnnx, folder_ / "out"); });
  };
  EXPECT_THAT(refusal(), HasSubstr("encoder version 99, this program has version 1"));
  other.manifest.set_encoder_version(1);
  other.manifest.set_move_index_version(99);
  write_model(folder_ / "other.mzc", other);
  EXPECT_THAT(refusal(), HasSubstr("move index version 99, this program has version 1"));
  EXPECT_THAT(names(), testing::ElementsAre("other.mzc"));
}

TEST_F(ExportTest, AWeightThatIsNoNumberIsNotPublished) {
  for (const float wrong : {NAN, INFINITY}) {
    changed("policy.hand", [wrong](float& value) { value = wrong; });
    EXPECT_THAT(
        error_of([&] { export_checkpoint(folder_ / "net.mzc", ModelFormat::kOnnx, folder_ / "out"); }),
        HasSubstr("weight policy.hand.weight is no finite number"));
  }
  EXPECT_THAT(names(), testing::ElementsAre("net.mzc"));
}

}  // namespace
}  // namespace makzero::models
