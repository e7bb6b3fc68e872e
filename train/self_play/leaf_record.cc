#include "train/self_play/leaf_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>

#include "models/error.h"

namespace makzero::train {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the format is little-endian and is copied as it lies");

constexpr float kWhole = 65535;
constexpr std::string_view kExtension = ".mzf";

template <class T>
void put(std::string* bytes, T value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void put_text(std::string* bytes, std::string_view text) {
  put(bytes, static_cast<std::uint16_t>(text.size()));
  bytes->append(text);
}

// Takes values off the front of a text; `failed()` once it was too short.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  template <class T>
  T number() {
    T value = {};
    const std::string_view bytes = take(sizeof(T));
    if (!failed_) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }

  std::string text() { return std::string(take(number<std::uint16_t>())); }

  std::string_view left() const { return left_; }
  bool failed() const { return failed_; }

 private:
  std::string_view take(std::size_t size) {
    failed_ = failed_ || size > left_.size();
    if (failed_) return {};
    const std::string_view bytes = left_.substr(0, size);
    left_.remove_prefix(size);
    return bytes;
  }

  std::string_view left_;
  bool failed_ = false;
};

// The number of "000012.mzf"; none for other files.
std::optional<std::uint64_t> number_of(const std::filesystem::path& path) {
  const std::string stem = path.stem().string();
  std::uint64_t number = 0;
  const char* end = stem.data() + stem.size();
  const auto [stop, error] = std::from_chars(stem.data(), end, number);
  if (path.extension() != kExtension || error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<Leaf> make_leaf(const game::GameInfo& info, const game::Position& position, int occurrences,
                              const mcts::MoverValue& value) {
  if (!(value.win >= 0 && value.draw >= 0 && value.win + value.draw < 1.01f)) return std::nullopt;
  const auto packed = game::pack(info, position, occurrences);
  if (!packed) return std::nullopt;
  const float win = std::min(std::round(kWhole * value.win), kWhole);
  const float draw = std::min(std::round(kWhole * value.draw), kWhole - win);
  return Leaf{*packed, static_cast<std::uint16_t>(win), static_cast<std::uint16_t>(draw)};
}

mcts::MoverValue value_of(const Leaf& leaf) {
  const float win = static_cast<float>(leaf.win), draw = static_cast<float>(leaf.draw);
  return {win / kWhole, draw / kWhole, (kWhole - win - draw) / kWhole};
}

std::string encode_leaves(const LeafBlock& block) {
  std::string bytes;
  put(&bytes, static_cast<std::uint32_t>(block.leaves.size()));
  put(&bytes, static_cast<std::uint32_t>(block.generation));
  put_text(&bytes, block.ruleset);
  put_text(&bytes, block.network);
  bytes.append(reinterpret_cast<const char*>(block.leaves.data()), block.leaves.size() * sizeof(Leaf));
  return bytes;
}

std::optional<LeafBlock> decode_leaves(std::string_view bytes) {
  ByteReader reader(bytes);
  LeafBlock block;
  const auto count = reader.number<std::uint32_t>();
  block.generation = reader.number<std::uint32_t>();
  block.ruleset = reader.text();
  block.network = reader.text();
  if (reader.failed() || reader.left().size() != std::uint64_t{count} * sizeof(Leaf)) return std::nullopt;
  block.leaves.resize(count);
  if (count > 0) std::memcpy(block.leaves.data(), reader.left().data(), reader.left().size());
  return block;
}

models::Recovery read_leaves(const std::filesystem::path& path,
                             const std::function<void(const LeafBlock&)>& visit) {
  return models::recover_frames(path, models::FileKind::kLeaves, [&](std::string_view bytes) {
    const auto block = decode_leaves(bytes);
    if (!block)
      throw models::Error(path,
                          "holds a frame that is no block of leaves; was it written by a newer version?");
    visit(*block);
  });
}

std::filesystem::path leaf_shard_path(const std::filesystem::path& folder, std::uint64_t number) {
  return folder / fmt::format("{:06}{}", number, kExtension);
}

std::vector<LeafShard> list_leaf_shards(const std::filesystem::path& folder) {
  std::vector<LeafShard> shards;
  if (!std::filesystem::exists(folder)) return shards;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto number = number_of(entry.path());
    std::error_code gone;  // A running training deletes its oldest file.
    const std::uint64_t bytes = number ? entry.file_size(gone) : 0;
    if (number && !gone) shards.push_back({entry.path(), *number, bytes});
  }
  std::sort(shards.begin(), shards.end(),
            [](const LeafShard& a, const LeafShard& b) { return a.number < b.number; });
  return shards;
}

}  // namespace makzero::train
