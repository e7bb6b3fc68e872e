#include "play/server/library.h"

#include <cmath>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

#include "game/catalog.h"
#include "game/notation.h"
#include "game/plain_text.h"
#include "play/analysis/review.h"
#include "play/json/api.h"
#include "play/json/document_json.h"
#include "play/json/game_json.h"
#include "play/library/import.h"
#include "play/notation/written_move.h"

namespace makzero::play {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

constexpr int kUsualVisits = 100;
constexpr std::size_t kTreeMemory = std::size_t{32} << 20;  // Bytes of one position's tree.

std::string text_of(const json& query, const char* key) {
  const auto found = query.find(key);
  return found != query.end() && found->is_string() ? found->get<std::string>() : "";
}

// The filter of a body. A failure names the field.
game::Parsed<LibraryFilter> filter_of(const json& query, std::string* field) {
  LibraryFilter filter = {.player = text_of(query, "player"),
                          .ruleset = text_of(query, "game"),
                          .result = text_of(query, "result"),
                          .from = text_of(query, "from"),
                          .to = text_of(query, "to"),
                          .text = text_of(query, "text"),
                          .sort = text_of(query, "sort")};
  if (const auto ids = query.find("ids"); ids != query.end())
    filter.ids = ids->get<std::vector<std::int64_t>>();
  filter.offset = query.value("offset", std::int64_t{0});
  filter.limit = query.value("limit", filter.limit);
  if (const auto position = query.find("position"); position != query.end()) {
    const auto game = played_game_from_json(*position, field);
    if (!game) return game::Parsed<LibraryFilter>::failure({game.why()});
    filter.position = game->position();
    if (filter.ruleset.empty()) filter.ruleset = game->rules().info().ruleset;
  }
  return filter;
}

json game_json(const LibraryGame& game) {
  const auto rules = game::make_game(game.ruleset);
  json entry = {{"id", game.id},
                {"game", game.ruleset},
                {"title", rules ? (*rules)->info().title : game.ruleset},
                {"white", game.white},
                {"black", game.black},
                {"date", game.date},
                {"event", game.event},
                {"result", game.result},
                {"plies", game.plies},
                {"file", std::filesystem::path(game.file).filename()},
                {"reviewed", game.reviewed}};
  if (game.reviewed) entry["accuracy"] = game.accuracy;
  return entry;
}

json faults_json(const std::vector<ImportFault>& faults) {
  json list = json::array();
  for (const ImportFault& fault : faults) list.push_back({{"number", fault.number}, {"why", fault.why}});
  return list;
}

// A route whose body fits a schema of the interface.
RouteHandler with_query(const std::string& schema,
                        const std::function<HttpReply(const json& query)>& handler) {
  return [=](const HttpRequest& request, const PathParts&) {
    const game::Parsed<json> query = read_object(request.body);
    if (!query) return error_reply(400, query.why());
    std::string field;
    const game::Parsed<CheckedQuery> checked = checked_query(*query, schema, &field);
    return checked ? handler(checked->fields) : field_error(checked.why(), field);
  };
}

// The same of a library that is there; `missing` answers where nothing was imported yet.
using LibraryHandler = std::function<HttpReply(Library& library, const json& query)>;
RouteHandler with_library(LibraryService* service, const std::string& schema, const json& missing,
                          const LibraryHandler& handler) {
  return with_query(schema, [=](const json& query) {
    Library* library = service->library();
    return library ? handler(*library, query) : json_reply(missing);
  });
}

HttpReply list(Library& library, const json& query) {
  std::string field;
  const auto filter = filter_of(query, &field);
  if (!filter) return field_error(filter.why(), "position");
  const LibraryPage page = library.list(*filter);
  json games = json::array();
  for (const LibraryGame& game : page.games) games.push_back(game_json(game));
  return json_reply({{"total", page.total}, {"games", std::move(games)}});
}

HttpReply import_games(LibraryService* service, const json& query) {
  const ImportResult result =
      import_text(service->library(true), text_of(query, "name"), text_of(query, "text"),
                  {.ruleset = text_of(query, "game"), .progress = {}});
  return json_reply({{"read", result.read},
                     {"added", result.added},
                     {"duplicates", result.duplicates},
                     {"skipped", faults_json(result.skipped)},
                     {"cutShort", faults_json(result.cut_short)}});
}

HttpReply one_game(LibraryService* service, const HttpRequest&, const PathParts& parts) {
  Library* library = service->library();
  const auto id = game::parse_number<std::int64_t>(parts[0]);
  const std::optional<GameDocument> document = library && id ? library->game(*id) : std::nullopt;
  if (!document) return error_reply(404, "the library has no such game");
  json answer = document_json(*document);
  answer["id"] = *id;
  answer["number"] = answer["of"] = 1;
  return json_reply(answer);
}

// The documents of all games that a filter gives.
game::Parsed<std::vector<std::int64_t>> ids_of(Library& library, const json& query) {
  std::string field;
  auto filter = filter_of(query, &field);
  if (!filter) return game::Parsed<std::vector<std::int64_t>>::failure({filter.why()});
  LibraryFilter all = *filter;
  all.offset = 0;
  all.limit = INT64_MAX;
  std::vector<std::int64_t> ids;
  for (const LibraryGame& game : library.list(all).games) ids.push_back(game.id);
  return ids;
}

HttpReply export_games(Library& library, const json& query) {
  const auto ids = ids_of(library, query);
  if (!ids) return field_error(ids.why(), "position");
  const std::string format = query.value("format", "pgn");
  std::string text = format == "json" ? "[" : "";
  for (const std::int64_t id : *ids) {
    const std::optional<GameDocument> document = library.game(id);
    if (!document) continue;
    const auto written = write_document(*document, format);
    if (!written) return field_error(written.why(), "format");
    const bool first = text.empty() || text == "[";
    text += (first ? "" : format == "json" ? "," : "\n") + *written;
  }
  if (format == "json") text += "]\n";
  return json_reply({{"text", std::move(text)}});
}

HttpReply moves(Library& library, const json& query) {
  std::string field;
  const auto game = played_game_from_json(query, &field);
  if (!game) return field_error(game.why(), field);
  json list = json::array();
  std::int64_t total = 0;
  for (const ExploredMove& move : library.moves(game->rules().info().ruleset, game->position())) {
    total += move.count();
    list.push_back({{"move", game::move_text(game->rules(), game->position(), move.move)},
                    {"written", written_move(game->rules(), game->position(), move.move)},
                    {"count", move.count()},
                    {"white", move.white},
                    {"draw", move.draws},
                    {"black", move.black}});
  }
  return json_reply({{"total", total}, {"moves", std::move(list)}});
}

}  // namespace

