#include "train/learning/batch_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/error.h"
#include "train/config.h"
#include "train/replay/record_check.h"

namespace makzero::train {
namespace {

void store_value(const mcts::WhiteValue& value, game::Color mover, float* out) {
  const mcts::MoverValue own = mcts::to_mover(value, mover);
  out[0] = own.win;
  out[1] = own.draw;
  out[2] = own.loss;
}

// The entry of each legal move in a row's list. Alternatives share that of the move they belong to.
std::vector<int> entries_of(const game::MoveList& legal) {
  std::vector<int> entries;
  entries.reserve(legal.size());
  int listed = 0;
  for (int i = 0; i < legal.size(); ++i) {
    int first = i;
    if (legal[i].alternative() != 0)
      for (first = 0; legal[first].index() != legal[i].index();) ++first;
    entries.push_back(first < i ? entries[first] : listed++);
  }
  return entries;
}

// The policy of a search by alpha-beta is its best move, of which it has looked at little else.
constexpr float kBestMoveWeight = 0.25f;

// Weight of a policy target; 0: there is none.
float policy_weight(const PlyRecord& played) {
  if (!played.policy().empty()) return 1;
  return played.depth() > 0 && !played.drawn_by_lot() ? kBestMoveWeight : 0;
}

// Target distribution over the legal moves.
std::vector<float> policy_of(const PlyRecord& played, const game::MoveList& legal) {
  std::vector<float> policy;
  if (!played.policy().empty()) {
    decode_policy(played.policy(), &policy);
  } else {
    for (const game::Move move : legal) policy.push_back(move.bits() == played.move() ? 1.0f : 0.0f);
  }
  return policy;
}

void add_policy(const game::Game& rules, const PlyRecord& played, const game::Position& position,
                const game::Symmetry& symmetry, nn::TrainBatch* batch) {
  game::MoveList legal;
  rules.legal_moves(position, &legal);
  const size_t begin = batch->move_index.size();
  std::vector<float>& target = batch->targets[nn::Head::kPolicy].values;
  const std::vector<float> policy = policy_of(played, legal);
  const std::vector<int> entries = entries_of(legal);
  for (int i = 0; i < legal.size(); ++i) {
    const size_t entry = begin + static_cast<size_t>(entries[i]);
    if (entry < target.size()) {
      target[entry] += policy[i];
      continue;
    }
    batch->move_index.push_back(nn::policy_index(rules.info(), symmetry(legal[i]), position.to_move));
    target.push_back(policy[i]);
  }
}

// Which pieces live to the end, [2, 8, 8]. Of a cut game only what had fallen by then is known.
void mark_survival(const game::GameInfo& info, const ReplayedPly& ply, bool cut,
                   const game::Symmetry& symmetry, int row, nn::Target* target) {
  const game::Position& position = ply.position;
  for (int enemy = 0; enemy < 2; ++enemy) {
    game::Bitboard pieces = enemy ? position.enemy() : position.own();
    while (pieces) {
      const game::Square square = game::pop_first(&pieces);
      const int at =
          (2 * row + enemy) * game::kSquares + nn::mover_view(info, symmetry(square), position.to_move);
      const bool survives = game::contains(ply.survivors, square);
      target->values[at] = survives ? 1.0f : 0.0f;
      target->mask[at] = cut && survives ? 0.0f : 1.0f;
    }
  }
}

}  // namespace

Split split_of(std::uint64_t number, double validation_share) {
  return mcts::Rng(number).uniform() < validation_share ? Split::kValidation : Split::kLearning;
}

BatchOptions batch_options(const Config& config) {
  const LearningConfig& learning = config.learning();
  return {{.adjudicated_win = learning.adjudicated_win_value(),
           .adjudicated_lead = learning.adjudicated_lead(),
           .policy_surprise_weight = learning.policy_surprise_weight()},
          learning.q_ratio(),
          config.replay().validation_share(),
          learning.symmetries(),
          small_row_share(config),
          learning.exact_endings()};
}

std::vector<game::Move> listed_moves(const game::Game& rules, const game::Position& position) {
  game::MoveList legal;
  rules.legal_moves(position, &legal);
  const std::vector<int> entries = entries_of(legal);
  std::vector<game::Move> listed;
  for (int i = 0; i < legal.size(); ++i)
    if (entries[i] == static_cast<int>(listed.size())) listed.push_back(legal[i]);
  return listed;
}

BatchMaker::BatchMaker(GamePool* pool, const BatchOptions& options)
    : pool_(pool), options_(options), encoder_({}), rule_encoder_({}) {}

void BatchMaker::set_inputs(const nn::NetworkArchitecture& architecture) {
  encoder_ = nn::Encoder(architecture.planes);
  rule_encoder_ = nn::RuleEncoder(architecture.rule_features);
}

BatchMaker::Entry BatchMaker::make_entry(const GameRecord& record) {
  if (const auto fault = find_field_fault(record))
    throw models::Error(fmt::format("game {}: {}", record.number(), *fault));
  game::GamePtr rules = pool_->rules_of(record.ruleset());
  ReplayOptions values = options_.values;
  if (options_.exact_endings) values.endings = pool_->endings_of(record.ruleset());
  GameReplay replay = replay_game(*rules, record, values);
  return {std::move(rules), std::move(replay)};
}

std::uint64_t BatchMaker::key_of(const GameRecord& record) {
  static constexpr std::uint64_t kSmall = std::uint64_t{1} << 63;
  return is_small_game(record) ? record.number() | kSmall : record.number();
}

void BatchMaker::update(std::span<const std::unique_ptr<GameRecord>> window,
                        std::span<const std::unique_ptr<GameRecord>> small_window) {
  std::unordered_map<std::uint64_t, Entry> kept;
  std::unordered_set<std::uint64_t> left_out;
  kept.reserve(window.size() + small_window.size());
  faults_.clear();
  const auto all_rows = {&rows_[0], &rows_[1], &rows_[2], &small_rows_};
  for (RowsByGame* games : all_rows) games->assign(pool_->size(), {});
  const auto take = [&](const GameRecord& record) {
    const std::uint64_t key = key_of(record);
    const auto known = entries_.find(key);
    if (known != entries_.end()) {
      kept.emplace(key, std::move(known->second));
    } else if (left_out_.contains(key)) {
      left_out.insert(key);
      return;
    } else {
      try {
        kept.emplace(key, make_entry(record));
      } catch (const models::Error& error) {
        left_out.insert(key);
        faults_.emplace_back(error.what());
        return;
      }
    }
    add_rows(record);
  };
  for (const auto& record : window) take(*record);
  for (const auto& record : small_window) take(*record);
  for (RowsByGame* games : all_rows) std::erase_if(*games, [](const auto& rows) { return rows.empty(); });
  entries_ = std::move(kept);
  left_out_ = std::move(left_out);
}

void BatchMaker::add_rows(const GameRecord& record) {
  Split split = split_of(record.number(), options_.validation_share);
  const bool is_small = is_small_game(record);
  if (is_small && split == Split::kValidation) split = Split::kSmallValidation;
  const bool is_learnt = split == Split::kLearning;
  RowsByGame& games = is_small && is_learnt ? small_rows_ : rows_[static_cast<int>(split)];
  std::vector<Sample>& rows = games[pool_->index_of(record.ruleset())];
  for (int ply = 0; ply < record.plies_size(); ++ply)
    if (is_row(record.plies(ply))) rows.push_back({&record, ply});
}

// Where there are no rows of the one kind, all are of the other.
const BatchMaker::RowsByGame& BatchMaker::games_to_sample(Split split, mcts::Rng* rng) const {
  const RowsByGame& games = rows_[static_cast<int>(split)];
  if (split != Split::kLearning || small_rows_.empty() || options_.small_row_share == 0) return games;
  return games.empty() || rng->uniform() < options_.small_row_share ? small_rows_ : games;
}

std::vector<Sample> BatchMaker::rows(Split split) const {
  std::vector<Sample> all;
  for (const std::vector<Sample>& rows : rows_[static_cast<int>(split)])
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

std::vector<Sample> BatchMaker::sample(Split split, int count, mcts::Rng* rng) const {
  std::vector<Sample> sampled;
  sampled.reserve(count);
  while (static_cast<int>(sampled.size()) < count) {
    const RowsByGame& games = games_to_sample(split, rng);
    if (games.empty()) return sampled;
    const std::vector<Sample>& rows = games[sampled.size() % games.size()];
    const Sample& row = rows[rng->below(rows.size())];
    const float weight = weight_of(row);
    if (options_.values.policy_surprise_weight > 0 && rng->uniform() * kGreatestWeight >= weight) continue;
    sampled.push_back(row);
  }
  return sampled;
}

void BatchMaker::add(const std::vector<Sample>& samples, mcts::Rng* rng, nn::TrainBatch* batch) const {
  int row = batch->rows;
  batch->add_rows(static_cast<int>(samples.size()), encoder_.plane_count(), rule_encoder_.count());
  for (const Sample& sample : samples) {
    const Entry& entry = entry_of(sample);
    const game::GameInfo& info = entry.rules->info();
    const game::Position& position = entry.replay.plies[sample.ply].position;
    game::Bitboard allowed = options_.symmetries ? entry.rules->symmetries(position) : game::kIdentityOnly;
    for (auto skip = rng->below(game::size(allowed)); skip > 0; --skip) game::pop_first(&allowed);
    make_row(sample, row++, game::Symmetry(game::first_square(allowed), info.files, info.ranks), batch);
  }
}

void BatchMaker::make_row(const Sample& sample, int row, const game::Symmetry& symmetry,
                          nn::TrainBatch* batch) const {
  const GameRecord& record = *sample.game;
  const PlyRecord& played = record.plies(sample.ply);
  const Entry& entry = entry_of(sample);
  const game::Game& rules = *entry.rules;
  const ReplayedPly& ply = entry.replay.plies[sample.ply];
  const game::Color mover = ply.position.to_move;
  const auto at = static_cast<size_t>(row);

  const size_t plane_floats = static_cast<size_t>(encoder_.plane_count()) * game::kSquares;
  encoder_.encode(rules, symmetry(ply.position), ply.occurrences, &batch->planes[at * plane_floats]);
  rule_encoder_.encode(rules.info(), batch->rule_features.data() + at * rule_encoder_.count());

  const float weight = policy_weight(played);
  batch->targets[nn::Head::kPolicy].mask[at] = weight;
  if (weight > 0) add_policy(rules, played, ply.position, symmetry, batch);
  batch->move_begin.push_back(static_cast<std::int64_t>(batch->move_index.size()));

  const auto target = [&](nn::Head head) { return batch->target(head, row); };
  store_value(ply.exact.value_or(blend(ply.value, searched_value(played), options_.q_ratio)), mover,
              target(nn::Head::kValue));
  store_value(ply.short_term, mover, target(nn::Head::kShortTerm));
  // A game that was cut says nothing about its end.
  const bool cut = entry.replay.cut;
  if (!cut) *target(nn::Head::kMovesLeft) = static_cast<float>(record.plies_size() - sample.ply);

  if (sample.ply + 1 < record.plies_size()) {
    const game::Move reply =
        game::Move::from_bits(static_cast<std::uint16_t>(record.plies(sample.ply + 1).move()));
    *target(nn::Head::kReply) = static_cast<float>(nn::policy_index(rules.info(), symmetry(reply), mover));
  }

  mark_survival(rules.info(), ply, cut, symmetry, row, &batch->targets[nn::Head::kSurvival]);
}

}  // namespace makzero::train
