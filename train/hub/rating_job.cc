#include "train/hub/rating_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "models/checkpoint.h"
#include "models/error.h"
#include "models/frame.h"
#include "train/replay/record_check.h"

namespace makzero::train {
namespace {

constexpr std::size_t kMostPairBytes = std::size_t{1} << 20;
constexpr int kMostGames = 100'000;
constexpr int kMostOpeningPlies = 1000;

bool is_engine(const PlayerSpec& player) {
  return std::holds_alternative<UciSettings>(player.kind) ||
         std::holds_alternative<XboardSettings>(player.kind);
}

bool is_shareable(const PlayerSpec& player) { return !player.time && !is_engine(player); }

RatingPlayer message_of(const PlayerSpec& player) {
  RatingPlayer message;
  message.set_name(player.name);
  if (const PlayerSpec::Network* network = player.network()) {
    message.set_network(network->id);
    message.set_simulations(network->simulations);
    message.set_temperature(network->temperature);
    if (network->material) message.set_material(*network->material);
  }
  return message;
}

// The network that a job names.
PlayerSpec network_of(const RatingPlayer& message, const NetworkFinder& find_network) {
  if (!is_worker_name(message.network())) throw models::Error("rating: a network without a proper id");
  PlayerSpec::Network network{find_network(message.network()), message.simulations(), message.temperature()};
  if (message.has_material()) network.material = message.material();
  return network_player(std::move(network));
}

// A player without a network, by its name; programs are not started for others.
PlayerSpec built_in_of(const std::string& name) {
  const game::Parsed<PlayerSpec> player = parse_player(name, {});
  if (!player) throw models::Error("rating: " + player.why());
  if (!is_shareable(*player) || player->network())
    throw models::Error(fmt::format("rating: '{}' is not played for others", name));
  return *player;
}

PlayerSpec player_of(const RatingPlayer& message, const NetworkFinder& find_network) {
  const PlayerSpec player =
      message.network().empty() ? built_in_of(message.name()) : network_of(message, find_network);
  if (player.name != message.name())
    throw models::Error(fmt::format("rating: '{}' is '{}' here", message.name(), player.name));
  return player;
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
