#include "train/match/match_player.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "mcts/sample_move.h"

namespace makzero::train {
namespace {

using std::chrono::nanoseconds;

// Least time for a move: an engine that overspends is cut back, a search of our own keeps half.
nanoseconds least_time(const models::PlayerSpec& spec) {
  return spec.is_engine() ? std::chrono::milliseconds(1) : nanoseconds(*spec.strength.time) / 2;
}

}  // namespace

MatchPlayer::MatchPlayer(const game::Game& rules, const models::PlayerSpec& spec, const nn::Backend& backend)
    : player_(models::load_player(rules, spec, {.backend = backend})) {
  searcher(0);
  if (spec.strength.time) balance_.emplace(*spec.strength.time, least_time(spec));
}

mcts::Searcher& MatchPlayer::searcher(std::size_t number) {
  while (searchers_.size() <= number) searchers_.push_back(player_->make_searcher({}));
  return *searchers_[number];
}

Choice MatchPlayer::choice_of(const mcts::Searcher& searcher, const Turn& turn) const {
  const mcts::SearchInfo info = searcher.info();
  const float temperature = player_->spec.strength.temperature;
  mcts::Rng rng(turn.seed);
  Choice choice{temperature > 0 ? mcts::sample_move(info.lines, temperature, &rng) : info.best()};
  // A program of the XBoard protocol tells no score.
  const models::PlayerSpec& spec = player_->spec;
  if (spec.searches() && !std::holds_alternative<models::XboardSettings>(spec.kind))
    choice.expected = info.value.win - info.value.loss;
  return choice;
}

std::vector<Choice> MatchPlayer::choose(std::span<const Turn> turns) {
  if (player_->evaluator && !balance_) return choose_together(turns);
  std::vector<Choice> choices;
  for (const Turn& turn : turns) {
    const nanoseconds start = processor_time();
    const bool forced = balance_ && turn.root.legal->size() == 1;
    choices.push_back(forced ? Choice{(*turn.root.legal)[0]} : choose_one(turn));
    if (balance_) balance_->add(processor_time() - start);
  }
  return choices;
}

Choice MatchPlayer::choose_one(const Turn& turn) {
  const bool remembers = player_->spec.one_game_at_a_time();
  if (!remembers || std::exchange(played_, turn.game) != turn.game) searcher(0).forget();
  mcts::Limits limits = models::limits_of(*player_);
  if (balance_) limits.time = balance_->next();
  limits.seed = turn.seed;
  searcher(0).begin(turn.root, limits);
  models::run(&searcher(0), player_->evaluator.get());
  return choice_of(searcher(0), turn);
}

// The searches go on together: each step of all is one batch.
std::vector<Choice> MatchPlayer::choose_together(std::span<const Turn> turns) {
  mcts::Limits limits = models::limits_of(*player_);
  std::vector<mcts::Searcher*> searchers;
  for (const Turn& turn : turns) {
    searchers.push_back(&searcher(searchers.size()));
    limits.seed = turn.seed;
    searchers.back()->forget();
    searchers.back()->begin(turn.root, limits);
  }
  while (batch_.step(searchers, {}, player_->evaluator.get())) continue;
  std::vector<Choice> choices;
  choices.reserve(turns.size());
  for (std::size_t i = 0; i < turns.size(); ++i) choices.push_back(choice_of(*searchers[i], turns[i]));
  return choices;
}

}  // namespace makzero::train
