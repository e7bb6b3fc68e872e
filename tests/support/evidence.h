// What a test contributes to the certificate of a game: tests/certify.py collects it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace makzero::game {

struct Evidence {
  std::string ruleset;       // With options.
  std::string what;          // "rows of leaf counts".
  std::string source;        // Who says so: names joined by "+".
  std::uint64_t cases = 0;   // How many of `what`.
  std::uint64_t leaves = 0;  // Counted in them; 0 = nothing is counted.
};

// Writes it into the report of the running test. A test that fails is no evidence.
inline void record(const Evidence& evidence) {
  testing::Test::RecordProperty("ruleset", evidence.ruleset);
  testing::Test::RecordProperty("what", evidence.what);
  testing::Test::RecordProperty("source", evidence.source);
  testing::Test::RecordProperty("cases", std::to_string(evidence.cases));
  testing::Test::RecordProperty("leaves", std::to_string(evidence.leaves));
}

}  // namespace makzero::game
