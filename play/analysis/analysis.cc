#include "play/analysis/analysis.h"

#include <algorithm>
#include <exception>
#include <istream>
#include <ostream>
#include <utility>

#include "game/catalog.h"
#include "models/error.h"
#include "play/json/game_json.h"
#include "play/plain_lines.h"

namespace makzero::play {
namespace {

using game::Parsed;
using nlohmann::json;

}  // namespace

// A query for one turn and its search.
struct Analysis::Running {
  AnalysisQuery query;
  std::shared_ptr<PooledSearch> search;
  bool terminated = false;
};

Analysis::Analysis(std::istream& in, std::ostream& out, const AnalysisDefaults& defaults,
                   const SearchPoolOptions& options)
    : in_(in), out_(out), defaults_(defaults), options_(options), pool_(options) {}

void Analysis::run() {
  PlainLines lines(in_);
  for (std::string line; lines.next(&line);) {
    if (line.find_first_not_of(" \t") != std::string::npos) handle(line);
  }
  pool_.wait();
}

void Analysis::handle(const std::string& line) {
  bool deep = false;
  const json query = parse_json(line, &deep);
  if (deep) return refuse(nullptr, "the line has too many levels of nesting", "");
  if (query.is_discarded())
    return refuse(nullptr, "the line is not JSON: a query is an object on one line", "");
  if (!query.is_object()) return refuse(query, "a query is a JSON object", "");
  query.contains("action") ? act(query) : search(query);
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
  warn(query, parsed->warnings);
  for (const auto& running : turns) start(running);
}

void Analysis::start(const std::shared_ptr<Running>& running) {
  const std::string& id = running->query.id;
  const int turn = running->query.turns.front();
  const auto find_search = [this, running] {
    const std::scoped_lock lock(mutex_);
    return running->search;
  };
  // Whether it was terminated.
  const auto end = [this, running, id, turn] {
    const std::scoped_lock lock(mutex_);
    running_.erase({id, turn});
    return running->terminated;
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
    const bool terminated = end();
    json answer = {{"id", id}, {"turnNumber", turn}};
    answer.update(terminated ? json{{"isDuringSearch", false}, {"noResults", true}} : json{{"error", why}});
    send(answer);
  };
  // The lock makes a search that ends at once wait until its handle is known.
  const std::scoped_lock lock(mutex_);
  running->search = pool_.start(running->query.search, std::move(handlers));
}

// Answered by the line itself, with what it asks for.
void Analysis::act(const json& query) try {
  std::string field;
  const Parsed<CheckedQuery> checked = checked_query(query, "Action", &field);
  if (!checked) return refuse(query, checked.why(), field);
  const std::string action = query["action"];
  if (action == "terminate" && !query.contains("terminateId"))
    return refuse(query, "'terminateId' must be the id of a query", "terminateId");
  warn(query, checked->warnings);
  json answer = query;
  if (action.starts_with("terminate")) terminate(query);
  if (action == "clear_cache") pool_.forget_players();
  if (action == "query_models") answer["models"] = models_json();
  if (action == "query_version") {
    const size_t dash = defaults_.version.find('-');
    answer["version"] = defaults_.version.substr(0, dash);
    answer["git_hash"] = dash == std::string::npos ? "<omitted>" : defaults_.version.substr(dash + 1);
  }
  send(answer);
} catch (const std::exception& error) {
  refuse(query, models::explain(error), "");
}

// The searches answer by what they know.
void Analysis::terminate(const json& query) {
  const std::scoped_lock lock(mutex_);
  for (const auto& [key, running] : running_) {
    const bool is_named = query["action"] == "terminate_all" || query["terminateId"] == key.first;
    const bool is_turn =
        !query.contains("turnNumbers") || std::ranges::count(query["turnNumbers"], json(key.second)) > 0;
    if (!running->search || !is_named || !is_turn) continue;
    running->terminated = true;
    running->search->stop();
  }
}

// The players in memory; that of the program is loaded.
json Analysis::models_json() {
  if (!defaults_.game.empty()) {
    const game::GamePtr rules = *game::make_game(defaults_.game);
    const std::string& ruleset = rules->info().ruleset;
    pool_.load(rules, defaults_.player ? defaults_.player("", ruleset) : models::PlayerSpec());
  }
  json list = json::array();
  for (const auto& [ruleset, player] : pool_.loaded()) {
    const nn::Precision precision = options_.backend.precision;
    list.push_back({{"name", player->description},
                    {"internalName", player->spec.name()},
                    {"game", ruleset},
                    {"version", player->spec.generation()},
                    {"maxBatchSize", options_.batch},
                    {"usesHumanSLProfile", false},
                    {"usingFP16", precision == nn::Precision::kAuto   ? "auto"
                                  : precision == nn::Precision::kFp16 ? "true"
                                                                      : "false"}});
  }
  return list;
}

void Analysis::warn(const json& query, const std::vector<FieldWarning>& warnings) {
  for (const auto& [field, text] : warnings) {
    json answer = {{"warning", text}, {"field", field}};
    if (query.contains("id")) answer["id"] = query["id"];
    send(answer);
  }
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
