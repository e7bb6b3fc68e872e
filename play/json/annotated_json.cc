#include "play/json/annotated_json.h"

#include <optional>
#include <utility>

#include "game/notation.h"
#include "play/json/game_json.h"
#include "play/notation/judgement.h"
#include "play/notation/written_move.h"

namespace makzero::play {
namespace {

using game::Parsed;
using nlohmann::json;

constexpr int kDeepest = 32;           // Variations within variations.
constexpr int kMostEval = 10'000'000;  // Centipawns, or moves to a mate.
constexpr int kMostNag = 255;

class LineWriter {
 public:
  explicit LineWriter(const AnnotatedGame& game) : game_(game) {}

  // From the first of the moves that follow `parent`, or from a variation of them.
  json write(int parent, game::Position position, size_t first) const {
    json line = json::array();
    for (bool begins = true; !game_.nodes[parent].next.empty(); begins = false) {
      const std::vector<int>& moves = game_.nodes[parent].next;
      const int node = moves[begins ? first : 0];
      json entry = entry_of(game_.nodes[node], position);
      const bool main = !begins || first == 0;
      for (size_t i = 1; main && i < moves.size(); ++i)
        entry["variations"].push_back(write(parent, position, i));
      line.push_back(std::move(entry));
      apply(game_.nodes[node].action, &position);
      parent = node;
    }
    return line;
  }

 private:
  json entry_of(const GameNode& node, const game::Position& position) const {
    const game::Game& rules = game_.game.rules();
    json entry;
    if (node.action.declaration) {
      entry = {{"move", declaration_word(*node.action.declaration)},
               {"written", declaration_word(*node.action.declaration)}};
    } else {
      entry = {{"move", game::move_text(rules, position, node.action.move)},
               {"written", written_move(rules, position, node.action.move)}};
    }
    const Note& note = node.note;
    if (!note.nags.empty()) entry["nags"] = note.nags;
    if (!note.comment.empty()) entry["comment"] = note.comment;
    if (note.eval && note.eval->mate) entry["eval"] = {{"mate", *note.eval->mate}};
    if (note.eval && !note.eval->mate) entry["eval"] = {{"centipawns", note.eval->centipawns}};
    return entry;
  }

  void apply(const Action& action, game::Position* position) const {
    const game::Game& rules = game_.game.rules();
    action.declaration ? rules.declare(*action.declaration, position) : rules.apply(action.move, position);
  }

  const AnnotatedGame& game_;
};

std::optional<int> whole_number(const json& entry, const char* key, int least, int most) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_number_integer()) return std::nullopt;
  const auto value = found->get<std::int64_t>();
  if (value < least || value > most) return std::nullopt;
  return static_cast<int>(value);
}

class LineReader {
 public:
  explicit LineReader(AnnotatedGame* tree) : tree_(tree) {}

  // The reason where a line cannot be read.
  std::optional<std::string> read(const json& line, int node, PlayedGame game, int depth) {
    if (!line.is_array()) return "a line must be a list of moves";
    if (depth > kDeepest) return "variations lie more than " + std::to_string(kDeepest) + " deep";
    for (const json& entry : line) {
      const auto move = entry.is_object() ? entry.find("move") : entry.end();
      if (!entry.is_object() || move == entry.end() || !move->is_string())
        return "a move of a line must be an object with 'move'";
      const PlayedGame before = game;
      if (auto why = play_word(move->get<std::string>(), &game)) return why;
      const int parent = std::exchange(node, tree_->follow(node, game.actions().back()));
      read_note(entry, &tree_->nodes[node].note);
      if (const auto variations = entry.find("variations"); variations != entry.end()) {
        if (!variations->is_array()) return "'variations' must be a list of lines";
        for (const json& variation : *variations) {
          if (auto why = read(variation, parent, before, depth + 1)) return why;
        }
      }
    }
    return std::nullopt;
  }

 private:
  // What is no glyph, evaluation or comment is left out.
  static void read_note(const json& entry, Note* note) {
    if (const auto nags = entry.find("nags"); nags != entry.end() && nags->is_array()) {
      for (const json& nag : *nags) {
        if (const auto number = whole_number({{"nag", nag}}, "nag", 1, kMostNag))
          note->nags.push_back(*number);
      }
    }
    const auto comment = entry.find("comment");
    if (comment != entry.end() && comment->is_string()) note->comment = comment->get<std::string>();
    const auto eval = entry.find("eval");
    if (eval == entry.end() || !eval->is_object()) return;
    const auto mate = whole_number(*eval, "mate", -kMostEval, kMostEval);
    const auto centipawns = whole_number(*eval, "centipawns", -kMostEval, kMostEval);
    if (mate || centipawns) note->eval = Eval{.centipawns = centipawns.value_or(0), .mate = mate};
  }

  AnnotatedGame* tree_;
};

}  // namespace

json line_json(const AnnotatedGame& game) { return LineWriter(game).write(0, game.game.start(), 0); }

json judgements_json() {
  json judgements = json::array();
  for (const Judgement judgement : kJudgements) {
    judgements.push_back({{"word", judgement_word(judgement)},
                          {"glyph", judgement_glyph(judgement)},
                          {"nag", judgement_nag(judgement)},
                          {"loss", least_loss(judgement)}});
  }
  return judgements;
}

json read_json(const AnnotatedGame& game) {
  json answer = played_game_json(game.game);
  answer["result"] = game::result_text(game.game.outcome().result);
  answer["line"] = line_json(game);
  return answer;
}

Parsed<AnnotatedGame> annotated_game_from_json(const PlayedGame& game, const json& query,
                                               std::string* field) {
  AnnotatedGame tree(game);
  const auto line = query.find("line");
  if (line == query.end()) return tree;
  LineReader reader(&tree);
  const auto why = reader.read(*line, 0, PlayedGame(game.rules_pointer(), game.start()), 0);
  if (!why) return tree;
  *field = "line";
  return Parsed<AnnotatedGame>::failure({"'line': " + *why});
}

}  // namespace makzero::play
