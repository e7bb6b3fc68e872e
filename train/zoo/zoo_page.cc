// The page of a zoo.
#include <fmt/format.h>

#include <cmath>

#include "models/error.h"
#include "models/file_io.h"
#include "train/zoo/model_card.h"

namespace makzero::train {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTitle = "# The zoo: a trained network for every game\n";

constexpr std::string_view kText = R"(
`makzero play GAME` and all other commands play with these networks where none is named. Each was trained by this program, from nothing or from the network of a kindred game that its configuration names (`from`); evaluations and time are those of its own run, whose first games are played by counting material where `first_evaluator` (now `bootstrap_evaluator`) says so, without a network. Written by `makzero publish` from the model cards; `makzero publish --check` compares them with the networks, the rules, the outputs on this machine and the games of their matches.

A folder holds `network.mzc`, a checkpoint; `config.textproto`, the configuration that repeats its training; `model_card.json`, what is known of it: file, rules (hash of the validation record of `makzero games GAME`, signature), training, matches, levels, and what the network alone says of eight positions (win, draw and loss for the side to move, plies to the end, largest priors), single precision, position without history. `matches/` keeps the games of newer matches, which later ones join.

```sh
models/zoo/train.sh makyek       # trains it again, from its configuration to its budget; goes on where it was stopped
makzero publish runs/makyek      # a run's latest network, or a file: plays the matches, then takes its game's place here
makzero publish --check
```
)";

constexpr std::string_view kMatchText = R"(
Paired games from random openings. In brackets the 95 % interval. By the rules a draw is half a win; by material a drawn game goes to the side that has taken more; by pairs the two games of an opening, with sides exchanged, go to who has more points of them, or as many and in sum taken more: the measure where one side alone can take, as in the hunt. Simulations are the network's for each move; `+material` says that its searches blend in the material evaluator, as all commands then play it. Captures are counted in men, a piece at its value. Leads won: how many of the games that the network led by four men or more, at some time, it won; this and the score by pairs are empty where a match is older than the count.
)";

constexpr std::string_view kSmallText = R"(
One hidden layer, searched by alpha-beta: the player `small` of matches and front ends, for one core without a card. `small/GAME.mzs` serves all rulesets of the game; [training.md](training.md) says how they are made. Matches at equal processor time of one core a move, in milliseconds, with no material evaluator.
)";

// "1,234,567".
std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(at, ",");
  return text;
}

// "3.4 h", "20 min".
std::string duration(double seconds) {
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

// "61.5 % (55.0 to 67.5)".
std::string interval(const ModelCard& match, const std::string& score) {
  const auto percent = [&](const std::string& key) { return 100 * match.at(key).get<double>(); };
  return fmt::format("{:.1f} % ({:.1f} to {:.1f})", percent(score), percent(score + "_low"),
                     percent(score + "_high"));
}

std::string network_row(const ModelCard& card) {
  const ModelCard& training = card.at("training");
  const std::string game = card.at("ruleset");
  return fmt::format("| [{}]({}/model_card.json) | {} | {}x{} | {:.2f} MB | {} | {} | {} | {} | {} |\n", game,
                     game, card.at("network").get<std::string>(), card.at("blocks").get<int>(),
                     card.at("channels").get<int>(), card.at("bytes").get<double>() / 1e6,
                     grouped(training.at("evaluations")), grouped(training.at("games")),
                     duration(training.at("seconds")), duration(training.at("processor_seconds")),
                     training.at("machine").get<std::string>());
}

std::string small_row(const ModelCard& card) {
  const std::string game = card.at("ruleset");
  return fmt::format("| [{}](small/{}.json) | {} | {} | {:.0f} kB |\n", game, game,
                     card.at("network").get<std::string>(), card.at("source").get<std::string>(),
                     card.at("bytes").get<double>() / 1e3);
}

// "13 of 14": games that the network led by four men or more, and won. Cards of former releases have none.
std::string great_leads(const ModelCard& match) {
  if (!match.contains("great_leads")) return "";
  return fmt::format("{} of {}", match.at("great_leads_won").get<int>(), match.at("great_leads").get<int>());
}

// Cards of former releases have none.
std::string by_pairs(const ModelCard& match) {
  return match.contains("by_pairs") ? interval(match, "by_pairs") : "";
}

std::string match_rows(const ModelCard& card) {
  std::string rows;
  for (const ModelCard& match : card.at("matches")) {
    rows += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1f} | {:.0f} % | {} |\n",
        card.at("ruleset").get<std::string>(), match.at("opponent").get<std::string>(),
        match.at("strength").get<std::string>(), match.at("games").get<int>(), match.at("wins").get<int>(),
        match.at("draws").get<int>(), match.at("losses").get<int>(), interval(match, "score"),
        interval(match, "by_material"), by_pairs(match), match.at("captures_per_game").get<double>(),
        100 * match.at("decided_share").get<double>(), great_leads(match));
  }
  return rows;
}

// The rows of the model cards of one kind.
struct Tables {
  std::string rows, matches;

  void add(const fs::path& path, std::string (*row)(const ModelCard&)) {
    const ModelCard card = read_model_card(path);
    try {
      rows += row(card);
      matches += match_rows(card);
    } catch (const ModelCard::exception& error) {
      throw models::Error(path,
                          std::string("is not complete, `makzero publish` writes it anew: ") + error.what());
    }
  }
};

std::string match_table(const Tables& tables, std::string_view strength) {
  return fmt::format(
      "\n| game | opponent | {} | games | won | drawn | lost | by the rules | by material | by pairs | "
      "captures a game | decided | leads won |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n{}",
      strength, tables.matches);
}

}  // namespace

std::string zoo_page(const models::Zoo& zoo) {
  Tables networks, small;
  for (const models::ZooEntry& entry : zoo.entries()) networks.add(entry.model_card(), network_row);
  for (const models::SmallEntry& entry : zoo.small_entries()) small.add(entry.model_card(), small_row);
  std::string page(kTitle);
  page += kText;
  page +=
      "\n## Networks\n\n"
      "| game | network | blocks x channels | size | evaluations | games | training | of processors | "
      "machine |\n"
      "|---|---|---|---|---|---|---|---|---|\n" +
      networks.rows + "\n## Matches\n" + std::string(kMatchText) + match_table(networks, "simulations");
  if (small.rows.empty()) return page;
  return page + "\n## Small networks\n" + std::string(kSmallText) +
         "\n| game | network | distilled from | size |\n|---|---|---|---|\n" + small.rows +
         match_table(small, "time");
}

void write_zoo_page(const models::Zoo& zoo) {
  const fs::path page = zoo.folder() / "README.md";
  if (fs::exists(page) && !models::read_text_file(page).starts_with(kTitle))
    throw models::Error(page, "is another page: choose another folder for the zoo, or move it away");
  models::write_text_file(page, zoo_page(zoo));
}

}  // namespace makzero::train
