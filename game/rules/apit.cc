#include "game/rules/apit.h"

#include "game/rules/custodial_men.h"
#include "game/rules/named_rules.h"

namespace makzero::game {
namespace {

std::vector<NamedRules<MenRules>> rulesets() {
  const std::string pair =
      "Men slide like rooks; take all enemy men. A man arriving between two enemies takes both";
  const std::string row = pair + ", and a row of enemies caught between two own men falls";
  MenRules apit;
  apit.setup = Setup::kRows12;
  apit.custodian = Custodian::kLine;
  MenRules single = apit, intervention_first = apit, custodian_first = apit;
  single.custodian = Custodian::kSingle;
  intervention_first.same_axis = SameAxis::kInterventionOnly;
  custodian_first.same_axis = SameAxis::kCustodianOnly;
  return {
      {"apit", "Apit-sodok", row + ".", apit},
      {"apit-single", "Apit-sodok, single men", pair + ", and one enemy caught between two own men falls.",
       single},
      {"apit-intfirst", "Apit-sodok, pairs first", row + "; on one axis the pair goes before the row.",
       intervention_first},
      {"apit-custfirst", "Apit-sodok, rows first", row + "; on one axis the row goes before the pair.",
       custodian_first},
  };
}

const RulesTable<MenRules>& apit_table() {
  static const RulesTable<MenRules> kTable = {"Wikipedia, Mak-yek: Apit-sodok", rulesets(), men_options(),
                                              add_men_features};
  return kTable;
}

}  // namespace

std::vector<std::string> apit_rulesets() { return names_of(apit_table()); }

Parsed<GamePtr> make_apit(std::string_view ruleset, const OptionTexts& options) {
  return make_named<CustodialMen>(apit_table(), ruleset, options);
}

}  // namespace makzero::game
