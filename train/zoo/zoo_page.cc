// The page of a zoo.
#include <fmt/format.h>

#include <cmath>

#include "models/error.h"
#include "models/file_io.h"
#include "train/zoo/model_card.h"

namespace makzero::train {
namespace {

namespace fs = std::filesystem;
using models::ModelCard;

constexpr std::string_view kTitle = "# The zoo: a trained network for every game\n";

constexpr std::string_view kText = R"(
`makzero play GAME` and all other commands play with these networks where none is named. Each was trained by this program, its towers from nothing; evaluations and time are those of its own run, whose first games are played by counting material where `first_evaluator` (now `bootstrap_evaluator`) says so, without a network. Written by `makzero publish` from the model cards; `makzero publish --check` compares them with the networks, the rules, the outputs on this machine and the games of their matches.

A folder holds `network.mzc`, a model: a tower, a small network, or both, and but for the two families its model card (`makzero inspect --json models/zoo/GAME/network.mzc`), which is what is known of them: rules (hash of the validation record of `makzero games GAME`, signature), training, matches, levels, and what the networks alone say of eight positions (the tower win, draw and loss for the side to move, plies to the end, largest priors, in single precision, position without history; the small network its score); where there is a tower, `config.textproto`, the configuration that repeats its training. A tower that its family's tower beats at equal time is not kept: that of `custodial/` or `chess/` plays the game then ([training.md](training.md)). `matches/` keeps the games of newer matches, which later ones join. `strength.textproto` has the matches between small networks and towers at equal time by which the program chooses who plays.

```sh
models/zoo/train.sh makruk       # trains its tower again, from its configuration to its budget; goes on where it was stopped
makzero publish runs/makyek      # a run's best network, or a file: plays the matches, then takes its game's place here
makzero publish --check
```
)";

constexpr std::string_view kMatchText = R"(
Paired games from random openings. In brackets the 95 % interval. By the rules a draw is half a win; by material a drawn game goes to the side that has taken more; by pairs the two games of an opening, with sides exchanged, go to who has more points of them, or as many and in sum taken more: the measure where one side alone can take, as in the hunt. Simulations are the network's for each move. Captures are counted in men, a piece at its value. Leads won: how many of the games that the network led by four men or more, at some time, it won; this and the score by pairs are empty where a match is older than the count.
)";

constexpr std::string_view kSmallText = R"(
One hidden layer, searched by alpha-beta: the player `small` of matches and front ends, for one core without a card. It serves all rulesets of its game; [training.md](training.md) says how they were made. Matches at equal processor time of one core a move, in milliseconds.
)";

// "1,234,567".
std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(at, 1, ',');
  return text;
}

// "3.4 h", "20 min".
std::string duration(double seconds) {
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

// "61.5 % (55.0 to 67.5)".
std::string interval(const models::Score& score) {
  return fmt::format("{:.1f} % ({:.1f} to {:.1f})", 100 * score.share(), 100 * score.low(),
                     100 * score.high());
}

std::string tower_row(const ModelCard& card, std::uint64_t bytes) {
  const models::TowerFacts& tower = card.tower();
  const models::TrainingFacts& training = tower.training();
  return fmt::format("| {} | {} | {}x{} | {:.2f} MB | {} | {} | {} | {} | {} |\n", card.ruleset(),
                     tower.network(), tower.blocks(), tower.channels(), static_cast<double>(bytes) / 1e6,
                     grouped(training.evaluations()), grouped(training.games()),
                     duration(static_cast<double>(training.seconds())),
                     duration(static_cast<double>(training.processor_seconds())), training.machine());
}

// Matches of former releases lack the score by pairs and the leads.
std::string match_row(const std::string& ruleset, const models::MatchResult& match) {
  const models::GreatLeads& leads = match.great_leads();
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1f} | {:.0f} % | {} |\n",
                     ruleset, match.opponent(), match.strength(), match.games(), match.wins(), match.draws(),
                     match.losses(), interval(match.by_rules()), interval(match.by_material()),
                     match.has_by_pairs() ? interval(match.by_pairs()) : "", match.captures_per_game(),
                     100 * match.decided_share(),
                     match.has_great_leads() ? fmt::format("{} of {}", leads.won(), leads.led()) : "");
}

std::string match_table(const std::string& rows, std::string_view strength) {
  return fmt::format(
      "\n| game | opponent | {} | games | won | drawn | lost | by the rules | by material | by pairs | "
      "captures a game | decided | leads won |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n{}",
      strength, rows);
}

}  // namespace

std::string zoo_page(const models::Zoo& zoo) {
  std::string towers, tower_matches, small, small_matches;
  for (const models::ZooEntry& entry : zoo.entries()) {
    const ModelCard card = read_model_card(entry.network());
    if (card.has_tower()) towers += tower_row(card, fs::file_size(entry.network()));
    for (const models::SmallNetworkFacts& facts : card.small_networks())
      small += fmt::format("| {} | {} |\n", facts.game(), facts.network());
    for (const models::MatchResult& match : card.matches()) {
      const bool of_tower = match.network() == card.tower().network();
      (of_tower ? tower_matches : small_matches) += match_row(card.ruleset(), match);
    }
  }
  std::string page = fmt::format("{}{}", kTitle, kText);
  if (!towers.empty())
    page += fmt::format(
        "\n## Towers\n\n"
        "| game | network | blocks x channels | file | evaluations | games | training | of processors | "
        "machine |\n"
        "|---|---|---|---|---|---|---|---|---|\n{}\n## Matches\n{}{}",
        towers, kMatchText, match_table(tower_matches, "simulations"));
  if (!small.empty())
    page += fmt::format("\n## Small networks\n{}\n| game | network |\n|---|---|\n{}{}", kSmallText, small,
                        match_table(small_matches, "time"));
  return page;
}

void write_zoo_page(const models::Zoo& zoo) {
  const fs::path page = zoo.folder() / "README.md";
  if (fs::exists(page) && !models::read_text_file(page).starts_with(kTitle))
    throw models::Error(page, "is another page: choose another folder for the zoo, or move it away");
  models::write_text_file(page, zoo_page(zoo));
}

}  // namespace makzero::train
