#include "play/uci/uci_options.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "game/notation.h"
#include "game/plain_text.h"
#include "play/uci/uci_words.h"

namespace makzero::play {
namespace {

constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;
constexpr std::int64_t kUsualHash = 1024;  // Mebibytes.

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

bool limits_strength(const std::string& name) {
  return name == "UCI_LimitStrength" || name == "UCI_Elo" || name == "Level";
}

constexpr const char* kFullStrength = "full strength";

// The number of a level by name ("1 - beginner") or number; 0: full strength.
std::optional<std::int64_t> level_number(const std::string& text) {
  if (game::lowered(text) == kFullStrength) return 0;
  const std::optional<std::int64_t> number = game::parse_number<std::int64_t>(text.substr(0, text.find(' ')));
  return number && *number > 0 && *number <= INT32_MAX ? number : std::nullopt;
}

// Levels by name, for clients that show a list.
std::string level_choice(std::span<const models::PlayerLevel> levels, std::int64_t chosen) {
  std::string line = " type combo default ";
  const models::PlayerLevel* level = models::find_level(levels, static_cast<int>(chosen));
  line += (level ? models::level_name(level->level) : kFullStrength) + std::string(" var ") + kFullStrength;
  for (const models::PlayerLevel& each : levels) line += " var " + models::level_name(each.level);
  return line;
}

}  // namespace

UciOptions::UciOptions(const std::string& player, const nn::Backend& backend) {
  const auto spin = [this](const char* name, std::int64_t value, std::int64_t minimum, std::int64_t maximum,
                           Effect effect) {
    options_[name] = {Type::kSpin, value, minimum, maximum, {}, effect};
  };
  const auto check = [this](const char* name) { options_[name] = {.type = Type::kCheck, .maximum = 1}; };
  const auto text = [this](const char* name, const std::string& value) {
    options_[name] = {.type = Type::kText, .text = value, .effect = Effect::kEngine};
  };
  spin("Threads", 1, 1, 512, Effect::kEngine);
  spin("Seed", 1, 0, INT32_MAX, Effect::kEngine);
  spin("MultiPV", 1, 1, 256, Effect::kEngine);
  spin("Hash", kUsualHash, 1, 1 << 20, Effect::kEngine);
  spin("Move Overhead", 30, 0, 10'000, Effect::kNone);
  spin("Contempt", 0, -1000, 1000, Effect::kNone);
  spin("UCI_Elo", 0, -10'000, 10'000, Effect::kNone);
  check("Ponder");
  check("OwnBook");
  options_["OwnBook"].effect = Effect::kEngine;
  check("Endings");
  options_["Endings"].number = 1;
  options_["Endings"].effect = Effect::kEngine;
  check("UCI_ShowWDL");
  check("UCI_LimitStrength");
  options_["Level"] = {.type = Type::kLevel};
  text("WeightsFile", player);
  text("Device", backend.device);
  options_["Precision"] = {.type = Type::kChoice,
                           .text = std::string(nn::precision_name(backend.precision)),
                           .effect = Effect::kEngine,
                           .choices = {"auto", "fp32", "bf16", "fp16"}};
  options_["Clear Hash"] = {.type = Type::kButton, .effect = Effect::kClearHash};
}

UciOptions::Change UciOptions::set(const std::string& name, const std::string& text) {
  const auto found = std::find_if(
      options_.begin(), options_.end(),
      [small = game::lowered(name)](const auto& entry) { return game::lowered(entry.first) == small; });
  if (found == options_.end()) {
    std::vector<std::string> names = {"UCI_Variant"};
    for (const auto& [known, unused] : options_) names.push_back(known);
    return {Effect::kRefused, "unknown option '" + name + "'" + game::did_you_mean(name, names)};
  }
  Option& option = found->second;
  const std::string value(option.type == Type::kText ? text : game::trimmed(text));
  const std::string what = "option " + found->first + " is '" + value + "': ";
  if (option.type == Type::kText) {
    option.text = value == "<empty>" ? "" : value;
  } else if (option.type == Type::kChoice) {
    if (std::ranges::find(option.choices, value) == option.choices.end())
      return {Effect::kRefused, what + "give " + joined(option.choices, " or ")};
    option.text = value;
  } else if (option.type == Type::kLevel) {
    const std::optional<std::int64_t> number = level_number(value);
    if (!number) return {Effect::kRefused, what + "give " + kFullStrength + " or the number of a level"};
    option.number = *number;
  } else if (option.type == Type::kCheck) {
    if (value != "true" && value != "false") return {Effect::kRefused, what + "give true or false"};
    option.number = value == "true";
  } else if (option.type == Type::kSpin) {
    const auto number = nearest_number(value, option.minimum, option.maximum);
    const std::string wanted = what + "give a number from " + std::to_string(option.minimum) + " to " +
                               std::to_string(option.maximum);
    if (!number) return {Effect::kRefused, wanted};
    option.number = *number;
    if (game::parse_number<std::int64_t>(value) != number)
      return {option.effect, wanted + ": " + std::to_string(*number) + " is taken"};
  }
  return {option.effect, ""};
}

std::vector<std::string> UciOptions::lines(std::span<const models::PlayerLevel> levels) const {
  std::vector<std::string> lines;
  for (const auto& [name, option] : options_) {
    if (limits_strength(name) && levels.empty()) continue;
    std::string line = "option name " + name;
    if (option.type == Type::kButton) line += " type button";
    if (option.type == Type::kCheck)
      line += std::string(" type check default ") + (option.number ? "true" : "false");
    if (option.type == Type::kText)
      line += " type string default " + (option.text.empty() ? "<empty>" : option.text);
    if (option.type == Type::kChoice)
      line += " type combo default " + option.text + " var " + joined(option.choices, " var ");
    if (option.type == Type::kLevel) line += level_choice(levels, option.number);
    if (option.type == Type::kSpin) {
      // Weakest first.
      const bool elo = name == "UCI_Elo";
      const std::int64_t minimum = elo ? std::llround(levels.front().elo) : option.minimum;
      const std::int64_t maximum = elo ? std::llround(levels.back().elo) : option.maximum;
      line += " type spin default " + std::to_string(std::clamp(option.number, minimum, maximum)) + " min " +
              std::to_string(minimum) + " max " + std::to_string(maximum);
    }
    lines.push_back(line);
  }
  return lines;
}

EngineOptions UciOptions::engine() const {
  EngineOptions options;
  options.threads = static_cast<int>(number("Threads"));
  options.lines = static_cast<int>(number("MultiPV"));
  options.seed = static_cast<std::uint64_t>(number("Seed"));
  options.own_book = flag("OwnBook");
  options.endings = flag("Endings");
  options.backend = {text("Device"), *nn::parse_precision(text("Precision"))};
  options.memory = static_cast<std::size_t>(number("Hash") * kMebibyte);
  // The usual table is the one that other commands play with.
  if (number("Hash") != kUsualHash) options.table = options.memory;
  return options;
}

}  // namespace makzero::play
