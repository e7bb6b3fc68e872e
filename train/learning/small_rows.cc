#include "train/learning/small_rows.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "game/catalog.h"
#include "game/rule_features.h"
#include "mcts/draw_value.h"
#include "models/error.h"
#include "train/replay/game_replay.h"
#include "train/replay/record_check.h"
#include "train/replay/shard_index.h"

namespace makzero::train {
namespace {

namespace fs = std::filesystem;

// True where the best move takes nothing, as every obligatory move does, and no king has to be saved.
bool is_quiet(const game::Game& rules, const game::Position& before, const game::Position& after) {
  if (game::size(after.occupied()) < game::size(before.occupied())) return false;
  if (!rules.info().takes_by_arrival) return true;
  const game::Bitboard own_kings = game::kings(rules.info(), before) & before.own();
  return !(rules.threats(before, other(before.to_move)).targets & own_kings);
}

// White's result of a finished game, in [0, 1].
double result_of(const mcts::DrawValue& draw_value, const GameReplay& replay) {
  switch (replay.end.result) {
    case game::Result::kWhiteWins:
      return 1;
    case game::Result::kBlackWins:
      return 0;
    default:
      return draw_value.of(replay.end.reason, replay.last, game::Color::kWhite);
  }
}

// White's expected result by a value, in [0, 1].
double expected_by(const mcts::WhiteValue& value, const mcts::DrawValue& draw_value,
                   const game::Position& position) {
  return value.white + value.draw * draw_value.expected(position, game::Color::kWhite);
}

// The same by the search of a ply.
double expected_by(const PlyRecord& ply, const mcts::DrawValue& draw_value, const game::Position& position) {
  return ply.depth() > 0 ? expected_by_score(ply) : expected_by(searched_value(ply), draw_value, position);
}

// The symmetries whose images of positions are played as well: of the start and, where kings come to stand on
// either side, left-right. A network that has to know the others too knows each less well.
std::uint8_t played_symmetries(const game::Game& game, const std::vector<game::Symmetry>& symmetries) {
  if (game.info().family == "chess") return game::kLeftRight;
  const game::Position start = game.initial();
  std::uint8_t set = 0;
  for (std::size_t id = 0; id < symmetries.size(); ++id) set |= (symmetries[id](start) == start) << id;
  return set;
}

}  // namespace

std::vector<QuietPosition> quiet_positions(const game::Game& rules, const GameRecord& record, float lambda,
                                           const mcts::Endings* endings) {
  const GameReplay replay = replay_game(rules, record, {.endings = endings});
  const mcts::DrawValue draw_value(rules);
  std::vector<QuietPosition> quiet;
  std::optional<double> later;  // White's expected result by the target of the next position.
  if (!replay.cut) later = result_of(draw_value, replay);
  for (int ply = record.plies_size() - 1; ply >= 0; --ply) {
    const PlyRecord& played = record.plies(ply);
    const ReplayedPly& at = replay.plies[ply];
    if (!is_row(played) || played.drawn_by_lot() || at.exact) later.reset();
    if (!is_row(played)) continue;
    const double searched = at.exact ? expected_by(*at.exact, draw_value, at.position)
                                     : expected_by(played, draw_value, at.position);
    const double white = later ? searched + lambda * (*later - searched) : searched;
    later = white;
    const game::Position& next = ply + 1 < record.plies_size() ? replay.plies[ply + 1].position : replay.last;
    if (played.drawn_by_lot() || !is_quiet(rules, at.position, next)) continue;
    const bool is_white = at.position.to_move == game::Color::kWhite;
    quiet.push_back({at.position, at.occurrences, static_cast<float>(is_white ? white : 1 - white)});
  }
  std::ranges::reverse(quiet);
  return quiet;
}

SmallRowStream::SmallRowStream(GamePool* pool, Options options, std::uint64_t seed)
    : pool_(pool), options_(std::move(options)), rng_(seed) {
  update();
}

void SmallRowStream::update() {
  shards_.clear();
  for (const fs::path& folder : options_.folders) {
    if (!fs::exists(folder)) continue;
    std::map<fs::path, std::int64_t> rows;  // Of the shards that are finished.
    for (const Shard& shard : read_shard_index(folder).shards) rows[shard.path] = shard.rows;
    const std::vector<Shard> shards = list_shards(folder);
    std::int64_t listed = 0;
    for (auto shard = shards.rbegin(); shard != shards.rend() && listed < options_.window; ++shard) {
      shards_.push_back(shard->path);
      listed += rows[shard->path];
    }
  }
  unread_ = shards_;
  buffers_.clear();
  left_out_ = 0;
  for (const game::GamePtr& game : pool_->games())
    buffers_[std::string(game::game_of(game->info().ruleset))].least = options_.buffer / 2;
}

// False where there are none.
bool SmallRowStream::read_next_shard() {
  if (shards_.empty()) return false;
  if (unread_.empty()) unread_ = shards_;
  std::swap(unread_[rng_.below(unread_.size())], unread_.back());
  models::Recovery recovery;
  for (const auto& record : read_shard(unread_.back(), &recovery)) add(*record);
  unread_.pop_back();
  if (unread_.empty()) end_pass();
  return true;
}

// With few rows, half of them are in the buffer at any time.
void SmallRowStream::end_pass() {
  for (auto& [game, buffer] : buffers_)
    buffer.least = std::min(options_.buffer, std::exchange(buffer.of_pass, 0)) / 2;
}

void SmallRowStream::add(const GameRecord& record) {
  if (record.ruleset().empty() || find_field_fault(record)) return void(++left_out_);
  const Split split = split_of(record.number(), options_.validation_share);
  try {
    const std::uint32_t number = number_of(record.ruleset());
    const game::Game& rules = *rulesets_[number].rules;
    Buffer& buffer = buffers_[std::string(game::game_of(record.ruleset()))];
    const mcts::Endings* endings = options_.exact_endings ? pool_->endings_of(record.ruleset()) : nullptr;
    for (const QuietPosition& each : quiet_positions(rules, record, options_.lambda, endings)) {
      const auto packed = game::pack(rules.info(), each.position, each.occurrences);
      if (!packed) continue;
      if (split == Split::kLearning) ++buffer.of_pass;
      keep(split == Split::kLearning ? &buffer.learnt : &buffer.held_out, {*packed, each.target, number});
    }
  } catch (const models::Error&) {
    ++left_out_;
  }
}

// In the place of a random one where there is no more room.
void SmallRowStream::keep(std::vector<SmallRow>* rows, const SmallRow& row) {
  if (rows->size() < options_.buffer) {
    rows->push_back(row);
  } else {
    (*rows)[rng_.below(rows->size())] = row;
  }
}

std::uint32_t SmallRowStream::number_of(const std::string& ruleset) {
  const auto known = numbers_.find(ruleset);
  if (known != numbers_.end()) return known->second;
  Ruleset added{.rules = pool_->rules_of(ruleset)};
  const game::GameInfo& info = added.rules->info();
  for (int symmetry = 0; symmetry < (info.files == info.ranks ? game::kSymmetries : 4); ++symmetry)
    added.symmetries.emplace_back(symmetry, info.files, info.ranks);
  added.shown = played_symmetries(*added.rules, added.symmetries);
  for (const std::string_view feature : game::rule_feature_names(info.family))
    added.features.push_back(game::rule_feature(info, feature));
  rulesets_.push_back(std::move(added));
  return numbers_[ruleset] = static_cast<std::uint32_t>(rulesets_.size() - 1);
}

void SmallRowStream::draw(const std::string& game, int rows, nn::SmallBatch* batch) {
  batch->clear();
  Buffer& buffer = buffers_[game];
  std::vector<SmallRow>& learnt = buffer.learnt;
  while (learnt.size() < buffer.least && read_next_shard()) continue;
  // All of them go to the end before the first is read: the processor then waits for many at a time.
  const std::size_t kept = learnt.size() - std::min(learnt.size(), static_cast<std::size_t>(rows));
  for (std::size_t size = learnt.size(); size > kept; --size)
    std::swap(learnt[rng_.below(size)], learnt[size - 1]);
  for (; learnt.size() > kept; learnt.pop_back()) draw(learnt.back(), batch);
}

void SmallRowStream::draw(const SmallRow& row, nn::SmallBatch* batch) {
  const Ruleset& ruleset = rulesets_[row.ruleset];
  const game::Position position = game::unpack(ruleset.rules->info(), row.position)->position;
  game::Bitboard ids = ruleset.shown & ruleset.rules->symmetries(position);
  for (auto skip = rng_.below(game::size(ids)); skip > 0; --skip) game::pop_first(&ids);
  const game::Symmetry& symmetry = ruleset.symmetries[game::first_square(ids)];
  batch->add(ruleset.rules->info(), symmetry(position), ruleset.features, row.target);
}

void SmallRowStream::held_out(const std::string& game, int rows, nn::SmallBatch* batch) {
  batch->clear();
  for (const SmallRow& row : buffers_[game].held_out) {
    if (batch->rows >= rows) break;
    const Ruleset& ruleset = rulesets_[row.ruleset];
    const game::GameInfo& info = ruleset.rules->info();
    batch->add(info, game::unpack(info, row.position)->position, ruleset.features, row.target);
  }
}

}  // namespace makzero::train
