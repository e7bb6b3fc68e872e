#include "play/server/routes.h"

#include <functional>

#include "game/catalog.h"
#include "nn/encoder.h"
#include "play/json/api.h"
#include "play/json/document_json.h"
#include "play/json/game_json.h"
#include "play/json/rules_json.h"
#include "play/played_game.h"

namespace makzero::play {
namespace {

using nlohmann::json;

using GameHandler = std::function<HttpReply(const PlayedGame& game, const json& query)>;

// A route whose body is a game in play.
RouteHandler with_game(GameHandler handler) {
  return [handler = std::move(handler)](const HttpRequest& request, const PathParts&) {
    const game::Parsed<json> query = read_object(request.body);
    if (!query) return error_reply(400, query.why());
    std::string field;
    const game::Parsed<PlayedGame> game = played_game_from_json(*query, &field);
    if (!game) return field_error(game.why(), field);
    return handler(*game, *query);
  };
}

HttpReply reply_or_error(const game::Parsed<json>& answer, const std::string& field) {
  return answer ? json_reply(*answer) : field_error(answer.why(), field);
}

HttpReply read(const HttpRequest& request, const PathParts&) {
  const game::Parsed<json> query = read_object(request.body);
  if (!query) return error_reply(400, query.why());
  std::string field;
  return reply_or_error(read_games_json(*query, &field), field);
}

HttpReply write(const PlayedGame& game, const json& query) {
  std::string field;
  return reply_or_error(write_game_json(game, query, &field), field);
}

HttpReply planes(const PlayedGame& game, const json&) {
  return json_reply(planes_json(game, nn::Encoder(nn::default_planes(game.rules().info()))));
}

HttpReply rules(const HttpRequest& request, const PathParts&) {
  const game::Parsed<game::GamePtr> game = game::make_game(request.parameter("game"));
  if (!game) return field_error(game.why(), "game");
  return json_reply(rules_json(**game));
}

HttpReply players(const NetworkFolder& networks, const HttpRequest& request) {
  const std::string ruleset = request.parameter("game");
  const game::Parsed<game::GamePtr> game = game::make_game(ruleset);
  if (!game) return field_error(game.why(), "game");
  return json_reply(networks.players((*game)->info().ruleset));
}

}  // namespace

void add_game_routes(Router* router, const NetworkFolder& networks) {
  router->add("GET", "/api/schema", [](const HttpRequest&, const PathParts&) {
    return HttpReply{.body = std::string(api_text())};
  });
  router->add("GET", "/api/games",
              [](const HttpRequest&, const PathParts&) { return json_reply(games_json()); });
  router->add("GET", "/api/judgements",
              [](const HttpRequest&, const PathParts&) { return json_reply(judgements_json()); });
  router->add("POST", "/api/state",
              with_game([](const PlayedGame& game, const json&) { return json_reply(state_json(game)); }));
  router->add("POST", "/api/read", read);
  router->add("POST", "/api/write", with_game(write));
  router->add("POST", "/api/planes", with_game(planes));
  router->add("GET", "/api/rules", rules);
  router->add("GET", "/api/players", [&networks](const HttpRequest& request, const PathParts&) {
    return players(networks, request);
  });
}

}  // namespace makzero::play
