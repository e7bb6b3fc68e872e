#include "train/distill/leaf_set.h"

#include <algorithm>
#include <utility>

#include "game/catalog.h"
#include "game/rule_features.h"
#include "models/error.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kHoldOut = 64;  // One of so many leaves is held out.

// Depends on the position alone: what stands there twice is held out twice.
bool is_held_out(const Leaf& leaf) {
  std::uint64_t hash = 0;
  for (const std::uint32_t word : leaf.position.pieces) hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
  for (const std::uint32_t word : leaf.position.occupied) hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
  return (hash >> 32) % kHoldOut == 0;
}

// The files of all runs, the oldest first.
std::vector<fs::path> leaf_files(std::span<const fs::path> runs) {
  std::vector<fs::path> files;
  for (const fs::path& run : runs) {
    for (const LeafShard& shard : list_leaf_shards(RunPaths(run).leaves())) files.push_back(shard.path);
  }
  return files;
}

}  // namespace

LeafSet::LeafSet(const std::string& game, std::span<const fs::path> runs, std::size_t most) {
  const std::string name(game::game_of(game));
  if (name.empty()) throw models::Error(game::make_game(game).why());
  find_ruleset(name);
  for (int i = 0; i < game::kSymmetries; ++i) symmetries_.emplace_back(i, info().files, info().ranks);
  std::vector<fs::path> files = leaf_files(runs);
  std::reverse(files.begin(), files.end());
  for (const fs::path& file : files) {
    if (learnt_.size() >= most) break;
    read_leaves(file, [&](const LeafBlock& block) {
      if (game::game_of(block.ruleset) != name) return;
      const std::uint32_t ruleset = find_ruleset(block.ruleset);
      if (newest_network_.empty() || file == files.front()) newest_network_ = block.network;
      for (const Leaf& leaf : block.leaves)
        (is_held_out(leaf) ? held_out_ : learnt_).push_back({leaf, ruleset});
    });
  }
  if (learnt_.empty() || held_out_.empty()) {
    throw models::Error("no leaves of " + name +
                        " in the runs that are named: train one with --leaf_log.on=true");
  }
}

std::uint32_t LeafSet::find_ruleset(const std::string& text) {
  for (std::size_t i = rulesets_.size(); i-- > 0;)
    if (rulesets_[i].text == text) return static_cast<std::uint32_t>(i);
  const auto rules = game::make_game(text);
  if (!rules) throw models::Error(rules.why());
  const game::GameInfo& info = (*rules)->info();
  Ruleset ruleset{text, *rules, mcts::DrawValue(**rules), {}};
  for (const std::string_view feature : game::rule_feature_names(info.family))
    ruleset.features.push_back(game::rule_feature(info, feature));
  rulesets_.push_back(std::move(ruleset));
  return static_cast<std::uint32_t>(rulesets_.size() - 1);
}

void LeafSet::sample(int rows, mcts::Rng* rng, nn::SmallBatch* batch) const {
  batch->clear();
  while (batch->rows < rows) {
    const Row& row = learnt_[rng->below(learnt_.size())];
    add(row, static_cast<int>(rng->below(game::kSymmetries)), batch);
  }
}

void LeafSet::take_held_out(std::size_t first, int rows, nn::SmallBatch* batch) const {
  batch->clear();
  for (std::size_t i = first; i < held_out_.size() && batch->rows < rows; ++i) add(held_out_[i], 0, batch);
}

// A symmetry that the rules of the position do not have is left out.
void LeafSet::add(const Row& row, int symmetry, nn::SmallBatch* batch) const {
  const Ruleset& ruleset = rulesets_[row.ruleset];
  const game::GameInfo& info = ruleset.rules->info();
  const auto unpacked = game::unpack(info, row.leaf.position);
  if (!unpacked) return;
  game::Position position = unpacked->position;
  if (ruleset.rules->symmetries(position) >> symmetry & 1) position = symmetries_[symmetry](position);
  const mcts::MoverValue value = value_of(row.leaf);
  const double of_draw = ruleset.draw_value.expected(position, position.to_move);
  batch->add(info, position, ruleset.features, static_cast<float>(value.win + of_draw * value.draw));
}

}  // namespace makzero::train
