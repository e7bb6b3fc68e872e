// Analysis by JSON lines after KataGo's analysis engine: a query a line in, results as they come out.
// analysis.schema.json documents both.
#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "game/parsed.h"
#include "play/engine/search_pool.h"

namespace makzero::play {

// What holds where a query does not say.
struct AnalysisDefaults {
  std::string game;  // Empty: a query must name it.

  // The player that a query names (empty: none) for a ruleset. Throws models::Error where there is none.
  // Unset: alpha-beta by material.
  std::function<models::PlayerSpec(const std::string& name, const std::string& ruleset)> player;
  int visits = 400;  // As limit_by_player() takes them; 0: without a limit.
};

// A query that was understood.
struct AnalysisQuery {
  std::string id;
  SearchRequest search;         // Of the position after all moves.
  std::vector<int> turns = {};  // The positions that are searched, by the moves before them.
  bool include_policy = false;
  bool include_tree = false;
};

// The query for one of its turns alone.
AnalysisQuery query_of_turn(const AnalysisQuery& query, int turn);

// Reads a query for searches. A failure sets `field` to the key that is wrong.
game::Parsed<AnalysisQuery> analysis_query(const nlohmann::json& query, const AnalysisDefaults& defaults,
                                           std::string* field);

// The result of a query, or what is known during its search. `search` may be null: without a tree.
nlohmann::json analysis_result(const AnalysisQuery& query, const SearchInfo& info, bool is_during_search,
                               const PooledSearch* search);

// One session on a pair of streams.
class Analysis {
 public:
  Analysis(std::istream& in, std::ostream& out, const AnalysisDefaults& defaults,
           const SearchPoolOptions& options);

  // Serves lines until the end of the input, and finishes what was asked until then.
  void run();

 private:
  struct Running;

  void handle(const std::string& line);
  void search(const nlohmann::json& query);
  void start(const std::shared_ptr<Running>& running);
  void terminate(const nlohmann::json& query);
  void refuse(const nlohmann::json& query, const std::string& why, const std::string& field);
  void send(const nlohmann::json& answer);

  std::istream& in_;
  std::ostream& out_;
  AnalysisDefaults defaults_;
  std::mutex mutex_;  // Of the output and of what runs: the pool's threads answer.
  std::map<std::pair<std::string, int>, std::shared_ptr<Running>> running_;  // By id and turn.
  SearchPool pool_;  // Last: its end tells the last results.
};

}  // namespace makzero::play
