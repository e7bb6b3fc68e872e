#include "train/self_play/self_play_game.h"

#include <algorithm>
#include <utility>

#include "game/notation.h"
#include "train/replay/game_replay.h"
#include "train/settings.h"

namespace makzero::train {
namespace {

constexpr int kLongestGame = 600;       // Plies, where neither the rules nor the configuration have a limit.
constexpr float kShortestShare = 0.4f;  // Of the greatest length: no game is cut earlier.
constexpr int kShortestGame = 24;       // Plies of a first game that is cut early.
constexpr float kForkRoom = 0.25f;      // Of the greatest length: no fork is cut earlier behind its opening.

}  // namespace

mcts::SearchOptions search_options(const Config& config) {
  const SearchConfig& search = config.search();
  mcts::SearchOptions options;
  options.algorithm = search.algorithm() == SearchConfig::GUMBEL ? mcts::SearchAlgorithm::kGumbel
                                                                 : mcts::SearchAlgorithm::kPuct;
  options.simulations = config.self_play().simulations();
  read_settings(search, kSearchSettings, &options);
  read_settings(search, mcts::kSearchConstants, &options);
  return options;
}

SelfPlayGame::SelfPlayGame(GamePool* pool, const Config& config, std::uint64_t seed,
                           std::optional<double> first_length_share)
    : pool_(pool), config_(config), rng_(seed) {
  phase_.simulations = config.self_play().simulations();
  begin();
  if (first_length_share)
    max_length_ = std::max(kShortestGame, static_cast<int>(*first_length_share * greatest_length()));
}

void SelfPlayGame::gather(mcts::Lockstep* lockstep, std::vector<GameRecord>* finished) {
  while (is_opponents_turn() || lockstep->gather(&*search_) == 0) {
    if (opening_.policy_plies > 0) {
      sample_opening_ply();
    } else {
      play_move(finished);
    }
  }
}

void SelfPlayGame::begin() {
  game::GamePtr game = pool_->sample_rules(&rng_);
  if (game != game_) {
    search_.emplace(*game, search_options(config_), rng_.next());
    game_ = std::move(game);
    pool_index_ = pool_->index_of(game_->info().ruleset);
  }
  opening_ = next_opening();
  state_.emplace(*game_, opening_.start);
  record_ = GameRecord();
  record_.set_ruleset(game_->info().ruleset);
  if (!(opening_.start == game_->initial())) record_.set_start(game::position_text(*game_, opening_.start));
  record_.set_seed(rng_.state());
  for (const game::Move move : opening_.moves) add_opening_ply(move);
  max_length_ = sample_length();
  choose_opponent();
  begin_search();
}

Opening SelfPlayGame::next_opening() {
  const OpeningConfig& config = config_.opening();
  if (config.fork_share() > 0 && rng_.uniform() < config.fork_share()) {
    if (auto fork = pool_->forks().take(game_->info().ruleset, &rng_)) return *std::move(fork);
  }
  return sample_opening(*game_, config, &rng_);
}

// A policy ply of the opening has the evaluation of its root alone.
void SelfPlayGame::begin_search() {
  search_->set_simulations(opening_.policy_plies > 0 ? 0 : phase_.simulations);
  search_->set_root(state_->position(), state_->history());
}

void SelfPlayGame::add_opening_ply(game::Move move) {
  record_.add_plies()->set_move(move.bits());
  record_.set_opening_plies(static_cast<std::uint32_t>(record_.plies_size()));
  state_->play(move);
}

// An opening does not end the game: it is over where there is no move to go on with.
void SelfPlayGame::sample_opening_ply() {
  std::vector<mcts::RootMove> moves = search_->moves_after({});
  std::erase_if(moves, [&](const mcts::RootMove& move) { return move.move == opening_.avoided; });
  const std::optional<game::Move> move =
      sample_opening_move(*state_, std::move(moves), config_.opening().policy_temperature(), &rng_);
  if (move) add_opening_ply(*move);
  opening_.policy_plies = move ? opening_.policy_plies - 1 : 0;
  opening_.avoided.reset();
  begin_search();
}

int SelfPlayGame::greatest_length() const {
  const int by_rules = game_->info().max_plies > 0 ? game_->info().max_plies : kLongestGame;
  const int configured = config_.self_play().max_game_length();
  return configured > 0 ? std::min(configured, by_rules) : by_rules;
}

int SelfPlayGame::longest_fork() const {
  return static_cast<int>((1 - kForkRoom) * static_cast<float>(greatest_length()));
}

int SelfPlayGame::sample_length() {
  const int longest = greatest_length();
  auto shortest = static_cast<int>(kShortestShare * static_cast<float>(longest));
  if (opening_.avoided)
    shortest = std::clamp(record_.plies_size() + longest - longest_fork(), shortest, longest);
  return shortest + static_cast<int>(rng_.below(longest - shortest + 1));
}

void SelfPlayGame::choose_opponent() {
  opponents_side_.reset();
  if (!opponent_ || rng_.uniform() >= config_.self_play().mixed_share()) return;
  opponents_side_ = rng_.below(2) == 0 ? game::Color::kWhite : game::Color::kBlack;
  record_.set_small_opponent(opponent_->network_id(*game_));
  record_.set_small_nodes(static_cast<std::uint32_t>(config_.self_play().small_nodes()));
}

bool SelfPlayGame::is_opponents_turn() const {
  return opening_.policy_plies == 0 && opponents_side_ == state_->position().to_move;
}

void SelfPlayGame::search_own(PlyRecord* ply) {
  const mcts::SearchResult result = search_->result();
  ply->set_move(choose(result).bits());
  ply->set_full_search(true);
  record_search(result, ply);
}

void SelfPlayGame::play_move(std::vector<GameRecord>* finished) {
  PlyRecord* ply = record_.add_plies();
  ply->set_generation(phase_.generation);
  if (is_opponents_turn()) {
    opponent_->search(game_, *state_, ply);
  } else {
    search_own(ply);
  }
  pool_->count_rows(pool_index_, 1);
  const game::Move move = game::Move::from_bits(static_cast<std::uint16_t>(ply->move()));
  state_->play(move);
  const game::Outcome end = outcome();
  if (end.over()) {
    record_end(end);
    if (config_.opening().fork_share() > 0) {
      if (auto fork = fork_of(opening_.start, record_, longest_fork()))
        pool_->forks().add(record_.ruleset(), *std::move(fork));
    }
    finished->push_back(std::move(record_));
    begin();
    return;
  }
  if (opponents_side_) return begin_search();  // The tree has not seen the opponent's moves.
  search_->set_simulations(phase_.simulations);
  search_->advance(move);
}

// Gumbel's choice has its noise in it; PUCT samples the first moves by visits.
game::Move SelfPlayGame::choose(const mcts::SearchResult& result) {
  const SearchConfig& options = config_.search();
  if (options.algorithm() == SearchConfig::GUMBEL || state_->position().ply >= options.temperature_plies())
    return result.best;
  std::uint64_t visits = 0;
  for (const mcts::RootMove& move : result.moves) visits += move.visits;
  if (visits == 0) return result.best;
  std::uint64_t drawn = rng_.below(visits);
  for (const mcts::RootMove& move : result.moves) {
    if (drawn < static_cast<std::uint64_t>(move.visits)) return move.move;
    drawn -= move.visits;
  }
  return result.best;
}

game::Outcome SelfPlayGame::outcome() const {
  const game::Outcome& by_rules = state_->outcome();
  if (by_rules.over() || record_.plies_size() < max_length_) return by_rules;
  const int lead = game::material_lead(game_->info(), state_->position());
  if (!phase_.adjudicates || lead == 0) return {game::Result::kDraw, game::Reason::kCut};
  return {game::win_of(lead > 0 ? game::Color::kWhite : game::Color::kBlack),
          game::Reason::kMaterialAtPlyCap};
}

void SelfPlayGame::record_end(const game::Outcome& outcome) {
  record_.set_result(static_cast<std::uint32_t>(outcome.result));
  record_.set_reason(static_cast<std::uint32_t>(outcome.reason));
  record_.set_final_material(game::material_lead(game_->info(), state_->position()));
}

}  // namespace makzero::train