LibraryService::LibraryService(std::filesystem::path folder, const NetworkFolder& networks,
                               nn::Backend backend)
    : folder_(std::move(folder)), networks_(networks), backend_(std::move(backend)) {}

Library* LibraryService::library(bool made) {
  const std::lock_guard lock(mutex_);
  if (!library_ && (made || std::filesystem::exists(folder_ / "library.sqlite")))
    library_ = std::make_unique<Library>(folder_);
  return library_.get();
}

std::optional<std::string> LibraryService::begin_review(std::vector<std::int64_t> ids, int visits) {
  const std::lock_guard lock(mutex_);
  if (state_.running) return "a review is at work: stop it, or wait for its end";
  state_ = {.running = true, .of = ids.size(), .now = {}, .begin = steady_clock::now()};
  worker_ = std::jthread(
      [this, ids = std::move(ids), visits](const std::stop_token& stop) { review(stop, ids, visits); });
  return std::nullopt;
}

void LibraryService::stop_review() {
  const std::lock_guard lock(mutex_);
  worker_.request_stop();
}

json LibraryService::review_state() {
  const std::lock_guard lock(mutex_);
  json state = {
      {"running", state_.running}, {"done", state_.done}, {"of", state_.of}, {"skipped", state_.skipped}};
  if (!state_.running) return state;
  state["now"] = state_.now;
  const std::chrono::duration<double> spent = steady_clock::now() - state_.begin;
  const auto left = static_cast<double>(state_.of - state_.done);
  if (state_.done > 0)
    state["left_s"] = std::llround(spent.count() * left / static_cast<double>(state_.done));
  return state;
}

