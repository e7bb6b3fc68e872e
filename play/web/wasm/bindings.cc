// Rules and searches for a page without a server, compiled to WebAssembly: JSON in, JSON out; only what goes
// to a network and comes from it are plain arrays. One thread, one search at a time, no exceptions.
//
// A small network, by alpha-beta:
//
//   write its bytes to network(size); ask({"ask": "load"})
//   ask({"ask": "search", "game": ..., "player": "small", "maxVisits": 4096})
//   while (!done()) gather(0);  // An iteration each.
//   ask({"ask": "thought"})
//
// A tower, evaluated by the caller:
//
//   ask({"ask": "search", "game": ..., "maxVisits": 200})
//   while (gather(8)) { run the network on planes(), write its outputs to outputs(0..2); back_up(); }
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "game/catalog.h"
#include "game/notation.h"
#include "mcts/alpha_beta/alpha_beta_searcher.h"
#include "mcts/tree_searcher.h"
#include "models/fingerprint.h"
#include "nn/encoder.h"
#include "play/engine/search_info.h"
#include "play/json/document_json.h"
#include "play/json/game_json.h"
#include "play/json/rules_json.h"

namespace makzero::play {
namespace {

using nlohmann::json;

// As the program has them (models/player/player.h): searches of as many positions find the same.
constexpr std::size_t kTreeBytes = std::size_t{256} << 20, kTableBytes = std::size_t{16} << 20;

// Players that search by alpha-beta; any other is a tower.
constexpr std::string_view kSmall = "small", kMaterial = "alphabeta:";

json failure(const std::string& why) { return {{"error", why}}; }

std::string text_of(const json& query, const char* key) {
  const auto found = query.find(key);
  return found != query.end() && found->is_string() ? found->get<std::string>() : "";
}

std::map<std::string, mcts::SmallNetwork, std::less<>> small_networks;  // By their games.
std::string network_bytes;

// Takes the small network that lies in network_bytes.
json load_network() {
  game::Parsed<mcts::SmallNetwork> network = mcts::decode_small_network(network_bytes);
  network_bytes = {};
  if (!network) return failure(network.why());
  const std::string game = network->game;
  small_networks.insert_or_assign(game, *std::move(network));
  return {{"game", game}};
}

// The encoder of the network that a question is about: {"planes": [names]}, those of a new network where
// there are none, or a name that is not known.
nn::Encoder encoder_of(const game::Game& rules, const json& query) {
  const auto named = query.find("planes");
  std::vector<std::string> planes;
  if (named != query.end() && named->is_array()) {
    for (const json& name : *named) planes.push_back(name.is_string() ? name.get<std::string>() : "");
  }
  if (planes.empty() || !nn::unknown_plane(planes).empty()) planes = nn::default_planes(rules.info());
  return nn::Encoder(std::move(planes));
}

// The constants of the network's searches, as net.json has them.
mcts::SearchOptions search_of(const json& query) {
  mcts::SearchOptions options;
  const auto settings = query.find("search");
  if (settings == query.end() || !settings->is_object()) return options;
  for (const auto& [name, member] : mcts::kSearchConstants) {
    const auto found = settings->find(name);
    if (found != settings->end() && found->is_number()) options.*member = found->get<float>();
  }
  return options;
}

// The whole number of a key, if it is one and at least 1.
std::optional<std::int64_t> count_of(const json& query, const char* key) {
  const auto found = query.find(key);
  if (found == query.end() || !found->is_number()) return std::nullopt;
  return static_cast<std::int64_t>(std::clamp(found->get<double>(), 1.0, 1e12));
}

// The searcher of the player that a query names; null: its network is not loaded.
std::unique_ptr<mcts::Searcher> make_searcher(const game::Game& rules, const json& query) {
  const std::string player = text_of(query, "player");
  if (player.starts_with(kMaterial)) return mcts::make_material_searcher(rules, kTableBytes);
  if (player != kSmall) {
    return std::make_unique<mcts::TreeSearcher>(
        rules, mcts::TreeSearcherOptions{.memory = kTreeBytes, .search = search_of(query)});
  }
  const auto network = small_networks.find(game::game_of(rules.info().ruleset));
  if (network == small_networks.end()) return nullptr;
  return mcts::make_small_searcher(rules, network->second, mcts::alpha_beta_options(rules.info()),
                                   kTableBytes);
}

// One search with the arrays between it and a tower.
class Thinking {
 public:
  Thinking(PlayedGame game, const Limits& limits, int lines, const json& query,
           std::unique_ptr<mcts::Searcher> search)
      : game_(std::move(game)),
        limits_(limits),
        lines_(lines),
        encoder_(encoder_of(game_.rules(), query)),
        search_(std::move(search)) {
    begin_search(game_, searcher_limits(game_, limits_, limits_.seed, lines_), search_.get());
  }

