#include "play/json/document_json.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "game/notation.h"
#include "play/json/game_json.h"
#include "play/notation/document_reader.h"
#include "play/notation/document_writer.h"
#include "play/notation/judgement.h"
#include "play/notation/written_move.h"

namespace makzero::play {
namespace {

using game::Parsed;
using nlohmann::json;

constexpr int kDeepest = 32;           // Variations within variations.
constexpr int kMostEval = 10'000'000;  // Centipawns, or moves to a mate.
constexpr int kMostNag = 255;
constexpr double kMostSeconds = 1e6;  // Of a clock.

// What is said of a move or of the start, into its object.
void write_note(const Note& note, json* entry) {
  if (!note.nags.empty()) (*entry)["nags"] = note.nags;
  if (!note.comment.empty()) (*entry)["comment"] = note.comment;
  if (note.clock) (*entry)["clock"] = *note.clock;
  if (note.time) (*entry)["time"] = *note.time;
  if (!note.eval) return;
  json& eval = (*entry)["eval"];
  if (note.eval->mate) eval = {{"mate", *note.eval->mate}};
  if (!note.eval->mate) eval = {{"centipawns", note.eval->centipawns}};
  if (note.eval->depth) eval["depth"] = *note.eval->depth;
}

class LineWriter {
 public:
  explicit LineWriter(const GameDocument& game) : game_(game) {}

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
    write_note(node.note, &entry);
    return entry;
  }

  void apply(const Action& action, game::Position* position) const {
    const game::Game& rules = game_.game.rules();
    action.declaration ? rules.declare(*action.declaration, position) : rules.apply(action.move, position);
  }

  const GameDocument& game_;
};

std::optional<int> whole_number(const json& entry, const char* key, int least, int most) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_number_integer()) return std::nullopt;
  const auto value = found->get<std::int64_t>();
  if (value < least || value > most) return std::nullopt;
  return static_cast<int>(value);
}

std::optional<double> seconds(const json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_number()) return std::nullopt;
  const double value = found->get<double>();
  if (!(value >= 0 && value <= kMostSeconds)) return std::nullopt;
  return value;
}

// What is no glyph, evaluation, clock or comment is left out.
void read_note(const json& entry, Note* note) {
  if (const auto nags = entry.find("nags"); nags != entry.end() && nags->is_array()) {
    for (const json& nag : *nags) {
      if (const auto number = whole_number({{"nag", nag}}, "nag", 1, kMostNag)) note->nags.push_back(*number);
    }
  }
  const auto comment = entry.find("comment");
  if (comment != entry.end() && comment->is_string()) note->comment = comment->get<std::string>();
  note->clock = seconds(entry, "clock");
  note->time = seconds(entry, "time");
  const auto eval = entry.find("eval");
  if (eval == entry.end() || !eval->is_object()) return;
  const auto mate = whole_number(*eval, "mate", -kMostEval, kMostEval);
  const auto centipawns = whole_number(*eval, "centipawns", -kMostEval, kMostEval);
  const auto depth = whole_number(*eval, "depth", 0, kMostEval);
  if (mate || centipawns) note->eval = Eval{centipawns.value_or(0), mate, depth};
}

// Adds pairs of names and values. False where they are none.
bool read_tags(const json& pairs, Tags* tags) {
  if (!pairs.is_array()) return false;
  for (const json& pair : pairs) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string()) return false;
    tags->add(pair[0].get<std::string>(), pair[1].get<std::string>());
  }
  return true;
}

class LineReader {
 public:
  explicit LineReader(GameDocument* tree) : tree_(tree) {}

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
  GameDocument* tree_;
};

bool is_json(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos &&
         (text[first] == '{' ||
          (text[first] == '[' && text.find_first_of("{]", first) < text.find('"', first)));
}

}  // namespace

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

json document_json(const GameDocument& document) {
  const PlayedGame& game = document.game;
  json answer = played_game_json(game);
  write_note(document.nodes[0].note, &answer);
  answer["result"] = game::result_text(game.outcome().result);
  answer["tags"] = json::array();
  for (const Tag& tag : document.tags.all()) answer["tags"].push_back({tag.name, tag.value});
  answer["line"] = LineWriter(document).write(0, game.start(), 0);
  if (!document.dialect.empty()) answer["dialect"] = document.dialect;
  if (!document.guess.empty()) answer["guess"] = document.guess;
  if (!document.fault.empty()) answer["fault"] = document.fault;
  if (const auto passed = game.passed_end()) {
    answer["rulesEnd"] = {{"ply", passed->actions},
                          {"result", game::result_text(passed->outcome.result)},
                          {"reason", game::reason_text(passed->outcome.reason)}};
  }
  return answer;
}

