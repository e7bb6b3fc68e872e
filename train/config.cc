#include "train/config.h"

#include <fmt/format.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/plain_text.h"
#include "models/error.h"
#include "models/file_io.h"
#include "nn/processors.h"
#include "train/presets.h"
#include "train/rate_schedule.h"
#include "train/settings.h"

namespace makzero::train {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::TextFormat;

// Names that keys had in configurations of before, as runs and networks of the zoo store them. No other key
// has or had one of these names.
struct FormerName {
  std::string_view before, now;
};

constexpr FormerName kFormerNames[] = {
    {"root", "algorithm"},
    {"considered_moves", "max_considered_actions"},
    {"value_scale", "c_scale"},
    {"visit_offset", "c_visit"},
    {"exploration", "cpuct"},
    {"unvisited_reduction", "fpu_reduction"},
    {"dirichlet_weight", "noise_fraction"},
    {"thinned_share", "reduced_material_share"},
    {"unbalanced_share", "odds_share"},
    {"unbalanced_pieces", "odds_pieces"},
    {"ending_share", "endgame_share"},
    {"ply_cap", "max_game_length"},
    {"stagger_caps", "stagger_game_lengths"},
    {"first_evaluator", "bootstrap_evaluator"},
    {"first_simulations", "bootstrap_simulations"},
    {"material_share", "material_blend_weight"},
    {"full_search_share", "playout_cap_full_share"},
    {"fast_simulations", "playout_cap_fast_simulations"},
    {"first_generation_rows", "bootstrap_rows"},
    {"samples_per_row", "replay_ratio"},
    {"value_mix", "q_ratio"},
    {"surprise_share", "policy_surprise_weight"},
};

// A key that no configuration has any more, and the value that stands for what the program does without it.
// Its number and name, or those of its section, are reserved in the schema. No other key has or had its name.
struct DeletedKey {
  std::string_view section, name, constant;
};

constexpr DeletedKey kDeletedKeys[] = {
    {"self_play", "playout_cap_full_share", "1"},
    {"self_play", "playout_cap_fast_simulations", "8"},
    {"search", "reuse_tree", "true"},
    {"self_play", "stagger_game_lengths", "true"},
    {"self_play", "shortest_length_share", "0.4"},
    {"self_play", "material_blend_generations", "4"},
    {"self_play", "material_blend_weight", "0"},
    {"replay", "window_exponent", "0.65"},
    {"learning", "final_learning_rate", "0.1"},
    {"learning", "time_decay_begin", "0.5"},
    {"learning", "gradient_clip", "1"},
    {"learning", "short_term_horizon", "8"},
    {"learning", "policy_weight", "1"},
    {"learning", "value_weight", "1"},
    {"rating", "earlier_generations", "10"},
    {"leaf_log", "on", "false"},
};

// The present name of a key.
std::string_view present_name(std::string_view key) {
  for (const FormerName& former : kFormerNames) {
    if (former.before == key) return former.now;
  }
  return key;
}

// The value behind the name of a field.
std::string_view value_at(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(": \t\r\n"), text.size()));
  return text.substr(0, text.find_first_of(",;#} \t\r\n"));
}

// The text with the present names of its keys; quoted values and comments stay as they are. `unused`: see
// parse_config().
std::string with_present_names(std::string_view text, std::string_view source,
                               std::vector<std::string>* unused) {
  const auto in_word = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
  };
  std::string renamed;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    if (text[at] == '"' || text[at] == '#') {
      const char last = text[at] == '"' ? '"' : '\n';
      while (end < text.size() && text[end] != last) end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      renamed += text.substr(at, end - at);
    } else {
      while (in_word(text[at]) && end < text.size() && in_word(text[end])) ++end;
      const std::string_view name = present_name(text.substr(at, end - at)),
                             value = value_at(text.substr(end));
      const auto* deleted = std::ranges::find(kDeletedKeys, name, &DeletedKey::name);
      if (unused && deleted != std::end(kDeletedKeys) && value != deleted->constant)
        unused->push_back(fmt::format("{}: {}.{} = {} has no effect any more: the key was deleted", source,
                                      deleted->section, name, value));
      renamed += name;
    }
    at = end;
  }
  return renamed;
}

// A key looked up in a message: the field and the message that holds it.
struct Place {
  Message* message = nullptr;
  const FieldDescriptor* field = nullptr;
};

