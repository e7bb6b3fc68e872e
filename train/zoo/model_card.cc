#include "train/zoo/model_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "game/signature.h"
#include "mcts/rng.h"
#include "models/error.h"
#include "models/file_io.h"
#include "models/fingerprint.h"
#include "models/model.h"
#include "train/config.h"
#include "train/match/match_score.h"
#include "train/zoo/match_book.h"
#include "train/zoo/small_card.h"

namespace makzero::train {
namespace {

namespace fs = std::filesystem;

constexpr int kPlyStride =
    7;  // The i-th position stands so many plies after the one before, in another game.
constexpr size_t kPriors = 4;  // That are stated, the largest first.
constexpr double kTolerance = 1e-3;

// A position of a game of random moves that is not over, so many plies after the start if the game lasts.
game::Position random_position(const game::Game& game, int plies, std::uint64_t seed) {
  mcts::Rng rng(seed);
  game::GameState state(game);
  const std::vector<game::Move> moves = state.random_playout(plies, &rng);
  if (!state.over()) return state.position();
  game::GameState before(game);
  for (size_t i = 0; i + 1 < moves.size(); ++i) before.play(moves[i]);
  return before.position();
}

double rounded(double value) { return std::round(value * 1e5) / 1e5; }

game::GamePtr game_or_error(const fs::path& path, const std::string& ruleset) {
  const game::Parsed<game::GamePtr> game = game::make_game(ruleset);
  if (!game) throw models::Error(path, "its ruleset cannot be played: " + game.why());
  return *game;
}

// What the network says of a position, with so many priors. REQUIRES: the game is not over there.
ModelCard outputs_at(const game::Game& game, mcts::Evaluator* network, const game::Position& position,
                     size_t priors_stated) {
  game::MoveList legal;
  game.legal_moves(position, &legal);
  const mcts::EvalRequest request{&game, &position, &legal, 1};
  mcts::Evaluation evaluation;
  network->evaluate({&request, 1}, {&evaluation, 1});
  std::vector<std::pair<float, std::string>> moves;
  moves.reserve(legal.size());
  for (int i = 0; i < legal.size(); ++i)
    moves.emplace_back(evaluation.priors[i], game::move_text(game, position, legal[i]));
  std::stable_sort(moves.begin(), moves.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  ModelCard priors = ModelCard::object();
  for (size_t i = 0; i < std::min(priors_stated, moves.size()); ++i)
    priors[moves[i].second] = rounded(moves[i].first);
  return {{"position", game::position_text(game, position)},
          {"win", rounded(evaluation.value.win)},
          {"draw", rounded(evaluation.value.draw)},
          {"loss", rounded(evaluation.value.loss)},
          {"moves_left", rounded(evaluation.moves_left)},
          {"best", moves.front().second},
          {"priors", priors}};
}

std::unique_ptr<nn::TorchEvaluator> exact_network(const game::Game& game, const models::Model& checkpoint) {
  return models::make_evaluator(game, checkpoint, {.precision = nn::Precision::kFp32, .max_batch = 1});
}

ModelCard test_positions(const game::Game& game, const models::Model& checkpoint) {
  const auto network = exact_network(game, checkpoint);
  ModelCard positions = ModelCard::array();
  for (int i = 0; i < kTestPositions; ++i) {
    positions.push_back(outputs_at(game, network.get(), test_position(game, i), kPriors));
  }
  return positions;
}

ModelCard levels_of(const models::Manifest& manifest) {
  ModelCard levels = ModelCard::array();
  for (const models::Level& level : manifest.levels()) {
    levels.push_back({{"level", level.level()},
                      {"simulations", level.simulations()},
                      {"temperature", rounded(level.temperature())},
                      {"elo", rounded(level.elo())},
                      {"elo_low", rounded(level.elo_low())},
                      {"elo_high", rounded(level.elo_high())}});
  }
  return levels;
}

ModelCard training_of(const models::Manifest& manifest, const std::string& machine) {
  return {{"commit", manifest.commit()},
          {"generation", manifest.generation()},
          {"evaluations", manifest.evaluations()},
          {"games", manifest.games()},
          {"steps", manifest.steps()},
          {"seconds", std::llround(manifest.seconds_trained())},
          {"processor_seconds", std::llround(manifest.processor_seconds())},
          {"machine", manifest.machine().empty() ? machine : manifest.machine()}};
}

// All that the file and the rules say; the test positions are another matter, as they are compared with a
// tolerance.
ModelCard current_card(const fs::path& path, const models::Manifest& manifest, const game::Game& game,
                       const std::string& machine) {
  const std::string bytes = models::read_text_file(path);
  const std::string& ruleset = manifest.ruleset();
  return {{"ruleset", ruleset},
          {"network", models::id_of(manifest)},
          {"blocks", manifest.architecture().blocks()},
          {"channels", manifest.architecture().channels()},
          {"bytes", bytes.size()},
          {"sha256", models::sha256(bytes)},
          {"rules", rules_card(game)},
          {"training", training_of(manifest, machine)},
          {"levels", levels_of(manifest)}};
}

// --- Checks. ---

bool near(double a, double b) { return std::abs(a - b) <= kTolerance * std::max(1.0, std::abs(b)); }

void compare_positions(const ModelCard& card, const game::Game& game, mcts::Evaluator* network,
                       std::vector<std::string>* lines) {
  const ModelCard positions = card.value("positions", ModelCard::array());
  if (positions.size() != kTestPositions)
    lines->push_back(fmt::format("{} test positions, published are {}", positions.size(), kTestPositions));
  for (const ModelCard& stated : positions) {
    const std::string text = stated.at("position");
    const game::Parsed<game::Position> position = game::parse_position(game, text);
    if (!position) {
      lines->push_back("test position " + text + ": " + position.why());
      continue;
    }
    for (std::string& line : compare_numbers("test position " + text, stated,
                                             outputs_at(game, network, *position, game::MoveList::kCapacity)))
      lines->push_back(std::move(line));
  }
}

void check_config(const models::ZooEntry& entry, const std::string& ruleset,
                  std::vector<std::string>* lines) {
  const auto config =
      parse_config(models::read_text_file(entry.config()), entry.config().filename().string());
  if (!config) return lines->push_back(config.why());
  if (config->game() != ruleset)
    lines->push_back(fmt::format("config.textproto trains '{}'", config->game()));
  if (config->evaluations() <= 0) lines->push_back("config.textproto has no budget of evaluations");
}

void check_files(const models::ZooEntry& entry, std::vector<std::string>* lines) {
  const ModelCard card = read_model_card(entry.model_card());
  const models::Model checkpoint = models::read_model(entry.network());
  const std::string& ruleset = checkpoint.manifest.ruleset();
  const game::GamePtr game = game_or_error(entry.network(), ruleset);
  if (ruleset != entry.game()) lines->push_back("the network is of '" + ruleset + "'");
  const std::string machine = card.value("/training/machine"_json_pointer, "");
  const ModelCard now = current_card(entry.network(), checkpoint.manifest, *game, machine);
  if (now["bytes"] > kMostNetworkBytes) lines->push_back("the network has more than 3 MB");
  for (std::string& line : compare_cards(card, now)) lines->push_back(std::move(line));
  for (std::string& line : compare_matches(card, MatchBook(entry.folder.parent_path(), card)))
    lines->push_back(std::move(line));
  compare_positions(card, *game, exact_network(*game, checkpoint).get(), lines);
  check_config(entry, ruleset, lines);
}

}  // namespace

ModelCard describe_network(const fs::path& path, const std::string& machine) {
  const models::Model checkpoint = models::read_model(path);
  const models::Manifest& manifest = checkpoint.manifest;
  const game::GamePtr game = game_or_error(path, manifest.ruleset());
  if (game::game_of(manifest.ruleset()) != manifest.ruleset())
    throw models::Error(path, fmt::format("plays '{}'; the zoo has networks for the default rulesets: '{}'",
                                          manifest.ruleset(), game::game_of(manifest.ruleset())));
  const auto bytes = fs::file_size(path);
  if (bytes > kMostNetworkBytes)
    throw models::Error(path, fmt::format("has {} bytes; networks of the zoo have at most {}: train one with "
                                          "fewer blocks or channels",
                                          bytes, kMostNetworkBytes));
  ModelCard card = current_card(path, manifest, *game, machine);
  card["matches"] = ModelCard::array();
  card["positions"] = test_positions(*game, checkpoint);
  return card;
}

ModelCard describe_match(const std::string& opponent, const std::string& strength,
                         std::span<const MatchRecord> games) {
  std::vector<double> pairs, material_pairs, whole_pairs;
  for (size_t i = 0; i + 1 < games.size(); i += 2) {
    const GameResult first = result_of(games[i]), second = result_of(games[i + 1]);
    pairs.push_back((first.points + second.points) / 2);
    material_pairs.push_back((points_by_material(first) + points_by_material(second)) / 2);
    whole_pairs.push_back(points_by_pair(first, second));
  }
  const MatchScore score = score_of(games);
  const EloEstimate rules = estimate_elo(pairs), material = estimate_elo(material_pairs);
  const EloEstimate by_pairs = estimate_elo(whole_pairs);
  const Conversion leads = conversion_of(games, kGreatLead);
  return {{"opponent", opponent},
          {"strength", strength},
          {"games", score.games},
          {"wins", score.wins},
          {"draws", score.draws},
          {"losses", score.losses},
          {"score", rounded(score.score())},
          {"score_low", rounded(score_of_elo(rules.low))},
          {"score_high", rounded(score_of_elo(rules.high))},
          {"by_material", rounded(score.score_by_material())},
          {"by_material_low", rounded(score_of_elo(material.low))},
          {"by_material_high", rounded(score_of_elo(material.high))},
          {"by_pairs", rounded(score.score_by_pairs())},
          {"by_pairs_low", rounded(score_of_elo(by_pairs.low))},
          {"by_pairs_high", rounded(score_of_elo(by_pairs.high))},
          {"captures_per_game", rounded(score.captures_per_game)},
          {"decided_share", rounded(score.decisive_share())},
          {"great_leads", leads.led},
          {"great_leads_won", leads.won}};
}

ModelCard read_model_card(const fs::path& path) {
  ModelCard card = ModelCard::parse(models::read_text_file(path), nullptr, false);
  if (!card.is_object()) throw models::Error(path, "is no model card: `makzero publish` writes it anew");
  return card;
}

std::vector<std::string> compare_cards(const ModelCard& card, const ModelCard& now) {
  const auto shown = [](const ModelCard& value) { return value.is_null() ? "nothing" : value.dump(); };
  const auto facts = [](ModelCard all) {
    for (const char* other : {"positions", "matches"}) all.erase(other);
    return all.flatten();
  };
  std::vector<std::string> lines;
  const ModelCard said = facts(card), is = facts(now);
  for (const auto& [key, value] : is.items()) {
    const ModelCard there = said.value(key, ModelCard());
    if (there != value)
      lines.push_back(fmt::format("{} is {}, published {}", key.substr(1), shown(value), shown(there)));
  }
  for (const auto& [key, value] : said.items()) {
    if (!is.contains(key))
      lines.push_back(fmt::format("{} is published {} and unknown", key.substr(1), shown(value)));
  }
  return lines;
}

std::vector<std::string> compare_numbers(const std::string& what, const ModelCard& stated,
                                         const ModelCard& now) {
  std::vector<std::string> lines;
  const ModelCard said = stated.flatten(), is = now.flatten();
  for (const auto& [key, value] : said.items()) {
    if (!value.is_number()) continue;
    const double found = is.contains(key) ? is[key].get<double>() : NAN;
    if (!near(found, value))
      lines.push_back(
          fmt::format("{}: {} is {}, published {}", what, key.substr(1), found, value.get<double>()));
  }
  return lines;
}

ModelCard rules_card(const game::Game& game) {
  return {{"validation_record", models::rules_validation(game.info().ruleset)},
          {"signature", fmt::format("{:016x}", game::rules_signature(game))}};
}

// As its text says: that need not hold how long the game has lasted, which networks see.
game::Position test_position(const game::Game& game, int number) {
  const std::string text = game::position_text(game, random_position(game, number * kPlyStride, number + 1));
  return *game::parse_position(game, text);
}

std::vector<std::string> check_entry(const models::ZooEntry& entry) {
  std::vector<std::string> lines;
  try {
    check_files(entry, &lines);
  } catch (const std::exception& error) {
    lines.emplace_back(error.what());
  }
  for (std::string& line : lines) line.insert(0, entry.game() + ": ");
  return lines;
}

std::vector<std::string> check_zoo(const models::Zoo& zoo) {
  std::vector<std::string> lines;
  for (const models::ZooEntry& entry : zoo.entries()) {
    for (std::string& line : check_entry(entry)) lines.push_back(std::move(line));
  }
  for (const models::SmallEntry& entry : zoo.small_entries()) {
    for (std::string& line : check_small_entry(entry)) lines.push_back(std::move(line));
  }
  if (!lines.empty()) return lines;  // The page says what the model cards say: they come first.
  const fs::path page = zoo.folder() / "README.md";
  if (!fs::exists(page) || models::read_text_file(page) != zoo_page(zoo))
    lines.push_back(
        "README.md is not what the model cards say: `makzero publish` of any entry writes it anew");
  return lines;
}

}  // namespace makzero::train
