#include "train/self_play/small_game.h"

#include <algorithm>
#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "models/small_network_file.h"
#include "train/replay/game_replay.h"
#include "train/self_play/opening.h"

namespace makzero::train {
namespace {

constexpr std::size_t kTableEntries = 1 << 15;  // Twice what a move's search stores.
constexpr std::uint64_t kMostNodes = 4;         // Times the nodes of a move, for an iteration that lasts.
constexpr int kMostPlies = 400;                 // Of a game.
constexpr std::uint64_t kPlayedOut = 8;         // One game of so many goes on when it is decided.
constexpr int kVariedPlies = 60;                // In which one move of kRandomMove is random.
constexpr std::uint64_t kRandomMove = 32;

// Of games that begin with few pieces anywhere: from there a short search finds the mates and the last men
// that its network has to lead to, and that few games between equals reach.
constexpr float kEndgameShare = 0.2f;

// Forks and policy plies of openings need a tower.
OpeningConfig openings_without_tower(OpeningConfig openings) {
  openings.set_policy_share(0);
  openings.set_endgame_share(std::max(kEndgameShare, openings.endgame_share()));
  return openings;
}

}  // namespace

SmallNetworks small_networks_for(const GamePool& pool, const std::vector<mcts::SmallNetwork>& known) {
  SmallNetworks networks;
  for (const mcts::SmallNetwork& network : known) networks.emplace(network.game, network);
  for (const game::GamePtr& game : pool.games())
    networks.emplace(game::game_of(game->info().ruleset), mcts::material_small_network(game->info()));
  return networks;
}

// --- The searcher. ---

SmallSearcher::SmallSearcher(std::int64_t nodes)
    : nodes_of_move_(static_cast<std::uint64_t>(nodes)),
      table_(std::make_shared<mcts::TranspositionTable>(kTableEntries)) {}

void SmallSearcher::set_networks(std::shared_ptr<const SmallNetworks> networks) {
  networks_ = std::move(networks);
  rules_.reset();
}

const mcts::SmallNetwork& SmallSearcher::network_of(const game::Game& rules) const {
  return networks_->find(game::game_of(rules.info().ruleset))->second;
}

std::string SmallSearcher::network_id(const game::Game& rules) const {
  return models::small_network_id(network_of(rules));
}

void SmallSearcher::search(const game::GamePtr& rules, const game::GameState& state, PlyRecord* ply) {
  if (rules_ != rules) {
    rules_ = rules;
    table_->clear();
    search_.emplace(*rules_, mcts::SmallEvaluator(rules_->info(), network_of(*rules_)),
                    mcts::alpha_beta_options(rules_->info()), table_);
  }
  search_->begin(state.position(), state.history(), {.nodes = kMostNodes * nodes_of_move_});
  do {
    search_->step();
  } while (!search_->done() && search_->result().nodes < nodes_of_move_);
  const mcts::NetworkSearch::Result& found = search_->result();
  nodes_ += found.nodes;
  const bool is_white = state.position().to_move == game::Color::kWhite;
  ply->set_score(is_white ? found.score().value : -found.score().value);
  ply->set_depth(static_cast<std::uint32_t>(std::max(1, found.depth)));
  ply->set_move(found.best().bits());
}

// --- A game of its own. ---

SmallGame::SmallGame(GamePool* pool, const Config& config, std::uint64_t seed)
    : pool_(pool),
      config_(config.self_play()),
      openings_(openings_without_tower(config.opening())),
      rng_(seed),
      searcher_(config.self_play().small_nodes()) {}

std::optional<GameRecord> SmallGame::play_move() {
  if (!rules_) begin();
  PlyRecord* ply = record_.add_plies();
  search(ply);
  state_->play(game::Move::from_bits(static_cast<std::uint16_t>(ply->move())));
  if (state_->over()) return finished(state_->outcome());
  const auto white = static_cast<float>(2 * expected_by_score(*ply) - 1);
  const std::optional<game::Outcome> agreed =
      adjudicator_.add(game::Color::kWhite, white, record_.plies_size());
  const bool is_known = agreed && (agreed->result != game::Result::kDraw || limits_draw_);
  if ((is_known && !plays_out_) || record_.plies_size() >= kMostPlies)
    return finished({game::Result::kDraw, game::Reason::kCut});
  return std::nullopt;
}

void SmallGame::begin() {
  rules_ = pool_->sample_rules(&rng_);
  searcher_.set_networks(networks_);
  adjudicator_ = {};
  plays_out_ = rng_.below(kPlayedOut) == 0;
  limits_draw_ = !game::deciding_limit(rules_->info());
  const Opening opening = sample_opening(*rules_, openings_, &rng_);
  state_.emplace(*rules_, opening.start);
  record_ = GameRecord();
  record_.set_ruleset(rules_->info().ruleset);
  if (!(opening.start == rules_->initial())) record_.set_start(game::position_text(*rules_, opening.start));
  record_.set_seed(rng_.state());
  record_.set_small_network(searcher_.network_id(*rules_));
  record_.set_small_nodes(static_cast<std::uint32_t>(config_.small_nodes()));
  record_.set_opening_plies(static_cast<std::uint32_t>(opening.moves.size()));
  for (const game::Move move : opening.moves) {
    record_.add_plies()->set_move(move.bits());
    state_->play(move);
  }
}

// What it finds is what the ply is worth; now and then another move is played.
void SmallGame::search(PlyRecord* ply) {
  searcher_.search(rules_, *state_, ply);
  const bool by_lot = record_.plies_size() - static_cast<int>(record_.opening_plies()) <= kVariedPlies &&
                      rng_.below(kRandomMove) == 0;
  ply->set_drawn_by_lot(by_lot);
  const game::MoveList& legal = state_->legal();
  if (by_lot) ply->set_move(legal[static_cast<int>(rng_.below(legal.size()))].bits());
}

GameRecord SmallGame::finished(const game::Outcome& outcome) {
  record_.set_result(static_cast<std::uint32_t>(outcome.result));
  record_.set_reason(static_cast<std::uint32_t>(outcome.reason));
  record_.set_final_material(game::material_lead(rules_->info(), state_->position()));
  state_.reset();
  rules_.reset();
  return std::move(record_);
}

}  // namespace makzero::train
