#include "models/small_network_file.h"

#include <system_error>

#include "models/error.h"
#include "models/fingerprint.h"
#include "models/framed_file.h"

namespace makzero::models {

void write_small_network(const std::filesystem::path& path, const mcts::SmallNetwork& network) {
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
  FrameWriter writer(path, FileKind::kSmallNetwork);
  writer.add(mcts::encode_small_network(network));
  writer.commit();
}

mcts::SmallNetwork read_small_network(const std::filesystem::path& path) {
  FrameReader reader(path, FileKind::kSmallNetwork);
  const std::optional<std::string> bytes = reader.next();
  if (!bytes) throw Error(path, reader.damage().empty() ? "holds no network" : reader.damage());
  const auto network = mcts::decode_small_network(*bytes);
  if (!network) throw Error(path, network.why());
  return *network;
}

std::string small_network_id(const mcts::SmallNetwork& network) {
  return sha256(mcts::encode_small_network(network)).substr(0, 12);
}

bool is_small_network(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  return find_file_kind(path) == FileKind::kSmallNetwork;
}

}  // namespace makzero::models