void LibraryService::review(const std::stop_token& stop, const std::vector<std::int64_t>& ids, int visits) {
  SearchPool pool({.backend = backend_, .resources = {.tree = kTreeMemory}});
  for (const std::int64_t id : ids) {
    bool reviewed = false;
    try {
      reviewed = review_one(stop, id, visits, &pool);
    } catch (const std::exception&) {
      // It is counted as skipped.
    }
    if (stop.stop_requested()) break;
    const std::lock_guard lock(mutex_);
    ++state_.done;
    state_.skipped += !reviewed;
  }
  const std::lock_guard lock(mutex_);
  state_.running = false;
}

bool LibraryService::review_one(const std::stop_token& stop, std::int64_t id, int visits, SearchPool* pool) {
  std::optional<GameDocument> document = library()->game(id);
  if (!document) return false;
  {
    const std::lock_guard lock(mutex_);
    state_.now = document->tags.value("White", "?") + " - " + document->tags.value("Black", "?");
  }
  const std::string& ruleset = document->game.rules().info().ruleset;
  const ReviewOptions options = {.player = networks_.player("", ruleset), .visits = visits, .stop = stop};
  const auto review = review_game(document->game, options, pool, [](int, int) {});
  if (!review) return false;
  annotate(*review, &*document);
  document->tags.set("Annotator", "makzero");
  library()->set_review(id, *document, static_cast<int>(std::lround(review->accuracy[0])),
                        static_cast<int>(std::lround(review->accuracy[1])));
  return true;
}

void add_library_routes(Router* router, LibraryService* service) {
  router->add("POST", "/api/library/games",
              with_library(service, "LibraryFilter", {{"total", 0}, {"games", json::array()}}, list));
  router->add("POST", "/api/library/import", with_query("ImportQuery", [service](const json& query) {
                return import_games(service, query);
              }));
  router->add("GET", "/api/library/games/*", [service](const HttpRequest& request, const PathParts& parts) {
    return one_game(service, request, parts);
  });
  router->add("POST", "/api/library/export",
              with_library(service, "ExportQuery", {{"text", ""}}, export_games));
  router->add("POST", "/api/library/moves",
              with_library(service, "PlayedGame", {{"total", 0}, {"moves", json::array()}}, moves));
  router->add(
      "POST", "/api/library/delete",
      with_library(service, "LibrarySelection", {{"deleted", 0}}, [](Library& library, const json& query) {
        return json_reply({{"deleted", library.remove(query.value("ids", std::vector<std::int64_t>()))}});
      }));
  router->add(
      "POST", "/api/library/review",
      with_library(service, "ReviewQuery", {{"running", false}, {"done", 0}, {"of", 0}, {"skipped", 0}},
                   [service](Library& library, const json& query) {
                     auto ids = ids_of(library, query);
                     if (!ids) return field_error(ids.why(), "position");
                     const auto why = service->begin_review(*ids, query.value("visits", kUsualVisits));
                     return why ? error_reply(409, *why) : json_reply(service->review_state());
                   }));
  router->add("GET", "/api/library/review", [service](const HttpRequest&, const PathParts&) {
    return json_reply(service->review_state());
  });
  router->add("POST", "/api/library/review/stop", [service](const HttpRequest&, const PathParts&) {
    service->stop_review();
    return json_reply(service->review_state());
  });
}

}  // namespace makzero::play
