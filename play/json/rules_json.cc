#include "play/json/rules_json.h"

#include <optional>
#include <string_view>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/rules_guide.h"

namespace makzero::play {
namespace {

using game::Bitboard;
using game::GuideBlock;
using game::GuideExample;
using game::Parsed;
using game::Position;
using nlohmann::json;

// What an example's move does; none where there is no such position.
struct Judgement {
  bool legal = false;
  Bitboard captures = 0;

  friend bool operator==(const Judgement&, const Judgement&) = default;
};

std::optional<Judgement> judge(const game::Game& rules, const GuideExample& example) {
  const Parsed<Position> before = game::parse_position(rules, example.position);
  if (!before) return std::nullopt;
  const Parsed<game::Move> move = game::parse_move(rules, *before, example.move);
  if (!move) return Judgement{};
  Position after = *before;
  rules.apply(*move, &after);
  return Judgement{true, before->enemy() & ~after.side[game::index(game::other(before->to_move))]};
}

json example_json(const GuideExample& example, const Judgement& here, bool as_written) {
  json captures = json::array();
  for (Bitboard rest = here.captures; rest;) captures.push_back(game::square_text(game::pop_first(&rest)));
  return {{"start", example.position},
          {"move", example.move},
          {"legal", here.legal},
          {"captures", std::move(captures)},
          {"remark", as_written ? example.remark : ""}};
}

// A board; null where this ruleset knows no such position.
json board_json(const game::Game& rules, const game::Game& standard, const GuideBlock& block) {
  const auto board_of = [](const std::string& text) { return text.substr(0, text.find(' ')); };
  const bool start = board_of(block.position) == board_of(game::position_text(standard, standard.initial()));
  if (start && block.examples.empty())
    return {{"position", game::position_text(rules, rules.initial())}, {"examples", json::array()}};
  if (!game::parse_position(rules, block.position)) return nullptr;
  json examples = json::array();
  for (const GuideExample& example : block.examples) {
    const std::optional<Judgement> here = judge(rules, example), usual = judge(standard, example);
    const bool spelled_otherwise = here && usual && !here->legal && usual->legal;
    if (here && !spelled_otherwise) examples.push_back(example_json(example, *here, here == usual));
  }
  if (examples.empty() && !block.examples.empty()) return nullptr;
  return {{"position", block.position}, {"text", block.text}, {"examples", std::move(examples)}};
}

json block_json(const game::Game& rules, const game::Game& standard, const GuideBlock& block) {
  if (!block.position.empty()) return board_json(rules, standard, block);
  if (!block.list.empty()) return {{"list", block.list}};
  return {{"text", block.text}};
}

// The sides that begin with such a piece, both where it comes from the hand or later.
json colors_of(const game::Game& rules, char letter) {
  const Position start = rules.initial();
  const Bitboard pieces = start.kind[rules.info().kinds.find(letter)];
  if (pieces == 0) return {"white", "black"};
  json colors = json::array();
  if (pieces & start.side[0]) colors.push_back("white");
  if (pieces & start.side[1]) colors.push_back("black");
  return colors;
}

}  // namespace

json rules_json(const game::Game& rules) {
  const game::GameInfo& info = rules.info();
  const game::RulesGuide guide = game::rules_guide(info.ruleset);
  const game::GamePtr standard = *game::make_game(game::game_of(info.ruleset));
  json changes = json::array(), pieces = json::array(), sections = json::array();
  for (const game::RuleChange& change : game::rule_changes(guide, info))
    changes.push_back({{"title", change.title}, {"words", change.words}});
  for (const game::GuidePiece& piece : game::pieces_in_use(guide, info))
    pieces.push_back({{"kind", std::string(1, piece.letter)},
                      {"name", piece.name},
                      {"moves", piece.moves},
                      {"colors", colors_of(rules, piece.letter)}});
  for (const game::GuideSection& section : guide.sections) {
    json blocks = json::array();
    for (const GuideBlock& block : section.blocks) {
      json entry = block_json(rules, *standard, block);
      if (!entry.is_null()) blocks.push_back(std::move(entry));
    }
    sections.push_back({{"heading", section.heading}, {"blocks", std::move(blocks)}});
  }
  return {{"game", info.ruleset},          {"title", info.title},         {"summary", info.summary},
          {"changes", std::move(changes)}, {"pieces", std::move(pieces)}, {"sections", std::move(sections)}};
}

json options_json(const game::GameInfo& info) {
  const game::RulesGuide guide = game::rules_guide(info.ruleset);
  json options = json::array();
  for (const game::OptionInfo& option : info.options) {
    json entry = {{"name", option.name}, {"value", option.value}};
    if (option.values.empty()) {
      entry["minimum"] = option.minimum;
      entry["maximum"] = option.maximum;
    } else {
      entry["values"] = option.values;
    }
    if (const game::GuideOption* words = guide.option(option.name)) {
      entry["title"] = words->title;
      entry["text"] = words->text;
      entry["words"] = json::object();
      for (const auto& [value, text] : words->values) entry["words"][value] = text;
    }
    options.push_back(std::move(entry));
  }
  return options;
}

std::string difference(const game::GameInfo& info) {
  const std::string_view name = game::ruleset_name(info.ruleset);
  for (const game::GuideRuleset& ruleset : game::rules_guide(info.ruleset).rulesets) {
    if (ruleset.name == name) return ruleset.words;
  }
  return "";
}

}  // namespace makzero::play
