// What a test contributes to the certificate of a game: tests/certify.py collects it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <sstream>
#include <string>

namespace makzero::game {

struct Evidence {
  std::string ruleset;                                // With options.
  std::string what;                                   // "rows of leaf counts"; ", ..." may follow.
  std::uint64_t cases = 0;                            // How many of `what`.
  std::uint64_t leaves = 0;                           // Counted in them; 0 = nothing is counted.
  std::map<std::string, std::uint64_t> sources = {};  // How many of the cases each of them says.

  // Adds a case that all of "ref+ludii*" say.
  void add(const std::string& joined_sources, std::uint64_t more_leaves) {
    ++cases;
    leaves += more_leaves;
    std::istringstream names(joined_sources);
    for (std::string name; std::getline(names, name, '+');) ++sources[name];
  }
};

// Writes it into the report of the running test. A test that fails is no evidence.
inline void record(const Evidence& evidence) {
  std::string sources;
  for (const auto& [name, cases] : evidence.sources) sources += name + "\t" + std::to_string(cases) + "\n";
  testing::Test::RecordProperty("ruleset", evidence.ruleset);
  testing::Test::RecordProperty("what", evidence.what);
  testing::Test::RecordProperty("cases", std::to_string(evidence.cases));
  testing::Test::RecordProperty("leaves", std::to_string(evidence.leaves));
  testing::Test::RecordProperty("sources", sources);
}

}  // namespace makzero::game