// The place of a key with dots, or none where no such field exists.
std::optional<Place> find_place(std::string_view key, Message* message) {
  const size_t dot = key.find('.');
  const FieldDescriptor* field = message->GetDescriptor()->FindFieldByName(std::string(key.substr(0, dot)));
  if (!field) return std::nullopt;
  const bool section = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
  if (section != (dot != std::string_view::npos)) return std::nullopt;
  if (!section) return Place{message, field};
  return find_place(key.substr(dot + 1), message->GetReflection()->MutableMessage(message, field));
}

// REQUIRES: the key is one of config_keys().
const FieldDescriptor& field_of_key(std::string_view key) {
  const size_t dot = key.find('.');
  const FieldDescriptor* field = Config::descriptor()->FindFieldByName(std::string(key.substr(0, dot)));
  if (dot == std::string_view::npos) return *field;
  return *field->message_type()->FindFieldByName(std::string(key.substr(dot + 1)));
}

void list_keys(const Descriptor& descriptor, const std::string& prefix, std::vector<std::string>* keys) {
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor& field = *descriptor.field(i);
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
      list_keys(*field.message_type(), prefix + field.name() + ".", keys);
    else
      keys->push_back(prefix + field.name());
  }
}

std::string suggestion(std::string_view name, const std::vector<std::string>& names) {
  const std::string nearest = game::nearest_name(name, names);
  return nearest.empty() ? "" : " (did you mean '" + nearest + "'?)";
}

// The names of the sections and of all their fields: what a key of a text file may be.
std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const std::string& key : config_keys()) {
    const size_t dot = key.find('.');
    if (dot != std::string::npos) names.push_back(key.substr(0, dot));
    names.push_back(dot == std::string::npos ? key : key.substr(dot + 1));
  }
  return names;
}

// Turns the parser's remarks into reasons with place and suggestion.
class ReasonCollector : public google::protobuf::io::ErrorCollector {
 public:
  explicit ReasonCollector(std::string source) : source_(std::move(source)) {}

  void AddError(int line, int column, const std::string& message) override {
    const std::string place =
        line < 0 ? source_ : source_ + ":" + std::to_string(line + 1) + ":" + std::to_string(column + 1);
    reasons_.push_back(place + ": " + explain(message));
  }

  const std::vector<std::string>& reasons() const { return reasons_; }

 private:
  // `Message type "makzero.train.Config" has no field named "x".` and `Unknown enumeration value of "X" for
  // field "root".`
  static std::string explain(const std::string& message) {
    const size_t named = message.find("has no field named \"");
    if (named == std::string::npos) return message;
    const size_t begin = message.find('"', named) + 1;
    const std::string key = message.substr(begin, message.find('"', begin) - begin);
    return "unknown key '" + key + "'" + suggestion(key, field_names());
  }

  std::string source_;
  std::vector<std::string> reasons_;
};

// "GUMBEL, PUCT".
std::string names_of(const google::protobuf::EnumDescriptor& choices) {
  std::string names;
  for (int i = 0; i < choices.value_count(); ++i) names += (i ? ", " : "") + choices.value(i)->name();
  return names;
}

// Stores the value text of one flag; adds the reason why it cannot.
void set_value(const std::string& key, const std::string& value, Config* config,
               std::vector<std::string>* reasons) {
  const std::optional<Place> place = find_place(key, config);
  if (!place) {
    reasons->push_back("unknown key '" + key + "'" + suggestion(key, config_keys()));
    return;
  }
  const bool text = place->field->cpp_type() == FieldDescriptor::CPPTYPE_STRING;
  if (text) {
    place->message->GetReflection()->SetString(place->message, place->field, value);
    return;
  }
  ReasonCollector collector("--" + key);
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&collector);
  if (parser.ParseFieldValueFromString(value, place->field, place->message)) return;
  const auto* choices = place->field->enum_type();
  reasons->push_back(fmt::format("--{}={} is not {}", key, value,
                                 choices ? "one of " + names_of(*choices)
                                         : fmt::format("a value of type {}", place->field->cpp_type_name())));
}

