#include "play/server_search.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "game/notation.h"
#include "models/error.h"
#include "play/game_json.h"
#include "play/server_guard.h"

namespace makzero::play {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr std::int64_t kMostVisits = 10'000'000;
constexpr std::int64_t kMostTime = 600'000;  // Milliseconds.
constexpr std::int64_t kMostLines = 500;
constexpr double kShortestInterval = 0.05, kLongestInterval = 60;  // Seconds.
constexpr size_t kLongestId = 100;
constexpr size_t kLongestPath = 300;
constexpr milliseconds kHeartbeat{10'000};
constexpr int kDeepest = 10;

const std::string kAlphaBeta = "alphabeta:";

// Which field is wrong, and why.
struct FieldError {
  std::string why, field;
};

// The whole number of a key; none where it is missing. Throws FieldError.
std::optional<std::int64_t> whole_number(const json& query, const char* key, std::int64_t least,
                                         std::int64_t most) {
  const auto found = query.find(key);
  if (found == query.end()) return std::nullopt;
  const bool whole = found->is_number_integer() &&
                     (!found->is_number_unsigned() || found->get<std::uint64_t>() <= INT64_MAX);
  if (whole && found->get<std::int64_t>() >= least && found->get<std::int64_t>() <= most)
    return found->get<std::int64_t>();
  throw FieldError{std::string("'") + key + "' must be a whole number from " + std::to_string(least) +
                       " to " + std::to_string(most),
                   key};
}

bool flag(const json& query, const char* key) {
  const auto found = query.find(key);
  if (found == query.end()) return false;
  if (found->is_boolean()) return found->get<bool>();
  throw FieldError{std::string("'") + key + "' must be true or false", key};
}

std::string text(const json& query, const char* key, size_t longest) {
  const auto found = query.find(key);
  if (found == query.end()) return "";
  if (found->is_string() && found->get_ref<const std::string&>().size() <= longest)
    return found->get<std::string>();
  throw FieldError{
      std::string("'") + key + "' must be a text of at most " + std::to_string(longest) + " characters", key};
}

std::optional<milliseconds> report_interval(const json& query) {
  const char* key = "reportDuringSearchEvery";
  const auto found = query.find(key);
  if (found == query.end()) return std::nullopt;
  if (found->is_number() && found->get<double>() >= kShortestInterval &&
      found->get<double>() <= kLongestInterval)
    return milliseconds(std::llround(found->get<double>() * 1000));
  throw FieldError{"'reportDuringSearchEvery' must be a number of seconds from 0.05 to 60", key};
}

std::vector<game::Move> search_moves(const json& query, const PlayedGame& game) {
  const char* key = "searchMoves";
  std::vector<game::Move> moves;
  const auto found = query.find(key);
  if (found == query.end()) return moves;
  if (!found->is_array()) throw FieldError{"'searchMoves' must be a list of moves", key};
  for (const json& word : *found) {
    if (!word.is_string()) throw FieldError{"'searchMoves' must be a list of moves", key};
    const game::Parsed<game::Move> move =
        game::parse_move(game.rules(), game.position(), word.get_ref<const std::string&>());
    if (!move) throw FieldError{move.why(), key};
    moves.push_back(*move);
  }
  return moves;
}

std::optional<int> alpha_beta_depth(const std::string& player) {
  if (!player.starts_with(kAlphaBeta)) return std::nullopt;
  int depth = 0;
  const char* end = player.data() + player.size();
  const auto [stop, error] = std::from_chars(player.data() + kAlphaBeta.size(), end, depth);
  if (error == std::errc() && stop == end && depth >= 1 && depth <= kDeepest) return depth;
  throw FieldError{"'player' must be alphabeta:DEPTH with a depth from 1 to " + std::to_string(kDeepest),
                   "player"};
}

Limits limits_of(const json& query, const PlayedGame& game) {
  Limits limits;
  if (const auto visits = whole_number(query, "maxVisits", 1, kMostVisits))
    limits.simulations = static_cast<int>(*visits);
  const auto time = whole_number(query, "maxTimeMs", 1, kMostTime);
  if (time || !limits.simulations) limits.time = milliseconds(time.value_or(kMostTime));
  limits.search_moves = search_moves(query, game);
  return limits;
}

}  // namespace

struct SearchService::Query {
  std::string id = {};
  SearchOrder order;
  std::optional<int> depth = {};                   // Of alpha-beta,
  std::shared_ptr<NetworkSearcher> searcher = {};  // else the network's.
  bool include_policy = false;
};

SearchService::SearchService(const NetworkFolder& networks, const SearchCaps& caps)
    : networks_(networks), caps_(caps) {}

HttpReply SearchService::search(const std::string& client, const HttpRequest& request) try {
  const game::Parsed<json> body = read_object(request.body);
  if (!body) return error_reply(400, body.why());
  std::string field;
  const game::Parsed<PlayedGame> game = played_game_from_json(*body, &field);
  if (!game) return field_error(game.why(), field);
  if (game->outcome().over()) return field_error("the game is over: there is nothing to search", "moves");

  // One after the other: where an initialiser of an aggregate throws, GCC 12 destroys the earlier ones twice.
  Query query{.order = {.game = *game}};
  query.id = text(*body, "id", kLongestId);
  if (query.id.empty()) query.id = random_token();
  query.order.limits = limits_of(*body, *game);
  query.order.lines = static_cast<int>(whole_number(*body, "lines", 0, kMostLines).value_or(0));
  query.order.report_interval = report_interval(*body);
  query.include_policy = flag(*body, "includePolicy");
  std::string player = text(*body, "player", kLongestId);
  if (player.empty()) player = networks_.players(game->rules().info().ruleset)[0]["player"];
  query.depth = alpha_beta_depth(player);
  const auto network = query.depth ? std::nullopt : networks_.find(player);
  if (!query.depth && !network)
    return field_error("there is no player '" + player + "': /api/players?game=GAME lists them", "player");

  HttpReply reply;
  std::shared_ptr<Session> session = open(client, query.id, &reply);
  if (!session) return reply;
  // Whatever becomes of the reply, the place is given back with it.
  const std::shared_ptr<void> place(nullptr, [this, session](void*) { close(session); });
  if (network) query.searcher = searcher(game->rules_pointer(), *network);
  reply.stream = [this, session, place, query = std::move(query)](EventStream& events) {
    run(session, query, events);
  };
  return reply;
} catch (const FieldError& error) {
  return field_error(error.why, error.field);
} catch (const models::Error&) {
  return field_error("the player's network cannot be read, or was trained for another game", "player");
}

HttpReply SearchService::tree(const std::string& client, const std::string& id, const std::string& path) {
  std::shared_ptr<OrderedSearch> search;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& session : sessions_) {
      if (session->client == client && session->id == id) search = session->search;
    }
  }
  if (!search) return error_reply(404, "there is no such search of yours: only its last one is remembered");
  std::vector<game::Move> line;
  const PlayedGame& game = search->game();
  game::Position position = game.position();
  for (size_t at = 0; at < path.size();) {
    const size_t end = std::min(path.find(',', at), path.size());
    const auto move = game::parse_move(game.rules(), position, path.substr(at, end - at));
    if (!move) return field_error(move.why(), "path");
    line.push_back(*move);
    if (line.size() > kLongestPath) return field_error("'path' is too long", "path");
    game.rules().apply(*move, &position);
    at = end + 1;
  }
  return json_reply(tree_json(game, line, search->moves_after(line)));
}

