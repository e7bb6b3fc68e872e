#include "train/zoo/model_card.h"

#include <fmt/format.h>
#include <google/protobuf/util/field_comparator.h>
#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <sstream>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "game/signature.h"
#include "mcts/rng.h"
#include "models/error.h"
#include "models/file_io.h"
#include "models/small_network_file.h"
#include "train/config.h"
#include "train/match/match_score.h"
#include "train/zoo/match_book.h"

namespace makzero::train {
namespace {

namespace fs = std::filesystem;
using models::ModelCard;
using models::TestPosition;

constexpr int kTestPositions = 8;
constexpr int kPlyStride =
    7;                      // The i-th position stands so many plies after the one before, in another game.
constexpr int kPriors = 4;  // That are stated.
constexpr double kTolerance = 1e-3;

// A position of a game of random moves that is not over, so many plies after the start if the game lasts. As
// its text says: that need not hold how long the game has lasted, which networks see.
std::string random_position(const game::Game& game, int plies, std::uint64_t seed) {
  mcts::Rng rng(seed);
  game::GameState state(game);
  const std::vector<game::Move> moves = state.random_playout(plies, &rng);
  if (!state.over()) return game::position_text(game, state.position());
  game::GameState before(game);
  for (size_t i = 0; i + 1 < moves.size(); ++i) before.play(moves[i]);
  return game::position_text(game, before.position());
}

double rounded(double value) { return std::round(value * 1e5) / 1e5; }

game::GamePtr game_or_error(const fs::path& path, const std::string& ruleset) {
  const game::Parsed<game::GamePtr> game = game::make_game(ruleset);
  if (!game) throw models::Error(path, "its ruleset cannot be played: " + game.why());
  return *game;
}

// Outputs of the networks of a model for a game.
class Outputs {
 public:
  Outputs(const game::Game& game, const models::Model& model) : game_(game) {
    if (!model.tower_id().empty())
      tower_ = models::make_evaluator(game, model, {.precision = nn::Precision::kFp32, .max_batch = 1});
    for (const mcts::SmallNetwork& network : model.small_networks)
      if (network.game == game::game_of(game.info().ruleset)) small_.emplace(game.info(), network);
  }

  // With the priors of the moves that `stated` has, else of the best. REQUIRES: the game is not over there.
  TestPosition at(const game::Position& position, const TestPosition& stated) const {
    TestPosition now;
    now.set_position(stated.position());
    if (tower_) set_tower(position, stated.tower(), now.mutable_tower());
    if (small_) {
      mcts::SmallAccumulator sums;
      small_->refresh(position, &sums);
      now.set_small_score(small_->evaluate(position, sums).value);
    }
    return now;
  }

