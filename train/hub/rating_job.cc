#include "train/hub/rating_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/checkpoint.h"
#include "models/error.h"
#include "models/frame.h"
#include "train/replay/record_check.h"

namespace makzero::train {
namespace {

using Kind = PlayerSpec::Kind;

constexpr std::size_t kMostPairBytes = std::size_t{1} << 20;
constexpr int kMostGames = 100'000;
constexpr int kMostOpeningPlies = 1000;

bool is_built_in(const PlayerSpec& player) {
  static constexpr Kind kBuiltIns[] = {Kind::kRandom, Kind::kGreedy, Kind::kAlphaBeta, Kind::kRollout,
                                       Kind::kMaterial};
  return std::ranges::find(kBuiltIns, player.kind) != std::end(kBuiltIns);
}

bool is_shareable(const PlayerSpec& player) {
  return !player.time && (player.kind == Kind::kNetwork || is_built_in(player));
}

// What stands behind a checkpoint.
std::string strength_of(const PlayerSpec& network) {
  std::string text = fmt::format(":{}", network.number);
  if (network.temperature != 0) text += fmt::format("@{}", network.temperature);
  if (network.material) text += fmt::format("?material={}", *network.material);
  return text;
}

RatingPlayer message_of(const PlayerSpec& player) {
  RatingPlayer message;
  message.set_name(player.name);
  message.set_generation(player.generation);
  if (player.kind == Kind::kNetwork) {
    message.set_network(models::id_of(models::read_manifest(player.checkpoint)));
    message.set_strength(strength_of(player));
  } else {
    message.set_text(player.name);
  }
  return message;
}

PlayerSpec player_of(const RatingPlayer& message, const NetworkFinder& find_network) {
  std::string text = message.text();
  if (text.empty()) {
    if (!is_worker_name(message.network())) throw models::Error("rating: a network without a proper id");
    text = find_network(message.network()).string() + message.strength();
  }
  const game::Parsed<PlayerSpec> player = parse_player(text, {});
  if (!player) throw models::Error("rating: " + player.why());
  if (!is_shareable(*player) || is_built_in(*player) == message.text().empty())
    throw models::Error(fmt::format("rating: '{}' is not played for others", text));
  if (player->name != message.name() || player->generation != message.generation())
    throw models::Error(fmt::format("rating: '{}' is {} here, not {}", text, player->name, message.name()));
  return *player;
}

}  // namespace

bool is_shareable(const PlayerSpec& a, const PlayerSpec& b, const MatchOptions& options) {
  return is_shareable(a) && is_shareable(b) && !options.test && options.openings.empty() &&
         options.pairs.empty();
}

std::string job_text(const game::Game& game, const PlayerSpec& a, const PlayerSpec& b,
                     const MatchOptions& options) {
  RatingJob job;
  job.set_ruleset(game.info().ruleset);
  *job.mutable_a() = message_of(a);
  *job.mutable_b() = message_of(b);
  job.set_games(options.games);
  job.set_opening_plies(options.opening_plies);
  job.set_seed(options.seed);
  return job.SerializeAsString();
}

SharedMatch read_job(const std::string& text, std::span<const game::GamePtr> games,
                     const NetworkFinder& find_network) {
  RatingJob job;
  if (!job.ParseFromString(text)) throw models::Error("rating: the job cannot be read");
  const auto game = std::ranges::find_if(
      games, [&](const game::GamePtr& each) { return each->info().ruleset == job.ruleset(); });
  if (game == games.end())
    throw models::Error(fmt::format("rating: '{}' is no game of the run", job.ruleset()));
  if (job.games() < 1 || job.games() > kMostGames || job.opening_plies() < 0 ||
      job.opening_plies() > kMostOpeningPlies)
    throw models::Error(fmt::format("rating: {} games after {} plies", job.games(), job.opening_plies()));
  MatchOptions options;
  options.games = job.games();
  options.opening_plies = job.opening_plies();
  options.seed = job.seed();
  return {*game, player_of(job.a(), find_network), player_of(job.b(), find_network), options};
}

std::string pair_frame(const std::string& job, const MatchPair& played) {
  RatedPair message;
  message.set_job(job);
  message.set_pair(static_cast<std::uint32_t>(played.pair));
  *message.mutable_first() = played.first;
  *message.mutable_second() = played.second;
  return models::encode_frame(message.SerializeAsString());
}

ReadPair read_pair(const std::string& job, const game::Game& game, const PlayerSpec& a, const PlayerSpec& b,
                   const MatchOptions& options, const PlayedPair& played) {
  if (played.frame.size() > kMostPairBytes) return {{}, "too many bytes for a pair of games"};
  const models::DecodedFrame frame = models::decode_frame(played.frame, kMostPairBytes);
  if (frame.state != models::DecodedFrame::State::kGood) return {{}, frame.why};
  RatedPair message;
  if (!message.ParseFromString(frame.plain)) return {{}, "is no pair of games"};
  if (message.job() != job || static_cast<int>(message.pair()) != played.pair)
    return {{}, fmt::format("the games are pair {} of job '{}'", message.pair(), message.job())};
  MatchPair pair{played.pair, std::move(*message.mutable_first()), std::move(*message.mutable_second())};
  if (const auto fault = find_pair_fault(game, a, b, options, pair)) return {{}, *fault};
  return {std::move(pair), ""};
}

}  // namespace makzero::train
