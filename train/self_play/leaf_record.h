// A position with its evaluation by the network in 32 bytes, and files of such leaves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "game/packed_position.h"
#include "mcts/value.h"
#include "models/framed_file.h"

namespace makzero::train {

// Win and draw are probabilities for the side to move in steps of 1/65535; the rest is loss.
struct Leaf {
  game::PackedPosition position;
  std::uint16_t win = 0, draw = 0;

  bool operator==(const Leaf&) const = default;
};

static_assert(sizeof(Leaf) == 32);

// None where the position does not fit (game::pack()) or the value is no number.
std::optional<Leaf> make_leaf(const game::GameInfo& info, const game::Position& position, int occurrences,
                              const mcts::MoverValue& value);

mcts::MoverValue value_of(const Leaf& leaf);

// Leaves that one network evaluated.
struct LeafBlock {
  std::string ruleset;
  std::string network;  // Id of its checkpoint.
  std::int64_t generation = 0;
  std::vector<Leaf> leaves;
};

// A block as the plain bytes of a frame, little-endian: u32 number of leaves, u32 generation, u16 length and
// text of the ruleset, the same of the network, then the leaves as they lie in memory. By columns of bytes
// they compress worse (Mak-yek 17.9 bytes a leaf instead of 15.2, Makruk 22.4 instead of 16.3), sorted 4 %
// better.
std::string encode_leaves(const LeafBlock& block);

// None where the bytes are no such frame.
std::optional<LeafBlock> decode_leaves(std::string_view bytes);

// Calls `visit` for the blocks of RUN/leaves/NUMBER.mzf in the order in which they were written, leaving out
// damaged ones, which the result names. Throws models::Error where the file cannot be opened, is of another
// kind, or holds a frame of another format.
models::Recovery read_leaves(const std::filesystem::path& path,
                             const std::function<void(const LeafBlock&)>& visit);

// "000012.mzf" in the folder.
std::filesystem::path leaf_shard_path(const std::filesystem::path& folder, std::uint64_t number);

struct LeafShard {
  std::filesystem::path path;
  std::uint64_t number = 0, bytes = 0;
};

// The leaf files of a folder, oldest first; none where it does not exist.
std::vector<LeafShard> list_leaf_shards(const std::filesystem::path& folder);

}  // namespace makzero::train
