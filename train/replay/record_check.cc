#include "train/replay/record_check.h"

#include <fmt/format.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "mcts/score.h"
#include "models/error.h"
#include "train/replay/game_replay.h"

namespace makzero::train {
namespace {

using Fault = std::optional<std::string>;

constexpr std::size_t kMostTextBytes = 512;  // Of a ruleset or position; names are shorter.
constexpr std::size_t kMostNameBytes = 128;
constexpr std::size_t kMostPolicyBytes = 2 * std::size_t{1024};
constexpr float kMostSurprise = 1000;  // Nats.
constexpr float kRounding = 1e-3f;     // Of probabilities.
constexpr std::uint32_t kMostDepth = 1000;

constexpr auto kLastResult = static_cast<std::uint32_t>(game::Result::kDraw);
constexpr auto kLastReason = static_cast<std::uint32_t>(game::Reason::kCut);

bool is_probability(float value) { return value >= -kRounding && value <= 1 + kRounding; }

// Of a number that may be a NaN.
bool within(float value, float least, float most) { return value >= least && value <= most; }

// Fields that an earlier version wrote are reserved, and may stay in its records.
bool has_unknown_fields(const google::protobuf::Message& message) {
  const google::protobuf::UnknownFieldSet& fields = message.GetReflection()->GetUnknownFields(message);
  for (int i = 0; i < fields.field_count(); ++i)
    if (!message.GetDescriptor()->IsReservedNumber(fields.field(i).number())) return true;
  return false;
}

Fault find_policy_fault(const PlyRecord& ply) {
  const std::string& policy = ply.policy();
  if (policy.empty()) return std::nullopt;
  if (policy.size() % 2 != 0) return fmt::format("a policy of {} bytes, half of a move", policy.size());
  if (policy.size() > kMostPolicyBytes) return fmt::format("a policy of {} bytes", policy.size());
  if (std::ranges::all_of(policy, [](char byte) { return byte == 0; })) return "a policy without weight";
  return std::nullopt;
}

Fault find_ply_fault(const GameRecord& record, const PlyRecord& ply) {
  if (has_unknown_fields(ply)) return "fields that this program does not know";
  if (ply.move() > 0xFFFF) return fmt::format("move {} has more than 16 bits", ply.move());
  if (!is_probability(ply.white()) || !is_probability(ply.black()) ||
      !is_probability(ply.white() + ply.black()))
    return fmt::format("values {} and {} are no probabilities", ply.white(), ply.black());
  if (std::abs(ply.score()) > mcts::kWinScore) return fmt::format("a score of {}", ply.score());
  if (ply.depth() > kMostDepth) return fmt::format("a search of depth {}", ply.depth());
  if (ply.depth() > 0 && ply.full_search()) return "two searches";
  if (!within(ply.surprise(), 0, kMostSurprise)) return fmt::format("a surprise of {}", ply.surprise());
  const std::int64_t newest = record.worker().empty() ? record.generation() : record.network_generation();
  if (ply.generation() < 0 || ply.generation() > newest)
    return fmt::format("searched by generation {} of {}", ply.generation(), newest);
  return find_policy_fault(ply);
}

Fault find_text_fault(const GameRecord& record) {
  if (record.ruleset().empty()) return "no ruleset";
  for (const std::string* text : {&record.ruleset(), &record.start()}) {
    if (text->size() > kMostTextBytes) return fmt::format("a text of {} bytes", text->size());
  }
  for (const std::string* name :
       {&record.network(), &record.build(), &record.small_network(), &record.small_opponent()}) {
    if (name->size() > kMostNameBytes) return fmt::format("a name of {} bytes", name->size());
  }
  if (!record.worker().empty() && !is_worker_name(record.worker())) return "a worker without a proper name";
  return std::nullopt;
}

Fault find_header_fault(const GameRecord& record) {
  if (has_unknown_fields(record)) return "fields that this program does not know";
  if (Fault fault = find_text_fault(record)) return fault;
  if (record.plies_size() == 0) return "no moves";
  if (record.plies_size() > kMostPlies) return fmt::format("{} plies", record.plies_size());
  if (record.opening_plies() > static_cast<std::uint32_t>(record.plies_size()))
    return fmt::format("{} opening plies of {}", record.opening_plies(), record.plies_size());
  if (record.result() == 0 || record.result() > kLastResult)
    return fmt::format("result {} does not exist", record.result());
  if (record.reason() == 0 || record.reason() > kLastReason)
    return fmt::format("reason {} does not exist", record.reason());
  if (record.generation() < 0 || record.network_generation() < 0 || record.evaluations() < 0)
    return "a negative generation or count";
  return std::nullopt;
}

// What a record must say of an end that the rules do not give: self-play cut the game.
Fault find_cut_fault(const GameRecord& record, int lead) {
  const auto result = static_cast<game::Result>(record.result());
  const auto reason = static_cast<game::Reason>(record.reason());
  if (!was_cut(record))
    return fmt::format("the game goes on by the rules, the record says {}", game::reason_text(reason));
  if (reason == game::Reason::kCut)
    return result == game::Result::kDraw ? std::nullopt : Fault("a cut game that somebody won");
  if (lead == 0 || result != game::win_of(lead > 0 ? game::Color::kWhite : game::Color::kBlack))
    return fmt::format("adjudicated {} at a lead of {}", game::result_text(result), lead);
  return std::nullopt;
}

// The result of a game that the rules ended was compared when it was replayed.
Fault find_end_fault(const game::Game& game, const GameRecord& record, const GameReplay& replay) {
  const int lead = game::material_lead(game.info(), replay.last);
  if (record.final_material() != lead)
    return fmt::format("final material {} where it is {}", record.final_material(), lead);
  if (replay.cut) return find_cut_fault(record, lead);
  const auto reason = static_cast<game::Reason>(record.reason());
  if (replay.end.reason == reason) return std::nullopt;
  return fmt::format("the rules say {}, the record {}", game::reason_text(replay.end.reason),
                     game::reason_text(reason));
}

}  // namespace

bool is_worker_name(std::string_view name) {
  static constexpr std::size_t kMostBytes = 64;
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 && c < 0x80; };
  return !name.empty() && name.size() <= kMostBytes && is_plain(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return is_plain(c) || c == '.' || c == '_' || c == '-'; });
}

Fault find_field_fault(const GameRecord& record) {
  if (Fault fault = find_header_fault(record)) return fault;
  for (int i = 0; i < record.plies_size(); ++i) {
    if (const Fault fault = find_ply_fault(record, record.plies(i)))
      return fmt::format("ply {}: {}", i, *fault);
  }
  return std::nullopt;
}

Fault find_record_fault(const game::Game& game, const GameRecord& record) {
  if (Fault fault = find_field_fault(record)) return fault;
  try {
    const GameReplay replay = replay_game(game, record, {});
    for (int i = 0; i < record.plies_size(); ++i) {
      if (record.plies(i).full_search() && record.plies(i).policy().empty())
        return fmt::format("ply {}: a full search without a policy", i);
    }
    return find_end_fault(game, record, replay);
  } catch (const models::Error& error) {
    return error.what();
  }
}

ParsedRecord parse_record(std::string_view bytes) {
  if (bytes.size() > kMostRecordBytes)
    return {std::nullopt, fmt::format("{} bytes are too many for a game", bytes.size())};
  GameRecord record;
  if (!record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return {std::nullopt, "is not a game record"};
  return {std::move(record), ""};
}

}  // namespace makzero::train
