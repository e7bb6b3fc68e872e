// What the engine needs of networks, without LibTorch: there are none.
#include "models/error.h"
#include "nn/environment.h"
#include "play/load_network.h"

namespace makzero {

void nn::set_thread_count(int) {}

namespace play {

std::filesystem::path find_checkpoint(const std::filesystem::path& path) { return path; }

std::vector<Level> measured_levels(const std::filesystem::path&) { return {}; }

LoadedNetwork load_network(const game::Game&, const std::filesystem::path& path, const NetworkOptions&) {
  throw models::Error(path, "fuzzed without networks");
}

}  // namespace play
}  // namespace makzero
