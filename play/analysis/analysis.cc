#include "play/analysis/analysis.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <ostream>
#include <utility>
#include <vector>

#include "game/notation.h"
#include "models/error.h"
#include "play/json/game_json.h"
#include "play/outcome_view.h"
#include "play/plain_lines.h"

namespace makzero::play {
namespace {

using game::Parsed;
using nlohmann::json;
using std::chrono::milliseconds;

constexpr std::int64_t kMostVisits = 1'000'000'000, kMostTime = 1'000'000'000, kMostPriority = 1'000'000;
constexpr std::int64_t kMostVariedPlies = 1000;
constexpr double kShortestReport = 0.01;  // Seconds.
constexpr size_t kMostText = 1000;        // Bytes of an id or a player.

const std::vector<std::string>& keys() {
  static const std::vector<std::string> kKeys = {
      "id",          "game",          "start",       "moves", "player",
      "level",       "maxVisits",     "maxTimeMs",   "lines", "searchMoves",
      "priority",    "includePolicy", "includeTree", "seed",  "reportDuringSearchEvery",
      "variedPlies", "analyzeTurns"};
  return kKeys;
}

PlayedGame game_at(const PlayedGame& game, int turn) {
  PlayedGame at = game;
  while (static_cast<int>(at.actions().size()) > turn) at.take_back();
  return at;
}

// Reads the keys of a query one after the other; keeps the first failure.
class Reader {
 public:
  Reader(const json& query, std::string* field) : query_(query), field_(field) {}

  const std::string& why() const { return why_; }

  void fail(const std::string& field, const std::string& why) {
    if (!why_.empty()) return;
    why_ = why;
    *field_ = field;
  }

  void text(const char* key, std::string* value) {
    const json* found = find(key);
    if (!found) return;
    if (!found->is_string() || found->get_ref<const std::string&>().size() > kMostText) {
      return fail(key, quoted(key) + "must be a text of at most " + std::to_string(kMostText) + " bytes");
    }
    *value = found->get<std::string>();
  }

  void flag(const char* key, bool* value) {
    const json* found = find(key);
    if (!found) return;
    if (!found->is_boolean()) return fail(key, quoted(key) + "must be true or false");
    *value = found->get<bool>();
  }

  std::optional<std::int64_t> number(const char* key, std::int64_t least, std::int64_t most) {
    const json* found = find(key);
    if (!found) return std::nullopt;
    // What does not fit a signed number was read as unsigned or as floating-point.
    const bool fits = found->is_number_integer() &&
                      (!found->is_number_unsigned() || found->get<std::uint64_t>() <= INT64_MAX);
    if (fits && found->get<std::int64_t>() >= least && found->get<std::int64_t>() <= most) {
      return found->get<std::int64_t>();
    }
    fail(key, quoted(key) + "must be a whole number from " + std::to_string(least) + " to " +
                  std::to_string(most));
    return std::nullopt;
  }

  const json* find(const char* key) const {
    const auto found = query_.find(key);
    return found == query_.end() ? nullptr : &*found;
  }

 private:
  static std::string quoted(const char* key) { return "'" + std::string(key) + "' "; }

