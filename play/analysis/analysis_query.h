// Queries of the analysis and their results; the schemas Query and Result of play/json/api.json say what they
// hold.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "game/parsed.h"
#include "play/engine/search_pool.h"
#include "play/json/api.h"

namespace makzero::play {

// Defaults of a query.
struct AnalysisDefaults {
  std::string game;  // Empty: a query must name it.

  // The player that a query names (empty: none) for a ruleset. Throws models::Error where there is none.
  // Unset: alpha-beta by material.
  std::function<models::PlayerSpec(const std::string& name, const std::string& ruleset)> player;

  // The opening book for some rules, where a query asks for it; null: none. Unset: there is none.
  std::function<std::shared_ptr<const Book>(const game::Game& rules)> book = {};
  int visits = 400;          // As limit_by_player() takes them; 0: without a limit.
  std::string version = {};  // Of the program: "0.1.0-1a2b3c4".
};

// A query that was understood.
struct AnalysisQuery {
  std::string id;
  SearchRequest search;              // Of the position after all moves.
  std::vector<int> turns = {};       // The positions that are searched, by the moves before them.
  std::vector<int> priorities = {};  // Of the turns; empty: that of `search`.
  bool include_policy = false;
  bool include_tree = false;
  bool include_pv_visits = false;
  std::optional<game::Color> values_of = {};  // Side whose values are reported; none: the side to move.
  std::vector<FieldWarning> warnings = {};
};

// The query for one of its turns alone.
AnalysisQuery query_of_turn(const AnalysisQuery& query, int turn);

// Reads a query for searches. A failure sets `field` to the key that is wrong.
game::Parsed<AnalysisQuery> analysis_query(const nlohmann::json& query, const AnalysisDefaults& defaults,
                                           std::string* field);

// The result of a query, or what is known during its search. `search` may be null: without a tree.
nlohmann::json analysis_result(const AnalysisQuery& query, const SearchInfo& info, bool is_during_search,
                               const PooledSearch* search);

}  // namespace makzero::play
