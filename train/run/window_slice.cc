#include "train/run/window_slice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "models/inspect.h"
#include "models/model.h"
#include "models/npz.h"
#include "models/store.h"
#include "train/learning/batch_maker.h"
#include "train/learning/trainer.h"
#include "train/run/stored_window.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

using Shape = std::vector<std::int64_t>;

// Inputs of the run's newest network; without one, those that it would have.
nn::NetworkArchitecture inputs_of(const std::filesystem::path& run, const StoredWindow& window) {
  const auto newest = models::CheckpointStore(RunPaths(run).checkpoints()).latest();
  return newest ? models::architecture_of(models::read_manifest(newest->path))
                : network_architecture(window.pool.games(), window.config);
}

// All rows in the order in which they were played.
std::vector<Sample> rows_of(const BatchMaker& maker) {
  std::vector<Sample> rows = maker.rows(Split::kLearning);
  const std::vector<Sample> held_out = maker.rows(Split::kValidation);
  rows.insert(rows.end(), held_out.begin(), held_out.end());
  std::ranges::sort(rows, {}, [](const Sample& row) { return std::pair(row.game->number(), row.ply); });
  return rows;
}

std::vector<Sample> spread(const std::vector<Sample>& all, std::int64_t wanted) {
  const auto count = std::min(all.size(), static_cast<std::size_t>(wanted));
  std::vector<Sample> some;
  some.reserve(count);
  for (std::size_t i = 0; i < count; ++i) some.push_back(all[i * all.size() / count]);
  return some;
}

// Of a head's targets or of its mask, with `size` numbers a row.
Shape shape_of(const nn::HeadInfo& info, std::int64_t rows, int size) {
  if (size > 1 && info.kind == nn::HeadKind::kSquares) return {rows, info.outputs, 8, 8};
  return size > 1 ? Shape{rows, size} : Shape{rows};
}

void add_targets(const nn::TrainBatch& batch, models::NpzWriter* npz) {
  npz->add("move_begin", {batch.rows + 1}, batch.move_begin);
  npz->add("move_index", {batch.move_begin.back()}, batch.move_index);
  for (const nn::HeadInfo& info : nn::kHeads) {
    const nn::Target& target = batch.targets[info.head];
    const std::string name(info.name);
    const Shape shape = info.loss == nn::LossKind::kListedMoves
                            ? Shape{batch.move_begin.back()}
                            : shape_of(info, batch.rows, info.target_size());
    npz->add(name, shape, target.values);
    npz->add(name + "_known", shape_of(info, batch.rows, info.mask_size()),
             std::vector<std::uint8_t>(target.mask.begin(), target.mask.end()));
  }
}

// One number of each row.
template <class Number, class Get>
void add_column(const std::string& name, const std::vector<Sample>& rows, const Get& get,
                models::NpzWriter* npz) {
  std::vector<Number> numbers;
  numbers.reserve(rows.size());
  for (const Sample& row : rows) numbers.push_back(static_cast<Number>(get(row)));
  npz->add(name, {static_cast<std::int64_t>(rows.size())}, numbers);
}

void add_sources(const std::vector<Sample>& rows, const BatchMaker& maker, double validation_share,
                 models::NpzWriter* npz) {
  std::set<std::string> rulesets;
  for (const Sample& row : rows) rulesets.insert(row.game->ruleset());
  npz->add_texts("rulesets", {rulesets.begin(), rulesets.end()});
  const auto ruleset = [&](const Sample& row) {
    return std::distance(rulesets.begin(), rulesets.find(row.game->ruleset()));
  };
  const auto is_held_out = [&](const Sample& row) {
    return split_of(row.game->number(), validation_share) == Split::kValidation;
  };
  add_column<std::int32_t>("ruleset", rows, ruleset, npz);
  add_column<std::uint64_t>(
      "game", rows, [](const Sample& row) { return row.game->number(); }, npz);
  add_column<std::int32_t>(
      "ply", rows, [](const Sample& row) { return row.ply; }, npz);
  add_column<std::int64_t>(
      "generation", rows, [](const Sample& row) { return row.game->generation(); }, npz);
  add_column<float>(
      "weight", rows, [&](const Sample& row) { return maker.weight_of(row); }, npz);
  add_column<std::uint8_t>("held_out", rows, is_held_out, npz);
}

}  // namespace

std::string write_window_slice(const std::filesystem::path& run, const std::filesystem::path& file,
                               std::int64_t rows) {
  StoredWindow window(run);
  BatchOptions options = batch_options(window.config);
  options.symmetries = false;
  const nn::NetworkArchitecture inputs = inputs_of(run, window);
  BatchMaker maker(&window.pool, options);
  maker.set_inputs(inputs);
  maker.update(window.games);
  const std::vector<Sample> all = rows_of(maker), samples = spread(all, rows);
  nn::TrainBatch batch;
  mcts::Rng rng(0);  // Of the symmetries, of which there are none.
  maker.add(samples, &rng, &batch);

  models::NpzWriter npz(file);
  npz.add("planes", {batch.rows, inputs.plane_count(), 8, 8}, batch.planes);
  npz.add_texts("plane_names", inputs.planes);
  npz.add("rule_features", {batch.rows, inputs.rule_feature_count()}, batch.rule_features);
  npz.add_texts("rule_feature_names", inputs.rule_features);
  add_targets(batch, &npz);
  add_sources(samples, maker, options.validation_share, &npz);
  npz.finish();

  models::FactSheet sheet(
      fmt::format("NumPy arrays {}: {}", file.string(), models::size_text(std::filesystem::file_size(file))));
  sheet.add("rows", fmt::format("{} of {} in the window's {} games", samples.size(), all.size(),
                                window.games.size()));
  sheet.add("arrays", fmt::format("{}", fmt::join(npz.contents(), "\n")));
  return sheet.text();
}

}  // namespace makzero::train
