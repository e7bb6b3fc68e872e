#include "game/catalog.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <map>
#include <utility>

#include "game/embedded_text.h"
#include "game/notation.h"
#include "game/options.h"
#include "game/plain_text.h"
#include "game/rules/games.h"

namespace makzero::game {
namespace {

// A named ruleset, the game that it is one of, the function that makes it, and how sources spell it besides
// its name and title.
struct Ruleset {
  std::string name;
  std::string game;
  decltype(Rulesets::make) make;
  std::vector<std::string> spellings;
};

const std::vector<Ruleset>& rulesets() {
  static const std::vector<Ruleset> kRulesets = [] {
    std::vector<Ruleset> table;
    const auto add = [&](const Rulesets& game, const std::vector<std::string>& spellings = {}) {
      for (const std::string& name : game.names) table.push_back({name, game.names.front(), game.make, {}});
      table[table.size() - game.names.size()].spellings = spellings;
    };
    add(makyek_rulesets(), {"Mak yaek", "Maak yek", "หมากแยก"});
    add(apit_rulesets(), {"Sodok", "Sodok Apit"});
    add(rek_rulesets(), {"រែក"});
    add(minrekchanh_rulesets());
    add(gala_rulesets());
    add(hunt_rulesets(), {"Mak-yek hunt"});
    add(makruk_rulesets(), {"Thai chess", "หมากรุก", "หมากรุกไทย"});
    add(makruk_sutra_rulesets());
    add(ok_rulesets(), {"Ouk", "Ok Chaktrang", "Ouk Chaktrang", "Ouk Chatrang", "หมากรุกเขมร", "អុកចត្រង្គ"});
    add(kaok_rulesets(), {"Ka Ouk", "Kar Ok"});
    add(low1839_rulesets(), {"Low", "Low's Mak Ruk of 1839"});
    return table;
  }();
  return kRulesets;
}

// What all spellings of a name have in common: "okchaktrang" of "Ok-Chaktrang".
std::string squeezed(std::string_view name) {
  std::string letters;
  for (const char letter : name) {
    if (letter == ' ' || letter == '-' || letter == '_') continue;
    letters += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return letters;
}

// Every ruleset by its squeezed name, title and spellings. A title that rulesets share is the first one's.
const std::map<std::string, const Ruleset*>& known_names() {
  static const std::map<std::string, const Ruleset*> kNames = [] {
    std::map<std::string, const Ruleset*> names;
    for (const Ruleset& ruleset : rulesets()) names.emplace(squeezed(ruleset.name), &ruleset);
    for (const Ruleset& ruleset : rulesets()) {
      names.emplace(squeezed((*ruleset.make(ruleset.name, {}))->info().title), &ruleset);
      for (const std::string& spelling : ruleset.spellings) names.emplace(squeezed(spelling), &ruleset);
    }
    return names;
  }();
  return kNames;
}

std::string_view without_options(std::string_view spec) { return spec.substr(0, spec.find(':')); }

// The ruleset that a text names; null where there is none.
const Ruleset* find_ruleset(std::string_view spec) {
  const auto found = known_names().find(squeezed(without_options(spec)));
  return found == known_names().end() ? nullptr : found->second;
}

// The text of that name; empty where there is none.
std::string_view text_of(std::span<const EmbeddedText> texts, std::string_view name) {
  for (const EmbeddedText& each : texts) {
    if (each.name == name) return each.text;
  }
  return {};
}

// Splits "a=1,b=2"; adds a reason for every piece that is not NAME=VALUE, an empty one too, and for a name
// that stands there twice.
OptionTexts split_options(std::string_view text, std::vector<std::string>* reasons) {
  OptionTexts options;
  for (const std::string_view piece : split(text, ',')) {
    const size_t equals = piece.find('=');
    if (piece.empty()) {
      reasons->push_back("an option is missing behind ':' or ',': write GAME or GAME:NAME=VALUE,...");
    } else if (equals == std::string_view::npos || equals == 0) {
      reasons->push_back("option '" + std::string(piece) + "' has no value: write NAME=VALUE");
    } else if (const std::string name(piece.substr(0, equals));
               std::any_of(options.begin(), options.end(),
                           [&](const auto& option) { return option.first == name; })) {
      reasons->push_back("option '" + name + "' is given twice: leave one out");
    } else {
      options.emplace_back(name, piece.substr(equals + 1));
    }
  }
  return options;
}

}  // namespace

const std::vector<std::string>& ruleset_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Ruleset& ruleset : rulesets()) names.push_back(ruleset.name);
    return names;
  }();
  return kNames;
}

