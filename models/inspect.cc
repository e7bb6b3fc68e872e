// What a file of ours says of itself, for people.
#include "models/inspect.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <map>

#include "models/error.h"
#include "models/framed_file.h"
#include "models/model.h"
#include "models/small_network_file.h"

namespace makzero::models {
namespace {

constexpr std::size_t kNameWidth = 14;

std::string or_unknown(const std::string& text) { return text.empty() ? "unknown" : text; }

std::uint64_t element_count(const TensorEntry& entry) {
  std::uint64_t count = 1;
  for (const std::int64_t size : entry.shape()) count *= static_cast<std::uint64_t>(size);
  return count;
}

std::string network_text(const NetworkArchitecture& size) {
  return fmt::format("{} blocks x {} channels, attention {}, hidden {}", size.blocks(), size.channels(),
                     size.attention(), size.hidden());
}

// One line per group: "model: 45 tensors, 123456 numbers, 482 KiB".
std::string tensors_text(const Manifest& manifest) {
  struct Sum {
    std::uint64_t tensors = 0, numbers = 0;
  };
  std::map<std::string, Sum> groups;
  for (const TensorEntry& entry : manifest.tensors()) {
    Sum& sum = groups[entry.group()];
    ++sum.tensors;
    sum.numbers += element_count(entry);
  }
  std::vector<std::string> lines;
  lines.reserve(groups.size());
  for (const auto& [name, sum] : groups) {
    lines.push_back(fmt::format("{}: {} tensors, {} numbers, {}", name, sum.tensors, sum.numbers,
                                size_text(sum.numbers * sizeof(float))));
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::string search_text(const Manifest& manifest) {
  const mcts::SearchOptions search = search_options(manifest);
  std::vector<std::string> constants;
  for (const auto& [name, member] : mcts::kSearchConstants)
    constants.push_back(fmt::format("{} {}", name, search.*member));
  return fmt::format("{}", fmt::join(constants, ", "));
}

std::string rules_text(const Manifest& manifest) {
  const std::string& trained = manifest.rules_validation();
  const std::string ours = rules_validation(manifest.ruleset());
  if (trained.empty()) return "not validated when it was trained";
  if (trained == ours) return fmt::format("validation record {}, that of this program", trained);
  return fmt::format(
      "validation record {}, but that of this program is {}:\nthe rules, or what they were compared with, "
      "have "
      "changed since; it can still be played",
      trained, ours.empty() ? "missing" : ours);
}

void add_manifest(const Manifest& manifest, FactSheet* sheet) {
  sheet->add("ruleset", or_unknown(manifest.ruleset()));
  sheet->add("rules", rules_text(manifest));
  sheet->add("network", network_text(manifest.architecture()));
  sheet->add("planes", fmt::format("{}: {}", manifest.planes_size(), fmt::join(manifest.planes(), ", ")));
  if (manifest.rule_features_size() > 0)
    sheet->add("rule features", fmt::format("{}: {}", manifest.rule_features_size(),
                                            fmt::join(manifest.rule_features(), ", ")));
  sheet->add("encoder", fmt::format("version {}, move index version {}", manifest.encoder_version(),
                                    manifest.move_index_version()));
  sheet->add("generation", std::to_string(manifest.generation()));
  sheet->add("trained",
             fmt::format("{} steps, {} games, {} evaluations, {:.1f} minutes", manifest.steps(),
                         manifest.games(), manifest.evaluations(), manifest.seconds_trained() / 60));
  if (!manifest.command().empty()) sheet->add("command", manifest.command());
  if (!manifest.device().empty()) sheet->add("device", manifest.device());
  if (!manifest.data_hash().empty())
    sheet->add("data", fmt::format("{} rows, hash {}", manifest.rows(), manifest.data_hash()));
  sheet->add("parent", manifest.parent().empty() ? "none" : manifest.parent());
  sheet->add("made", fmt::format("{} by version {}", time_text(manifest.created_unix()),
                                 or_unknown(manifest.commit())));
  sheet->add("search", search_text(manifest));
  sheet->add("tensors", tensors_text(manifest));
  if (!manifest.config().empty()) sheet->add("config", manifest.config());
}

std::string title(const std::filesystem::path& path, FileKind kind) {
  return fmt::format("{} {}: {}, every byte verified", kind_text(kind), path.string(),
                     size_text(std::filesystem::file_size(path)));
}

void add_small_network(const mcts::SmallNetwork& network, FactSheet* sheet) {
  sheet->add("small network", small_network_id(network) + " of " + network.game);
  sheet->add("source", or_unknown(network.source));
  sheet->add("hidden units", fmt::format("{} of each point of view", mcts::kSmallHidden));
  sheet->add("inputs", fmt::format("{}", fmt::join(network.inputs, ", ")));
  sheet->add("rule features",
             fmt::format("{}: {}", network.rule_features.size(), fmt::join(network.rule_features, ", ")));
}

std::string inspect_model(const std::filesystem::path& path, FileKind kind) {
  const Model model = read_model(path);
  FactSheet sheet(title(path, kind));
  sheet.add("id", model.id());
  sheet.add("name", readable_name(model.manifest));
  if (!model.tower.weights.empty()) add_manifest(model.manifest, &sheet);
  for (const mcts::SmallNetwork& network : model.small_networks) add_small_network(network, &sheet);
  if (model.card)
    sheet.add("model card", fmt::format("{} matches, {} positions: --json", model.card->matches_size(),
                                        model.card->positions_size()));
  return sheet.text();
}

std::string inspect_learner_state(const std::filesystem::path& path) {
  Manifest manifest;
  read_learner_state(path, &manifest);
  FactSheet sheet(title(path, FileKind::kLearnerState));
  add_manifest(manifest, &sheet);
  return sheet.text();
}

std::string inspect_frames(const std::filesystem::path& path, FileKind kind) {
  FrameReader reader(path, kind);
  std::uint64_t frames = 0, plain = 0;
  for (; const std::optional<std::string> frame = reader.next(); ++frames) plain += frame->size();
  if (!reader.damage().empty()) throw Error(path, reader.damage());
  FactSheet sheet(title(path, kind));
  sheet.add("frames", fmt::format("{}, {} uncompressed", frames, size_text(plain)));
  return sheet.text();
}

}  // namespace

FactSheet::FactSheet(std::string_view title) : text_(printable(title) + "\n") {}

void FactSheet::add(std::string_view name, std::string_view value) {
  while (value.ends_with('\n')) value.remove_suffix(1);
  text_ += fmt::format("  {:<{}}", printable(name), kNameWidth);
  const std::string indent = "\n" + std::string(2 + kNameWidth, ' ');
  for (const char letter : printable(value)) {
    if (letter == '\n') {
      text_ += indent;
    } else {
      text_ += letter;
    }
  }
  text_ += '\n';
}

std::string size_text(std::uint64_t bytes) {
  static constexpr double kKibi = 1024;
  const auto size = static_cast<double>(bytes);
  if (size < kKibi) return fmt::format("{} bytes", bytes);
  if (size < kKibi * kKibi) return fmt::format("{:.1f} KiB", size / kKibi);
  if (size < kKibi * kKibi * kKibi) return fmt::format("{:.1f} MiB", size / kKibi / kKibi);
  return fmt::format("{:.1f} GiB", size / kKibi / kKibi / kKibi);
}

std::string time_text(std::int64_t unix_seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(unix_seconds)));
}

std::string inspect_file(const std::filesystem::path& path) {
  const FileKind kind = file_kind(path);
  if (kind == FileKind::kCheckpoint || kind == FileKind::kSmallNetwork) return inspect_model(path, kind);
  if (kind == FileKind::kLearnerState) return inspect_learner_state(path);
  return inspect_frames(path, kind);
}

std::string model_card_json(const std::filesystem::path& path) {
  const Model model = read_head(path);
  if (!model.card) throw Error(path, "has no model card: `makzero publish` makes one");
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string json;
  const auto status = google::protobuf::util::MessageToJsonString(*model.card, &json, options);
  if (!status.ok()) throw Error(path, "its model card cannot be printed: " + status.ToString());
  return json;
}

}  // namespace makzero::models
