// Rows of tests/data/oracle/makyek-family.tsv: leaf counts and captures by independent programs.
#pragma once

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace makzero::game {

struct Row {
  std::string kind;  // "perft" or "capture".
  std::string name;  // The data's short name of the ruleset.
  std::string position, move, depth;
  std::string value;    // Leaves, or the squares taken: "b5 c4 c6", "-" for none.
  std::string oracles;  // Who says so: "ref+hand".
  std::string note;     // "... | after: POSITION".
};

inline std::vector<Row> all_rows() {
  std::ifstream file(MAKZERO_TEST_DATA "/oracle/makyek-family.tsv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#") || line.starts_with("kind\t")) continue;
    std::istringstream fields(line);
    Row row;
    std::string group;
    for (std::string* field : {&row.kind, &row.name, &group, &row.position, &row.move, &row.depth, &row.value,
                               &row.oracles, &row.note}) {
      std::getline(fields, *field, '\t');
    }
    rows.push_back(row);
  }
  return rows;
}

// What make_game() reads for a short name of the data: "hunt chain=on" is "hunt:chain=on". The data's
// "minrekchanh-surround" has the default obligation, unlike the ruleset of that name.
inline std::string spec_of(const std::string& name) {
  static const std::map<std::string, std::string> kSpecs = {
      {"rek-right", "rek:kings=right"},
      {"rek-mirror", "rek:kings=mirror"},
      {"rek-simul", "rek:order=simultaneous"},
      {"rek-surfirst", "rek:order=surround_first"},
      {"minrekchanh-transition", "minrekchanh:obligation=transition"},
      {"minrekchanh-none", "minrekchanh:obligation=none"},
      {"minrekchanh-surround", "minrekchanh:surround=on"},
      {"gala-corner", "gala:corner_capture=on"},
      {"gala-step", "gala:move=step"},
      {"gala-neutralmid", "gala:middle_row=neutral"},
      {"gala-blackmoves", "gala:rest=black_moves"},
  };
  const auto special = kSpecs.find(name);
  if (special != kSpecs.end()) return special->second;
  std::string spec = name;
  std::replace(spec.begin(), spec.end(), ' ', ',');
  const size_t first = spec.find(',');
  if (first != std::string::npos) spec[first] = ':';
  return spec;
}

// The short names of the rows of a kind.
inline std::vector<std::string> names_of(const std::string& kind) {
  std::set<std::string> names;
  for (const Row& row : all_rows()) {
    if (row.kind == kind) names.insert(row.name);
  }
  return {names.begin(), names.end()};
}

}  // namespace makzero::game