std::string_view ruleset_name(std::string_view spec) {
  const Ruleset* ruleset = find_ruleset(spec);
  return ruleset ? ruleset->name : without_options(spec);
}

std::string_view game_of(std::string_view spec) {
  const Ruleset* ruleset = find_ruleset(spec);
  return ruleset ? std::string_view(ruleset->game) : std::string_view();
}

std::vector<std::string> family_games(std::string_view family) {
  std::vector<std::string> games;
  for (const Ruleset& ruleset : rulesets()) {
    if (ruleset.name == ruleset.game && (*ruleset.make(ruleset.name, {}))->info().family == family)
      games.push_back(ruleset.game);
  }
  return games;
}

std::vector<std::string> rulesets_of(std::string_view game) {
  std::vector<std::string> names;
  for (const Ruleset& ruleset : rulesets()) {
    if (ruleset.game == game) names.push_back(ruleset.name);
  }
  return names;
}

std::string_view rules_text(std::string_view spec) {
  const std::string_view text = text_of(rules_texts(), game_of(spec));
  assert(!text.empty());
  return text;
}

std::string_view certificate(std::string_view spec) { return text_of(certificates(), game_of(spec)); }

Parsed<GamePtr> make_game(std::string_view spec) {
  const std::string name(without_options(spec));
  std::vector<std::string> reasons;
  OptionTexts options;
  if (name.size() < spec.size()) options = split_options(spec.substr(name.size() + 1), &reasons);
  if (!reasons.empty()) return Parsed<GamePtr>::failure(std::move(reasons));
  if (const Ruleset* ruleset = find_ruleset(name)) return ruleset->make(ruleset->name, options);
  const std::string near = did_you_mean(name, ruleset_names());
  return Parsed<GamePtr>::failure(
      {"unknown game '" + name + "'" + (near.empty() ? ": `makzero games` lists all" : near)});
}

Parsed<std::vector<GamePtr>> make_games(std::string_view specs) {
  if (const Parsed<GamePtr> one = make_game(specs)) return std::vector{*one};  // Titles may have commas.
  if (const std::vector<std::string> family = family_games(specs); !family.empty()) {
    std::vector<GamePtr> games;
    games.reserve(family.size());
    for (const std::string& name : family) games.push_back(*make_game(name));
    return games;
  }
  std::vector<std::string> each;
  for (const std::string_view piece : split(specs, ',')) {
    const bool option =
        piece.find('=') != std::string_view::npos && piece.find(':') == std::string_view::npos;
    if (option && !each.empty())
      each.back().append(",").append(piece);
    else
      each.emplace_back(piece);
  }
  std::vector<GamePtr> games;
  std::vector<std::string> reasons;
  for (const std::string& spec : each) {
    const Parsed<GamePtr> game = make_game(spec);
    if (!game) {
      reasons.insert(reasons.end(), game.reasons().begin(), game.reasons().end());
      continue;
    }
    const std::string& ruleset = (*game)->info().ruleset;
    if (std::any_of(games.begin(), games.end(),
                    [&](const GamePtr& known) { return known->info().ruleset == ruleset; }))
      reasons.push_back("'" + ruleset + "' is named twice");
    games.push_back(*game);
  }
  if (!reasons.empty()) return Parsed<std::vector<GamePtr>>::failure(std::move(reasons));
  return games;
}

std::string with_option(std::string_view ruleset, std::string_view option) {
  std::string text(ruleset);
  text += ruleset.find(':') == std::string_view::npos ? ':' : ',';
  return text.append(option);
}

std::string material_result_ruleset(const GameInfo& info) {
  const OptionInfo* option = material_result_option(info);
  if (!option || option->value == "material") return {};
  const std::string ruleset = with_option(info.ruleset, "limit_result=material");
  const GamePtr game = *make_game(ruleset);
  return material_lead(game->info(), game->initial()) == 0 ? ruleset : std::string();
}

bool differ_in_limits_alone(const GameInfo& a, const GameInfo& b) {
  static constexpr std::string_view kLimits[] = {"repetition", "no_progress", "max_plies"};
  if (ruleset_name(a.ruleset) != ruleset_name(b.ruleset)) return false;
  return std::equal(a.options.begin(), a.options.end(), b.options.begin(), b.options.end(),
                    [](const OptionInfo& one, const OptionInfo& other) {
                      const bool limit =
                          std::find(std::begin(kLimits), std::end(kLimits), one.name) != std::end(kLimits);
                      return one.name == other.name && (limit || one.value == other.value);
                    });
}

std::string game_list(const std::vector<GamePtr>& games) {
  std::string text;
  for (const GamePtr& game : games) text += (text.empty() ? "" : ",") + game->info().ruleset;
  return text;
}

}  // namespace makzero::game
