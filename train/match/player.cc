#include "train/match/player.h"

#include <variant>

#include "models/error.h"
#include "train/match/move_time.h"
#include "train/match/search_players.h"
#include "train/match/simple_players.h"
#include "train/match/small_players.h"
#include "train/match/timed_players.h"
#include "train/match/uci_player.h"
#include "train/match/xboard_player.h"

namespace makzero::train {
namespace {

// The player of each kind.
struct MakePlayer {
  using Made = std::unique_ptr<Player>;

  Made operator()(const PlayerSpec::Random&) const { return std::make_unique<RandomPlayer>(); }
  Made operator()(const PlayerSpec::Greedy&) const { return std::make_unique<GreedyPlayer>(game); }
  Made operator()(const PlayerSpec::AlphaBeta& search) const {
    if (spec.time) return std::make_unique<TimedAlphaBetaPlayer>(game, MoveTime{*spec.time});
    return std::make_unique<AlphaBetaPlayer>(game, search.depth);
  }
  Made operator()(const PlayerSpec::Rollout& search) const {
    return make_rollout_player(game, search.simulations, spec.time);
  }
  Made operator()(const PlayerSpec::Material& search) const {
    return make_material_player(game, search.simulations, spec.time);
  }
  Made operator()(const PlayerSpec::Network& network) const {
    if (spec.time && backend.device != "cpu")
      throw models::Error("player '" + spec.name + "': ms=N is processor time, which that of '" +
                          backend.device + "' is not: play on --device cpu");
    return make_network_player(game, network, spec.time, backend);
  }
  Made operator()(const PlayerSpec::Small& small) const { return make_small_player(game, small, spec.time); }
  Made operator()(const UciSettings& engine) const { return std::make_unique<UciPlayer>(game, engine); }
  Made operator()(const XboardSettings& engine) const { return std::make_unique<XboardPlayer>(game, engine); }

  const game::Game& game;
  const PlayerSpec& spec;
  const nn::Backend& backend;
};

}  // namespace

std::chrono::nanoseconds Player::processor_time() const { return thread_processor_time(); }

std::unique_ptr<Player> make_player(const game::Game& game, const PlayerSpec& spec,
                                    const nn::Backend& backend) {
  return std::visit(MakePlayer{game, spec, backend}, spec.kind);
}

}  // namespace makzero::train
