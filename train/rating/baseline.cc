#include "train/rating/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "game/notation.h"
#include "game/plain_text.h"

namespace makzero::train {
namespace {

constexpr std::string_view kPosition = "position", kExpected = "expected";
constexpr double kLeastPolicy = 1e-6;  // Bounds the loss of one position.

// The judges of a first line.
game::Parsed<std::vector<std::string>> parse_header(std::span<const std::string_view> fields) {
  std::vector<std::string> judges;
  bool fits = fields.size() % 2 == 1 && fields.size() > 1 && fields[0] == kPosition;
  for (size_t i = 1; fits && i < fields.size(); i += 2) {
    judges.emplace_back(fields[i]);
    fits = fields[i + 1] == kExpected;
  }
  if (fits) return judges;
  return game::Parsed<std::vector<std::string>>::failure(
      {"the first line is not 'position', and of each judge its name and 'expected', by tabs"});
}

game::Parsed<Judgement> parse_judgement(const game::Game& game, const game::Position& position,
                                        std::string_view move_field, std::string_view expected_field) {
  const auto move = game::parse_move(game, position, move_field);
  if (!move) return game::Parsed<Judgement>::failure({move.why()});
  const auto expected = game::parse_number<float>(expected_field);
  if (!expected || !(*expected >= 0 && *expected <= 1))
    return game::Parsed<Judgement>::failure({fmt::format("'{}' is no number from 0 to 1", expected_field)});
  return Judgement{*move, *expected};
}

game::Parsed<BaselinePosition> parse_row(const game::Game& game, std::span<const std::string_view> fields,
                                         size_t judges) {
  using Row = game::Parsed<BaselinePosition>;
  if (fields.size() != 1 + 2 * judges)
    return Row::failure({fmt::format("has {} fields instead of {}", fields.size(), 1 + 2 * judges)});
  const auto position = game::parse_position(game, fields[0]);
  if (!position) return Row::failure({position.why()});
  BaselinePosition row{*position};
  for (size_t i = 1; i < fields.size(); i += 2) {
    const auto judgement = parse_judgement(game, *position, fields[i], fields[i + 1]);
    if (!judgement) return Row::failure({judgement.why()});
    row.judgements.push_back(*judgement);
  }
  return row;
}

// Positions as requests for evaluation. Must stay where it is.
struct Requests {
  Requests(const game::Game& game, std::span<const BaselinePosition> positions)
      : legal(positions.size()), all(positions.size()) {
    for (size_t i = 0; i < positions.size(); ++i) {
      game.legal_moves(positions[i].position, &legal[i]);
      all[i] = {&game, &positions[i].position, &legal[i], 1};
    }
  }
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  std::vector<game::MoveList> legal;
  std::vector<mcts::EvalRequest> all;
};

// Adds the figures of one position.
void add(const BaselinePosition& row, const game::MoveList& legal, const mcts::Evaluation& evaluation,
         BaselineFigures* sum) {
  const auto priors = std::span(evaluation.priors).first(legal.size());
  const auto first = std::ranges::max_element(priors) - priors.begin();
  const mcts::MoverValue& value = evaluation.value;
  for (const Judgement& judgement : row.judgements) {
    const auto place = std::ranges::find(legal, judgement.move) - legal.begin();
    sum->agreement += place == first;
    sum->policy_loss -= std::log(std::max<double>(kLeastPolicy, priors[place]));
    sum->value_loss += std::pow(value.score() - judgement.expected, 2);
  }
}

}  // namespace

std::string baseline_text(const game::Game& game, const Baseline& baseline) {
  std::string text(kPosition);
  for (const std::string& judge : baseline.judges) text += fmt::format("\t{}\t{}", judge, kExpected);
  for (const BaselinePosition& row : baseline.positions) {
    text += "\n" + game::position_text(game, row.position);
    for (const Judgement& judgement : row.judgements)
      text += fmt::format("\t{}\t{:.3f}", game::move_text(game, row.position, judgement.move),
                          judgement.expected);
  }
  return text + "\n";
}

game::Parsed<Baseline> parse_baseline(const game::Game& game, std::string_view text,
                                      const std::string& file) {
  std::vector<std::string_view> lines = game::split(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  const auto fault = [&](size_t line, const std::string& why) {
    return game::Parsed<Baseline>::failure({fmt::format("{}, line {}: {}", file, line, why)});
  };
  if (lines.empty()) return fault(1, "is empty");
  const auto judges = parse_header(game::split(lines[0], '\t'));
  if (!judges) return fault(1, judges.why());
  Baseline baseline{*judges, {}};
  for (size_t i = 1; i < lines.size(); ++i) {
    auto row = parse_row(game, game::split(lines[i], '\t'), judges->size());
    if (!row) return fault(i + 1, row.why());
    baseline.positions.push_back(*std::move(row));
  }
  if (baseline.positions.empty()) return fault(1, "has no positions behind it");
  return baseline;
}

BaselineFigures compare(const game::Game& game, const Baseline& baseline, mcts::Evaluator* network) {
  static constexpr size_t kBatch = 256;
  BaselineFigures sum;
  const std::span all(baseline.positions);
  std::vector<mcts::Evaluation> evaluations(std::min(kBatch, all.size()));
  for (size_t begin = 0; begin < all.size(); begin += kBatch) {
    const auto rows = all.subspan(begin, std::min(kBatch, all.size() - begin));
    const Requests requests(game, rows);
    network->evaluate(requests.all, std::span(evaluations).first(rows.size()));
    for (size_t i = 0; i < rows.size(); ++i) add(rows[i], requests.legal[i], evaluations[i], &sum);
  }
  const double judgements = static_cast<double>(all.size() * baseline.judges.size());
  return {sum.agreement / judgements, sum.policy_loss / judgements, sum.value_loss / judgements};
}

}  // namespace makzero::train
