// makzero match: two players, paired games, and what the result says of their strength.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>

#include "game/notation.h"
#include "models/file_io.h"
#include "models/player/player_spec.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "play/notation/document_writer.h"
#include "train/match/arena.h"
#include "train/run/progress_line.h"

namespace makzero::play {
namespace {

constexpr int kMaxRandomPlies = 100;

struct MatchRequest {
  std::string game, a, b;
  std::string run;
  std::string openings;  // A file, or a number of random plies.
  bool exam = false;     // The file may be an exam.
  std::string save;      // Folder for the games.
  train::MatchOptions options;
  bool json = false;
  std::vector<double> test;  // Two Elo differences.
  bool by_material = false;
};

std::string progress_text(const train::MatchProgress& progress) {
  const train::MatchScore& score = progress.score;
  std::string text = fmt::format("{} of {} games  +{} ={} -{}  {}", score.games, progress.games, score.wins,
                                 score.draws, score.losses, train::duration_text(progress.seconds));
  if (progress.seconds_left) text += fmt::format(", {} left", train::duration_text(*progress.seconds_left));
  if (progress.test) text += fmt::format(", test {:.2f}", progress.test->ratio);
  return text;
}

// "99.8 ms", and where the player misses its time per move by more than 5 %: " (38 % less than its 100)".
std::string time_text(const models::PlayerSpec& player, double ms) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(ms < 1 ? 4 : 1) << ms << " ms";
  if (!player.strength.time) return text.str();
  const auto given = player.strength.time->count();
  const long more = std::lround(100 * (ms / static_cast<double>(given) - 1));
  if (std::abs(more) > 5)
    text << " (" << std::abs(more) << " % " << (more > 0 ? "more" : "less") << " than its " << given << ")";
  return text.str();
}

// A player as the records know it, where that is not what was typed.
void print_player(char side, const std::string& typed, const models::PlayerSpec& player) {
  const std::string name = player.name();
  if (typed != name) print(std::cout, "%c: %s is %s\n", side, typed.c_str(), name.c_str());
}

void print_result(const MatchRequest& request, const models::PlayerSpec& a, const models::PlayerSpec& b,
                  const train::MatchResult& result) {
  const train::MatchScore& score = result.score;
  const std::string pair = request.a + " v " + request.b;
  if (score.games == 0) {
    print(std::cout, "%s: stopped before a pair of games was over: nothing is known of the score\n",
          pair.c_str());
    return;
  }
  print(std::cout, "%s: %d games, %d won, %d drawn, %d lost\n", pair.c_str(), score.games, score.wins,
        score.draws, score.losses);
  print(std::cout, "score %.1f %%, by material %.1f %%, by pairs %.1f %%\n", 100 * score.score(),
        100 * score.score_by_material(), 100 * score.score_by_pairs());
  print(std::cout, "elo %+.0f, 95 %% interval %+.0f to %+.0f\n", result.elo.elo, result.elo.low,
        result.elo.high);
  print(std::cout, "decisive games %.0f %%, captures %.1f and plies %.0f a game\n",
        100 * score.decisive_share(), score.captures_per_game, score.plies_per_game);
  if (const train::Conversion led = train::conversion_of(result.games, train::kGreatLead); led.led > 0) {
    print(std::cout, "led by four men or more in %d games, %d of them won (%.0f %%)\n", led.led, led.won,
          100.0 * led.won / led.led);
  }
  if (result.test) {
    const train::SequentialState& test = *result.test;
    print(std::cout, "sequential test: log likelihood ratio %.2f (%.2f to %.2f), %s\n", test.ratio,
          test.lower, test.upper,
          !test.decided()            ? "undecided: play more games"
          : test.ratio >= test.upper ? "better"
                                     : "not better");
  }
  if (result.ms_per_move_a && result.ms_per_move_b) {
    print(std::cout, "processor time per move: a %s, b %s\n", time_text(a, *result.ms_per_move_a).c_str(),
          time_text(b, *result.ms_per_move_b).c_str());
  }
  const char* separator = "ended by ";
  for (const auto& [reason, games] : train::end_reasons(result.games)) {
    print(std::cout, "%s%s %d", separator, reason.c_str(), games);
    separator = ", ";
  }
  print(std::cout, "\n");
  print_player('a', request.a, a);
  print_player('b', request.b, b);
}

PlayedGame start_of(const game::GamePtr& rules, const train::MatchRecord& record) {
  return record.start().empty() ? PlayedGame(rules)
                                : PlayedGame(rules, *parse_position(*rules, record.start()));
}

// One file a game: PGN of the chess family, text of the others.
void save_games(const game::GamePtr& rules, const train::MatchResult& result, const std::string& folder) {
  models::make_folder(folder);
  for (size_t i = 0; i < result.games.size(); ++i) {
    const train::MatchRecord& record = result.games[i];
    PlayedGame game = start_of(rules, record);
    for (const std::uint32_t bits : record.moves()) game.play(game::Move::from_bits(bits));
    const game::Outcome outcome{static_cast<game::Result>(record.result()),
                                static_cast<game::Reason>(record.reason())};
    if (outcome.over() && !game.outcome().over()) game.end(outcome);
    GameDocument document(game);
    document.tags.add("Event", "makzero match");
    document.tags.add("Site", "?");
    document.tags.add("Date", "????.??.??");
    document.tags.add("Round", std::to_string(i + 1));
    document.tags.add("White", record.a_is_white() ? record.player_a() : record.player_b());
    document.tags.add("Black", record.a_is_white() ? record.player_b() : record.player_a());
    std::ostringstream name;
    name << std::setw(4) << std::setfill('0') << i + 1;
    const std::filesystem::path path = std::filesystem::path(folder) / name.str();
    if (is_chess(rules->info())) {
      models::write_text_file(path.string() + ".pgn", game_pgn(document));
    } else {
      models::write_text_file(path.string() + ".txt", game_text(document));
    }
  }
}

// --openings: a file of them, or the number of random plies.
void set_openings(const game::Game& game, const MatchRequest& request, train::MatchOptions* options) {
  const std::string& text = request.openings;
  if (text.empty()) return;
  if (text.find_first_not_of("0123456789") == std::string::npos) {
    if (text.size() > 3 || std::stoi(text) > kMaxRandomPlies)
      throw UsageError("--openings: at most " + std::to_string(kMaxRandomPlies) + " random plies");
    options->opening_plies = std::stoi(text);
    return;
  }
  if (!std::filesystem::exists(text)) throw UsageError("--openings: there is no file '" + text + "'");
  const auto book =
      value_or_usage_error(train::parse_openings(game, models::read_given_text(text), text), "--openings: ");
  if (book.exam && !request.exam)
    throw UsageError("--openings: " + text + " is kept for published matches: use another file, or --exam");
  options->openings = book.openings;
  if (options->games > 2 * static_cast<int>(options->openings.size())) {
    std::fprintf(stderr, "note: %d games of %zu openings, two games each: the openings repeat in order\n",
                 options->games, options->openings.size());
  }
}

int run_match(const MatchRequest& request) {
  const game::GamePtr game = game_or_usage_error(request.game);
  const std::string& ruleset = game->info().ruleset;
  const std::string run = request.run.empty() ? "runs/" + ruleset : request.run;
  const models::PlayerPlaces places{run, ruleset, request.options.backend.device};
  const auto player = [&places](const char* flag, const std::string& text) {
    return with_default_strength(player_or_usage_error(flag, text, places), models::kMatchSimulations);
  };
  const models::PlayerSpec a = player("--a", request.a), b = player("--b", request.b);
  train::MatchOptions options = request.options;
  if (!request.test.empty()) {
    if (request.test[0] >= request.test[1])
      throw UsageError("--sprt: the first Elo difference must be the smaller one");
    options.test = {.elo0 = request.test[0], .elo1 = request.test[1], .by_material = request.by_material};
  } else if (request.by_material) {
    throw UsageError("--by-material says how --sprt counts: give --sprt too");
  } else if (options.played_out) {
    throw UsageError("--played-out is of --sprt: without it all games are played out");
  }
  set_openings(*game, request, &options);
  train::ProgressLine line;
  options.stop = stop_on_interrupt("\nstopping: the finished pairs of games count\n");
  const auto save = [&](const train::MatchResult& result) {
    if (!request.save.empty()) save_games(game, result, request.save);
  };
  options.on_failure = save;
  const train::MatchResult result =
      train::play_match(*game, a, b, options,
                        [&](const train::MatchProgress& progress) { line.show(progress_text(progress)); });
  line.clear();
  save(result);
  if (request.json) std::cout << train::match_json(result) << std::endl;
  if (!request.json) print_result(request, a, b, result);
  return 0;
}

}  // namespace

