#include "models/player/player.h"

#include <algorithm>
#include <bit>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>

#include "mcts/alpha_beta/parallel_searcher.h"
#include "mcts/ending_searcher.h"
#include "mcts/sample_move.h"
#include "mcts/searcher_batch.h"
#include "mcts/second_opinion.h"
#include "mcts/tree_searcher.h"
#include "models/endings_file.h"
#include "models/error.h"
#include "models/file_io.h"
#include "models/model.h"
#include "models/player/built_in_players.h"
#include "models/player/measured_levels.h"
#include "models/player/tuned_settings.h"
#include "models/player/uci_searcher.h"
#include "models/player/xboard_searcher.h"
#include "models/small_network_file.h"
#include "models/zoo.h"
#include "nn/evaluators/caching_evaluator.h"
#include "nn/evaluators/torch_evaluator.h"
#include "nn/system.h"

namespace makzero::models {
namespace {

// Bytes of an evaluation in the cache: position, value and some 64 priors.
constexpr std::size_t kEntryBytes = 448;

// A network, for people, with the place it has in the zoo or in a run.
std::string network_text(const std::filesystem::path& file, const std::string& network) {
  const std::filesystem::path folder = file.parent_path();
  const std::string zoo = (Zoo::standard().folder() / "").string();  // With the separator of the system.
  if (!zoo.empty() && file.string().starts_with(zoo)) return "MakZero (" + network + ", of the zoo)";
  if (folder.filename() != "checkpoints") return network;
  const std::string run = std::filesystem::weakly_canonical(folder.parent_path()).filename().string();
  return "your training \"" + run + "\" (" + network + ")";
}

nn::Precision precision_of(const Manifest& manifest, const nn::Backend& backend) {
  if (backend.precision != nn::Precision::kAuto) return backend.precision;
  const nn::NetworkArchitecture size = architecture_of(manifest);
  const auto tuned = tuned_settings(backend.device, network_size(size.blocks, size.channels));
  return tuned ? tuned->precision : backend.precision;
}

using EndingsPtr = std::shared_ptr<const mcts::Endings>;

std::unique_ptr<mcts::Searcher> with_endings(const game::Game& rules, const EndingsPtr& endings,
                                             std::unique_ptr<mcts::Searcher> searcher) {
  if (!endings) return searcher;
  return std::make_unique<mcts::EndingSearcher>(rules, endings, std::move(searcher));
}

// Tables that a player's searches know; null: none.
EndingsPtr endings_of(const game::Game& rules, const PlayerSpec& spec, const PlayerOptions& options) {
  if (!spec.endings.value_or(options.endings)) return nullptr;
  EndingsPtr endings = installed_endings(rules);
  if (!endings && spec.endings) throw Error("endings=on: " + missing_endings(rules.info()));
  return endings;
}

// Makes the searchers of each kind.
struct Loader {
  const game::Game& rules;
  const PlayerOptions& options;
  Player& player;
  const EndingsPtr endings = endings_of(rules, player.spec, options);

  void operator()(const PlayerSpec::BuiltIn& built_in) const {
    const BuiltInPlayer& row = *find_built_in(built_in.name);
    player.description = row.description;
    if (row.make_evaluator) player.evaluator = row.make_evaluator();
    player.make_searcher = [&game = rules, make = row.make_searcher](const SearcherResources& resources) {
      return make(game, resources);
    };
  }
  void operator()(const PlayerSpec::Tower& tower) const {
    const Model model = read_model(tower.file);
    player.description = network_text(tower.file, "network " + readable_name(model.manifest) +
                                                      ", generation " + std::to_string(tower.generation));
    const std::size_t entries = std::bit_floor(std::max<std::size_t>(1, options.cache_bytes / kEntryBytes));
    auto network = make_search_evaluator(rules, model,
                                         {.device = options.backend.device,
                                          .precision = precision_of(model.manifest, options.backend),
                                          .max_batch = kTowerBatch});
    player.evaluator = nn::make_caching_evaluator(std::move(network), entries);
    mcts::SearchOptions search = models::search_options(model.manifest);
    search.endings = endings.get();
    const auto make_tree = [&game = rules, endings = endings, search](const SearcherResources& resources) {
      return with_endings(game, endings,
                          std::make_unique<mcts::TreeSearcher>(
                              game, mcts::TreeSearcherOptions{.memory = resources.tree, .search = search}));
    };
    player.make_searcher = make_tree;
    if (!tower.second) return;
    player.description += ", with the second opinion of small network " + tower.second->id;
    player.make_searcher = [make_tree, make_second = small_searchers(*tower.second)](
                               const SearcherResources& resources) -> std::unique_ptr<mcts::Searcher> {
      return std::make_unique<mcts::SecondOpinion>(make_tree(resources), make_second(resources));
    };
  }
  void operator()(const PlayerSpec::Small& small) const {
    player.description = network_text(small.file, "small network " + small.id);
    player.make_searcher = small_searchers(small);
  }
  void operator()(const UciSettings& settings) const { start<UciSearcher>(settings); }
  void operator()(const XboardSettings& settings) const { start<XboardSearcher>(settings); }

