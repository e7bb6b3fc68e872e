#include "train/self_play/ruleset_sampler.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "game/catalog.h"
#include "game/rule_features.h"

namespace makzero::train {
namespace {

using game::GameInfo;
using game::OptionInfo;

constexpr double kChangeProbability = 0.25;

// The options that held_out() does not look at.
constexpr std::string_view kLimitsAndStarts[] = {"repetition", "no_progress", "max_plies",
                                                 "setup",      "kings",       "takhaeng"};

struct Range {
  int least, greatest;
};

// The usual values of a number; `standard` is that of the game's default ruleset.
Range usual_range(const OptionInfo& option, int standard) {
  if (option.name == "repetition") return {2, 5};
  if (option.name == "no_progress") return {20, 200};
  return {std::max(standard / 2, option.minimum), std::min(2 * standard, option.maximum)};
}

int log_uniform(Range range, mcts::Rng* rng) {
  const double low = std::log(range.least), high = std::log(range.greatest);
  return static_cast<int>(std::lround(std::exp(low + rng->uniform() * (high - low))));
}

// Another value of an option than the one in use.
std::string other_value(const OptionInfo& option, int standard, mcts::Rng* rng) {
  for (;;) {
    std::string value = option.values.empty()
                            ? std::to_string(log_uniform(usual_range(option, standard), rng))
                            : option.values[rng->below(option.values.size())];
    if (value != option.value) return value;
  }
}

// The ruleset with every option changed with that probability; make_game() may refuse it.
std::string changed_ruleset(const GameInfo& named, const GameInfo& standard, mcts::Rng* rng) {
  std::string spec = named.ruleset;
  char separator = ':';
  for (size_t i = 0; i < named.options.size(); ++i) {
    if (rng->uniform() >= kChangeProbability) continue;
    const OptionInfo& option = named.options[i];
    const int number = option.values.empty() ? std::stoi(standard.options[i].value) : 0;
    spec += separator + option.name + "=" + other_value(option, number, rng);
    separator = ',';
  }
  return spec;
}

bool has_captures(const GameInfo& info) {
  const auto has = [&](std::string_view name) { return game::rule_feature(info, name) > 0; };
  return !has("custodian=none") || !has("intervention=none") || has("surround") || has("game=hunt");
}

bool has_draws(const GameInfo& info) { return info.repetition > 0 || info.no_progress > 0; }

// FNV-1a over bytes.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3u;
  return hash;
}

// The game and what differs from its default ruleset, limits and starts excepted: "makyek custodian=line".
// The same whatever named ruleset the text is based on, and whatever options the game gets later.
std::string rules_key(const GameInfo& info) {
  std::string key(game::game_of(info.ruleset));
  const game::GamePtr standard = *game::make_game(key);
  for (size_t i = 0; i < info.options.size(); ++i) {
    const OptionInfo& option = info.options[i];
    const bool skipped = std::find(std::begin(kLimitsAndStarts), std::end(kLimitsAndStarts), option.name) !=
                         std::end(kLimitsAndStarts);
    if (!skipped && option.value != standard->info().options[i].value)
      key += " " + option.name + "=" + option.value;
  }
  return key;
}

// A prefix by which no named ruleset is held out and between 1/200 and 1/20 of what is sampled of every game
// is.
constexpr std::string_view kSalt = "145 ";

bool is_held_out(const GameInfo& info) {
  return hash_of(std::string(kSalt) + rules_key(info)) >> 58 == 0;  // 1 in 64.
}

}  // namespace

std::string sample_ruleset(std::string_view game, mcts::Rng* rng) {
  const std::vector<std::string> named = game::rulesets_of(game);
  const std::uint64_t quarter = rng->below(4);
  if (quarter < 2 || (quarter == 2 && named.size() == 1)) return named.front();
  if (quarter == 2) return named[1 + rng->below(named.size() - 1)];
  const game::GamePtr standard = *game::make_game(named.front());
  for (;;) {
    const game::GamePtr base = *game::make_game(named[rng->below(named.size())]);
    const auto sampled = game::make_game(changed_ruleset(base->info(), standard->info(), rng));
    if (!sampled) continue;
    const GameInfo& info = (*sampled)->info();
    if (info.ruleset == base->info().ruleset || info.files != base->info().files) continue;
    if (has_captures(info) && has_draws(info) && !is_held_out(info)) return info.ruleset;
  }
}

bool held_out(std::string_view ruleset) { return is_held_out((*game::make_game(ruleset))->info()); }

}  // namespace makzero::train
