// Python's readers of checkpoints and recorded games.
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "game/notation.h"
#include "game/outcome.h"
#include "mcts/value.h"
#include "models/model.h"
#include "play/python/objects.h"
#include "train/replay/game_replay.h"
#include "train/replay/record_check.h"
#include "train/replay/shard_index.h"
#include "train/run_folder.h"

namespace makzero::play {
namespace {

using train::GameRecord;
using Record = std::shared_ptr<const GameRecord>;

nb::dict tower_of(const models::Model& model) {
  nb::dict arrays;
  for (const nn::NamedTensor& tensor : model.tower.weights)
    arrays[tensor.name.c_str()] = to_numpy(tensor.data, Shape(tensor.shape.begin(), tensor.shape.end()));
  return arrays;
}

nb::list small_networks_of(const models::Model& model) {
  nb::list networks;
  for (const mcts::SmallNetwork& network : model.small_networks) networks.append(network_object(network));
  return networks;
}

template <class Texts>
std::vector<std::string> list_of(const Texts& texts) {
  return {texts.begin(), texts.end()};
}

// What is known of a training, by the names of models/manifest.proto.
nb::dict manifest_of(const models::Model& model) {
  const models::Manifest& manifest = model.manifest;
  nb::dict values;
  values["id"] = model.id();
  values["name"] = models::readable_name(manifest);
  values["ruleset"] = manifest.ruleset();
  values["games_trained"] = list_of(manifest.games_trained());
  values["planes"] = list_of(manifest.planes());
  values["rule_features"] = list_of(manifest.rule_features());
  values["encoder_version"] = manifest.encoder_version();
  values["move_index_version"] = manifest.move_index_version();
  values["blocks"] = manifest.architecture().blocks();
  values["channels"] = manifest.architecture().channels();
  values["attention"] = manifest.architecture().attention();
  values["hidden"] = manifest.architecture().hidden();
  values["generation"] = manifest.generation();
  values["steps"] = manifest.steps();
  values["games"] = manifest.games();
  values["rows"] = manifest.rows();
  values["evaluations"] = manifest.evaluations();
  values["parent"] = manifest.parent();
  values["commit"] = manifest.commit();
  values["config"] = manifest.config();
  values["created_unix"] = manifest.created_unix();
  values["processor_seconds"] = manifest.processor_seconds();
  values["machine"] = manifest.machine();
  return values;
}

// The games of a file and what is damaged in it.
std::pair<std::vector<Record>, std::vector<std::string>> read_shard(const std::filesystem::path& path) {
  models::Recovery recovery;
  std::vector<std::unique_ptr<GameRecord>> games = train::read_shard(path, &recovery);
  if (recovery.torn) recovery.damages.clear();
  return {{std::make_move_iterator(games.begin()), std::make_move_iterator(games.end())}, recovery.damages};
}

std::vector<std::filesystem::path> shards_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const train::Shard& shard : train::list_shards(folder)) paths.push_back(shard.path);
  return paths;
}

// The files of games that a path names: itself, those of a folder of games, or of a run both its folders'.
std::vector<std::filesystem::path> shards(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return {path};
  std::vector<std::filesystem::path> paths = shards_of(path);
  const train::RunPaths run(path);
  for (const std::filesystem::path& folder : {run.replay(), run.small_replay()}) {
    if (!std::filesystem::is_directory(folder, error)) continue;
    const std::vector<std::filesystem::path> more = shards_of(folder);
    paths.insert(paths.end(), more.begin(), more.end());
  }
  if (paths.empty())
    throw nb::value_error(
        (path.string() + ": no games; name a run, its folder replay or small, or a file .mzg").c_str());
  return paths;
}

// A record that was played through by its rules.
struct Replayed {
  game::GamePtr game;
  train::GameReplay replay;
};

Replayed replayed(const GameRecord& record) {
  if (const auto fault = train::find_field_fault(record))
    throw nb::value_error(("game " + std::to_string(record.number()) + ": " + *fault).c_str());
  const game::GamePtr game = rules_of(record.ruleset()).game;
  return {game, train::replay_game(*game, record, {})};
}

game::Move move_of(const train::PlyRecord& ply) {
  return game::Move::from_bits(static_cast<std::uint16_t>(ply.move()));
}

std::vector<std::string> moves_of(const GameRecord& record) {
  const Replayed it = replayed(record);
  std::vector<std::string> texts;
  texts.reserve(record.plies_size());
  for (int i = 0; i < record.plies_size(); ++i)
    texts.push_back(game::move_text(*it.game, it.replay.plies[i].position, move_of(record.plies(i))));
  return texts;
}

// One number of each ply.
template <class T, class Get>
nb::object column(const GameRecord& record, const Get& get) {
  std::vector<T> values;
  for (const train::PlyRecord& ply : record.plies()) values.push_back(get(ply));
  const std::size_t size = values.size();
  return to_numpy(std::move(values), {size});
}

// Rows to learn from, as arrays: inputs, and what is learnt.
class RowArrays {
 public:
  RowArrays(const Replayed& game, const nn::Encoder& encoder) : game_(game), encoder_(encoder) {}

  void add(const train::PlyRecord& ply, int number) {
    const train::ReplayedPly& at = game_.replay.plies[number];
    planes_.resize(planes_.size() + encoder_.plane_count() * game::kSquares);
    encoder_.encode(*game_.game, at.position, at.occurrences,
                    planes_.data() + planes_.size() - encoder_.plane_count() * game::kSquares);
    add_policy(ply, at.position);
    const mcts::MoverValue value = mcts::to_mover(at.value, at.position.to_move);
    values_.insert(values_.end(), {value.win, value.draw, value.loss});
    plies_.push_back(number);
    move_begin_.push_back(static_cast<std::int64_t>(move_index_.size()));
  }

