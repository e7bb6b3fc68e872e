#include "train/batch_maker.h"

#include <algorithm>

#include "nn/rule_encoder.h"

namespace makzero::train {
namespace {

// Makes room for more rows.
void extend(size_t added, int planes, nn::TrainBatch* batch) {
  batch->rows += static_cast<int>(added);
  const auto rows = static_cast<size_t>(batch->rows);
  batch->planes.resize(rows * planes * game::kSquares);
  if (batch->policy_begin.empty()) batch->policy_begin.push_back(0);
  batch->policy_mask.resize(rows);
  batch->wdl.resize(rows * 3);
  batch->moves_left.resize(rows);
  batch->reply_index.resize(rows);
  batch->survival.resize(rows * 2 * game::kSquares);
  batch->survival_mask.resize(rows * 2 * game::kSquares);
  batch->short_term.resize(rows * 3);
}

void store_value(const mcts::WhiteValue& value, game::Color mover, float* out) {
  const mcts::MoverValue own = mcts::to_mover(value, mover);
  out[0] = own.win;
  out[1] = own.draw;
  out[2] = own.loss;
}

bool has_targets(const GameRecord& record) {
  for (const PlyRecord& ply : record.plies())
    if (ply.full_search()) return true;
  return false;
}

}  // namespace

Split split_of(std::uint64_t number, double validation_share) {
  return mcts::Rng(number).uniform() < validation_share ? Split::kValidation : Split::kLearning;
}

BatchOptions batch_options(const Config& config) {
  const LearningConfig& learning = config.learning();
  return {{learning.adjudicated_win_value(), learning.adjudicated_lead(), learning.drawn_material_value(),
           learning.short_term_horizon(), learning.policy_surprise_weight()},
          learning.q_ratio(),
          config.replay().validation_share(),
          learning.symmetries()};
}

BatchMaker::BatchMaker(const game::Game& game, const BatchOptions& options)
    : game_(game), options_(options), encoder_(nn::default_planes(game.info())) {
  const game::GameInfo& info = game.info();
  const int count = info.files == info.ranks ? game::kSymmetries : game::kSymmetries / 2;
  for (int id = 0; id < count; ++id) symmetries_.emplace_back(id, info.files, info.ranks);
}

void BatchMaker::set_inputs(const nn::NetworkArchitecture& architecture) {
  encoder_ = nn::Encoder(architecture.planes);
  const nn::RuleEncoder rules(architecture.rule_features);
  rule_features_.resize(rules.count());
  rules.encode(game_.info(), rule_features_.data());
}

void BatchMaker::update(const ReplayStore& store) {
  std::unordered_map<std::uint64_t, GameReplay> kept;
  kept.reserve(store.window().size());
  has_rows_[0] = has_rows_[1] = false;
  for (const auto& record : store.window()) {
    const auto known = replays_.find(record->number());
    kept.emplace(record->number(), known != replays_.end() ? std::move(known->second)
                                                           : replay_game(game_, *record, options_.values));
    const Split split = split_of(record->number(), options_.validation_share);
    if (has_targets(*record)) has_rows_[static_cast<int>(split)] = true;
  }
  replays_ = std::move(kept);
}

std::vector<Sample> BatchMaker::draw(const ReplayStore& store, Split split, int count, mcts::Rng* rng) const {
  std::vector<Sample> drawn;
  if (!has_rows_[static_cast<int>(split)]) return drawn;
  drawn.reserve(count);
  while (static_cast<int>(drawn.size()) < count) {
    for (const Sample& sample : store.sample(count, rng)) {
      if (static_cast<int>(drawn.size()) == count) break;
      if (split_of(sample.game->number(), options_.validation_share) != split) continue;
      if (options_.values.policy_surprise_weight > 0 && rng->uniform() * kGreatestWeight >= weight(sample))
        continue;
      drawn.push_back(sample);
    }
  }
  return drawn;
}

void BatchMaker::add(const std::vector<Sample>& samples, mcts::Rng* rng, nn::TrainBatch* batch) const {
  int row = batch->rows;
  extend(samples.size(), encoder_.plane_count(), batch);
  for (const Sample& sample : samples) {
    const game::Position& position = replays_.at(sample.game->number()).plies[sample.ply].position;
    game::Bitboard allowed = options_.symmetries ? game_.symmetries(position) : game::kIdentityOnly;
    for (auto skip = rng->below(game::size(allowed)); skip > 0; --skip) game::pop_first(&allowed);
    make_row(sample, row++, symmetries_[game::first_square(allowed)], batch);
  }
}

void BatchMaker::make_row(const Sample& sample, int row, const game::Symmetry& symmetry,
                          nn::TrainBatch* batch) const {
  const GameRecord& record = *sample.game;
  const PlyRecord& played = record.plies(sample.ply);
  const GameReplay& replay = replays_.at(record.number());
  const ReplayedPly& ply = replay.plies[sample.ply];
  const game::Position& position = ply.position;
  const game::Color mover = position.to_move;
  const auto at = static_cast<size_t>(row);

  const size_t plane_floats = static_cast<size_t>(encoder_.plane_count()) * game::kSquares;
  encoder_.encode(game_, symmetry(position), ply.occurrences, &batch->planes[at * plane_floats]);

  batch->rule_features.insert(batch->rule_features.end(), rule_features_.begin(), rule_features_.end());

  batch->policy_mask[at] = played.policy().empty() ? 0.0f : 1.0f;
  if (!played.policy().empty()) add_policy(played, position, symmetry, batch);
  batch->policy_begin.push_back(static_cast<std::int64_t>(batch->policy_index.size()));

  store_value(blend(replay.result, searched_value(played), options_.q_ratio), mover, &batch->wdl[at * 3]);
  store_value(ply.short_term, mover, &batch->short_term[at * 3]);
  // A game that was cut says nothing about its end.
  batch->moves_left[at] = replay.cut ? -1.0f : static_cast<float>(record.plies_size() - sample.ply);

  batch->reply_index[at] = -1;
  if (sample.ply + 1 < record.plies_size()) {
    const game::Move reply =
        game::Move::from_bits(static_cast<std::uint16_t>(record.plies(sample.ply + 1).move()));
    batch->reply_index[at] = nn::policy_index(game_.info(), symmetry(reply), mover);
  }

  mark_survival(ply, symmetry, at, batch);
}

void BatchMaker::add_policy(const PlyRecord& played, const game::Position& position,
                            const game::Symmetry& symmetry, nn::TrainBatch* batch) const {
  game::MoveList legal;
  game_.legal_moves(position, &legal);
  const size_t begin = batch->policy_index.size();
  std::vector<float> policy;
  decode_policy(played.policy(), &policy);
  for (int i = 0; i < legal.size(); ++i) {
    const std::int64_t index = nn::policy_index(game_.info(), symmetry(legal[i]), position.to_move);
    // Alternatives share the index of the move they belong to.
    const auto known = legal[i].alternative() == 0
                           ? batch->policy_index.end()
                           : std::find(batch->policy_index.begin() + begin, batch->policy_index.end(), index);
    if (known != batch->policy_index.end()) {
      batch->policy[known - batch->policy_index.begin()] += policy[i];
      continue;
    }
    batch->policy_index.push_back(index);
    batch->policy.push_back(policy[i]);
  }
}

void BatchMaker::mark_survival(const ReplayedPly& ply, const game::Symmetry& symmetry, size_t row,
                               nn::TrainBatch* batch) const {
  const game::Position& position = ply.position;
  for (int enemy = 0; enemy < 2; ++enemy) {
    const size_t plane = (row * 2 + enemy) * game::kSquares;
    game::Bitboard pieces = enemy ? position.enemy() : position.own();
    while (pieces) {
      const game::Square square = game::pop_first(&pieces);
      const game::Square seen = nn::mover_view(game_.info(), symmetry(square), position.to_move);
      batch->survival_mask[plane + seen] = 1;
      batch->survival[plane + seen] = game::contains(ply.survivors, square) ? 1.0f : 0.0f;
    }
  }
}

}  // namespace makzero::train
