// Every game has a certificate, and its rules are still those that were certified.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "game/catalog.h"
#include "game/embedded_text.h"
#include "game/signature.h"

namespace makzero::game {
namespace {

const char* const kRemedy = "certify them anew: tests/certify.py BUILD_FOLDER";

std::string hex(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

class CertificateTest : public testing::TestWithParam<std::string> {};

TEST_P(CertificateTest, NamesTheSignatureOfTheRules) {
  const std::string ruleset = GetParam(), signature = hex(rules_signature(**make_game(ruleset)));
  RecordProperty("ruleset", ruleset);
  RecordProperty("game", std::string(game_of(ruleset)));
  RecordProperty("signature", signature);
  const std::string text(certificate(ruleset));
  ASSERT_FALSE(text.empty()) << "the rules have no certificate; " << kRemedy;
  EXPECT_NE(text.find("\n" + ruleset + "\n  signature " + signature + "\n"), std::string::npos)
      << "the rules of '" << ruleset << "' have changed, their signature is " << signature << "; " << kRemedy;
}

INSTANTIATE_TEST_SUITE_P(Rulesets, CertificateTest, testing::ValuesIn(ruleset_names()));

TEST(CertificatesTest, BelongToGames) {
  for (const EmbeddedText& certificate : certificates())
    EXPECT_EQ(game_of(certificate.name), certificate.name) << "no game has this certificate";
}

TEST(SignatureTest, AnOptionChangesIt) {
  EXPECT_NE(rules_signature(**make_game("makyek")), rules_signature(**make_game("makyek:no_progress=60")));
}

}  // namespace
}  // namespace makzero::game