  bool done() const { return search_->done(); }

  // Goes on: how many positions wait for the tower; 0: the search is done, or is none of a tower and has
  // finished an iteration.
  int gather(int most) {
    requests_ = {};
    if (!done()) requests_ = search_->step({.leaves = most});
    const std::span<const mcts::EvalRequest> requests = requests_;
    const std::size_t row = static_cast<std::size_t>(encoder_.plane_count()) * game::kSquares;
    planes_.resize(requests.size() * row);
    outputs_[0].resize(requests.size() * game::kPolicySize);
    outputs_[1].resize(requests.size() * 3);
    outputs_[2].resize(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
      encoder_.encode(game_.rules(), *requests[i].position, requests[i].occurrences, &planes_[i * row]);
    }
    return static_cast<int>(requests.size());
  }

  float* planes() { return planes_.data(); }               // [gathered, P, 8, 8]
  float* outputs(int i) { return outputs_.at(i).data(); }  // policy, wdl, moves_left of the exported model

  void backup() {
    std::vector<mcts::Evaluation> evaluations(requests_.size());
    for (std::size_t i = 0; i < evaluations.size(); ++i) evaluations[i] = evaluation(i);
    search_->backup(evaluations);
  }

  json info() const {
    if (!search_->ready()) return nullptr;
    const SearchInfo info = with_choice(search_->info(), game_, limits_, limits_.seed, lines_);
    json result = search_info_json(game_, info);
    result["policy"] = policy_json(game_, info);
    return result;
  }

  json tree(const json& query) const {
    const auto path = query.find("path");
    if (path == query.end() || !path->is_array()) return failure("'path' must be a list of moves");
    PlayedGame at = game_;
    std::vector<game::Move> line;
    for (const json& word : *path) {
      if (!word.is_string()) return failure("'path' must be a list of moves");
      const game::Parsed<game::Move> move =
          game::parse_move(at.rules(), at.position(), word.get<std::string>());
      if (!move) return failure(move.why());
      line.push_back(*move);
      at.play(*move);
    }
    return tree_json(game_, line, search_->moves_after(line));
  }

 private:
  mcts::Evaluation evaluation(std::size_t i) const {
    const mcts::EvalRequest& request = requests_[i];
    const float* logits = &outputs_[0][i * game::kPolicySize];
    const float* wdl = &outputs_[1][3 * i];
    mcts::Evaluation result{.value = {wdl[0], wdl[1], wdl[2]}, .moves_left = outputs_[2][i]};
    float largest = -INFINITY, sum = 0;
    for (const game::Move move : *request.legal) {
      result.priors.push_back(
          logits[nn::policy_index(game_.rules().info(), move, request.position->to_move)]);
      largest = std::max(largest, result.priors.back());
    }
    for (float& prior : result.priors) sum += prior = std::exp(prior - largest);
    for (float& prior : result.priors) prior /= sum;
    return result;
  }

