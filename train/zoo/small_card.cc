#include "train/zoo/small_card.h"

#include <exception>

#include "game/catalog.h"
#include "game/notation.h"
#include "models/error.h"
#include "models/file_io.h"
#include "models/fingerprint.h"
#include "models/model.h"
#include "models/small_network_file.h"
#include "train/zoo/match_book.h"

namespace makzero::train {
namespace {

ModelCard scores_of(const game::Game& game, const mcts::SmallNetwork& network) {
  const mcts::SmallEvaluator evaluator(game.info(), network);
  ModelCard scores = ModelCard::array();
  for (int i = 0; i < kTestPositions; ++i) {
    const game::Position position = test_position(game, i);
    mcts::SmallAccumulator sums;
    evaluator.refresh(position, &sums);
    scores.push_back({{"position", game::position_text(game, position)},
                      {"score", evaluator.evaluate(position, sums).value}});
  }
  return scores;
}

}  // namespace

ModelCard describe_small_network(const std::filesystem::path& file) {
  const mcts::SmallNetwork network = models::read_model(file).small_networks.at(0);
  const auto game = game::make_game(network.game);
  if (!game) throw models::Error(file, "its game cannot be played: " + game.why());
  const std::string bytes = models::read_text_file(file);
  return {{"ruleset", network.game},
          {"network", models::small_network_id(network)},
          {"source", network.source},
          {"hidden", mcts::kSmallHidden},
          {"bytes", bytes.size()},
          {"sha256", models::sha256(bytes)},
          {"rules", rules_card(**game)},
          {"matches", ModelCard::array()},
          {"scores", scores_of(**game, network)}};
}

std::vector<std::string> check_small_entry(const models::SmallEntry& entry) {
  std::vector<std::string> lines;
  try {
    const ModelCard now = describe_small_network(entry.network());
    const ModelCard card = read_model_card(entry.model_card());
    lines = compare_cards(card, now);
    for (std::string& line : compare_matches(card, MatchBook(entry.zoo, card)))
      lines.push_back(std::move(line));
    if (now["ruleset"] != entry.game)
      lines.push_back("the network is of '" + now["ruleset"].get<std::string>() + "'");
    if (now["bytes"] > kMostNetworkBytes) lines.emplace_back("the network has more than 3 MB");
  } catch (const std::exception& error) {
    lines.emplace_back(error.what());
  }
  for (std::string& line : lines) line.insert(0, "small " + entry.game + ": ");
  return lines;
}

}  // namespace makzero::train
