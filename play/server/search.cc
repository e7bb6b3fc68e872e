#include "play/server/search.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "game/notation.h"
#include "models/zoo.h"
#include "play/analysis/analysis_query.h"
#include "play/engine/zoo_book.h"
#include "play/json/game_json.h"
#include "play/server/guard.h"

namespace makzero::play {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr milliseconds kLongestSearch{600'000};
constexpr size_t kLongestPath = 300;
constexpr milliseconds kHeartbeat{10'000};

}  // namespace

// A search and who waits for it.
struct SearchService::Session {
  Session(std::string who, AnalysisQuery what) : client(std::move(who)), query(std::move(what)) {}

  std::string client;
  AnalysisQuery query;
  bool running = true;                   // Guarded by the service's mutex, ...
  std::shared_ptr<PooledSearch> search;  // ... like this; none before it begins.

  std::mutex mutex;  // Of what follows.
  std::optional<SearchInfo> info;
  bool finished = false;
  std::string failure;
  std::function<void()> wake;  // None: nobody waits any more.

  void tell(const std::function<void()>& change) {
    const std::lock_guard lock(mutex);
    change();
    if (wake) wake();
  }

  void wake_by(std::function<void()> call) {
    const std::lock_guard lock(mutex);
    wake = std::move(call);
  }
};

SearchService::SearchService(const NetworkFolder& networks, const SearchCaps& caps,
                             const nn::Backend& backend)
    : networks_(networks),
      caps_(caps),
      pool_({.together = caps.in_all,
             .alone = caps.in_all,
             .backend = backend,
             .resources = {.tree = std::size_t{128} << 20},
             .endings = true}) {}

HttpReply SearchService::search(const std::string& client, const HttpRequest& request) {
  const game::Parsed<json> body = read_object(request.body);
  if (!body) return error_reply(400, body.why());
  std::string field;
  const game::Parsed<AnalysisQuery> query = analysis_query(
      *body,
      {.game = {},
       .player = [this](const std::string& name,
                        const std::string& ruleset) { return networks_.player(name, ruleset); },
       .book = zoo_book,
       .visits = 0},
      &field);
  if (!query) return field_error(query.why(), field);
  if (!query->warnings.empty())
    return field_error(query->warnings.front().text, query->warnings.front().field);
  if (query->turns.size() > 1)
    return field_error("a search over HTTP is of one position: ask for one of 'analyzeTurns'",
                       "analyzeTurns");
  const auto session = std::make_shared<Session>(client, query_of_turn(*query, query->turns[0]));
  AnalysisQuery& own = session->query;
  if (own.id.empty()) own.id = random_token();
  Limits& limits = own.search.limits;
  // Without limits it goes on until the client leaves.
  limits.time = std::min<std::chrono::nanoseconds>(limits.time.value_or(kLongestSearch), kLongestSearch);
  limits.depth = own.search.player.strength.depth;

  HttpReply reply;
  if (!open(session, &reply)) return reply;
  // Whatever becomes of the reply, the place is given back with it.
  const std::shared_ptr<void> place(nullptr, [this, session](void*) { close(session); });
  reply.stream = [this, session, place](EventStream& events) { run(session, events); };
  return reply;
}

HttpReply SearchService::tree(const std::string& client, const std::string& id, const std::string& path) {
  std::shared_ptr<Session> found;
  std::shared_ptr<PooledSearch> search;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& session : sessions_) {
      if (session->client == client && session->query.id == id) found = session;
    }
    if (found) search = found->search;
  }
  if (!search) return error_reply(404, "there is no such search of yours: only its last one is remembered");
  const PlayedGame& game = found->query.search.game;
  std::vector<game::Move> line;
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

std::shared_ptr<SearchService::Session> SearchService::open(std::shared_ptr<Session> session,
                                                            HttpReply* refusal) {
  const std::lock_guard lock(mutex_);
  int all = 0, own = 0;
  for (const auto& other : sessions_) {
    if (!other->running) continue;
    ++all;
    if (other->client != session->client) continue;
    ++own;
    if (other->query.id != session->query.id) continue;
    *refusal = field_error("a search '" + other->query.id + "' of yours is running", "id");
    return nullptr;
  }
  if (own < caps_.per_client && all < caps_.in_all) {
    sessions_.push_back(session);
    return session;
  }
  *refusal =
      own >= caps_.per_client
          ? error_reply(429, message("{count} searches of yours are running, the most for one client: "
                                     "stop one",
                                     {{"count", own}}))
          : error_reply(429, message("{count} searches are running, the most for all clients: try again "
                                     "soon",
                                     {{"count", all}}));
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

void SearchService::run(const std::shared_ptr<Session>& session, EventStream& events) {
  session->wake_by([&events] { events.wake(); });
  const std::shared_ptr<PooledSearch> search = pool_.start(
      session->query.search,
      {.info = [session](const SearchInfo& info) { session->tell([&] { session->info = info; }); },
       .finished =
           [session](const SearchInfo& info) {
             session->tell([&] {
               session->info = info;
               session->finished = true;
             });
           },
       .failed =
           [session](const std::string& why) {
             session->tell([&] {
               session->failure = why;
               session->finished = true;
             });
           }});
  {
    const std::lock_guard lock(mutex_);
    session->search = search;
  }
  bool connected = true;
  for (bool finished = false; connected && !finished;) {
    connected = events.wait(kHeartbeat);
    std::optional<SearchInfo> info;
    std::string failure;
    {
      const std::lock_guard lock(session->mutex);
      info = std::exchange(session->info, std::nullopt);
      failure = session->failure;
      finished = session->finished;
    }
    if (!connected) break;
    if (!failure.empty()) {
      events.send("", json_text({{"id", session->query.id}, {"error", networks_.without_place(failure)}}));
    } else if (info) {
      connected = events.send("", json_text(analysis_result(session->query, *info, !finished, search.get())));
    } else {
      connected = events.send_heartbeat();
    }
  }
  search->stop();
  session->wake_by(nullptr);
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
