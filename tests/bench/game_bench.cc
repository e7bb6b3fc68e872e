// The speed of rules: leaves of perft, random games, and the parts that a search calls. Each benchmark checks
// what it computed.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "game/catalog.h"
#include "game/history.h"
#include "game/packed_position.h"
#include "game/perft.h"

namespace makzero::game {
namespace {

constexpr int kPlyCap = 300;

GamePtr game_named(benchmark::State* state, const char* spec) {
  const auto game = make_game(spec);
  if (!game) state->SkipWithError(game.why().c_str());
  return game ? *game : nullptr;
}

void perft_leaves(benchmark::State& state, const char* spec, int depth, std::uint64_t expected) {
  const GamePtr game = game_named(&state, spec);
  if (!game) return;
  std::uint64_t leaves = 0;
  for (auto _ : state) {
    const std::uint64_t counted = perft(*game, game->initial(), depth);
    if (counted != expected) return state.SkipWithError("wrong number of leaves");
    leaves += counted;
  }
  state.counters["leaves/s"] = benchmark::Counter(static_cast<double>(leaves), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(perft_leaves, makyek_5, "makyek", 5, 70312432)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(perft_leaves, makyek_low_5, "makyek-low", 5, 70446450)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(perft_leaves, apit_5, "apit", 5, 62850406)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(perft_leaves, rek_5, "rek", 5, 126176122)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(perft_leaves, minrekchanh_5, "minrekchanh", 5, 20460178)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(perft_leaves, gala_6, "gala", 6, 11716200)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(perft_leaves, hunt_4, "hunt", 4, 390267)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(perft_leaves, makruk_5, "makruk", 5, 6223994)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(perft_leaves, makruk_6, "makruk", 6, 142078049)->Unit(benchmark::kMillisecond);

// Marsaglia's xorshift: a random number for next to nothing.
class Xorshift {
 public:
  int below(int bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<int>((state_ >> 32) * static_cast<std::uint64_t>(bound) >> 32);
  }

 private:
  std::uint64_t state_ = 88172645463325252u;
};

// Shows each position of one random game, repetition counted, up to the ply cap.
template <class Visit>
void visit_random_game(const Game& game, Xorshift* random, Visit visit) {
  Position position = game.initial();
  History history(position);
  MoveList legal;
  for (int ply = 0;; ++ply) {
    visit(position);
    if (ply == kPlyCap) break;
    game.legal_moves(position, &legal);
    if (game.outcome(position, !legal.empty(), history.occurrences()).over()) break;
    game.apply(legal[random->below(legal.size())], &position);
    history.push(position);
  }
}

void random_games(benchmark::State& state, const char* spec) {
  const GamePtr game = game_named(&state, spec);
  if (!game) return;
  Xorshift random;
  std::int64_t games = 0, positions = 0;
  for (auto _ : state) {
    visit_random_game(*game, &random, [&](const Position&) { ++positions; });
    ++games;
  }
  const std::int64_t plies = positions - games;
  state.counters["games/s"] = benchmark::Counter(static_cast<double>(games), benchmark::Counter::kIsRate);
  state.counters["plies/s"] = benchmark::Counter(static_cast<double>(plies), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(random_games, makyek, "makyek")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(random_games, rek, "rek")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(random_games, makruk, "makruk")->Unit(benchmark::kMicrosecond);

// One call on each position of twenty random games in turn.
template <class Call>
void each_position(benchmark::State& state, const char* spec, Call call) {
  const GamePtr game = game_named(&state, spec);
  if (!game) return;
  Xorshift random;
  std::vector<Position> positions;
  for (int i = 0; i < 20; ++i) {
    visit_random_game(*game, &random, [&](const Position& position) { positions.push_back(position); });
  }
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(call(*game, positions[next]));
    next = next + 1 < positions.size() ? next + 1 : 0;
  }
}

void legal_moves(benchmark::State& state, const char* spec) {
  MoveList legal;
  each_position(state, spec, [&](const Game& game, const Position& position) {
    game.legal_moves(position, &legal);
    return legal.size();
  });
}
BENCHMARK_CAPTURE(legal_moves, makyek, "makyek");
BENCHMARK_CAPTURE(legal_moves, rek, "rek");
BENCHMARK_CAPTURE(legal_moves, makruk, "makruk");

void count_moves(benchmark::State& state, const char* spec) {
  each_position(state, spec,
                [](const Game& game, const Position& position) { return game.count_moves(position); });
}
BENCHMARK_CAPTURE(count_moves, makyek, "makyek");
BENCHMARK_CAPTURE(count_moves, rek, "rek");
BENCHMARK_CAPTURE(count_moves, makruk, "makruk");

void threats(benchmark::State& state, const char* spec) {
  each_position(state, spec, [](const Game& game, const Position& position) {
    return game.threats(position, position.to_move).targets;
  });
}
BENCHMARK_CAPTURE(threats, makyek, "makyek");
BENCHMARK_CAPTURE(threats, rek, "rek");
BENCHMARK_CAPTURE(threats, makruk, "makruk");

void pack_position(benchmark::State& state, const char* spec) {
  each_position(state, spec, [](const Game& game, const Position& position) {
    return pack(game.info(), position, 1)->state;
  });
}
BENCHMARK_CAPTURE(pack_position, makyek, "makyek");
BENCHMARK_CAPTURE(pack_position, makruk, "makruk");

void pack_and_unpack(benchmark::State& state, const char* spec) {
  each_position(state, spec, [](const Game& game, const Position& position) {
    return unpack(game.info(), *pack(game.info(), position, 1))->position.ply;
  });
}
BENCHMARK_CAPTURE(pack_and_unpack, makyek, "makyek");
BENCHMARK_CAPTURE(pack_and_unpack, makruk, "makruk");

}  // namespace
}  // namespace makzero::game