// Gives every field its default, so that the written configuration says everything.
void fill_in(Message* message) {
  const auto* reflection = message->GetReflection();
  const Descriptor* descriptor = message->GetDescriptor();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const FieldDescriptor* field = descriptor->field(i);
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      fill_in(reflection->MutableMessage(message, field));
      continue;
    }
    if (reflection->HasField(*message, field)) continue;
    std::string text;
    TextFormat::PrintFieldValueToString(*message, field, -1, &text);
    TextFormat::Parser().ParseFieldValueFromString(text, field, message);
  }
}

void fill_in_all(Config* config) {
  fill_settings(nn::NetworkArchitecture(), kNetworkSettings, config->mutable_network());
  fill_settings(mcts::SearchOptions(), kSearchSettings, config->mutable_search());
  fill_settings(mcts::SearchOptions(), mcts::kSearchConstants, config->mutable_search());
  fill_settings(nn::LearnerOptions(), kLearnerSettings, config->mutable_learning());
  fill_loss_weights(config->mutable_learning());
  fill_in(config);
}

std::vector<std::string> range_reasons(const Config& config) {
  std::vector<std::string> reasons;
  for (const std::string& key : config_keys()) {
    const auto& options = field_of_key(key).options();
    if (!options.HasExtension(min)) continue;
    const std::string value = config_value(config, key);
    const double number = std::stod(value), least = options.GetExtension(min),
                 most = options.GetExtension(max);
    if (number >= least && number <= most) continue;
    reasons.push_back(fmt::format("{} = {} is out of range: {} to {}", key, value, least, most));
  }
  return reasons;
}

// The name behind the dot of the texts that hold for a game.
std::string_view preset_family(const game::GameInfo& info) {
  return info.has_hunter ? std::string_view("hunt") : info.family;
}

// Whether a key's change only asks for a larger network, into which the one of the run can grow.
bool is_morphism(const NetworkConfig& stored, const NetworkConfig& wanted, const std::string& key) {
  if (key == "network.blocks") return stored.blocks() < wanted.blocks();
  return key == "network.channels" && stored.channels() < wanted.channels();
}

}  // namespace

game::Parsed<Config> preset_config(std::string_view preset, std::string_view ruleset) {
  const game::Parsed<game::GamePtr> game = game::make_game(ruleset);
  if (!game) return game::Parsed<Config>::failure(game.reasons());
  const std::string_view family = preset_family((*game)->info());
  const std::string of_family = fmt::format("family.{}", family);
  Config config;
  bool known = false;
  std::vector<std::string> names;
  for (const game::EmbeddedText& row : presets()) {
    const size_t dot = row.name.find('.');
    if (dot == std::string_view::npos) names.emplace_back(row.name);
    const bool is_base = preset.starts_with(std::string(row.name) + '-');  // "gpu" of "gpu-small".
    if (row.name != preset && !is_base && row.name != of_family) continue;
    known = known || row.name == preset;
    game::Parsed<Config> part = parse_config(row.text, row.name);
    if (!part) return part;
    config.MergeFrom(*part);
  }
  if (!known) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return game::Parsed<Config>::failure(
        {"unknown preset '" + std::string(preset) + "'" + suggestion(preset, names) + "; presets: " + all});
  }
  config.set_game(std::string(ruleset));
  config.set_preset(std::string(preset));
  fill_in_all(&config);
  return config;
}

game::Parsed<Config> parse_config(std::string_view text, std::string_view source,
                                  std::vector<std::string>* unused) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return game::Parsed<Config>::failure({fmt::format("{}: is empty", source)});
  ReasonCollector collector{std::string(source)};
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&collector);
  Config config;
  if (!parser.ParseFromString(with_present_names(text, source, unused), &config))
    return game::Parsed<Config>::failure(collector.reasons());
  return config;
}

Config read_config(const std::filesystem::path& file, std::vector<std::string>* unused) {
  const auto config = parse_config(game::plain_text(models::read_text_file(file)), file.string(), unused);
  if (!config)
    throw models::Error(config.why() + "; `makzero fsck --repair` on the run takes it from a checkpoint");
  return *config;
}