  const json& query_;
  std::string* field_;
  std::string why_;
};

void read_player(Reader* reader, const AnalysisDefaults& defaults, SearchRequest* search) {
  std::string name;
  reader->text("player", &name);
  const bool none = reader->find("player") && name.empty();  // Alpha-beta by material.
  if (!defaults.player || none || !reader->why().empty()) return;
  try {
    search->player = defaults.player(name, search->game.rules().info().ruleset);
  } catch (const models::Error& error) {
    reader->fail("player", error.what());
  }
}

void read_limits(Reader* reader, const AnalysisDefaults& defaults, SearchRequest* search) {
  const auto visits = reader->number("maxVisits", 1, kMostVisits);
  const auto time = reader->number("maxTimeMs", 1, kMostTime);
  const auto level = reader->number("level", 1, 1000);
  if (visits) search->limits.nodes = visits;
  if (time) search->limits.time = milliseconds(*time);
  try {
    if (level) limit_by_level(static_cast<int>(*level), search);
  } catch (const models::Error& error) {
    reader->fail("level", error.what());
  }
  if (!visits && !time && !level && defaults.visits > 0) limit_by_player(defaults.visits, search);
  if (const auto lines = reader->number("lines", 0, game::MoveList::kCapacity)) {
    search->lines = static_cast<int>(*lines);
  }
  if (const auto priority = reader->number("priority", -kMostPriority, kMostPriority)) {
    search->priority = static_cast<int>(*priority);
  }
  if (const auto seed = reader->number("seed", 0, INT64_MAX)) search->seed = *seed;
  if (const auto plies = reader->number("variedPlies", 0, kMostVariedPlies))
    search->limits.varied_plies = static_cast<int>(*plies);
  const json* every = reader->find("reportDuringSearchEvery");
  if (!every) return;
  if (!every->is_number() ||
      !(every->get<double>() >= kShortestReport && every->get<double>() <= kMostTime)) {
    return reader->fail("reportDuringSearchEvery", "'reportDuringSearchEvery' must be seconds from 0.01 on");
  }
  search->report_every = milliseconds(std::llround(1000 * every->get<double>()));
}

void read_search_moves(Reader* reader, SearchRequest* search) {
  const json* list = reader->find("searchMoves");
  if (!list) return;
  if (!list->is_array() || list->empty()) {
    return reader->fail("searchMoves", "'searchMoves' must be a list of moves: [\"a3a5\"]");
  }
  for (const json& text : *list) {
    if (!text.is_string())
      return reader->fail("searchMoves", "'searchMoves' must be a list of moves: [\"a3a5\"]");
    const Parsed<game::Move> move =
        game::parse_move(search->game.rules(), search->game.position(), text.get_ref<const std::string&>());
    if (!move) return reader->fail("searchMoves", move.why());
    search->limits.search_moves.push_back(*move);
  }
}

void check_keys(const json& query, Reader* reader) {
  for (const auto& [key, unused] : query.items()) {
    if (std::find(keys().begin(), keys().end(), key) != keys().end()) continue;
    const std::string near = key.size() < 40 ? game::nearest_name(key, keys()) : "";
    return reader->fail(key,
                        "unknown key '" + key + "'" + (near.empty() ? "" : ": did you mean '" + near + "'?"));
  }
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

// The moves before each position that is asked for; without the key the last one.
void read_turns(Reader* reader, AnalysisQuery* query) {
  const PlayedGame& game = query->search.game;
  const int last = static_cast<int>(game.actions().size());
  const std::string wanted =
      "'analyzeTurns' must be a list of different numbers from 0 to " + std::to_string(last);
  if (const json* list = reader->find("analyzeTurns")) {
    if (!list->is_array() || list->empty()) return reader->fail("analyzeTurns", wanted);
    for (const json& turn : *list) {
      if (!turn.is_number_integer() || turn < 0 || turn > last) return reader->fail("analyzeTurns", wanted);
      query->turns.push_back(turn.get<int>());
    }
    std::vector<int> sorted = query->turns;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      return reader->fail("analyzeTurns", wanted);
  } else {
    query->turns = {last};
  }
  const bool at_end = std::find(query->turns.begin(), query->turns.end(), last) != query->turns.end();
  if (at_end && game.outcome().over()) {
    const std::string why = "the game is over: " + outcome_cause(game, game.outcome()).english();
    reader->fail(reader->find("analyzeTurns") ? "analyzeTurns" : "moves", why);
  }
}

}  // namespace

AnalysisQuery query_of_turn(const AnalysisQuery& query, int turn) {
  AnalysisQuery one = query;
  one.turns = {turn};
  one.search.game = game_at(query.search.game, turn);
  return one;
}

Parsed<AnalysisQuery> analysis_query(const json& query, const AnalysisDefaults& defaults,
                                     std::string* field) {
  json with_game = query;
  if (query.is_object() && !query.contains("game") && !defaults.game.empty())
    with_game["game"] = defaults.game;
  const Parsed<PlayedGame> game = played_game_from_json(with_game, field);
  if (!game) return Parsed<AnalysisQuery>::failure(game.reasons());

  AnalysisQuery result{.id = "", .search = {.game = *game}};
  Reader reader(query, field);
  check_keys(query, &reader);
  reader.text("id", &result.id);
  read_player(&reader, defaults, &result.search);
  reader.flag("includePolicy", &result.include_policy);
  reader.flag("includeTree", &result.include_tree);
  read_limits(&reader, defaults, &result.search);
  read_turns(&reader, &result);
  if (reader.find("searchMoves") && result.turns.size() > 1)
    reader.fail("searchMoves", "'searchMoves' are the moves of one position: ask for one of analyzeTurns");
  if (reader.why().empty()) {
    // Those of the position that is searched.
    SearchRequest one = result.search;
    one.game = game_at(one.game, result.turns[0]);
    read_search_moves(&reader, &one);
    result.search.limits.search_moves = one.limits.search_moves;
  }
  if (!reader.why().empty()) return Parsed<AnalysisQuery>::failure({reader.why()});
  return result;
}

json analysis_result(const AnalysisQuery& query, const SearchInfo& info, bool is_during_search,
                     const PooledSearch* search) {
  json result = search_info_json(query.search.game, info);
  result["id"] = query.id;
  result["turnNumber"] = query.turns.front();
  result["isDuringSearch"] = is_during_search;
  if (query.include_policy) result["policy"] = policy_json(query.search.game, info);
  if (query.include_tree && search) result["tree"] = tree_with_replies(query.search.game, *search);
  return result;
}

// A query for one turn and its search.
struct Analysis::Running {
  AnalysisQuery query;
  std::shared_ptr<PooledSearch> search;
};

Analysis::Analysis(std::istream& in, std::ostream& out, const AnalysisDefaults& defaults,
                   const SearchPoolOptions& options)
    : in_(in), out_(out), defaults_(defaults), pool_(options) {}

void Analysis::run() {
  PlainLines lines(in_);
  for (std::string line; lines.next(&line);) {
    if (line.find_first_not_of(" \t") != std::string::npos) handle(line);
  }
  pool_.wait();
}

void Analysis::handle(const std::string& line) {
  const json query = json::parse(line, nullptr, false);
  if (query.is_discarded())
    return refuse(nullptr, "the line is not JSON: a query is an object on one line", "");
  if (!query.is_object()) return refuse(query, "a query is a JSON object", "");
  const auto action = query.find("action");
  if (action == query.end()) return search(query);
  if (*action == "terminate" || *action == "terminate_all") return terminate(query);
  refuse(query, "unknown action: 'terminate' and 'terminate_all' are known", "action");
}

void Analysis::search(const json& query) {
  std::string field;
  Parsed<AnalysisQuery> parsed = analysis_query(query, defaults_, &field);
  if (!parsed) return refuse(query, parsed.why(), field);
  if (parsed->id.empty())
    return refuse(query, "'id' must be a text that names the query in its results", "id");
  std::vector<std::shared_ptr<Running>> turns;
  for (const int turn : parsed->turns)
    turns.push_back(std::make_shared<Running>(Running{query_of_turn(*parsed, turn), nullptr}));
  {
    const std::scoped_lock lock(mutex_);
    const auto first = running_.lower_bound({parsed->id, 0});
    if (first != running_.end() && first->first.first == parsed->id) field = "id";
    for (size_t i = 0; field.empty() && i < turns.size(); ++i)
      running_.emplace(std::pair(parsed->id, parsed->turns[i]), turns[i]);
  }
  if (!field.empty()) return refuse(query, "a query with this id is not answered yet: choose another", "id");
  for (const auto& running : turns) start(running);
}

void Analysis::start(const std::shared_ptr<Running>& running) {
  const std::string& id = running->query.id;
  const int turn = running->query.turns.front();
  const auto find_search = [this, running] {
    const std::scoped_lock lock(mutex_);
    return running->search;
  };
  const auto end = [this, id, turn] {
    const std::scoped_lock lock(mutex_);
    running_.erase({id, turn});
  };
  SearchHandlers handlers;
  handlers.info = [=, this](const SearchInfo& info) {
    send(analysis_result(running->query, info, true, find_search().get()));
  };
  handlers.finished = [=, this](const SearchInfo& info) {
    const json result = analysis_result(running->query, info, false, find_search().get());
    end();  // Before it is told: who reads the result may use the id again.
    send(result);
  };
  handlers.failed = [=, this](const std::string& why) {
    end();
    send({{"id", id}, {"turnNumber", turn}, {"error", why}});
  };
  // The lock makes a search that ends at once wait until its handle is known.
  const std::scoped_lock lock(mutex_);
  running->search = pool_.start(running->query.search, std::move(handlers));
}

// {"id", "action": "terminate", "terminateId"} or {"id", "action": "terminate_all"}: answered by itself, the
// searches by what they know.
void Analysis::terminate(const json& query) {
  const bool all = query["action"] == "terminate_all";
  const auto id = query.find("terminateId");
  if (!all && (id == query.end() || !id->is_string())) {
    return refuse(query, "'terminateId' must be the id of a query", "terminateId");
  }
  for (const auto& [key, unused] : query.items()) {
    if (key != "id" && key != "action" && (all || key != "terminateId")) {
      return refuse(query, "unknown key '" + key + "' of '" + query["action"].get<std::string>() + "'", key);
    }
  }
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [key, running] : running_) {
      if (running->search && (all || key.first == id->get_ref<const std::string&>())) running->search->stop();
    }
  }
  send(query);
}

void Analysis::refuse(const json& query, const std::string& why, const std::string& field) {
  json answer = {{"error", why}};
  if (!field.empty()) answer["field"] = field;
  if (query.is_object() && query.contains("id") && query["id"].is_string()) answer["id"] = query["id"];
  send(answer);
}

void Analysis::send(const json& answer) {
  const std::string text = json_text(answer);
  const std::scoped_lock lock(mutex_);
  out_ << text << std::endl;
}

}  // namespace makzero::play
