#include "models/small_network_file.h"

#include <charconv>
#include <string_view>
#include <system_error>

#include "game/catalog.h"
#include "models/error.h"
#include "models/fingerprint.h"
#include "models/framed_file.h"
#include "models/zoo.h"

namespace makzero::models {
namespace {

constexpr const char* kExtension = ".mzs";

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
  return sha256(mcts::encode_small_network(network)).substr(0, 12);
}

bool is_small_network(const std::filesystem::path& path) try {
  std::error_code missing;
  return std::filesystem::is_regular_file(path, missing) && find_file_kind(path) == FileKind::kSmallNetwork;
} catch (const Error&) {
  return false;
}

std::optional<SmallNetworkName> read_small_network_name(const std::string& text) {
  SmallNetworkName name{text};
  if (const std::size_t colon = text.rfind(':'); colon != std::string::npos) {
    const char* end = text.data() + text.size();
    std::int64_t depth = 0;
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, depth);
    if (error == std::errc() && stop == end) name = {text.substr(0, colon), depth};
  }
  const std::filesystem::path file = name.network;
  if (name.network == kSmallName || file.extension() == kExtension || is_small_network(file)) return name;
  return std::nullopt;
}

std::filesystem::path find_small_network(const SmallNetworkName& name, const std::string& ruleset) {
  if (name.depth && (*name.depth < 1 || *name.depth > kMostSmallDepth))
    throw Error("a small network needs a depth from 1 to " + std::to_string(kMostSmallDepth));
  return name.network == kSmallName ? Zoo::standard().small_network_for(ruleset)
                                    : std::filesystem::path(name.network);
}

}  // namespace makzero::models