game::Parsed<Config> override_config(Config config, const Overrides& overrides) {
  std::vector<std::string> reasons;
  for (const auto& [key, value] : overrides) set_value(key, value, &config, &reasons);
  fill_in_all(&config);
  for (std::string& reason : range_reasons(config)) reasons.push_back(std::move(reason));
  if (!nn::parse_precision(config.precision()))
    reasons.push_back(fmt::format("precision is '{}': give {}", config.precision(), nn::kPrecisionNames));
  const auto schedule = RateSchedule::parse(config.learning().schedule());
  reasons.insert(reasons.end(), schedule.reasons().begin(), schedule.reasons().end());
  if (!reasons.empty()) return game::Parsed<Config>::failure(std::move(reasons));
  return config;
}

bool trains_tower(const Config& config) { return config.self_play().small_share() < 1; }

float small_row_share(const Config& config) {
  return config.self_play().small_share() > 0 ? config.learning().small_row_share() : 0;
}

RateSchedule schedule_of(const Config& config) {
  const auto schedule = RateSchedule::parse(config.learning().schedule());
  return schedule ? *schedule : RateSchedule();
}

std::vector<std::string> config_keys() {
  std::vector<std::string> keys;
  list_keys(*Config::descriptor(), "", &keys);
  return keys;
}

std::vector<SettingRow> setting_rows() {
  Config defaults;
  fill_in_all(&defaults);
  std::vector<SettingRow> rows;
  for (const std::string& key : config_keys()) {
    const FieldDescriptor& field = field_of_key(key);
    SettingRow row{key, config_value(defaults, key), "", field.options().GetExtension(meaning)};
    if (field.options().HasExtension(min)) {
      row.values =
          fmt::format("{} to {}", field.options().GetExtension(min), field.options().GetExtension(max));
    } else if (field.enum_type()) {
      row.values = names_of(*field.enum_type());
    } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_BOOL) {
      row.values = "true, false";
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string present_key(const std::string& key) {
  const size_t name = key.rfind('.') + 1;
  return key.substr(0, name) + std::string(present_name(std::string_view(key).substr(name)));
}

std::string config_value(const Config& config, const std::string& key) {
  Config copy = config;
  const std::optional<Place> place = find_place(key, &copy);
  std::string text;
  TextFormat::PrintFieldValueToString(*place->message, place->field, -1, &text);
  return text;
}

int thread_count(const Config& config) {
  if (config.deterministic()) return 1;
  return config.threads() > 0 ? config.threads() : nn::usable_processors();
}

nn::Backend backend_of(const Config& config, const std::string& device) {
  return {device, nn::parse_precision(config.precision()).value_or(nn::Precision::kAuto)};
}

std::string config_text(const Config& config) {
  std::string text;
  TextFormat::PrintToString(config, &text);
  return text;
}

std::vector<std::string> incompatible_changes(const Config& stored, const Config& wanted) {
  std::vector<std::string> reasons;
  for (const std::string& key : config_keys()) {
    const bool is_fixed = key == "game" || key == "preset" || key == "from" || key.starts_with("network.") ||
                          (key == "self_play.small_share" && (trains_tower(stored) != trains_tower(wanted) ||
                                                              wanted.self_play().small_share() == 0));
    if (!is_fixed) continue;
    const std::string was = config_value(stored, key), is = config_value(wanted, key);
    if (was != is && !is_morphism(stored.network(), wanted.network(), key)) {
      reasons.push_back(fmt::format(
          "{} is {} in this run and cannot become {}: leave it out, or begin another run with --run", key,
          was, is));
    }
  }
  return reasons;
}

std::string command_of(const Config& config) {
  std::string command = "makzero train " + config.game();
  const auto games = game::make_games(config.game());
  const std::string preset = config.preset().empty() ? "quick" : config.preset();
  const auto base = games ? preset_config(preset, games->front()->info().ruleset)
                          : game::Parsed<Config>::failure({games.why()});
  if (!base) return command;
  command += " --preset " + preset;
  for (const std::string& key : config_keys()) {
    if (key == "game" || key == "preset") continue;
    const std::string value = config_value(config, key);
    if (value != config_value(*base, key)) command += fmt::format(" --{}={}", key, value);
  }
  return command;
}

std::vector<std::string> config_changes(const Config& from, const Config& to) {
  std::vector<std::string> changes;
  for (const std::string& key : config_keys()) {
    const std::string was = config_value(from, key), is = config_value(to, key);
    if (was != is) changes.push_back(fmt::format("{}: {} -> {}", key, was, is));
  }
  return changes;
}

}  // namespace makzero::train
