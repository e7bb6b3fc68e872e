#include "models/small_network_file.h"

#include "game/catalog.h"
#include "models/error.h"
#include "models/fingerprint.h"
#include "models/framed_file.h"

namespace makzero::models {
namespace {

[[noreturn]] void fail_damaged(const std::filesystem::path& path, const std::string& damage) {
  throw Error(path, damage + "; the file is damaged, make it again with `makzero distill` or take a copy");
}

}  // namespace

void write_small_network(const std::filesystem::path& path, const mcts::SmallNetwork& network) {
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
  FrameWriter writer(path, FileKind::kSmallNetwork);
  writer.add(mcts::encode_small_network(network));
  writer.commit();
}

mcts::SmallNetwork read_small_network(const std::filesystem::path& path) {
  FrameReader reader(path, FileKind::kSmallNetwork);
  const std::optional<std::string> bytes = reader.next();
  if (!bytes) fail_damaged(path, reader.damage().empty() ? "holds no network" : reader.damage());
  const auto network = mcts::decode_small_network(*bytes);
  if (!network) throw Error(path, network.why());
  return *network;
}

mcts::SmallNetwork load_small_network(const std::filesystem::path& path, const std::string& ruleset) {
  mcts::SmallNetwork network = read_small_network(path);
  if (network.game != game::game_of(ruleset)) {
    throw Error(path, "is a small network of '" + network.game + "' and cannot play '" + ruleset +
                          "': `makzero distill` makes one for it");
  }
  return network;
}

std::string small_network_id(const mcts::SmallNetwork& network) {
  return sha256(mcts::encode_small_network(network, 1)).substr(0, 12);
}

bool is_small_network(const std::filesystem::path& path) try {
  std::error_code missing;
  return std::filesystem::is_regular_file(path, missing) && find_file_kind(path) == FileKind::kSmallNetwork;
} catch (const Error&) {
  return false;
}

}  // namespace makzero::models
