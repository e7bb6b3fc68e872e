// Checkpoints and learner states: the same numbers come back, every damage is refused with a reason.
#include "models/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "models/framed_file.h"
#include "tests/support/file_tools.h"

namespace makzero::models {
namespace {

using testing::HasSubstr;

class CheckpointTest : public FolderTest {
 protected:
  std::filesystem::path path() const { return folder_ / "file.mzc"; }
};

nn::Weights some_weights(float first) {
  return {{"input.weight", {2, 3}, {first, -1, 2.5f, 1e-30f, 0, 7}},
          {"input.bias", {2}, {0.1f, 0.2f}},
          {"scale", {}, {3}}};
}

nn::NetworkArchitecture some_architecture() {
  return {.planes = {"own M"}, .channels = 24, .rule_features = {"jump", "repetition"}};
}

Model some_checkpoint() {
  Model checkpoint;
  checkpoint.tower = {some_architecture(), some_weights(1)};
  checkpoint.manifest.set_ruleset("makyek");
  checkpoint.manifest.set_generation(7);
  checkpoint.manifest.set_config("search { simulations: 16 }");
  return checkpoint;
}

nn::LearnerState some_state() {
  return {some_architecture(), 1234, some_weights(1), some_weights(2), some_weights(3), some_weights(4)};
}

TEST_F(CheckpointTest, WeightsAndFactsComeBack) {
  const Model written = some_checkpoint();
  write_model(path(), written);
  const Model read = read_model(path());
  EXPECT_EQ(read.tower, written.tower);
  EXPECT_EQ(read.manifest.config(), written.manifest.config());
  EXPECT_EQ(read.manifest.generation(), 7);
  EXPECT_EQ(read.manifest.tensors_size(), 3);
  EXPECT_EQ(architecture_of(read.manifest), some_architecture());
  EXPECT_EQ(read.id(), written.id());
}

TEST_F(CheckpointTest, TheIdIsTheBeginningOfTheHashOfTheWeights) {
  const Model checkpoint = some_checkpoint();
  write_model(path(), checkpoint);
  const Manifest manifest = read_manifest(path());
  EXPECT_EQ(manifest.weights_hash().size(), 32u);
  EXPECT_EQ(id_of(manifest), checkpoint.id());
  EXPECT_EQ(checkpoint.id(), manifest.weights_hash().substr(0, 12));
  Model other = checkpoint;
  other.tower.weights[0].data[3] = 2e-30f;
  EXPECT_NE(other.id(), checkpoint.id());
}

TEST_F(CheckpointTest, LargeTensorsAreSplitInFrames) {
  Model checkpoint = some_checkpoint();
  nn::NamedTensor large{"large", {3, 1 << 20}, std::vector<float>(3 << 20)};
  for (std::size_t i = 0; i < large.data.size(); ++i) large.data[i] = static_cast<float>(i % 977);
  checkpoint.tower.weights.push_back(large);
  write_model(path(), checkpoint);
  FrameReader reader(path(), FileKind::kCheckpoint);
  int frames = 0;
  while (reader.next()) ++frames;
  EXPECT_EQ(frames, 1 + 4);
  EXPECT_EQ(read_model(path()).tower, checkpoint.tower);
}

TEST_F(CheckpointTest, ItsBytesAreThoseOfItsFileAndAreReadLikeIt) {
  const Model written = some_checkpoint();
  write_model(path(), written);
  const std::string bytes = model_bytes(written);
  EXPECT_EQ(bytes, read_text_file(path()));
  const Model read = parse_model("network 7", bytes);
  EXPECT_EQ(read.tower, written.tower);
  EXPECT_EQ(read.manifest.generation(), 7);
  for (std::size_t offset = 0; offset < bytes.size(); ++offset) {
    ASSERT_THAT(error_of([&] { parse_model("network 7", flipped(bytes, offset)); }),
                HasSubstr("network 7: bytes "))
        << offset;
  }
  for (std::size_t size = 0; size < bytes.size(); ++size)
    ASSERT_THAT(error_of([&] { parse_model("network 7", bytes.substr(0, size)); }), HasSubstr("network 7: "))
        << size;
}

TEST_F(CheckpointTest, AnyFlippedByteIsRefusedWithTheBytesOfTheDamage) {
  write_model(path(), some_checkpoint());
  const std::string whole = read_text_file(path());
  for (std::size_t offset = 0; offset < whole.size(); ++offset) {
    put_file(path(), flipped(whole, offset));
    ASSERT_THAT(error_of([&] { read_model(path()); }), HasSubstr("file.mzc: bytes ")) << offset;
  }
}

TEST_F(CheckpointTest, AnyTruncationIsRefused) {
  write_model(path(), some_checkpoint());
  const std::string whole = read_text_file(path());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    put_file(path(), whole.substr(0, size));
    ASSERT_THAT(error_of([&] { read_model(path()); }), HasSubstr("damaged")) << size;
  }
}

TEST_F(CheckpointTest, TensorsThatDoNotFitTheManifestAreRefused) {
  Model checkpoint = some_checkpoint();
  write_model(path(), checkpoint);
  const Manifest manifest = read_manifest(path());
  const auto rewrite = [&](const Manifest& changed, std::size_t floats) {
    FrameBuffer buffer(FileKind::kCheckpoint);
    buffer.add(changed.SerializeAsString());
    buffer.add(std::string(floats * sizeof(float), '\0'));
    write_text_file(path(), buffer.bytes());
    return error_of([&] { read_model(path()); });
  };
  EXPECT_THAT(rewrite(manifest, 9), HasSubstr("hash"));
  EXPECT_THAT(rewrite(manifest, 8), HasSubstr("tensor scale does not lie"));
  EXPECT_THAT(rewrite(manifest, 10), HasSubstr("4 bytes belong to no tensor"));
  Manifest changed = manifest;
  changed.mutable_tensors(0)->set_shape(0, -2);
  EXPECT_THAT(rewrite(changed, 9), HasSubstr("tensor input.weight"));
  changed = manifest;
  changed.mutable_tensors(0)->set_shape(0, std::int64_t{1} << 62);
  EXPECT_THAT(rewrite(changed, 9), HasSubstr("tensor input.weight"));
  changed = manifest;
  changed.mutable_tensors(1)->set_offset(0);
  EXPECT_THAT(rewrite(changed, 9), HasSubstr("tensor input.bias"));
  changed = manifest;
  changed.mutable_tensors(1)->set_group("other");
  EXPECT_THAT(rewrite(changed, 9), HasSubstr("unknown group other"));
}

TEST_F(CheckpointTest, AShapeThatDoesNotFitItsDataIsNotWritten) {
  Model checkpoint = some_checkpoint();
  checkpoint.tower.weights[0].shape = {2, 2};
  EXPECT_THAT(error_of([&] { write_model(path(), checkpoint); }), HasSubstr("input.weight"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(CheckpointTest, TheManifestIsReadWithoutTheTensors) {
  write_model(path(), some_checkpoint());
  const std::string whole = read_text_file(path());
  put_file(path(), flipped(whole, whole.size() - 1));
  EXPECT_EQ(read_manifest(path()).generation(), 7);
}

TEST_F(CheckpointTest, ALearnerStateComesBackWithAllItsTensors) {
  const nn::LearnerState written = some_state();
  write_learner_state(path(), some_checkpoint().manifest, written);
  Manifest manifest;
  const nn::LearnerState read = read_learner_state(path(), &manifest);
  EXPECT_EQ(read.steps, 1234);
  EXPECT_EQ(read.architecture, written.architecture);
  EXPECT_EQ(read.weights, written.weights);
  EXPECT_EQ(read.ema_weights, written.ema_weights);
  EXPECT_EQ(read.first_moment, written.first_moment);
  EXPECT_EQ(read.second_moment, written.second_moment);
  EXPECT_EQ(manifest.ruleset(), "makyek");
  EXPECT_EQ(read_manifest(path()).steps(), 1234);
}

TEST_F(CheckpointTest, StatesOfSmallNetworksComeBackBesideThatOfTheTower) {
  const std::vector<nn::SmallLearnerState> written = {
      {"makruk", 7, some_weights(1), some_weights(2), some_weights(3)}, {"ok", 3, some_weights(4)}};
  for (const nn::LearnerState& tower : {some_state(), nn::LearnerState()}) {
    write_learner_state(path(), {}, tower, written);
    std::vector<nn::SmallLearnerState> read;
    EXPECT_EQ(read_learner_state(path(), nullptr, &read).weights, tower.weights);
    ASSERT_EQ(read.size(), 2u);
    for (std::size_t i = 0; i < read.size(); ++i) {
      EXPECT_EQ(read[i].game, written[i].game);
      EXPECT_EQ(read[i].steps, written[i].steps);
      EXPECT_EQ(read[i].weights, written[i].weights);
      EXPECT_EQ(read[i].first_moment, written[i].first_moment);
      EXPECT_EQ(read[i].second_moment, written[i].second_moment);
    }
  }
}

TEST_F(CheckpointTest, AnyFlippedByteOfALearnerStateIsRefused) {
  write_learner_state(path(), some_checkpoint().manifest, some_state());
  const std::string whole = read_text_file(path());
  for (std::size_t offset = 0; offset < whole.size(); ++offset) {
    put_file(path(), flipped(whole, offset));
    ASSERT_THAT(error_of([&] { read_learner_state(path(), nullptr); }), HasSubstr("bytes ")) << offset;
  }
}

TEST_F(CheckpointTest, ALearnerStateIsNotACheckpoint) {
  write_learner_state(path(), some_checkpoint().manifest, some_state());
  EXPECT_THAT(error_of([&] { read_model(path()); }), HasSubstr("holds learner state, not checkpoint"));
}

}  // namespace
}  // namespace makzero::models