  nb::dict arrays() {
    const std::size_t rows = plies_.size(), moves = move_index_.size();
    nb::dict arrays;
    arrays["planes"] =
        to_numpy(std::move(planes_), {rows, static_cast<std::size_t>(encoder_.plane_count()), 8, 8});
    arrays["move_begin"] = to_numpy(std::move(move_begin_), {rows + 1});
    arrays["move_index"] = to_numpy(std::move(move_index_), {moves});
    arrays["policy"] = to_numpy(std::move(policy_), {moves});
    arrays["value"] = to_numpy(std::move(values_), {rows, 3});
    arrays["ply"] = to_numpy(std::move(plies_), {rows});
    return arrays;
  }

 private:
  // Moves that share an index are one entry.
  void add_policy(const train::PlyRecord& ply, const game::Position& position) {
    if (ply.policy().empty()) return;
    std::vector<float> shares;
    train::decode_policy(ply.policy(), &shares);
    game::MoveList legal;
    game_.game->legal_moves(position, &legal);
    const auto begin = move_index_.begin() + move_begin_.back();
    const std::size_t first = begin - move_index_.begin();
    for (int i = 0; i < legal.size(); ++i) {
      const int index = nn::policy_index(game_.game->info(), legal[i], position.to_move);
      const auto known =
          std::find(move_index_.begin() + static_cast<std::ptrdiff_t>(first), move_index_.end(), index);
      if (known == move_index_.end()) {
        move_index_.push_back(index);
        policy_.push_back(shares[i]);
      } else {
        policy_[known - move_index_.begin()] += shares[i];
      }
    }
  }

  const Replayed& game_;
  const nn::Encoder& encoder_;
  std::vector<float> planes_, policy_, values_;
  std::vector<std::int64_t> move_begin_ = {0};
  std::vector<std::int32_t> move_index_, plies_;
};

nb::dict rows_of(const GameRecord& record, const std::vector<std::string>& planes) {
  const Rules rules = rules_of(record.ruleset());
  const auto encoder = encoder_of(rules, planes);
  const Replayed game = replayed(record);
  RowArrays rows(game, *encoder);
  for (int i = 0; i < record.plies_size(); ++i) {
    if (train::is_row(record.plies(i))) rows.add(record.plies(i), i);
  }
  return rows.arrays();
}

struct Game {
  Record record;
};

void bind_records(nb::module_* module) {
  nb::class_<Game>(*module, "GameRecord")
      .def_prop_ro("ruleset", [](const Game& it) { return it.record->ruleset(); })
      .def_prop_ro("start", [](const Game& it) { return it.record->start(); })
      .def_prop_ro("number", [](const Game& it) { return it.record->number(); })
      .def_prop_ro("generation", [](const Game& it) { return it.record->generation(); })
      .def_prop_ro("network", [](const Game& it) { return it.record->network(); })
      .def_prop_ro("small_network", [](const Game& it) { return it.record->small_network(); })
      .def_prop_ro("opening_plies", [](const Game& it) { return it.record->opening_plies(); })
      .def_prop_ro("result", [](const Game& it) { return static_cast<game::Result>(it.record->result()); })
      .def_prop_ro("reason", [](const Game& it) { return static_cast<game::Reason>(it.record->reason()); })
      .def("moves", [](const Game& it) { return moves_of(*it.record); })
      .def(
          "rows",
          [](const Game& it, const std::vector<std::string>& planes) { return rows_of(*it.record, planes); },
          nb::arg("planes") = std::vector<std::string>())
      .def("white_values",
           [](const Game& it) {
             return column<float>(*it.record, [](const train::PlyRecord& ply) {
               return train::searched_value(ply).expected();
             });
           })
      .def("full_searches",
           [](const Game& it) {
             return column<std::uint8_t>(*it.record,
                                         [](const train::PlyRecord& ply) { return ply.full_search(); });
           })
      .def("__len__", [](const Game& it) { return it.record->plies_size(); })
      .def("__repr__", [](const Game& it) {
        return "GameRecord(" + it.record->ruleset() + " " + std::to_string(it.record->number()) + ", " +
               std::to_string(it.record->plies_size()) + " plies)";
      });
}

}  // namespace

void bind_files(nb::module_* module) {
  nb::class_<models::Model>(*module, "Checkpoint")
      .def(
          "__init__",
          [](models::Model* model, const std::filesystem::path& path) {
            new (model) models::Model(models::read_model(path));
          },
          nb::arg("path"))
      .def_prop_ro("manifest", manifest_of)
      .def("tower", tower_of)
      .def("small_networks", small_networks_of)
      .def("__repr__", [](const models::Model& model) {
        return "Checkpoint(" + models::readable_name(model.manifest) + ")";
      });
  bind_records(module);
  module->def("_shards", shards, nb::arg("path"));
  module->def(
      "_read_shard",
      [](const std::filesystem::path& path) {
        auto [records, damages] = read_shard(path);
        std::vector<Game> games;
        for (Record& record : records) games.push_back({std::move(record)});
        return std::pair(std::move(games), std::move(damages));
      },
      nb::arg("path"));
}

}  // namespace makzero::play
