// C interface: small networks and their search.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "mcts/alpha_beta/alpha_beta_searcher.h"
#include "mcts/small_network.h"
#include "play/embed/handles.h"
#include "play/engine/search_info.h"

namespace makzero::play::embed {
namespace {

constexpr std::size_t kUsualTableBytes = std::size_t{16} << 20;
constexpr std::size_t kMostTableBytes = std::size_t{1} << 40;
constexpr std::size_t kMostFileBytes = std::size_t{64} << 20;
constexpr std::int64_t kMostMilliseconds = 1'000'000'000'000;

// A network as it evaluates positions of one ruleset.
struct Network {
  game::GamePtr rules;
  mcts::SmallNetwork weights;
  mcts::SmallEvaluator evaluator;
};

std::shared_ptr<const Network> make_network(const game::GamePtr& rules, std::string_view bytes) {
  const std::string& ruleset = rules->info().ruleset;
  const game::Parsed<mcts::SmallNetwork> weights = mcts::decode_small_network(bytes);
  if (!weights) throw Refusal(MAKZERO_BAD_INPUT, "the network " + weights.why());
  if (weights->game != game::game_of(ruleset))
    throw Refusal(MAKZERO_BAD_INPUT,
                  "the network is of the game '" + weights->game + "' and cannot play '" + ruleset + "'");
  return std::make_shared<Network>(Network{rules, *weights, {rules->info(), *weights}});
}

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  for (char part[1 << 14]; file && bytes.size() <= kMostFileBytes;) {
    file.read(part, sizeof part);
    bytes.append(part, static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof() || bytes.size() > kMostFileBytes)
    throw Refusal(MAKZERO_BAD_INPUT, "'" + path + "' cannot be read: it must be a file of at most 64 MiB");
  return bytes;
}

const PlayedGame& position_of(const Network& network, const makzero_position* position) {
  const PlayedGame& played = needed(position, "position").game;
  const std::string& here = played.rules().info().ruleset;
  if (here != network.rules->info().ruleset)
    refuse("the position is of '" + here + "' and the network for '" + network.rules->info().ruleset + "'");
  return played;
}

// A struct of a caller who may know fewer members, or more; those that he does not know are 0.
template <class Struct>
Struct read_struct(const Struct& given) {
  if (given.size < sizeof(given.size)) refuse("'size' of a struct is not set: sizeof of its type");
  Struct own = {};
  std::memcpy(&own, &given, std::min(given.size, sizeof own));
  return own;
}

// Writes what the caller knows of a struct.
template <class Struct>
void write_struct(Struct own, Struct* out) {
  own.size = read_struct(*out).size;
  std::memcpy(out, &own, std::min(own.size, sizeof own));
}

std::int64_t within(std::int64_t value, std::int64_t most, const char* name) {
  if (value < 0) refuse(std::string(name) + " must not be negative; 0: no limit");
  return std::min(value, most);
}

Limits limits_of(const makzero_limits* given, const PlayedGame& played) {
  Limits limits;
  if (given == nullptr) return limits;
  const makzero_limits wanted = read_struct(*given);
  if (within(wanted.nodes, INT64_MAX, "nodes") > 0) limits.nodes = wanted.nodes;
  if (const auto time = within(wanted.milliseconds, kMostMilliseconds, "milliseconds"); time > 0)
    limits.time = std::chrono::milliseconds(time);
  if (within(wanted.depth, INT32_MAX, "depth") > 0) limits.depth = wanted.depth;
  limits.lines = std::max(1, static_cast<int>(within(wanted.lines, MAKZERO_MOST_MOVES, "lines")));
  if (wanted.moves == nullptr) return limits;
  for (std::size_t i = 0; i < wanted.move_count; ++i) {
    const game::Move move = legal_move(played, wanted.moves[i]);
    const auto& named = limits.search_moves;
    if (std::find(named.begin(), named.end(), move) == named.end()) limits.search_moves.push_back(move);
  }
  return limits;
}

}  // namespace
}  // namespace makzero::play::embed

using namespace makzero::play::embed;  // NOLINT: the functions of this file are its interface.
using makzero::play::PlayedGame;

namespace mcts = makzero::mcts;
namespace play = makzero::play;

struct makzero_network {
  std::shared_ptr<const Network> network;
};

struct makzero_search {
  std::shared_ptr<const Network> network;
  std::unique_ptr<mcts::Searcher> searcher;
  std::atomic<bool> stop = false;
  bool runs = false;
  play::SearchInfo info = {};                         // Without lines before the first run.
  std::vector<std::vector<makzero_move>> lines = {};  // Of `info`.

  void update() {
    info = searcher->info();
    lines.clear();
    for (const play::Line& line : info.lines) {
      std::vector<makzero_move>& moves = lines.emplace_back();
      for (const makzero::game::Move move : line.moves) moves.push_back(move.bits());
    }
  }
};