Run add_match(CLI::App* app) {
  auto request = std::make_shared<MatchRequest>();
  train::MatchOptions& options = request->options;
  app->add_option("GAME", request->game, "Game, with options if wanted")->required()->type_name("");
  app->add_option("--a", request->a, "The player whose score is printed")->required()->type_name("PLAYER");
  app->add_option("--b", request->b, "The other")->required()->type_name("PLAYER");
  add_number(app, "--games", &options.games, "Each opening is played twice, sides exchanged (100)", 2,
             1'000'000);
  app->add_option("--openings", request->openings,
                  "Random plies (4), or a file: a line each, FEN or startpos [moves ...]")
      ->type_name("N|FILE");
  app->add_flag("--exam", request->exam, "The match is published: the openings may be an exam's");
  add_seed(app, &options.seed, "Of openings and players (1)");
  add_threads(app, &options.threads, "Games are spread over them (one per core)");
  app->add_option("--sprt", request->test, "Stop once a is better by ELO1 or not by ELO0 (5 % errors)")
      ->type_name("ELO0,ELO1")
      ->delimiter(',')
      ->expected(2)
      ->check(number_in(-1e4, 1e4));
  app->add_flag("--by-material", request->by_material,
                "In that test a draw goes to the side that has taken more");
  app->add_flag("--played-out", options.played_out, "In that test no game is cut short by agreed scores");
  add_backend(app, &options.backend);
  app->add_option("--run", request->run, "Where 'latest' is looked up (runs/GAME)")->type_name("DIR");
  app->add_option("--save", request->save, "Folder for the finished games: 0001.pgn or 0001.txt, ...")
      ->type_name("DIR");
  app->add_flag("--json", request->json, "The result as one line of JSON");
  app->footer(
      models::player_help() +
      "\n\n"
      "  makzero match makruk --a 'zoo?ms=100' --b 'uci:fairy-stockfish?ms=100' --sprt 0,20 --games 2000");
  return [request] { return run_match(*request); };
}

}  // namespace makzero::play
