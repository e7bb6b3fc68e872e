// One trained network on disk: a manifest frame, then the tensors' bytes in frames.
#include "models/checkpoint.h"

#define XXH_STATIC_LINKING_ONLY  // The hash state as a local variable.
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "game/catalog.h"
#include "models/error.h"
#include "models/framed_file.h"

namespace makzero::models {
namespace {

constexpr std::size_t kDataFrameBytes = std::size_t{4} << 20;
constexpr std::size_t kIdDigits = 12;

// Tensors under the name of their group in the manifest.
struct Group {
  const char* name;
  const nn::Weights* weights;
};

constexpr const char* kModel = "model";
constexpr const char* kWeights = "weights";
constexpr const char* kAverage = "ema";
constexpr const char* kFirstMoment = "first_moment";
constexpr const char* kSecondMoment = "second_moment";

std::string_view bytes_of(const nn::NamedTensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size() * sizeof(float)};
}

// The elements of a shape; none when it is negative or absurd.
std::optional<std::uint64_t> element_count(std::span<const std::int64_t> shape) {
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  std::uint64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || static_cast<std::uint64_t>(size) > kMost) return std::nullopt;
    count *= static_cast<std::uint64_t>(size);
    if (count > kMost) return std::nullopt;
  }
  return count;
}

// 32 hexadecimal digits.
std::string digits_of(XXH128_hash_t hash) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : canonical.digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// xxh3-128 over the tensors' bytes in order.
std::string hash_of(std::span<const Group> groups) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (const Group& group : groups) {
    for (const nn::NamedTensor& tensor : *group.weights) {
      const std::string_view bytes = bytes_of(tensor);
      XXH3_128bits_update(&state, bytes.data(), bytes.size());
    }
  }
  return digits_of(XXH3_128bits_digest(&state));
}

// Fills in where the tensors lie and their hash.
void describe_tensors(std::span<const Group> groups, Manifest* manifest) {
  manifest->clear_tensors();
  std::uint64_t offset = 0;
  for (const Group& group : groups) {
    for (const nn::NamedTensor& tensor : *group.weights) {
      if (element_count(tensor.shape) != tensor.data.size()) {
        throw Error("tensor " + tensor.name + " has " + std::to_string(tensor.data.size()) +
                    " elements, which its shape does not");
      }
      TensorEntry* entry = manifest->add_tensors();
      entry->set_group(group.name);
      entry->set_name(tensor.name);
      for (const std::int64_t size : tensor.shape) entry->add_shape(size);
      entry->set_offset(offset);
      offset += bytes_of(tensor).size();
    }
  }
  manifest->set_weights_hash(hash_of(groups));
}

// Hands the frames of the manifest and the tensors to a FrameWriter or FrameBuffer.
template <class Writer>
void add_tensors(Manifest manifest, std::span<const Group> groups, Writer* writer) {
  describe_tensors(groups, &manifest);
  writer->add(manifest.SerializeAsString());
  std::string data;
  for (const Group& group : groups) {
    for (const nn::NamedTensor& tensor : *group.weights) data += bytes_of(tensor);
  }
  for (std::size_t at = 0; at < data.size(); at += kDataFrameBytes) {
    writer->add(std::string_view(data).substr(at, kDataFrameBytes));
  }
}

void write_tensors(const std::filesystem::path& path, FileKind kind, Manifest manifest,
                   std::span<const Group> groups) {
  FrameWriter writer(path, kind);
  add_tensors(std::move(manifest), groups, &writer);
  writer.commit();
}

[[noreturn]] void fail_damaged(const std::filesystem::path& path, const std::string& damage) {
  throw Error(path,
              damage + "; the file is damaged, use another checkpoint (`makzero fsck` checks a whole run)");
}

Manifest next_manifest(const std::filesystem::path& path, FrameReader* reader) {
  const std::optional<std::string> frame = reader->next();
  if (!frame) fail_damaged(path, reader->damage().empty() ? "the manifest is missing" : reader->damage());
  Manifest manifest;
  if (!manifest.ParseFromString(*frame)) fail_damaged(path, "the manifest cannot be parsed");
  return manifest;
}

// The tensor that an entry describes, cut out of the data at `offset`, which moves on.
nn::NamedTensor cut_tensor(const std::filesystem::path& path, const TensorEntry& entry, std::string_view data,
                           std::uint64_t* offset) {
  const std::optional<std::uint64_t> count =
      element_count({entry.shape().data(), static_cast<std::size_t>(entry.shape_size())});
  if (!count || entry.offset() != *offset || *count * sizeof(float) > data.size() - *offset) {
    fail_damaged(path, "tensor " + entry.name() + " does not lie in the " + std::to_string(data.size()) +
                           " bytes of tensor data as the manifest says");
  }
  nn::NamedTensor tensor;
  tensor.name = entry.name();
  tensor.shape.assign(entry.shape().begin(), entry.shape().end());
  tensor.data.resize(*count);
  std::memcpy(tensor.data.data(), data.data() + *offset, *count * sizeof(float));
  *offset += *count * sizeof(float);
  return tensor;
}

// Where read_tensors() puts the tensors of a group.
struct GroupSink {
  const char* name;
  nn::Weights* weights;
};

