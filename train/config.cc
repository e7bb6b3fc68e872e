#include "train/config.h"

#include <fmt/format.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "game/catalog.h"
#include "game/notation.h"
#include "nn/heads.h"
#include "train/presets.h"

namespace makzero::train {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::TextFormat;

// The numbers that make sense, ends included.
struct Range {
  const char* key;
  double minimum, maximum;
};

constexpr Range kRanges[] = {
    {"threads", 0, 1024},
    {"generations", 0, 1e12},
    {"evaluations", 0, 1e15},
    {"network.blocks", 1, 100},
    {"network.channels", 8, 1024},
    {"network.attention", 4, 1024},
    {"network.hidden", 4, 4096},
    {"search.max_considered_actions", 1, 512},
    {"search.c_scale", 0, 100},
    {"search.c_visit", 0, 10000},
    {"search.cpuct", 0, 100},
    {"search.fpu_reduction", 0, 2},
    {"search.dirichlet_alpha", 0, 100},
    {"search.noise_fraction", 0, 1},
    {"search.temperature_plies", 0, 10000},
    {"search.draw_score", -1, 1},
    {"search.moves_left_weight", 0, 1},
    {"learning.policy_surprise_weight", 0, 1},
    {"learning.reanalyze_fraction", 0, 100},
    {"rulesets.material_result_share", 0, 1},
    {"opening.random_plies", 0, 1000},
    {"opening.reduced_material_share", 0, 1},
    {"opening.odds_share", 0, 1},
    {"opening.endgame_share", 0, 1},
    {"opening.odds_pieces", 1, 32},
    {"self_play.simulations", 1, 1000000},
    {"self_play.games_per_thread", 1, 65536},
    {"self_play.games", 0, 1e6},
    {"self_play.threads", -1, 1024},
    {"self_play.max_batch", 1, 65536},
    {"self_play.max_game_length", 0, 30000},
    {"self_play.shortest_length_share", 0, 1},
    {"self_play.playout_cap_full_share", 0.001, 1},
    {"self_play.playout_cap_fast_simulations", 1, 1000000},
    {"self_play.bootstrap_simulations", 0, 1000000},
    {"self_play.material_blend_weight", 0, 1},
    {"self_play.material_blend_generations", 0, 1e6},
    {"replay.games_per_shard", 1, 10000000},
    {"replay.minimum_window", 1, 1e12},
    {"replay.maximum_window", 1, 1e12},
    {"replay.window_exponent", 0, 1},
    {"replay.validation_share", 0, 0.5},
    {"learning.rows_per_generation", 1, 1e12},
    {"learning.bootstrap_rows", 1, 1e12},
    {"learning.replay_ratio", 0.001, 1000},
    {"learning.batch", 1, 1 << 20},
    {"learning.threads", 0, 1024},
    {"learning.learning_rate", 1e-9, 10},
    {"learning.warmup_steps", 0, 1e9},
    {"learning.final_learning_rate", 0, 1},
    {"learning.time_decay_begin", 0, 1},
    {"learning.weight_decay", 0, 10},
    {"learning.gradient_clip", 1e-6, 1e6},
    {"learning.ema_decay", 0, 0.999999},
    {"learning.q_ratio", 0, 1},
    {"learning.adjudicated_win_value", 0, 1},
    {"learning.adjudicated_lead", 0, 1000},
    {"learning.short_term_horizon", 1, 1000},
    {"rating.time_share", 0, 1},
    {"rating.games", 2, 100000},
    {"rating.simulations", 1, 1000000},
    {"rating.opening_plies", 0, 1000},
    {"rating.earlier_generations", 1, 100000},
    {"leaf_log.share", 0, 1},
    {"leaf_log.gigabytes", 0.001, 1e6},
};

constexpr double kMostLossWeight = 1000;

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
    {"reanalysed_share", "reanalyze_fraction"},
    {"surprise_share", "policy_surprise_weight"},
};

// The present name of a key.
std::string_view present_name(std::string_view key) {
  for (const FormerName& former : kFormerNames) {
    if (former.before == key) return former.now;
  }
  return key;
}

// The text with the present names of its keys; quoted values and comments stay as they are.
std::string with_present_names(std::string_view text) {
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
      renamed += present_name(text.substr(at, end - at));
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

std::vector<std::string> range_reasons(const Config& config) {
  std::vector<std::string> reasons;
  const auto check = [&](const std::string& key, double minimum, double maximum) {
    const std::string value = config_value(config, key);
    const double number = std::stod(value);
    if (number >= minimum && number <= maximum) return;
    reasons.push_back(fmt::format("{} = {} is out of range: {} to {}", key, value, minimum, maximum));
  };
  for (const Range& range : kRanges) check(range.key, range.minimum, range.maximum);
  for (const nn::HeadInfo& head : nn::kHeads)
    check(fmt::format("learning.{}_weight", head.name), 0, kMostLossWeight);
  return reasons;
}

// The name behind the dot of the texts that hold for a game.
std::string_view family_of(const game::GameInfo& info) {
  if (info.kinds.find('P') != std::string::npos) return "chess";
  return info.kinds.find('H') != std::string::npos ? "hunt" : "custodial";
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
  const std::string_view family = family_of((*game)->info());
  const std::string of_family = fmt::format("family.{}", family),
                    of_both = fmt::format("{}.{}", preset, family);
  Config config;
  bool known = false;
  std::vector<std::string> names;
  for (const game::EmbeddedText& row : presets()) {
    const size_t dot = row.name.find('.');
    if (dot == std::string_view::npos) names.emplace_back(row.name);
    if (row.name != preset && row.name != of_family && row.name != of_both) continue;
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
  fill_in(&config);
  return config;
}

game::Parsed<Config> parse_config(std::string_view text, std::string_view source) {
  ReasonCollector collector{std::string(source)};
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&collector);
  Config config;
  if (!parser.ParseFromString(with_present_names(text), &config))
    return game::Parsed<Config>::failure(collector.reasons());
  return config;
}

game::Parsed<Config> override_config(Config config, const Overrides& overrides) {
  std::vector<std::string> reasons;
  for (const auto& [key, value] : overrides) set_value(key, value, &config, &reasons);
  fill_in(&config);
  for (std::string& reason : range_reasons(config)) reasons.push_back(std::move(reason));
  if (!nn::parse_precision(config.precision()))
    reasons.push_back(fmt::format("precision is '{}': give {}", config.precision(), nn::kPrecisionNames));
  if (!reasons.empty()) return game::Parsed<Config>::failure(std::move(reasons));
  return config;
}

std::vector<std::string> config_keys() {
  std::vector<std::string> keys;
  list_keys(*Config::descriptor(), "", &keys);
  return keys;
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
    if (key != "game" && key != "preset" && !key.starts_with("network.")) continue;
    const std::string was = config_value(stored, key), is = config_value(wanted, key);
    if (was != is && !is_morphism(stored.network(), wanted.network(), key)) {
      reasons.push_back(fmt::format(
          "{} is {} in this run and cannot become {}: leave it out, or begin another run with --run", key,
          was, is));
    }
  }
  return reasons;
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
