// C interface: inputs and policy of towers.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "game/plain_text.h"
#include "nn/encoder.h"
#include "play/embed/handles.h"

struct makzero_encoder {
  makzero::nn::Encoder encoder;
};

using namespace makzero::play::embed;  // NOLINT: the functions of this file are its interface.
using makzero::play::PlayedGame;

namespace game = makzero::game;
namespace nn = makzero::nn;

namespace {

void require_room(size_t capacity, size_t size) {
  if (capacity < size)
    refuse("there is room for " + std::to_string(capacity) + " values, and it takes " + std::to_string(size));
}

int policy_index(const PlayedGame& played, game::Move move) {
  return nn::policy_index(played.rules().info(), move, played.position().to_move);
}

}  // namespace

makzero_encoder* makzero_encoder_new(const makzero_game* game, const char* planes) {
  return guarded_pointer([&] {
    const game::GameInfo& info = needed(game, "game").rules->info();
    std::vector<std::string> names;
    for (const std::string_view line : game::split(planes ? planes : "", '\n'))
      if (!line.empty()) names.emplace_back(line);
    if (!planes) names = nn::default_planes(info);
    if (const std::string name = nn::unknown_plane(names); !name.empty())
      throw Refusal(MAKZERO_BAD_INPUT, "no game has a plane '" + name + "'");
    if (const std::string name = nn::missing_plane(names, info); !name.empty())
      throw Refusal(MAKZERO_BAD_INPUT,
                    "the planes lack '" + name + "', without which nobody can play " + info.ruleset);
    return new makzero_encoder{nn::Encoder(std::move(names))};
  });
}

void makzero_encoder_free(makzero_encoder* encoder) { delete encoder; }

int makzero_encoder_plane_count(const makzero_encoder* encoder) {
  return guarded([&] { return needed(encoder, "encoder").encoder.plane_count(); });
}

const char* makzero_encoder_plane_name(const makzero_encoder* encoder, int number) {
  return guarded_pointer([&] {
    const std::vector<std::string>& names = needed(encoder, "encoder").encoder.planes();
    if (number < 0 || number >= static_cast<int>(names.size()))
      refuse("plane " + std::to_string(number) + " is not among the " + std::to_string(names.size()));
    return names[number].c_str();
  });
}

int makzero_encoder_encode(const makzero_encoder* encoder, const makzero_position* position, float* planes,
                           size_t capacity) {
  static_assert(game::kSquares == MAKZERO_SQUARES);
  return guarded([&] {
    const nn::Encoder& writer = needed(encoder, "encoder").encoder;
    const PlayedGame& played = needed(position, "position").game;
    require_room(capacity, static_cast<size_t>(writer.plane_count()) * game::kSquares);
    writer.encode(played.rules(), played.position(), played.history().occurrences(),
                  &needed(planes, "planes"));
    return static_cast<int>(MAKZERO_OK);
  });
}

int makzero_position_move_index(const makzero_position* position, makzero_move move) {
  return guarded([&] {
    const PlayedGame& played = needed(position, "position").game;
    return policy_index(played, legal_move(played, move));
  });
}

int makzero_position_legal_mask(const makzero_position* position, uint8_t* mask, size_t capacity) {
  static_assert(game::kPolicySize == MAKZERO_POLICY_SIZE);
  return guarded([&] {
    const PlayedGame& played = needed(position, "position").game;
    require_room(capacity, game::kPolicySize);
    std::fill_n(&needed(mask, "mask"), game::kPolicySize, uint8_t{0});
    if (!played.may_go_on()) return 0;
    for (const game::Move move : played.legal()) mask[policy_index(played, move)] = 1;
    return static_cast<int>(std::count(mask, mask + game::kPolicySize, 1));
  });
}