// `path` is for errors.
Manifest read_tensors(const std::filesystem::path& path, FrameReader reader,
                      std::span<const GroupSink> sinks) {
  Manifest manifest = next_manifest(path, &reader);
  std::string data;
  while (const std::optional<std::string> frame = reader.next()) data += *frame;
  if (!reader.damage().empty()) fail_damaged(path, reader.damage());

  std::uint64_t offset = 0;
  std::vector<Group> groups;
  for (const GroupSink& sink : sinks) groups.push_back({sink.name, sink.weights});
  for (const TensorEntry& entry : manifest.tensors()) {
    const auto sink = std::find_if(sinks.begin(), sinks.end(), [&](const GroupSink& candidate) {
      return candidate.name == entry.group();
    });
    if (sink == sinks.end())
      fail_damaged(path, "tensor " + entry.name() + " is in an unknown group " + entry.group());
    sink->weights->push_back(cut_tensor(path, entry, data, &offset));
  }
  if (offset != data.size()) {
    fail_damaged(path, std::to_string(data.size() - offset) + " bytes belong to no tensor");
  }
  if (const std::string hash = hash_of(groups); hash != manifest.weights_hash()) {
    fail_damaged(path, "the tensors' hash is " + hash + ", but the manifest says " + manifest.weights_hash());
  }
  return manifest;
}

Checkpoint read_network(const std::filesystem::path& path, FrameReader reader) {
  Checkpoint checkpoint;
  const std::array sinks = {GroupSink{kModel, &checkpoint.network.weights}};
  checkpoint.manifest = read_tensors(path, std::move(reader), sinks);
  checkpoint.network.architecture = architecture_of(checkpoint.manifest);
  return checkpoint;
}

Manifest described(Manifest manifest, const nn::NetworkArchitecture& architecture) {
  set_architecture(architecture, &manifest);
  return manifest;
}

}  // namespace

std::string rules_validation(std::string_view ruleset) {
  const std::string_view text = game::certificate(ruleset);
  return text.empty() ? "" : digits_of(XXH3_128bits(text.data(), text.size()));
}

std::string id_of(const Manifest& manifest) { return manifest.weights_hash().substr(0, kIdDigits); }

std::string weights_hash(const nn::Weights& weights) {
  const std::array groups = {Group{kModel, &weights}};
  return hash_of(groups);
}

std::string Checkpoint::id() const { return weights_hash(network.weights).substr(0, kIdDigits); }

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  const std::array groups = {Group{kModel, &checkpoint.network.weights}};
  write_tensors(path, FileKind::kCheckpoint, described(checkpoint.manifest, checkpoint.network.architecture),
                groups);
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  return read_network(path, FrameReader(path, FileKind::kCheckpoint));
}

std::string checkpoint_bytes(const Checkpoint& checkpoint) {
  const std::array groups = {Group{kModel, &checkpoint.network.weights}};
  FrameBuffer buffer(FileKind::kCheckpoint);
  add_tensors(described(checkpoint.manifest, checkpoint.network.architecture), groups, &buffer);
  return buffer.bytes();
}

Checkpoint parse_checkpoint(const std::string& name, std::string_view bytes) {
  return read_network(name, FrameReader(name, bytes, FileKind::kCheckpoint));
}

Manifest read_manifest(const std::filesystem::path& path) {
  FrameReader reader(
      path, file_kind(path) == FileKind::kLearnerState ? FileKind::kLearnerState : FileKind::kCheckpoint);
  return next_manifest(path, &reader);
}

void set_architecture(const nn::NetworkArchitecture& architecture, Manifest* manifest) {
  manifest->mutable_planes()->Assign(architecture.planes.begin(), architecture.planes.end());
  manifest->mutable_rule_features()->Assign(architecture.rule_features.begin(),
                                            architecture.rule_features.end());
  NetworkArchitecture* out = manifest->mutable_architecture();
  out->set_planes(architecture.plane_count());
  out->set_blocks(architecture.blocks);
  out->set_channels(architecture.channels);
  out->set_attention(architecture.attention);
  out->set_hidden(architecture.hidden);
}

nn::NetworkArchitecture architecture_of(const Manifest& manifest) {
  const NetworkArchitecture& architecture = manifest.architecture();
  return {{manifest.planes().begin(), manifest.planes().end()},
          architecture.blocks(),
          architecture.channels(),
          architecture.attention(),
          architecture.hidden(),
          {manifest.rule_features().begin(), manifest.rule_features().end()}};
}

void write_learner_state(const std::filesystem::path& path, const Manifest& manifest,
                         const nn::LearnerState& state) {
  Manifest of_state = described(manifest, state.architecture);
  of_state.set_steps(state.steps);
  of_state.set_moment_steps(state.moment_steps);
  const std::array groups = {Group{kWeights, &state.weights}, Group{kAverage, &state.ema_weights},
                             Group{kFirstMoment, &state.first_moment},
                             Group{kSecondMoment, &state.second_moment}};
  write_tensors(path, FileKind::kLearnerState, std::move(of_state), groups);
}

nn::LearnerState read_learner_state(const std::filesystem::path& path, Manifest* manifest) {
  nn::LearnerState state;
  const std::array sinks = {GroupSink{kWeights, &state.weights}, GroupSink{kAverage, &state.ema_weights},
                            GroupSink{kFirstMoment, &state.first_moment},
                            GroupSink{kSecondMoment, &state.second_moment}};
  Manifest read = read_tensors(path, FrameReader(path, FileKind::kLearnerState), sinks);
  state.architecture = architecture_of(read);
  state.steps = read.steps();
  state.moment_steps = read.has_moment_steps() ? read.moment_steps() : read.steps();
  if (manifest != nullptr) *manifest = std::move(read);
  return state;
}

}  // namespace makzero::models