// --- Networks. ---

makzero_network* makzero_network_read(const makzero_game* game, const void* bytes, size_t size) {
  return guarded_pointer([&] {
    const auto* text = static_cast<const char*>(bytes);
    return new makzero_network{make_network(needed(game, "game").rules, {&needed(text, "bytes"), size})};
  });
}

makzero_network* makzero_network_open(const makzero_game* game, const char* path) {
  return guarded_pointer([&] {
    const makzero::game::GamePtr& rules = needed(game, "game").rules;
    return new makzero_network{make_network(rules, file_bytes(needed_text(path, "path")))};
  });
}

void makzero_network_free(makzero_network* network) { delete network; }

int makzero_network_evaluate(const makzero_network* network, const makzero_position* position, int* score) {
  return guarded([&] {
    const Network& own = *needed(network, "network").network;
    const PlayedGame& played = position_of(own, position);
    mcts::SmallAccumulator sums;
    own.evaluator.refresh(played.position(), &sums);
    needed(score, "score") = own.evaluator.evaluate(played.position(), sums).value;
    return static_cast<int>(MAKZERO_OK);
  });
}

// --- Searches. ---

makzero_search* makzero_search_new(const makzero_network* network, size_t table_bytes) {
  return guarded_pointer([&] {
    const std::shared_ptr<const Network>& own = needed(network, "network").network;
    if (table_bytes > kMostTableBytes) refuse("table_bytes is more than 1 TiB");
    const std::size_t bytes = table_bytes == 0 ? kUsualTableBytes : table_bytes;
    auto search = std::make_unique<makzero_search>();
    search->network = own;
    search->searcher = mcts::make_small_searcher(*own->rules, own->weights,
                                                 mcts::alpha_beta_options(own->rules->info()), bytes);
    return search.release();
  });
}

void makzero_search_free(makzero_search* search) { delete search; }

int makzero_search_run(makzero_search* search, const makzero_position* position, const makzero_limits* limits,
                       makzero_progress progress, void* data) {
  return guarded([&] {
    makzero_search& own = needed(search, "search");
    if (own.runs) refuse("the search runs already: end it first");
    const PlayedGame& played = position_of(*own.network, position);
    if (!played.may_go_on() || played.legal().empty())
      throw Refusal(MAKZERO_BAD_INPUT, "the game is over: there is nothing to search");
    play::Limits wanted = limits_of(limits, played);
    own.stop = false;
    wanted.stop = &own.stop;
    own.runs = true;
    const std::unique_ptr<bool, void (*)(bool*)> running(&own.runs, [](bool* runs) { *runs = false; });
    play::begin_search(played, wanted, own.searcher.get());
    while (!own.searcher->done()) {
      own.searcher->step({});
      own.update();
      if ((progress != nullptr && progress(&own, data) != 0) || own.stop) break;
    }
    return static_cast<int>(own.info.best().bits());
  });
}

int makzero_search_get_info(const makzero_search* search, makzero_search_info* info) {
  return guarded([&] {
    const makzero_search& own = needed(search, "search");
    write_struct({.size = 0,
                  .depth = own.info.depth,
                  .seldepth = own.info.seldepth,
                  .lines = static_cast<int>(own.lines.size()),
                  .nodes = static_cast<std::int64_t>(own.info.nodes),
                  .milliseconds = own.info.elapsed / std::chrono::milliseconds(1)},
                 &needed(info, "info"));
    return static_cast<int>(MAKZERO_OK);
  });
}

int makzero_search_line(const makzero_search* search, int number, makzero_line* line) {
  return guarded([&] {
    const makzero_search& own = needed(search, "search");
    if (number < 0 || number >= static_cast<int>(own.lines.size()))
      refuse("line " + std::to_string(number) + " is not among the " + std::to_string(own.lines.size()));
    const play::Line& found = own.info.lines[number];
    const std::vector<makzero_move>& moves = own.lines[number];
    const int end = found.end_in_plies.value_or(0);
    write_struct({.size = 0,
                  .moves = moves.data(),
                  .move_count = moves.size(),
                  .expected = found.value.score(),
                  .centipawns = found.centipawns,
                  .end_in_plies = found.centipawns > 0 ? end : -end},
                 &needed(line, "line"));
    return static_cast<int>(MAKZERO_OK);
  });
}

int makzero_search_stop(makzero_search* search) {
  return guarded([&] {
    needed(search, "search").stop = true;
    return static_cast<int>(MAKZERO_OK);
  });
}

int makzero_search_forget(makzero_search* search) {
  return guarded([&] {
    makzero_search& own = needed(search, "search");
    if (own.runs) refuse("the search runs: end it first");
    own.searcher->forget();
    return static_cast<int>(MAKZERO_OK);
  });
}