 private:
  // Makes searchers of alpha-beta with the small network.
  decltype(Player::make_searcher) small_searchers(const PlayerSpec::Small& small) const {
    auto network =
        std::make_shared<const mcts::SmallNetwork>(load_small_network(small.file, rules.info().ruleset));
    mcts::AlphaBetaOptions search = search_options(small);
    search.endings = endings.get();
    return [&game = rules, endings = endings, network, search](const SearcherResources& resources) {
      return with_endings(
          game, endings,
          mcts::make_parallel_searcher(game, *network, search, resources.table, resources.threads));
    };
  }

  mcts::AlphaBetaOptions search_options(const PlayerSpec::Small& small) const {
    const mcts::AlphaBetaOptions usual = mcts::alpha_beta_options(rules.info());
    if (small.options.empty()) return usual;
    return value_or_error(small.options,
                          mcts::parse_alpha_beta_options(read_given_text(small.options), usual));
  }

  // The program starts now, so that its failure is known; the first searcher is that one.
  template <class Engine, class Settings>
  void start(const Settings& settings) const {
    auto first = std::make_shared<std::unique_ptr<Engine>>(std::make_unique<Engine>(rules, settings));
    auto newest = std::make_shared<const Engine*>(first->get());
    player.description = settings.text;
    player.make_searcher = [&game = rules, settings, first,
                            newest](const SearcherResources&) -> std::unique_ptr<mcts::Searcher> {
      if (*first) return std::move(*first);
      auto next = std::make_unique<Engine>(game, settings);
      *newest = next.get();
      return next;
    };
    player.processor_time = [newest] { return (*newest)->processor_time(); };
  }
};

}  // namespace

std::unique_ptr<Player> load_player(const game::Game& rules, const PlayerSpec& spec,
                                    const PlayerOptions& options) try {
  auto player = std::make_unique<Player>();
  player->spec = spec;
  player->processor_time = [] { return std::chrono::nanoseconds(nn::thread_cpu_nanoseconds()); };
  std::visit(Loader{rules, options, *player}, spec.kind);
  if (spec.tower() && options.backend.device != "cpu") {
    player->processor_time = [] { return std::chrono::steady_clock::now().time_since_epoch(); };
    if (spec.strength.time) player->description += ", by the wall clock";
  }
  player->levels = measured_levels(spec, rules.info().ruleset);
  return player;
} catch (const Error&) {
  throw;
} catch (const std::runtime_error& error) {
  if (spec.tower()) throw Error(spec.tower()->file, error.what());
  throw;
}

mcts::Limits limits_of(const Player& player) {
  const Strength& strength = player.spec.strength;
  mcts::Limits limits{.nodes = strength.nodes, .depth = strength.depth, .time = strength.time};
  if (strength.time) limits.clock = player.processor_time;
  if (strength.temperature > 0) limits.lines = mcts::sampled_lines(strength.temperature);
  return limits;
}

void run(mcts::Searcher* searcher, mcts::Evaluator* evaluator) {
  mcts::SearcherBatch batch;
  while (batch.step(std::span(&searcher, 1), {}, evaluator)) continue;
}

}  // namespace makzero::models
