#include "game/rules/makyek.h"

#include "game/rules/custodial_men.h"
#include "game/rules/named_rules.h"

namespace makzero::game {
namespace {

std::vector<NamedRules<MenRules>> rulesets() {
  const std::string slide = "Men slide like rooks; take all enemy men. ";
  const std::string pair = "A man arriving between two enemies takes both";
  const std::string single = ", one enemy between two own men falls, and ";
  MenRules line, low, corner, jump;
  line.custodian = low.custodian = Custodian::kLine;
  low.intervention = Intervention::kLine;
  corner.corner_capture = true;
  jump.jump = true;
  return {
      {"makyek", "Mak-yek", slide + pair + ", and one enemy caught between two own men falls.", {}},
      {"makyek-line", "Mak-yek, lines",
       slide + pair + ", and a row of enemies caught between two own men falls.", line},
      {"makyek-low", "Mak-yek after Low (1839)",
       slide + pair + " and the enemies behind them, and a row caught between two own men falls.", low},
      {"makyek-corner", "Mak-yek, corners",
       slide + pair + single + "so does a corner man with both neighbours taken.", corner},
      {"makyek-jump", "Mak-yek, jumps",
       slide + pair + single + "a man may jump over a neighbour without taking it.", jump},
  };
}

const RulesTable<MenRules>& makyek_table() {
  static const RulesTable<MenRules> kTable = {"Wikipedia, Mak-yek; J. Low 1839", rulesets(), men_options(),
                                              add_men_features};
  return kTable;
}

}  // namespace

std::vector<std::string> makyek_rulesets() { return names_of(makyek_table()); }

Parsed<GamePtr> make_makyek(std::string_view ruleset, const OptionTexts& options) {
  return make_named<CustodialMen>(makyek_table(), ruleset, options);
}

}  // namespace makzero::game
