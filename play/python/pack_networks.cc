// The small networks of a zoo as files of their own: makzero_pack_networks ZOO FOLDER writes FOLDER/GAME.mzc.
#include <exception>
#include <filesystem>
#include <iostream>

#include "models/model.h"
#include "models/zoo.h"

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: makzero_pack_networks ZOO FOLDER\n";
    return 2;
  }
  using namespace makzero::models;
  std::filesystem::create_directories(argv[2]);
  for (const ZooEntry& entry : Zoo(argv[1]).entries()) {
    const Model model = read_head(entry.network());
    if (!has_small_network(model.manifest, entry.game())) continue;
    Model small = make_model(model.small_networks.front());
    *small.manifest.mutable_small_networks() = model.manifest.small_networks();
    write_model(std::filesystem::path(argv[2]) / (entry.game() + ".mzc"), small);
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
