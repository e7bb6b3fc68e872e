#include "play/analysis/analysis_query.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/error.h"
#include "play/json/game_json.h"
#include "play/notation/written_move.h"
#include "play/views.h"

namespace makzero::play {
namespace {

using game::Color;
using game::Parsed;
using nlohmann::json;
using std::chrono::milliseconds;

PlayedGame game_at(const PlayedGame& game, int turn) {
  PlayedGame at = game;
  while (static_cast<int>(at.actions().size()) > turn) at.take_back();
  return at;
}

// Fields that fit their schema, and the first failure.
struct Reader {
  void fail(const std::string& wrong, const std::string& reason) {
    if (!why.empty()) return;
    why = reason;
    field = wrong;
  }

  const json* find(const char* key) const {
    const auto found = fields.find(key);
    return found == fields.end() ? nullptr : &*found;
  }

  template <typename T>
  std::optional<T> get(const char* key) const {
    const json* found = find(key);
    return found ? std::optional(found->get<T>()) : std::nullopt;
  }

  const json& fields;
  std::string why = {}, field = {};
};

void read_player(Reader* reader, const AnalysisDefaults& defaults, SearchRequest* search) {
  const auto name = reader->get<std::string>("player");
  const bool none = name && name->empty();  // Alpha-beta by material.
  if (!defaults.player || none) return;
  try {
    search->player = defaults.player(name.value_or(""), search->game.rules().info().ruleset);
  } catch (const models::Error& error) {
    reader->fail("player", error.what());
  }
}

void read_limits(Reader* reader, const AnalysisDefaults& defaults, SearchRequest* search) {
  Limits& limits = search->limits;
  limits.nodes = reader->get<std::int64_t>("maxVisits");
  if (const auto time = reader->get<std::int64_t>("maxTimeMs")) limits.time = milliseconds(*time);
  if (const auto time = reader->get<double>("maxTime"))
    limits.time = milliseconds(std::llround(1000 * *time));
  const auto level = reader->get<int>("level");
  try {
    if (level) limit_by_level(*level, search);
  } catch (const models::Error& error) {
    reader->fail("level", error.what());
  }
  if (!level && defaults.visits > 0) limit_by_player(defaults.visits, search);
  if (defaults.book && reader->get<bool>("book").value_or(false))
    search->book = defaults.book(search->game.rules());
  search->lines = reader->get<int>("lines").value_or(search->lines);
  search->priority = reader->get<int>("priority").value_or(search->priority);
  search->seed = reader->get<std::uint64_t>("seed").value_or(search->seed);
  limits.varied_plies = reader->get<int>("variedPlies").value_or(limits.varied_plies);
  if (const auto every = reader->get<double>("reportDuringSearchEvery"))
    search->report_every = milliseconds(std::llround(1000 * *every));
}

// Refuses facts about the board that are not true of it, as KataGo's clients send them.
void check_board(Reader* reader, const PlayedGame& game) {
  const game::GameInfo& info = game.rules().info();
  for (const auto& [key, size] : {std::pair("boardXSize", info.files), {"boardYSize", info.ranks}}) {
    if (reader->get<int>(key).value_or(size) != size)
      reader->fail(key, "'" + std::string(key) + "' of " + info.ruleset + " is " + std::to_string(size));
  }
  const json* player = reader->find("initialPlayer");
  if (player && side_from_json(*player) != game.start().to_move)
    reader->fail("initialPlayer", "'initialPlayer' is not the side to move of the position: write it there");
}

// The moves before each position that is asked for; without the key the last one.
void read_turns(Reader* reader, AnalysisQuery* query) {
  const PlayedGame& game = query->search.game;
  const int last = static_cast<int>(game.actions().size());
  query->turns = reader->get<std::vector<int>>("analyzeTurns").value_or(std::vector<int>{last});
  if (std::ranges::max(query->turns) > last) {
    reader->fail("analyzeTurns",
                 "'analyzeTurns' must be a list of different numbers from 0 to " + std::to_string(last));
  }
  if (std::ranges::count(query->turns, last) > 0 && game.outcome().over()) {
    reader->fail(reader->find("analyzeTurns") ? "analyzeTurns" : "moves",
                 "the game is over: " + outcome_cause(game, game.outcome()).english());
  }
  query->priorities = reader->get<std::vector<int>>("priorities").value_or(std::vector<int>{});
  if (reader->find("priorities") && reader->find("priority"))
    reader->fail("priorities", "'priorities' stands in place of 'priority': write one of them");
  if (!query->priorities.empty() && query->priorities.size() != query->turns.size())
    reader->fail("priorities", "'priorities' must have one number for each of 'analyzeTurns'");
}

// Moves as text in a position.
std::vector<game::Move> read_moves(Reader* reader, const char* key, const json& list,
                                   const PlayedGame& game) {
  std::vector<game::Move> moves;
  for (const json& text : list) {
    const auto& word = text.get_ref<const std::string&>();
    const Parsed<game::Move> move = parse_written_move(game.rules(), game.position(), word);
    move ? moves.push_back(*move) : reader->fail(key, move.why());
  }
  return moves;
}

// Takes the moves to search; of KataGo's lists those of the side to move.
void read_root_moves(Reader* reader, AnalysisQuery* query) {
  const PlayedGame game = game_at(query->search.game, query->turns.front());
  std::vector<game::Move> left(game.legal().begin(), game.legal().end());
  for (const char* key : {"searchMoves", "allowMoves", "avoidMoves"}) {
    const json* list = reader->find(key);
    if (!list) continue;
    const std::string quoted = "'" + std::string(key) + "'";
    if (query->turns.size() > 1)
      return reader->fail(key, quoted + " are the moves of one position: ask for one of 'analyzeTurns'");
    json own = json::array();
    for (const json& entry : *list) {
      if (entry.is_string()) own.push_back(entry);
      if (entry.is_object() && side_from_json(entry["player"]) == game.position().to_move)
        own.insert(own.end(), entry["moves"].begin(), entry["moves"].end());
    }
    if (own.empty()) continue;
    const std::vector<game::Move> moves = read_moves(reader, key, own, game);
    const bool excluded = key == std::string("avoidMoves");
    std::erase_if(left, [&](game::Move move) { return (std::ranges::count(moves, move) > 0) == excluded; });
    if (left.empty()) reader->fail(key, quoted + " leaves no move to search");
  }
  if (static_cast<int>(left.size()) < game.legal().size())
    query->search.limits.search_moves = std::move(left);
}

// The root's moves that were visited, and the replies to them.
json tree_with_replies(const PlayedGame& game, const PooledSearch& search) {
  json tree = json::array();
  std::vector<mcts::RootMove> moves = search.moves_after({});
  std::erase_if(moves, [](const mcts::RootMove& move) { return move.visits == 0; });
  std::stable_sort(moves.begin(), moves.end(),
                   [](const mcts::RootMove& a, const mcts::RootMove& b) { return a.visits > b.visits; });
  for (const mcts::RootMove& move : moves) {
    json entry = tree_json(game, {}, {move}).front();
    std::vector<mcts::RootMove> replies = search.moves_after({{move.move}});
    std::erase_if(replies, [](const mcts::RootMove& reply) { return reply.visits == 0; });
    entry["replies"] = tree_json(game, {move.move}, replies);
    tree.push_back(std::move(entry));
  }
  return tree;
}

// The visits of the moves of a line, each in the tree after those before it; 0 where it has not been.
json visits_of(const std::vector<game::Move>& line, const PooledSearch& search) {
  json visits = json::array();
  for (size_t i = 0; i < line.size(); ++i) {
    const std::vector<mcts::RootMove> moves = search.moves_after(std::span(line).first(i));
    const auto found = std::ranges::find(moves, line[i], &mcts::RootMove::move);
    visits.push_back(found == moves.end() ? 0 : found->visits);
  }
  return visits;
}

// The same values for the other side.
SearchInfo turned(SearchInfo info) {
  for (Line& line : info.lines) {
    std::swap(line.value.win, line.value.loss);
    line.centipawns = -line.centipawns;
  }
  std::swap(info.value.win, info.value.loss);
  if (info.raw) std::swap(info.raw->value.win, info.raw->value.loss);
  return info;
}

}  // namespace

AnalysisQuery query_of_turn(const AnalysisQuery& query, int turn) {
  AnalysisQuery one = query;
  one.turns = {turn};
  one.search.game = game_at(query.search.game, turn);
  if (!query.priorities.empty())
    one.search.priority = query.priorities[std::ranges::find(query.turns, turn) - query.turns.begin()];
  return one;
}

Parsed<AnalysisQuery> analysis_query(const json& query, const AnalysisDefaults& defaults,
                                     std::string* field) {
  const Parsed<CheckedQuery> checked = checked_query(query, "Query", field);
  if (!checked) return Parsed<AnalysisQuery>::failure(checked.reasons());
  json fields = checked->fields;
  if (!fields.contains("game") && !defaults.game.empty()) fields["game"] = defaults.game;
  const Parsed<PlayedGame> game = played_game_from_json(fields, field);
  *field = checked->as_written(*field);
  if (!game) return Parsed<AnalysisQuery>::failure(game.reasons());

  AnalysisQuery result{.id = fields.value("id", ""), .search = {.game = *game}};
  Reader reader{fields};
  check_board(&reader, *game);
  read_player(&reader, defaults, &result.search);
  read_limits(&reader, defaults, &result.search);
  read_turns(&reader, &result);
  if (reader.why.empty()) read_root_moves(&reader, &result);
  *field = checked->as_written(reader.field);
  if (!reader.why.empty()) return Parsed<AnalysisQuery>::failure({reader.why});
  result.include_policy = fields.value("includePolicy", false);
  result.include_tree = fields.value("includeTree", false);
  result.include_pv_visits = fields.value("includePVVisits", false);
  const auto side = reader.get<std::string>("reportAnalysisWinratesAs");
  if (side == "WHITE") result.values_of = Color::kWhite;
  if (side == "BLACK") result.values_of = Color::kBlack;
  result.warnings = checked->warnings;
  return result;
}

json analysis_result(const AnalysisQuery& query, const SearchInfo& info, bool is_during_search,
                     const PooledSearch* search) {
  const PlayedGame& game = query.search.game;
  const Color mover = game.position().to_move;
  json result = search_info_json(game, query.values_of.value_or(mover) == mover ? info : turned(info));
  result["id"] = query.id;
  result["turnNumber"] = query.turns.front();
  result["isDuringSearch"] = is_during_search;
  if (query.include_policy) result["policy"] = policy_json(game, info);
  if (query.include_tree && search) result["tree"] = tree_with_replies(game, *search);
  for (size_t i = 0; query.include_pv_visits && search && i < info.lines.size(); ++i)
    result["moveInfos"][i]["pvVisits"] = visits_of(info.lines[i].moves, *search);
  return result;
}

}  // namespace makzero::play