std::vector<std::string> split_documents(std::string_view text) {
  std::vector<std::string> games;
  if (!is_json(text)) {
    for (const std::string_view game : split_games(text)) games.emplace_back(game);
    return games;
  }
  const json documents = parse_json(text);
  if (!documents.is_array()) return {std::string(text)};
  for (const json& document : documents) games.push_back(json_text(document));
  return games;
}

Parsed<GameDocument> read_any_document(std::string_view text, std::string_view ruleset) {
  if (!is_json(text)) return read_document(text, ruleset);
  bool deep = false;
  const json query = parse_json(text, &deep);
  if (deep) return Parsed<GameDocument>::failure({"the text is JSON with too many levels of nesting"});
  if (query.is_discarded()) return Parsed<GameDocument>::failure({"the text is not JSON: it may be cut off"});
  std::string field;
  const Parsed<PlayedGame> game = played_game_from_json(query, &field);
  if (!game) return Parsed<GameDocument>::failure({game.why()});
  return document_from_json(*game, query, &field);
}

Parsed<json> read_games_json(const json& query, std::string* field) {
  const auto failure = [field](const char* key, const std::string& why) {
    *field = key;
    return Parsed<json>::failure({why});
  };
  const auto text = query.find("text");
  if (text == query.end() || !text->is_string())
    return failure("text", "'text' must be a game as text, as /api/write gives it");
  const json game = query.value("game", json(""));
  if (!game.is_string()) return failure("game", "'game' must name a ruleset: \"makruk\"");
  const std::string plain = document_text(text->get<std::string>());
  const std::vector<std::string> games = split_documents(plain);
  const int of = static_cast<int>(games.size());
  const auto number = query.contains("number") ? whole_number(query, "number", 1, of) : std::optional(1);
  if (!number)
    return failure("number", "'number' must be from 1 to " + std::to_string(of) + ", the games of the text");
  const Parsed<GameDocument> document = read_any_document(games[*number - 1], game.get<std::string>());
  if (!document) return failure("text", document.why());
  json answer = document_json(*document);
  answer["number"] = *number;
  answer["of"] = of;
  return answer;
}

Parsed<std::string> write_document(const GameDocument& document, std::string_view format) {
  if (format == "text") return game_text(document);
  if (format == "pgn") return game_pgn(document);
  if (format == "playok") return game_pgn(document, Notation::kPlayOk);
  if (format == "thai") return game_pgn(document, Notation::kThai);
  if (format == "json") return document_json(document).dump(1) + "\n";
  return Parsed<std::string>::failure(
      {"'format' must be \"text\", \"pgn\", \"playok\", \"thai\" or \"json\""});
}

Parsed<json> write_game_json(const PlayedGame& game, const json& query, std::string* field) {
  const Parsed<GameDocument> document = document_from_json(game, query, field);
  if (!document) return Parsed<json>::failure({document.why()});
  const json format = query.value("format", json("text"));
  const Parsed<std::string> text =
      write_document(*document, format.is_string() ? format.get<std::string>() : "");
  if (text) return json{{"text", *text}};
  *field = "format";
  return Parsed<json>::failure({text.why()});
}

Parsed<GameDocument> document_from_json(const PlayedGame& game, const json& query, std::string* field) {
  const auto failure = [field](const char* key, const std::string& why) {
    *field = key;
    return Parsed<GameDocument>::failure({why});
  };
  GameDocument document(game);
  const auto tags = query.find("tags");
  if (tags != query.end() && !read_tags(*tags, &document.tags))
    return failure("tags", "'tags' must be a list of pairs of texts: [[\"White\", \"name\"]]");
  read_note(query, &document.nodes[0].note);
  const auto line = query.find("line");
  if (line == query.end()) return document;
  LineReader reader(&document);
  const auto why = reader.read(*line, 0, PlayedGame(game.rules_pointer(), game.start()), 0);
  return why ? failure("line", "'line': " + *why) : Parsed<GameDocument>(document);
}

}  // namespace makzero::play
