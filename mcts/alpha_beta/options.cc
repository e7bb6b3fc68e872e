#include "mcts/alpha_beta/options.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "game/catalog.h"
#include "game/rule_features.h"

namespace makzero::mcts {
namespace {

// An option that a text may set.
struct Field {
  std::string_view name;
  std::variant<bool AlphaBetaOptions::*, int AlphaBetaOptions::*, double AlphaBetaOptions::*,
               TableCutoffs AlphaBetaOptions::*>
      member;
  double least = 0, most = 1 << 16;  // Beyond them the search would divide by 0 or leave its arrays.
};

constexpr Field kFields[] = {
    {"aspiration_depth", &AlphaBetaOptions::aspiration_depth},
    {"aspiration_window", &AlphaBetaOptions::aspiration_window, 1},
    {"aspiration_growth", &AlphaBetaOptions::aspiration_growth, 2, 16},
    {"aspiration_limit", &AlphaBetaOptions::aspiration_limit},
    {"forced_extension", &AlphaBetaOptions::forced_extension, 0, 1},
    {"quiescence_plies", &AlphaBetaOptions::quiescence_plies, 0, 64},
    {"mate_distance_pruning", &AlphaBetaOptions::mate_distance_pruning},
    {"rfp_depth", &AlphaBetaOptions::rfp_depth},
    {"rfp_margin", &AlphaBetaOptions::rfp_margin},
    {"null_move_depth", &AlphaBetaOptions::null_move_depth, 1},
    {"null_move_reduction", &AlphaBetaOptions::null_move_reduction},
    {"null_move_divisor", &AlphaBetaOptions::null_move_divisor, 1},
    {"null_move_pieces", &AlphaBetaOptions::null_move_pieces},
    {"iir_depth", &AlphaBetaOptions::iir_depth, 1},
    {"lmp_depth", &AlphaBetaOptions::lmp_depth},
    {"lmp_base", &AlphaBetaOptions::lmp_base},
    {"lmp_factor", &AlphaBetaOptions::lmp_factor},
    {"lmp_improving", &AlphaBetaOptions::lmp_improving},
    {"futility_depth", &AlphaBetaOptions::futility_depth},
    {"futility_base", &AlphaBetaOptions::futility_base},
    {"futility_margin", &AlphaBetaOptions::futility_margin},
    {"lmr_depth", &AlphaBetaOptions::lmr_depth, 2},
    {"lmr_moves", &AlphaBetaOptions::lmr_moves},
    {"lmr_base", &AlphaBetaOptions::lmr_base, -100, 100},
    {"lmr_divisor", &AlphaBetaOptions::lmr_divisor, 0.01, 100},
    {"lmr_history", &AlphaBetaOptions::lmr_history, 1},
    {"lmr_worsening", &AlphaBetaOptions::lmr_worsening},
    {"lmr_cut", &AlphaBetaOptions::lmr_cut},
    {"see_order", &AlphaBetaOptions::see_order},
    {"see_depth", &AlphaBetaOptions::see_depth},
    {"see_capture_margin", &AlphaBetaOptions::see_capture_margin},
    {"see_quiet_margin", &AlphaBetaOptions::see_quiet_margin},
    {"killers", &AlphaBetaOptions::killers},
    {"history_bonus", &AlphaBetaOptions::history_bonus},
    {"history_limit", &AlphaBetaOptions::history_limit, 1},
    {"history_ageing", &AlphaBetaOptions::history_ageing, 1},
    {"table_cutoffs", &AlphaBetaOptions::table_cutoffs},
    {"key_horizon", &AlphaBetaOptions::key_horizon, 0, AlphaBetaOptions::kEndless},
    {"repetition_in_tree", &AlphaBetaOptions::repetition_in_tree},
    {"hunted_men", &AlphaBetaOptions::hunted_men},
    {"hunted_weight", &AlphaBetaOptions::hunted_weight},
    {"mobility_weight", &AlphaBetaOptions::mobility_weight},
};

// False where the text is no value of that type; of a bool 0 and 1 are.
template <class Value>
bool read_value(const std::string& text, Value* value) {
  std::istringstream words(text);
  return words >> *value && words.peek() == std::char_traits<char>::eof();
}

bool read_value(const std::string& text, TableCutoffs* value) {
  int number = 0;
  if (!read_value(text, &number) || number < 0 || number > static_cast<int>(TableCutoffs::kAll)) return false;
  *value = static_cast<TableCutoffs>(number);
  return true;
}

// Sets an option by a line that is not empty; returns what is wrong.
std::string set_option(const std::string& line, AlphaBetaOptions* options) {
  std::istringstream words(line);
  std::string name, equals, value, more;
  words >> name >> equals >> value;
  if (equals != "=" || value.empty() || words >> more) return "expected a line such as lmp_depth = 8";
  const auto* const field = std::find_if(std::begin(kFields), std::end(kFields),
                                         [&name](const Field& field) { return field.name == name; });
  if (field == std::end(kFields)) return "there is no option '" + name + "'";
  const auto read = [&](auto member) -> std::string {
    if (!read_value(value, &(options->*member))) return "is no value of its type";
    const auto number = static_cast<double>(options->*member);
    if (number >= field->least && number <= field->most) return "";
    std::ostringstream range;
    range << "is not from " << field->least << " to " << static_cast<std::int64_t>(field->most);
    return range.str();
  };
  const std::string wrong = std::visit(read, field->member);
  return wrong.empty() ? "" : name + ": '" + value + "' " + wrong;
}

}  // namespace

AlphaBetaOptions alpha_beta_options(const game::GameInfo& info) {
  AlphaBetaOptions options;
  // No null move where men are dropped, or one piece is hunted by many: a move may be worse than none.
  if (info.family.empty() || info.has_hands || info.has_hunter)
    options.null_move_depth = AlphaBetaOptions::kNever;
  // Measured there alone; the weight is that of a board of 8x8.
  const std::string_view name = game::game_of(info.ruleset);
  if ((name == "makyek" || name == "apit" || name == "rek") && info.files == 8) options.hunted_men = 8;
  // Where the first check wins, a piece that is lost may win by it.
  if (info.takes_by_arrival && game::rule_feature(info, "first_check_wins") == 0) {
    options.see_order = true;
    options.see_depth = 6;
    options.lmr_worsening = options.lmr_cut = 1;
    options.lmp_depth = 6;
    options.lmp_base = 8;
    options.lmp_factor = 2;
    options.lmp_improving = true;
    options.futility_base = 100;
    options.futility_margin = 150;
    options.key_horizon = 40;
  }
  return options;
}

Reductions late_move_reductions(const AlphaBetaOptions& options) {
  std::array<double, kReductionSize> logarithms = {};
  for (int i = 1; i < kReductionSize; ++i) logarithms[i] = std::log(i);
  Reductions table = {};
  for (int depth = 1; depth < kReductionSize; ++depth) {
    for (int move = 1; move < kReductionSize; ++move) {
      const double product = logarithms[depth] * logarithms[move];
      table[depth][move] = static_cast<int>(options.lmr_base + product / options.lmr_divisor);
    }
  }
  return table;
}

game::Parsed<AlphaBetaOptions> parse_alpha_beta_options(std::string_view text, AlphaBetaOptions options) {
  std::vector<std::string> reasons;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line.resize(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (const std::string wrong = set_option(line, &options); !wrong.empty())
      reasons.push_back("line " + std::to_string(number) + ": " + wrong);
  }
  if (!reasons.empty()) return game::Parsed<AlphaBetaOptions>::failure(reasons);
  return options;
}

}  // namespace makzero::mcts
