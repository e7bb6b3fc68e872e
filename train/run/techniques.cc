#include <string>

#include "nn/heads.h"
#include "train/run/ablation.h"

namespace makzero::train {
namespace {

// The changes, and nothing is learnt but policy and value.
Overrides without_auxiliary_heads(Overrides changes) {
  for (const nn::HeadInfo& info : nn::kHeads)
    if (info.auxiliary) changes.emplace_back("learning." + std::string(info.name) + "_weight", "0");
  changes.insert(changes.end(), {{"learning.moves_left_weight", "0"}, {"search.moves_left_weight", "0"}});
  return changes;
}

}  // namespace

// A setting that searches more has fewer rows for its evaluations: its generations are as long in evaluations
// as the base's (rows of 16).
const std::vector<Setting>& techniques() {
  static const std::vector<Setting> kTechniques = {
      {"base", {}},
      {"half", {}},

      // Search of self-play.
      {"gumbel-8", {{"self_play.simulations", "8"}}, 2},
      {"gumbel-32", {{"self_play.simulations", "32"}}, 0.5},
      {"gumbel-64", {{"self_play.simulations", "64"}}, 0.25},
      {"puct-200", {{"search.algorithm", "PUCT"}, {"self_play.simulations", "200"}}, 0.08},
      {"puct-64", {{"search.algorithm", "PUCT"}, {"self_play.simulations", "64"}}, 0.25},
      {"puct-800", {{"search.algorithm", "PUCT"}, {"self_play.simulations", "800"}}, 0.02},
      {"playout-caps",
       {{"self_play.playout_cap_full_share", "0.25"},
        {"self_play.simulations", "32"},
        {"self_play.playout_cap_fast_simulations", "8"}},
       0.285},

      // Who plays the first games, before there is a network.
      {"first-games-uniform", {{"self_play.bootstrap_evaluator", "UNIFORM"}}, 1, true},
      {"first-games-network", {{"self_play.bootstrap_evaluator", "NETWORK"}}, 1, true},
      {"material-only-first", {{"self_play.material_blend_weight", "0"}}},

      // Targets.
      {"no-reply-head", {{"learning.reply_weight", "0"}}},
      {"no-survival-head", {{"learning.survival_weight", "0"}}},
      {"no-short-term-head", {{"learning.short_term_weight", "0"}}},
      {"short-term-head", {{"learning.short_term_weight", "0.2"}}},
      {"no-moves-left", {{"learning.moves_left_weight", "0"}, {"search.moves_left_weight", "0"}}},
      {"no-auxiliary-heads", without_auxiliary_heads({})},
      {"value-of-result", {{"learning.q_ratio", "0"}}},
      {"value-half-search", {{"learning.q_ratio", "0.5"}}},

      // Learning.
      {"window-fixed", {{"replay.window_exponent", "0"}}},
      {"window-all", {{"replay.window_exponent", "1"}}},
      {"samples-2", {{"learning.replay_ratio", "2"}}},
      {"samples-8", {{"learning.replay_ratio", "8"}}},
      {"surprise", {{"learning.policy_surprise_weight", "0.5"}}},
      {"no-surprise", {{"learning.policy_surprise_weight", "0"}}},
      {"no-symmetries", {{"learning.symmetries", "false"}}},
      {"no-averaging", {{"learning.ema_decay", "0"}}},
      {"network-3x32", {{"network.blocks", "3"}, {"network.channels", "32"}}},
      {"network-4x48", {{"network.blocks", "4"}, {"network.channels", "48"}}},
      {"network-6x64", {{"network.blocks", "6"}, {"network.channels", "64"}}},

      {"no-capture-planes", {{"network.capture_planes", "false"}}},

      // How games begin and end.
      {"plain-openings",
       {{"opening.random_plies", "0"}, {"opening.reduced_material_share", "0"}, {"opening.odds_share", "0"}}},
      {"more-openings", {{"opening.reduced_material_share", "0.3"}, {"opening.odds_share", "0.3"}}},
      {"endings", {{"opening.endgame_share", "0.35"}}},
      {"no-adjudication", {{"self_play.adjudicate_by_material", "false"}}},
      {"whole-games", {{"self_play.shortest_length_share", "1"}}},
      {"adjudication-half", {{"learning.adjudicated_win_value", "0.5"}, {"learning.adjudicated_lead", "0"}}},
      {"adjudication-full", {{"learning.adjudicated_win_value", "1"}, {"learning.adjudicated_lead", "0"}}},
      {"adjudication-by-lead-3",
       {{"learning.adjudicated_win_value", "0.9"}, {"learning.adjudicated_lead", "3"}}},
      {"adjudication-by-lead-6",
       {{"learning.adjudicated_win_value", "0.9"}, {"learning.adjudicated_lead", "6"}}},

      // Against passivity.
      {"draws-equal", {{"search.draw_score", "0"}}},
      {"draws-bad", {{"search.draw_score", "-0.3"}}},
      {"no-material-result", {{"rulesets.material_result_share", "0"}}},
      {"quick-wins", {{"search.moves_left_weight", "0.1"}}},

      // What the rest adds up to: AlphaZero as it was published.
      {"alphazero",
       without_auxiliary_heads({{"search.algorithm", "PUCT"},
                                {"self_play.bootstrap_evaluator", "NETWORK"},
                                {"self_play.material_blend_weight", "0"},
                                {"self_play.simulations", "200"},
                                {"learning.q_ratio", "0"},
                                {"learning.policy_surprise_weight", "0"},
                                {"learning.symmetries", "false"},
                                {"network.capture_planes", "false"}}),
       0.08, true},
  };
  return kTechniques;
}

}  // namespace makzero::train
