// Whatever is flipped in the record of a game, it is refused with a reason or can be learnt from; frames are
// whole or refused.
#include <cmath>
#include <string>
#include <vector>

#include "models/frame.h"
#include "tests/fuzz/fuzzed_game.h"
#include "train/replay/game_replay.h"
#include "train/replay/record_check.h"

namespace makzero::train {
namespace {

using game::require;

constexpr char kEndOfMoves = '\xFF';

// The game whose moves are the bytes, each the number of a legal one, as self-play would record it.
GameRecord play(const game::Game& game, std::string_view bytes) {
  GameRecord record;
  record.set_ruleset(game.info().ruleset);
  game::Position position = game.initial();
  game::History history(position);
  game::MoveList legal;
  game::Outcome outcome;
  for (const char byte : bytes) {
    game.legal_moves(position, &legal);
    outcome = game.outcome(position, !legal.empty(), history.occurrences());
    if (outcome.over()) break;
    PlyRecord* ply = record.add_plies();
    const game::Move move = legal[static_cast<unsigned char>(byte) % legal.size()];
    ply->set_move(move.bits());
    ply->set_full_search(true);
    ply->set_white(0.25f);
    for (int i = 0; i < legal.size(); ++i) ply->mutable_policy()->append("\x10\x01", 2);
    game.apply(move, &position);
    history.push(position);
  }
  outcome = game.outcome(position, game.count_moves(position) > 0, history.occurrences());
  record.set_result(static_cast<std::uint32_t>(outcome.over() ? outcome.result : game::Result::kDraw));
  record.set_reason(static_cast<std::uint32_t>(outcome.over() ? outcome.reason : game::Reason::kCut));
  record.set_final_material(game::material_lead(game.info(), position));
  return record;
}

// Flips bits of `bytes`: triples of an offset, low byte first, and a mask.
std::string flip(std::string bytes, std::string_view flips) {
  for (std::size_t i = 0; i + 2 < flips.size() && !bytes.empty(); i += 3) {
    const auto offset = static_cast<unsigned char>(flips[i]) | static_cast<unsigned char>(flips[i + 1]) << 8;
    char& byte = bytes[offset % bytes.size()];
    byte = static_cast<char>(byte ^ flips[i + 2]);
  }
  return bytes;
}

// What learning does with a record.
void learn_from(const game::Game& game, const GameRecord& record) {
  const GameReplay replay = replay_game(game, record, {.policy_surprise_weight = 0.5f});
  for (int i = 0; i < record.plies_size(); ++i) {
    std::vector<float> policy;
    decode_policy(record.plies(i).policy(), &policy);
    for (const float share : policy) require(share >= 0 && share <= 1, "a policy is one of probabilities");
    const ReplayedPly& ply = replay.plies[i];
    for (const float value : {ply.value.white, ply.value.draw, ply.value.black, ply.weight})
      require(std::isfinite(value), "targets are finite");
  }
}

void check_record(const game::Game& game, const std::string& bytes) {
  const ParsedRecord parsed = parse_record(bytes);
  if (!parsed.record) return require(!parsed.why.empty(), "a refusal has a reason");
  if (const auto fault = find_record_fault(game, *parsed.record))
    return require(!fault->empty(), "a refusal has a reason");
  learn_from(game, *parsed.record);
}

void check_frame(const std::string& plain, std::string_view flips) {
  const std::string frame = models::encode_frame(plain), flipped = flip(frame, flips);
  const models::DecodedFrame decoded = models::decode_frame(flipped, kMostRecordBytes);
  const bool good = decoded.state == models::DecodedFrame::State::kGood;
  require(good == (flipped == frame), "a frame is whole or refused");
  require(good ? decoded.plain == plain : !decoded.why.empty(), "a frame comes back, a refusal has a reason");
}

}  // namespace
}  // namespace makzero::train

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace makzero;
  const auto [game, bytes] = game::split(data, size);
  const std::size_t end = std::min(bytes.find(train::kEndOfMoves), bytes.size());
  const std::string_view moves = bytes.substr(0, end), flips = bytes.substr(std::min(end + 1, bytes.size()));
  const train::GameRecord record = train::play(*game, moves);
  if (record.plies_size() > 0)
    game::require(!train::find_record_fault(*game, record), "a game as self-play records it has no fault");
  const std::string plain = record.SerializeAsString();
  train::check_record(*game, train::flip(plain, flips));
  train::check_record(*game, std::string(bytes));
  train::check_frame(plain, flips);
  models::decode_frame(bytes, train::kMostRecordBytes);
  return 0;
}
