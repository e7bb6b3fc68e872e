// What the engine needs of networks, without LibTorch: there are none.
#include "models/error.h"
#include "models/small_network_file.h"
#include "nn/runtime.h"
#include "play/engine/load_network.h"

namespace makzero {

void nn::set_thread_count(int) {}

namespace models {

std::optional<SmallNetworkName> read_small_network_name(const std::string&) { return std::nullopt; }

std::filesystem::path find_small_network(const SmallNetworkName& name, const std::string&) {
  return name.network;
}

mcts::SmallNetwork load_small_network(const std::filesystem::path& path, const std::string&) {
  throw Error(path, "fuzzed without networks");
}

std::string small_network_id(const mcts::SmallNetwork&) { return ""; }

}  // namespace models

namespace play {

std::filesystem::path find_checkpoint(const std::string& name, const std::string&) { return name; }

bool zoo_plays(const std::string&) { return false; }

std::vector<Level> measured_levels(const std::string&, const std::string&) { return {}; }

LoadedNetwork load_network(const game::Game&, const std::string& name, const NetworkOptions&) {
  throw models::Error(name, "fuzzed without networks");
}

}  // namespace play
}  // namespace makzero