 private:
  void set_tower(const game::Position& position, const models::TowerOutput& stated,
                 models::TowerOutput* now) const {
    game::MoveList legal;
    game_.legal_moves(position, &legal);
    const mcts::EvalRequest request{&game_, &position, &legal, 1};
    mcts::Evaluation evaluation;
    tower_->evaluate({&request, 1}, {&evaluation, 1});
    now->set_win(rounded(evaluation.value.win));
    now->set_draw(rounded(evaluation.value.draw));
    now->set_loss(rounded(evaluation.value.loss));
    now->set_moves_left(rounded(evaluation.moves_left));
    std::vector<std::pair<float, std::string>> moves;
    moves.reserve(legal.size());
    for (int i = 0; i < legal.size(); ++i)
      moves.emplace_back(evaluation.priors[i], game::move_text(game_, position, legal[i]));
    std::stable_sort(moves.begin(), moves.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    const auto add = [&](const std::string& move, double share) {
      models::Prior* prior = now->add_priors();
      prior->set_move(move);
      prior->set_share(rounded(share));
    };
    for (const models::Prior& prior : stated.priors()) {
      const auto found = std::ranges::find(moves, prior.move(), &std::pair<float, std::string>::second);
      if (found != moves.end()) add(prior.move(), found->first);
    }
    if (!stated.priors().empty()) return;
    moves.resize(std::min<std::size_t>(moves.size(), kPriors));
    for (const auto& [share, move] : moves) add(move, share);
  }

  const game::Game& game_;
  std::unique_ptr<nn::TorchEvaluator> tower_;
  std::optional<mcts::SmallEvaluator> small_;
};

models::TrainingFacts training_of(const models::Manifest& manifest, const std::string& machine) {
  models::TrainingFacts facts;
  facts.set_device(manifest.device());
  facts.set_rows(manifest.rows());
  facts.set_data_hash(manifest.data_hash());
  facts.set_command(manifest.command());
  facts.set_commit(manifest.commit());
  facts.set_generation(manifest.generation());
  facts.set_evaluations(manifest.evaluations());
  facts.set_games(manifest.games());
  facts.set_steps(manifest.steps());
  facts.set_seconds(std::llround(manifest.seconds_trained()));
  facts.set_processor_seconds(std::llround(manifest.processor_seconds()));
  facts.set_machine(manifest.machine().empty() ? machine : manifest.machine());
  return facts;
}

// Facts of the model and the rules.
ModelCard facts_of(const models::Model& model, const game::Game& game, const std::string& machine) {
  const models::Manifest& manifest = model.manifest;
  ModelCard card;
  card.set_ruleset(manifest.ruleset());
  card.set_model(model.id());
  card.mutable_rules()->set_validation_record(models::rules_validation(manifest.ruleset()));
  card.mutable_rules()->set_signature(fmt::format("{:016x}", game::rules_signature(game)));
  if (const std::string tower = model.tower_id(); !tower.empty()) {
    models::TowerFacts* facts = card.mutable_tower();
    facts->set_network(tower);
    facts->set_blocks(manifest.architecture().blocks());
    facts->set_channels(manifest.architecture().channels());
    *facts->mutable_training() = training_of(manifest, machine);
    *facts->mutable_levels() = manifest.levels();
  }
  for (const mcts::SmallNetwork& network : model.small_networks) {
    models::SmallNetworkFacts* facts = card.add_small_networks();
    facts->set_network(models::small_network_id(network));
    facts->set_game(network.game);
    facts->set_source(network.source);
    facts->set_hidden(mcts::kSmallHidden);
    if (const auto* entry = models::small_entry(manifest, facts->network()))
      *facts->mutable_levels() = entry->levels();
  }
  return card;
}

void set_score(const std::vector<double>& pairs, double share, models::Score* score) {
  const EloEstimate estimate = estimate_elo(pairs);
  score->set_share(rounded(share));
  score->set_low(rounded(score_of_elo(estimate.low)));
  score->set_high(rounded(score_of_elo(estimate.high)));
}

// --- Checks. ---

// A line for every difference of a published card from what is true now.
std::vector<std::string> differences(const ModelCard& published, const ModelCard& now) {
  google::protobuf::util::DefaultFieldComparator comparator;
  comparator.set_float_comparison(google::protobuf::util::DefaultFieldComparator::APPROXIMATE);
  comparator.SetDefaultFractionAndMargin(kTolerance, kTolerance);
  google::protobuf::util::MessageDifferencer differencer;
  differencer.set_field_comparator(&comparator);
  std::string text;
  differencer.ReportDifferencesToString(&text);
  differencer.Compare(published, now);
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line + " (published -> now)");
  return lines;
}

// The matches of a card as their games say, where all of them are on record.
void recount_matches(const fs::path& zoo, ModelCard* card) {
  for (models::MatchResult& match : *card->mutable_matches()) {
    const MatchBook book(zoo, match.network(), card->rules().signature());
    const std::vector<MatchRecord>* games = book.find(match.opponent(), match.strength());
    if (games != nullptr && static_cast<int>(games->size()) == match.games())
      match = describe_match(match.network(), match.opponent(), match.strength(), *games);
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
  const models::Model model = models::read_model(entry.network());
  const ModelCard card = read_model_card(entry.network());
  const game::GamePtr game = game_or_error(entry.network(), model.manifest.ruleset());
  if (model.manifest.ruleset() != entry.game())
    lines->push_back("the network is of '" + model.manifest.ruleset() + "'");
  if (fs::file_size(entry.network()) > kMostNetworkBytes) lines->push_back("the network has more than 3 MB");
  if (card.positions_size() != kTestPositions)
    lines->push_back(
        fmt::format("{} test positions, published are {}", card.positions_size(), kTestPositions));
  ModelCard now = facts_of(model, *game, card.tower().training().machine());
  *now.mutable_matches() = card.matches();
  recount_matches(entry.folder.parent_path(), &now);
  const Outputs outputs(*game, model);
  for (const TestPosition& stated : card.positions()) {
    const game::Parsed<game::Position> position = game::parse_position(*game, stated.position());
    if (!position) lines->push_back("test position " + stated.position() + ": " + position.why());
    *now.add_positions() = position ? outputs.at(*position, stated) : stated;
  }
  for (std::string& line : differences(card, now)) lines->push_back(std::move(line));
  if (card.has_tower()) check_config(entry, card.ruleset(), lines);
}

}  // namespace

ModelCard describe_model(const fs::path& path, const models::Model& model, const std::string& machine) {
  const std::string& ruleset = model.manifest.ruleset();
  const game::GamePtr game = game_or_error(path, ruleset);
  if (game::game_of(ruleset) != ruleset)
    throw models::Error(path, fmt::format("plays '{}'; the zoo has networks for the default rulesets: '{}'",
                                          ruleset, game::game_of(ruleset)));
  ModelCard card = facts_of(model, *game, machine);
  const Outputs outputs(*game, model);
  for (int i = 0; i < kTestPositions; ++i) {
    TestPosition stated;
    stated.set_position(random_position(*game, i * kPlyStride, i + 1));
    *card.add_positions() = outputs.at(*game::parse_position(*game, stated.position()), stated);
  }
  return card;
}

models::MatchResult describe_match(const std::string& network, const std::string& opponent,
                                   const std::string& strength, std::span<const MatchRecord> games) {
  std::vector<double> pairs, material_pairs, whole_pairs;
  for (size_t i = 0; i + 1 < games.size(); i += 2) {
    const GameResult first = result_of(games[i]), second = result_of(games[i + 1]);
    pairs.push_back((first.points + second.points) / 2);
    material_pairs.push_back((points_by_material(first) + points_by_material(second)) / 2);
    whole_pairs.push_back(points_by_pair(first, second));
  }
  const MatchScore score = score_of(games);
  const Conversion leads = conversion_of(games, kGreatLead);
  models::MatchResult match;
  match.set_network(network);
  match.set_strength(strength);
  match.set_opponent(opponent);
  match.set_games(score.games);
  match.set_wins(score.wins);
  match.set_draws(score.draws);
  match.set_losses(score.losses);
  set_score(pairs, score.score(), match.mutable_by_rules());
  set_score(material_pairs, score.score_by_material(), match.mutable_by_material());
  set_score(whole_pairs, score.score_by_pairs(), match.mutable_by_pairs());
  match.set_captures_per_game(rounded(score.captures_per_game));
  match.set_decided_share(rounded(score.decisive_share()));
  match.mutable_great_leads()->set_led(leads.led);
  match.mutable_great_leads()->set_won(leads.won);
  return match;
}

ModelCard read_model_card(const fs::path& network) {
  const models::Model model = models::read_head(network);
  if (!model.card) throw models::Error(network, "has no model card: `makzero publish` makes one");
  return *model.card;
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
  for (const models::ZooEntry& entry : zoo.entries())
    for (std::string& line : check_entry(entry)) lines.push_back(std::move(line));
  if (!lines.empty()) return lines;  // The page says what the model cards say: they come first.
  const fs::path page = zoo.folder() / "README.md";
  if (!fs::exists(page) || models::read_text_file(page) != zoo_page(zoo))
    lines.push_back(
        "README.md is not what the model cards say: `makzero publish` of any entry writes it anew");
  return lines;
}

}  // namespace makzero::train
