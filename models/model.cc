// Files of models: a frame of the manifest, one of the card if there is one, one of each small network, then
// the tensors' bytes in frames.
#include "models/model.h"

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
#include "models/fingerprint.h"
#include "models/framed_file.h"
#include "models/small_network_file.h"

namespace makzero::models {
namespace {

constexpr std::size_t kDataFrameBytes = std::size_t{4} << 20;
constexpr std::size_t kIdDigits = 12;

// Tensors under the name of their group in the manifest.
struct Group {
  std::string name;
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

// xxh3-128 over the tensors' bytes in order; empty where there are none.
std::string hash_of(std::span<const Group> groups) {
  if (std::ranges::all_of(groups, [](const Group& group) { return group.weights->empty(); })) return "";
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

// Adds the frames of the manifest, what comes between, and the tensors.
void add_frames(Manifest manifest, const std::vector<std::string>& between, std::span<const Group> groups,
                FrameBuffer* buffer) {
  describe_tensors(groups, &manifest);
  buffer->add(manifest.SerializeAsString());
  for (const std::string& frame : between) buffer->add(frame);
  std::string data;
  for (const Group& group : groups) {
    for (const nn::NamedTensor& tensor : *group.weights) data += bytes_of(tensor);
  }
  for (std::size_t at = 0; at < data.size(); at += kDataFrameBytes) {
    buffer->add(std::string_view(data).substr(at, kDataFrameBytes));
  }
}

[[noreturn]] void fail_damaged(const std::filesystem::path& path, const std::string& damage) {
  throw Error(
      path, damage + "; the file is damaged: take another copy or checkpoint (`makzero fsck` checks a run)");
}

std::string next_frame(const std::filesystem::path& path, const char* what, FrameReader* reader) {
  std::optional<std::string> frame = reader->next();
  if (!frame)
    fail_damaged(path, reader->damage().empty() ? std::string(what) + " is missing" : reader->damage());
  return *std::move(frame);
}

template <class Message>
Message next_message(const std::filesystem::path& path, const char* what, FrameReader* reader) {
  Message message;
  if (!message.ParseFromString(next_frame(path, what, reader)))
    fail_damaged(path, std::string(what) + " cannot be parsed");
  return message;
}

Manifest next_manifest(const std::filesystem::path& path, FrameReader* reader) {
  return next_message<Manifest>(path, "the manifest", reader);
}

mcts::SmallNetwork next_small_network(const std::filesystem::path& path, FrameReader* reader) {
  return value_or_error(path, mcts::decode_small_network(next_frame(path, "a small network", reader)));
}

// All of a model but its tower, whose frames come next.
Model next_head(const std::filesystem::path& path, FrameReader* reader) {
  Model model;
  model.manifest = next_manifest(path, reader);
  if (model.manifest.has_card()) model.card = next_message<ModelCard>(path, "the model card", reader);
  for (const SmallNetworkEntry& entry : model.manifest.small_networks()) {
    model.small_networks.push_back(next_small_network(path, reader));
    if (small_network_id(model.small_networks.back()) != entry.id())
      fail_damaged(path, "the small network of " + entry.game() + " is not " + entry.id());
  }
  return model;
}

// A file of a small network alone, as former releases wrote it.
bool is_small_file(const std::filesystem::path& path) try {
  return find_file_kind(path) == FileKind::kSmallNetwork;
} catch (const Error&) {
  return false;  // Its reader says what is wrong.
}

Model read_small_file(const std::filesystem::path& path) {
  FrameReader reader(path, FileKind::kSmallNetwork);
  return make_model(next_small_network(path, &reader));
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
  std::string name;
  nn::Weights* weights;
};

// `path` is for errors.
void read_tensors(const std::filesystem::path& path, const Manifest& manifest, FrameReader* reader,
                  std::span<const GroupSink> sinks) {
  std::string data;
  while (const std::optional<std::string> frame = reader->next()) data += *frame;
  if (!reader->damage().empty()) fail_damaged(path, reader->damage());

  std::uint64_t offset = 0;
  std::vector<Group> groups;
  for (const GroupSink& sink : sinks) groups.push_back({sink.name, sink.weights});
  for (const TensorEntry& entry : manifest.tensors()) {
    const auto sink = std::ranges::find(sinks, entry.group(), &GroupSink::name);
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
}

Model read_network(const std::filesystem::path& path, FrameReader reader) {
  Model model = next_head(path, &reader);
  const std::array sinks = {GroupSink{kModel, &model.tower.weights}};
  read_tensors(path, model.manifest, &reader, sinks);
  model.tower.architecture = architecture_of(model.manifest);
  return model;
}

Manifest described(Manifest manifest, const nn::NetworkArchitecture& architecture) {
  set_architecture(architecture, &manifest);
  return manifest;
}

void add_model(const Model& model, FrameBuffer* buffer) {
  const std::array groups = {Group{kModel, &model.tower.weights}};
  Manifest manifest = described(model.manifest, model.tower.architecture);
  manifest.set_has_card(model.card.has_value());
  manifest.clear_small_networks();
  std::vector<std::string> between;
  if (model.card) between.push_back(model.card->SerializeAsString());
  for (const mcts::SmallNetwork& network : model.small_networks) {
    between.push_back(mcts::encode_small_network(network));
    const std::string id = small_network_id(network);
    SmallNetworkEntry* entry = manifest.add_small_networks();
    if (const SmallNetworkEntry* known = small_entry(model.manifest, id)) *entry = *known;
    entry->set_game(network.game);
    entry->set_id(id);
  }
  add_frames(std::move(manifest), between, groups, buffer);
}

std::string first_digits(const std::string& hash) { return hash.substr(0, kIdDigits); }

// Id of a model with these networks.
std::string joint_id(const std::string& tower, const std::vector<std::string>& small_networks) {
  if (small_networks.empty()) return tower;
  if (tower.empty() && small_networks.size() == 1) return small_networks.front();
  std::string ids = tower;
  for (const std::string& id : small_networks) ids += ' ' + id;
  return first_digits(sha256(ids));
}

}  // namespace

std::string rules_validation(std::string_view ruleset) {
  const std::string_view text = game::certificate(ruleset);
  return text.empty() ? "" : digits_of(XXH3_128bits(text.data(), text.size()));
}

std::string tower_id_of(const Manifest& manifest) { return first_digits(manifest.weights_hash()); }

const SmallNetworkEntry* small_entry(const Manifest& manifest, const std::string& id) {
  const auto found = std::ranges::find(manifest.small_networks(), id, &SmallNetworkEntry::id);
  return found == manifest.small_networks().end() ? nullptr : &*found;
}

bool has_small_network(const Manifest& manifest, std::string_view ruleset) {
  return std::ranges::any_of(manifest.small_networks(), [&](const SmallNetworkEntry& entry) {
    return ruleset.empty() || entry.game() == game::game_of(ruleset);
  });
}

std::string id_of(const Manifest& manifest) {
  std::vector<std::string> small_networks;
  for (const SmallNetworkEntry& entry : manifest.small_networks()) small_networks.push_back(entry.id());
  return joint_id(tower_id_of(manifest), small_networks);
}

std::string weights_hash(const nn::Weights& weights) {
  const std::array groups = {Group{kModel, &weights}};
  return hash_of(groups);
}

std::string Model::tower_id() const { return first_digits(weights_hash(tower.weights)); }

std::string Model::id() const {
  std::vector<std::string> ids;
  ids.reserve(small_networks.size());
  for (const mcts::SmallNetwork& network : small_networks) ids.push_back(small_network_id(network));
  return joint_id(tower_id(), ids);
}

void write_model(const std::filesystem::path& path, const Model& model) {
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
  write_text_file(path, model_bytes(model));
}

Model read_model(const std::filesystem::path& path) {
  return is_small_file(path) ? read_small_file(path)
                             : read_network(path, FrameReader(path, FileKind::kCheckpoint));
}

std::string model_bytes(const Model& model) {
  FrameBuffer buffer(FileKind::kCheckpoint);
  add_model(model, &buffer);
  return buffer.bytes();
}

Model parse_model(const std::string& name, std::string_view bytes) {
  return read_network(name, FrameReader(name, bytes, FileKind::kCheckpoint));
}

Model read_head(const std::filesystem::path& path) {
  if (is_small_file(path)) return read_small_file(path);
  FrameReader reader(path, FileKind::kCheckpoint);
  return next_head(path, &reader);
}

Manifest read_manifest(const std::filesystem::path& path) {
  if (is_small_file(path)) return read_small_file(path).manifest;
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

namespace {

// The group of a small network's tensors.
std::string small_group(const std::string& game, const char* group) { return "small." + game + "." + group; }

}  // namespace

void write_learner_state(const std::filesystem::path& path, const Manifest& manifest,
                         const nn::LearnerState& state,
                         std::span<const nn::SmallLearnerState> small_networks) {
  Manifest of_state = described(manifest, state.architecture);
  of_state.set_steps(state.steps);
  of_state.set_moment_steps(state.moment_steps);
  std::vector<Group> groups = {{kWeights, &state.weights},
                               {kAverage, &state.ema_weights},
                               {kFirstMoment, &state.first_moment},
                               {kSecondMoment, &state.second_moment}};
  of_state.clear_small_networks();
  for (const nn::SmallLearnerState& small : small_networks) {
    SmallNetworkEntry* entry = of_state.add_small_networks();
    entry->set_game(small.game);
    entry->set_steps(small.steps);
    groups.push_back({small_group(small.game, kWeights), &small.weights});
    groups.push_back({small_group(small.game, kFirstMoment), &small.first_moment});
    groups.push_back({small_group(small.game, kSecondMoment), &small.second_moment});
  }
  FrameBuffer buffer(FileKind::kLearnerState);
  add_frames(std::move(of_state), {}, groups, &buffer);
  write_text_file(path, buffer.bytes());
}

nn::LearnerState read_learner_state(const std::filesystem::path& path, Manifest* manifest,
                                    std::vector<nn::SmallLearnerState>* small_networks) {
  nn::LearnerState state;
  std::vector<GroupSink> sinks = {{kWeights, &state.weights},
                                  {kAverage, &state.ema_weights},
                                  {kFirstMoment, &state.first_moment},
                                  {kSecondMoment, &state.second_moment}};
  FrameReader reader(path, FileKind::kLearnerState);
  Manifest read = next_manifest(path, &reader);
  std::vector<nn::SmallLearnerState> small(read.small_networks_size());
  for (int i = 0; i < read.small_networks_size(); ++i) {
    small[i].game = read.small_networks(i).game();
    small[i].steps = read.small_networks(i).steps();
    sinks.push_back({small_group(small[i].game, kWeights), &small[i].weights});
    sinks.push_back({small_group(small[i].game, kFirstMoment), &small[i].first_moment});
    sinks.push_back({small_group(small[i].game, kSecondMoment), &small[i].second_moment});
  }
  read_tensors(path, read, &reader, sinks);
  if (small_networks != nullptr) *small_networks = std::move(small);
  state.architecture = architecture_of(read);
  state.steps = read.steps();
  state.moment_steps = read.has_moment_steps() ? read.moment_steps() : read.steps();
  if (manifest != nullptr) *manifest = std::move(read);
  return state;
}

}  // namespace makzero::models
