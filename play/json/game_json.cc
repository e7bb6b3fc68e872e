#include "play/json/game_json.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "play/json/rules_json.h"
#include "play/notation/written_move.h"
#include "play/views.h"

namespace makzero::play {
namespace {

using game::Bitboard;
using game::Color;
using game::Declaration;
using game::Parsed;
using game::Position;
using game::Square;
using nlohmann::json;

const char* color_name(Color color) { return color == Color::kWhite ? "white" : "black"; }

json squares_json(Bitboard squares) {
  json list = json::array();
  while (squares) list.push_back(game::square_text(game::pop_first(&squares)));
  return list;
}

json pieces_json(const game::GameInfo& info, const Position& position, Bitboard squares) {
  json list = json::array();
  while (squares) {
    const Square square = game::pop_first(&squares);
    const Color color = game::contains(position.side[0], square) ? Color::kWhite : Color::kBlack;
    list.push_back({{"square", game::square_text(square)},
                    {"color", color_name(color)},
                    {"kind", std::string(1, game::kind_on(info, position, square))}});
  }
  return list;
}

json hands_json(const game::GameInfo& info, const Position& position) {
  json hands = {{"white", json::object()}, {"black", json::object()}};
  for (const Color color : {Color::kWhite, Color::kBlack}) {
    const int count = position.hand[game::index(color)];
    if (count > 0) hands[color_name(color)][info.kinds.substr(0, 1)] = count;
  }
  return hands;
}

// The pieces of the side that waits which a move took.
Bitboard captured(const Position& before, const Position& after) {
  return before.enemy() & ~after.side[game::index(game::other(before.to_move))];
}

json move_json(const PlayedGame& game, game::Move move) {
  Position after = game.position();
  game.rules().apply(move, &after);
  json entry = {{"move", game::move_text(game.rules(), game.position(), move)},
                {"written", written_move(game.rules(), game.position(), move)},
                {"from", nullptr},
                {"to", nullptr},
                {"captures", squares_json(captured(game.position(), after))}};
  if (move.is_step()) entry["from"] = game::square_text(move.origin());
  if (!move.is_pass()) entry["to"] = game::square_text(move.destination());
  if (move.is_drop()) entry["drop"] = game.rules().info().kinds.substr(0, 1);
  if (move.is_pass()) entry["pass"] = true;
  return entry;
}

json history_json(const PlayedGame& game) {
  const game::Game& rules = game.rules();
  json history = json::array();
  for (int i = 0; i < static_cast<int>(game.actions().size()); ++i) {
    const Action& action = game.actions()[i];
    const Position& before = game.position_before(i);
    const Position& after = game.position_before(i + 1);
    const Bitboard taken = action.declaration ? 0 : captured(before, after);
    history.push_back({{"move", action_text(game, i)},
                       {"written", action.declaration ? declaration_word(*action.declaration)
                                                      : written_move(rules, before, action.move)},
                       {"captures", pieces_json(rules.info(), before, taken)},
                       {"position", game::position_text(rules, after)}});
    const game::Outcome& outcome = game.outcome_before(i + 1);
    if (outcome.over()) history.back()["result"] = game::result_text(outcome.result);
  }
  return history;
}

json count_json(const game::GameInfo& info, const Position& position) {
  const std::optional<CountView> view = count_view(info, position);
  if (!view) return nullptr;
  return {{"limit", position.count_limit},
          {"used", position.count},
          {"name", view->name},
          {"moves", view->moves},
          {"moveLimit", view->limit},
          {"left", view->left},
          {"side", view->counter ? json(color_name(*view->counter)) : json()},
          {"text", view->text.english()},
          {"textParts", message_json(view->text)}};
}

// --- Searches. ---

// Enough digits for people, few enough for a stream of results.
double rounded(float value) { return std::round(value * 1e5) / 1e5; }

json wdl_json(const mcts::MoverValue& value) {
  return {rounded(value.win), rounded(value.draw), rounded(value.loss)};
}

double winrate(const mcts::MoverValue& value) { return rounded(value.score()); }
double utility(const mcts::MoverValue& value) { return rounded(value.win - value.loss); }

std::string in_letters(const game::Game& rules, const Position& position, game::Move move) {
  return written_move(rules, position, move);
}

// The moves of a line from the game's position, each as `text_of` writes it.
json line_texts(const PlayedGame& game, const std::vector<game::Move>& moves, const auto& text_of) {
  json texts = json::array();
  Position position = game.position();
  for (const game::Move move : moves) {
    texts.push_back(text_of(game.rules(), position, move));
    game.rules().apply(move, &position);
  }
  return texts;
}

json line_json(const PlayedGame& game, const Line& line, int order) {
  json pv = line_texts(game, line.moves, game::move_text);
  json info = {{"move", pv.front()},
               {"order", order},
               {"visits", line.visits},
               {"prior", rounded(line.prior)},
               {"winrate", winrate(line.value)},
               {"wdl", wdl_json(line.value)},
               {"utility", utility(line.value)},
               {"centipawns", line.centipawns},
               {"movesLeft", rounded(line.moves_left)},
               {"pv", std::move(pv)},
               {"written", line_texts(game, line.moves, in_letters)}};
  if (line.end_in_plies) info["endInPlies"] = *line.end_in_plies;
  return info;
}

json exact_moves_json(const PlayedGame& game, const SearchInfo& info) {
  json groups = json::array();
  for (const EndingGroup& group : ending_view(game, info)) {
    const int result = group.value.result;
    groups.push_back({{"result", result > 0   ? "win"
                                 : result < 0 ? "loss"
                                              : "draw"},
                      {"text", group.text.english()},
                      {"textParts", message_json(group.text)},
                      {"moves", json::array()}});
    if (result != 0) groups.back()["plies"] = group.value.plies;
    for (const game::Move move : group.moves)
      groups.back()["moves"].push_back({{"move", game::move_text(game.rules(), game.position(), move)},
                                        {"written", in_letters(game.rules(), game.position(), move)}});
  }
  return groups;
}

// --- Queries. ---

// The text of a key; `fallback` where it is missing; none where it is no text.
std::optional<std::string> text_of(const json& query, const char* key, const std::string& fallback) {
  const auto found = query.find(key);
  if (found == query.end()) return fallback;
  if (!found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

// Plays a move of a query, its text alone or with its side. The reason where it cannot be played.
std::optional<std::string> play_entry(const json& entry, PlayedGame* game) {
  const bool is_pair = entry.is_array() && entry.size() == 2;
  const json& word = is_pair ? entry[1] : entry;
  const auto side = is_pair ? side_from_json(entry[0]) : game->position().to_move;
  if (!word.is_string() || !side) return "must be a text like \"a3a5\", or with its side [\"w\", \"a3a5\"]";
  if (*side != game->position().to_move && !game->outcome().over()) {
    const bool white = *side == Color::kWhite;
    return std::string(white ? "it is Black's turn, not White's" : "it is White's turn, not Black's");
  }
  return play_word(word.get<std::string>(), game);
}

}  // namespace

json message_json(const Message& message) {
  json values = json::object();
  for (const auto& [name, value] : message.values) {
    const auto* number = std::get_if<std::int64_t>(&value);
    values[name] = number ? json(*number) : json(std::get<std::string>(value));
  }
  return {{"text", message.text}, {"values", std::move(values)}};
}

json kinds_json(const game::GameInfo& info) {
  json kinds = json::object();
  for (const char letter : info.kinds) kinds[std::string(1, letter)] = kind_name(info, letter);
  return kinds;
}

json games_json() {
  json list = json::array();
  for (const std::string& name : game::ruleset_names()) {
    const game::GamePtr rules = *game::make_game(name);
    const game::GameInfo& info = rules->info();
    list.push_back({{"game", info.ruleset},
                    {"of", game::game_of(name)},
                    {"title", info.title},
                    {"difference", difference(info)},
                    {"start", game::position_text(*rules, rules->initial())},
                    {"family", is_chess(info) ? "chess" : "men"},
                    {"summary", info.summary},
                    {"width", info.files},
                    {"kinds", kinds_json(info)},
                    {"hasHands", info.has_hands},
                    {"hasCounting", info.has_counting},
                    {"options", options_json(info)}});
  }
  return list;
}

json state_json(const PlayedGame& game) {
  const game::GameInfo& info = game.rules().info();
  const Position& position = game.position();
  json legal = json::array(), declarations = json::array();
  if (!game.outcome().over()) {
    for (const game::Move move : game.legal()) legal.push_back(move_json(game, move));
    for (const Declaration declaration : game.rules().declarations(position))
      declarations.push_back(declaration_word(declaration));
  }
  const Bitboard checked = checked_kings(game);
  const game::Outcome& outcome = game.outcome();
  const Message cause = outcome.over() ? outcome_cause(game, outcome) : Message();
  return {{"game", info.ruleset},
          {"title", info.title},
          {"width", info.files},
          {"start", game::position_text(game.rules(), game.start())},
          {"position", game::position_text(game.rules(), position)},
          {"toMove", color_name(position.to_move)},
          {"ply", position.ply},
          {"kinds", kinds_json(info)},
          {"pieces", pieces_json(info, position, position.occupied())},
          {"hands", hands_json(info, position)},
          {"legal", std::move(legal)},
          {"claims", std::move(declarations)},
          {"marks", squares_json(info.marks)},
          {"check", checked != 0},
          {"checked", squares_json(checked)},
          {"count", count_json(info, position)},
          {"outcome",
           {{"result", game::result_text(outcome.result)},
            {"reason", outcome.reason != game::Reason::kNone ? game::reason_text(outcome.reason) : ""},
            {"cause", cause.english()},
            {"causeParts", message_json(cause)},
            {"over", outcome.over()}}},
          {"history", history_json(game)}};
}

std::optional<Color> side_from_json(const json& text) {
  if (text == "w" || text == "W" || text == "white") return Color::kWhite;
  if (text == "b" || text == "B" || text == "black") return Color::kBlack;
  return std::nullopt;
}

Parsed<PlayedGame> played_game_from_json(const json& query, std::string* field) {
  const auto failure = [field](const char* key, const std::string& why) {
    *field = key;
    return Parsed<PlayedGame>::failure({why});
  };
  if (!query.is_object())
    return failure("", "a query is a JSON object: {\"game\": \"makyek\", \"moves\": []}");
  const std::optional<std::string> name = text_of(query, "game", "");
  if (!name || name->empty()) return failure("game", "'game' must name a ruleset: \"makyek\"");
  const Parsed<game::GamePtr> rules = game::make_game(*name);
  if (!rules) return failure("game", rules.why());
  PlayedGame game(*rules);

  const std::optional<std::string> start = text_of(query, "start", "");
  if (!start) return failure("start", "'start' must be the text of a position");
  if (!start->empty()) {
    const Parsed<Position> position = game::parse_position(**rules, *start);
    if (!position) return failure("start", position.why());
    game = PlayedGame(*rules, *position);
  }

  const json moves = query.value("moves", json::array());
  if (!moves.is_array()) return failure("moves", "'moves' must be a list of texts: [\"a3a5\"]");
  for (size_t i = 0; i < moves.size(); ++i) {
    if (const auto why = play_entry(moves[i], &game))
      return failure("moves", "move " + std::to_string(i + 1) + ": " + *why);
  }

  const std::optional<std::string> ended = text_of(query, "ended", "");
  if (!ended) return failure("ended", "'ended' must be a result and its reason: \"0-1 resignation\"");
  end_as_stated(*ended, &game);
  return game;
}

json played_game_json(const PlayedGame& game) {
  json query = {{"game", game.rules().info().ruleset}, {"moves", json::array()}};
  if (game.start() != game.rules().initial()) {
    query["start"] = game::position_text(game.rules(), game.start());
  }
  for (int i = 0; i < static_cast<int>(game.actions().size()); ++i) {
    query["moves"].push_back(action_text(game, i));
  }
  if (const auto& ended = game.ended()) {
    std::string text(game::result_text(ended->result));
    if (ended->reason != game::Reason::kNone) text += " " + std::string(game::reason_text(ended->reason));
    query["ended"] = std::move(text);
  }
  return query;
}

json search_info_json(const PlayedGame& game, const SearchInfo& info) {
  json infos = json::array();
  for (const Line& line : info.lines) infos.push_back(line_json(game, line, static_cast<int>(infos.size())));
  const Color mover = game.position().to_move;
  json root = {{"visits", info.nodes},
               {"winrate", winrate(info.value)},
               {"wdl", wdl_json(info.value)},
               {"utility", utility(info.value)},
               {"movesLeft", rounded(info.moves_left)},
               {"depth", info.depth},
               {"toMove", color_name(mover)},
               {"currentPlayer", mover == Color::kWhite ? "W" : "B"}};
  if (info.raw) {
    root["rawWinrate"] = winrate(info.raw->value);
    root["rawWdl"] = wdl_json(info.raw->value);
  }
  json result = {{"moveInfos", std::move(infos)},
                 {"rootInfo", std::move(root)},
                 {"best", game::move_text(game.rules(), game.position(), info.best())},
                 {"timeMs", std::chrono::duration_cast<std::chrono::milliseconds>(info.elapsed).count()}};
  if (json exact = exact_moves_json(game, info); !exact.empty()) result["exactMoves"] = std::move(exact);
  return result;
}

json policy_json(const PlayedGame& game, const SearchInfo& info) {
  json policy = json::array();
  if (!info.raw) return policy;
  std::vector<std::pair<float, int>> order;
  order.reserve(game.legal().size());
  for (int i = 0; i < game.legal().size(); ++i) order.emplace_back(-info.raw->priors[i], i);
  std::sort(order.begin(), order.end());
  for (const auto& [negative_prior, i] : order) {
    policy.push_back({{"move", game::move_text(game.rules(), game.position(), game.legal()[i])},
                      {"prior", rounded(-negative_prior)}});
  }
  return policy;
}

json planes_json(const PlayedGame& game, const nn::Encoder& encoder) {
  std::vector<float> values(static_cast<std::size_t>(encoder.plane_count()) * game::kSquares);
  encoder.encode(game.rules(), game.position(), game.history().occurrences(), values.data());
  json planes = json::array();
  for (auto at = values.begin(); at != values.end(); at += game::kSquares)
    planes.push_back(std::vector<float>(at, at + game::kSquares));
  const bool white = game.position().to_move == game::Color::kWhite;
  return {{"names", encoder.planes()}, {"planes", std::move(planes)}, {"mover", white ? "white" : "black"}};
}

json tree_json(const PlayedGame& game, const std::vector<game::Move>& line,
               const std::vector<mcts::RootMove>& moves) {
  Position position = game.position();
  for (const game::Move move : line) game.rules().apply(move, &position);
  std::vector<mcts::RootMove> order = moves;
  std::stable_sort(order.begin(), order.end(), [](const mcts::RootMove& a, const mcts::RootMove& b) {
    return std::pair(a.visits, a.prior) > std::pair(b.visits, b.prior);
  });
  json list = json::array();
  for (const mcts::RootMove& move : order) {
    list.push_back({{"move", game::move_text(game.rules(), position, move.move)},
                    {"written", in_letters(game.rules(), position, move.move)},
                    {"visits", move.visits},
                    {"prior", rounded(move.prior)},
                    {"wdl", wdl_json(mcts::to_mover(move.value, position.to_move))},
                    {"expandable", move.expanded && move.visits > 1}});
  }
  return list;
}

json parse_json(std::string_view text, bool* too_deep) {
  bool deep = false;
  const auto check_depth = [&deep](int depth, json::parse_event_t, json&) {
    deep = deep || depth > kDeepestJson;
    return !deep;
  };
  json value = json::parse(text, check_depth, false);
  if (too_deep) *too_deep = deep;
  return deep ? json(json::value_t::discarded) : value;
}

std::string json_text(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace makzero::play