std::shared_ptr<SearchService::Session> SearchService::open(const std::string& client, const std::string& id,
                                                            HttpReply* refusal) {
  const std::lock_guard lock(mutex_);
  int all = 0, own = 0;
  for (const auto& session : sessions_) {
    if (!session->running) continue;
    ++all;
    if (session->client != client) continue;
    ++own;
    if (session->id == id) {
      *refusal = field_error("a search '" + id + "' of yours is running", "id");
      return nullptr;
    }
  }
  if (own >= caps_.per_client) {
    *refusal = error_reply(429, std::to_string(own) +
                                    " searches of yours are running, the most for one client: "
                                    "stop one");
  } else if (all >= caps_.in_all) {
    *refusal = error_reply(429, std::to_string(all) +
                                    " searches are running, the most for all clients: "
                                    "try again soon");
  } else {
    sessions_.push_back(std::make_shared<Session>(Session{.client = client, .id = id, .search = nullptr}));
    return sessions_.back();
  }
  refusal->headers = {{"Retry-After", "1"}};
  return nullptr;
}

// Of what has ended, the last of every client stays, and of those the latest.
void SearchService::close(const std::shared_ptr<Session>& session) {
  const std::lock_guard lock(mutex_);
  session->running = false;
  std::erase_if(sessions_, [&](const auto& other) {
    return !other->running && (!other->search || (other != session && other->client == session->client));
  });
  auto ended =
      std::count_if(sessions_.begin(), sessions_.end(), [](const auto& other) { return !other->running; });
  std::erase_if(sessions_, [&](const auto& other) { return !other->running && ended-- > caps_.trees; });
}

void SearchService::run(const std::shared_ptr<Session>& session, const Query& query, EventStream& events) {
  const std::shared_ptr<OrderedSearch> search =
      query.depth ? search_by_alpha_beta(query.order, *query.depth) : query.searcher->search(query.order);
  {
    const std::lock_guard lock(mutex_);
    session->search = search;
  }
  search->notify([&events] { events.wake(); });
  bool connected = true;
  for (bool finished = false; connected && !finished;) {
    connected = events.wait(kHeartbeat);
    const OrderedSearch::News news = search->take_news();
    finished = news.finished;
    json data = {{"id", query.id}};
    if (news.thought) {
      data.update(thought_json(search->game(), *news.thought));
      if (query.include_policy) data["policy"] = policy_json(search->game(), *news.thought);
      data["isDuringSearch"] = !news.finished;
    } else if (!news.failure.empty()) {
      data["error"] = "the search failed";
    } else {
      connected = connected && events.send_heartbeat();
      continue;
    }
    connected = connected && events.send("", json_text(data));
  }
  search->stop();
  search->notify(nullptr);
}

std::shared_ptr<NetworkSearcher> SearchService::searcher(const game::GamePtr& rules,
                                                         const std::filesystem::path& network) {
  const std::lock_guard lock(loading_);
  const std::string key = network.string() + " " + rules->info().ruleset;
  const auto found =
      std::find_if(loaded_.begin(), loaded_.end(), [&](const Loaded& loaded) { return loaded.key == key; });
  Loaded used =
      found == loaded_.end() ? Loaded{key, std::make_shared<NetworkSearcher>(rules, network)} : *found;
  if (found != loaded_.end()) loaded_.erase(found);
  loaded_.push_front(used);
  if (static_cast<int>(loaded_.size()) > caps_.networks) loaded_.pop_back();
  return used.searcher;
}

void add_search_routes(Router* router, SearchService* service,
                       const std::function<std::string(const HttpRequest&)>& client_of) {
  router->add("POST", "/api/search", [service, client_of](const HttpRequest& request, const PathParts&) {
    return service->search(client_of(request), request);
  });
  router->add("GET", "/api/search/*/tree",
              [service, client_of](const HttpRequest& request, const PathParts& parts) {
                return service->tree(client_of(request), parts[0], request.parameter("path"));
              });
}

}  // namespace makzero::play