  PlayedGame game_;
  Limits limits_;
  int lines_;
  nn::Encoder encoder_;
  std::unique_ptr<mcts::Searcher> search_;
  std::span<const mcts::EvalRequest> requests_;  // Of the last step.
  std::vector<float> planes_;
  std::array<std::vector<float>, 3> outputs_;
};

std::unique_ptr<Thinking> thinking;

json begin_search(const PlayedGame& game, const json& query) {
  if (game.outcome().over()) return failure("the game is over: there is nothing to search");
  Limits limits;
  limits.nodes = count_of(query, "maxVisits");
  limits.seed = static_cast<std::uint64_t>(count_of(query, "seed").value_or(1));
  if (const auto time = count_of(query, "maxTimeMs")) limits.time = std::chrono::milliseconds(*time);
  if (const auto temperature = query.find("temperature");
      temperature != query.end() && temperature->is_number()) {
    limits.temperature = std::clamp(temperature->get<float>(), 0.0f, 100.0f);
  }
  limits.varied_plies = static_cast<int>(count_of(query, "variedPlies").value_or(0));
  if (const auto moves = query.find("searchMoves"); moves != query.end() && moves->is_array()) {
    for (const json& word : *moves) {
      if (!word.is_string()) return failure("'searchMoves' must be a list of moves");
      const auto move = game::parse_move(game.rules(), game.position(), word.get<std::string>());
      if (!move) return failure(move.why());
      limits.search_moves.push_back(*move);
    }
  }
  const std::string player = text_of(query, "player");
  if (player.starts_with(kMaterial)) limits.depth = std::atoi(player.c_str() + kMaterial.size());
  thinking.reset();  // First: its table is large.
  std::unique_ptr<mcts::Searcher> searcher = make_searcher(game.rules(), query);
  if (!searcher) return failure("the small network of " + game.rules().info().title + " is not loaded");
  const auto lines = static_cast<int>(count_of(query, "lines").value_or(0));
  thinking = std::make_unique<Thinking>(game, limits, lines, query, std::move(searcher));
  return json::object();
}

// What a network must have been trained with to play this game here: net.json says what it was.
json names_of(const PlayedGame& game, const json& query) {
  return {{"encoder", models::encoder_name(encoder_of(game.rules(), query).planes())},
          {"moveIndex", models::move_index_name()}};
}

json answer_or_error(const game::Parsed<json>& answer, const std::string& field) {
  return answer ? *answer : json{{"error", answer.why()}, {"field", field}};
}

json read(const json& query) {
  std::string field;
  return answer_or_error(read_games_json(query, &field), field);
}

json write(const PlayedGame& game, const json& query) {
  std::string field;
  return answer_or_error(write_game_json(game, query, &field), field);
}

json answer(const json& query) {
  const std::string what = text_of(query, "ask");
  if (what == "games") return games_json();
  if (what == "judgements") return judgements_json();
  if (what == "read") return read(query);
  if (what == "load") return load_network();
  if (what == "thought") return thinking ? thinking->info() : json();
  if (what == "tree") return thinking ? thinking->tree(query) : json::array();

  std::string field;
  const game::Parsed<PlayedGame> game = played_game_from_json(query, &field);
  if (!game) return {{"error", game.why()}, {"field", field}};
  if (what == "rules") return rules_json(game->rules());
  if (what == "state") return state_json(*game);
  if (what == "write") return write(*game, query);
  if (what == "planes") return planes_json(*game, encoder_of(game->rules(), query));
  if (what == "names") return names_of(*game, query);
  if (what == "search") return begin_search(*game, query);
  return failure("unknown question '" + what + "'");
}

std::string question, reply;

}  // namespace
}  // namespace makzero::play

#define MAKZERO_EXPORT(NAME) extern "C" __attribute__((export_name(#NAME)))  // NOLINT

// Memory for a question of `size` bytes.
MAKZERO_EXPORT(question) char* makzero_question(int size) {
  makzero::play::question.resize(size);
  return makzero::play::question.data();
}

// The answer to it, ending with a zero byte.
MAKZERO_EXPORT(answer) const char* makzero_answer() {
  using namespace makzero::play;
  const json query = parse_json(question);
  const json result = query.is_object() ? answer(query) : failure("a question is a JSON object");
  reply = json_text(result);
  return reply.c_str();
}

// Memory for a small network of `size` bytes.
MAKZERO_EXPORT(network) char* makzero_network(int size) {
  makzero::play::network_bytes.resize(size);
  return makzero::play::network_bytes.data();
}

MAKZERO_EXPORT(done) int makzero_done() {
  return !makzero::play::thinking || makzero::play::thinking->done();
}
MAKZERO_EXPORT(gather) int makzero_gather(int most) {
  return makzero::play::thinking ? makzero::play::thinking->gather(most) : 0;
}
MAKZERO_EXPORT(planes) float* makzero_planes() { return makzero::play::thinking->planes(); }
MAKZERO_EXPORT(outputs) float* makzero_outputs(int i) { return makzero::play::thinking->outputs(i); }
MAKZERO_EXPORT(back_up) void makzero_back_up() { makzero::play::thinking->backup(); }
