// The interface of server and analysis as one OpenAPI document, api.json, and queries that are checked by it.
// Nothing throws on foreign JSON.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "game/parsed.h"

namespace makzero::play {

// The document.
std::string_view api_text();

// A field that is left out, and why.
struct FieldWarning {
  std::string field, text;
};

struct CheckedQuery {
  nlohmann::json fields = nlohmann::json::object();  // By their own names, settings among them; all fit.
  std::map<std::string, std::string> written = {};   // Fields that the query has under another name.
  std::vector<FieldWarning> warnings = {};           // Fields that the schema lacks.

  // A field as the query has it: "initialPosition" where that stands for "start".
  std::string as_written(const std::string& field) const;
};

// Checks the fields of a query by a schema of the document. A failure sets `field` to the key that is wrong;
// one that is nearly a field of the schema is a failure too.
game::Parsed<CheckedQuery> checked_query(const nlohmann::json& query, const std::string& schema,
                                         std::string* field);

}  // namespace makzero::play
