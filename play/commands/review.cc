// makzero review: searches every position of a game, lists its mistakes, and writes it with evaluations.
#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "models/error.h"
#include "models/file_io.h"
#include "models/player/player_spec.h"
#include "play/analysis/review.h"
#include "play/commands/command.h"
#include "play/commands/game_files.h"
#include "play/commands/interrupt.h"
#include "play/notation/pgn.h"
#include "play/terminal/board_view.h"
#include "train/run/progress_line.h"

namespace makzero::play {
namespace {

using std::chrono::steady_clock;

constexpr int kFailed = 1;
constexpr std::size_t kTreeMemory = std::size_t{32} << 20;  // Bytes of one position's tree.

struct Options {
  std::string file, model, output, choice;
  int visits = 400;
  Notation notation = Notation::kLetters;
  SearchPoolOptions pool;
};

// "34 of 101 positions, 0m12s left".
std::string progress_text(int searched, int of, double seconds) {
  const double left = searched > 0 ? seconds * (of - searched) / searched : 0;
  return fmt::format("{} of {} positions, {} left", searched, of, train::duration_text(left));
}

// The number of an action's move, as PGN counts: "12." or "12...".
std::string number_text(const PlayedGame& game, int action) {
  int number = 0;
  for (int i = 0; i <= action; ++i) {
    const bool white = game.position_before(i).to_move == game::Color::kWhite;
    if (!game.actions()[i].declaration && (white || number == 0)) ++number;
  }
  const bool white = game.position_before(action).to_move == game::Color::kWhite;
  return std::to_string(number) + (white ? ". " : "... ");
}

void print_side(const GameReview& review, game::Color side) {
  int counts[3] = {0, 0, 0};
  for (const Mistake& mistake : review.mistakes) {
    if (mistake.side == side) ++counts[static_cast<int>(mistake.judgement)];
  }
  print(std::cout, "%s: %d inaccuracies, %d mistakes, %d blunders; a move gives away %.1f %% on average\n",
        side_name(side), counts[0], counts[1], counts[2], 100 * review.average_loss[game::index(side)]);
}

void print_review(const PlayedGame& game, const GameReview& review, Notation notation) {
  for (const game::Color side : {game::Color::kWhite, game::Color::kBlack}) print_side(review, side);
  for (const Mistake& mistake : review.mistakes) {
    const std::string move = number_text(game, mistake.action) +
                             written_action(game, mistake.action, notation) +
                             std::string(judgement_glyph(mistake.judgement));
    const std::string better =
        written_move(game.rules(), game.position_before(mistake.action), mistake.line.front(), notation);
    print(std::cout, "  %-24s %3.0f %% to %3.0f %%   better: %s\n", move.c_str(), 100 * mistake.before,
          100 * mistake.after, better.c_str());
  }
}

std::optional<GameReview> review_one(const PlayedGame& game, const Options& options, SearchPool* pool,
                                     const std::stop_token& stop) {
  const std::string& ruleset = game.rules().info().ruleset;
  const ReviewOptions review{.player = models::choose_player(
                                 options.model, {.ruleset = ruleset, .device = options.pool.backend.device}),
                             .visits = options.visits,
                             .stop = stop};
  train::ProgressLine line;
  const auto begin = steady_clock::now();
  return review_game(game, review, pool, [&](int searched, int of) {
    const std::chrono::duration<double> spent = steady_clock::now() - begin;
    line.show(progress_text(searched, of, spent.count()));
  });
}

// Results of a review, also of one that was stopped.
struct Reviewed {
  std::vector<AnnotatedGame> games;
  int skipped = 0, evaluations = 0;  // Games that cannot be read; the file's own evaluations.

  void write(const std::string& output) const {
    std::string text;
    for (const AnnotatedGame& game : games) text += (text.empty() ? "" : "\n") + game_pgn(game);
    if (output.empty() || text.empty()) return;
    models::write_text_file(output, text);
    note_losses(games, false);
    if (evaluations > 0) std::cerr << "note: " << evaluations << " evaluations of the file are replaced\n";
  }
};

// False when it was stopped.
bool review_games(const std::vector<NumberedGame>& games, const Options& options, Reviewed* reviewed) {
  const std::stop_token stop = stop_on_interrupt("\nstopping: this game is not reviewed\n");
  SearchPool pool(options.pool);
  for (const NumberedGame& each : games) {
    const game::Parsed<AnnotatedGame> read = read_annotated_game(each.text);
    if (!read && games.size() == 1) throw models::Error(options.file, read.why());
    if (games.size() > 1) print(std::cout, "%sGame %d\n", each.number > 1 ? "\n" : "", each.number);
    if (!read) {
      std::cout << "skipped, it cannot be read: " << read.why() << "\n";
      ++reviewed->skipped;
      continue;
    }
    AnnotatedGame game = *read;
    const auto review = review_one(game.game, options, &pool, stop);
    if (!review) return false;
    print_review(game.game, *review, options.notation);
    for (const int node : game.main_line()) reviewed->evaluations += game.nodes[node].note.eval.has_value();
    annotate(*review, &game);
    reviewed->games.push_back(std::move(game));
  }
  if (reviewed->skipped > 0)
    print(std::cout, "\n%zu of %zu games reviewed, %d skipped\n", reviewed->games.size(), games.size(),
          reviewed->skipped);
  return true;
}

int run_review(const Options& options) {
  const std::string text = models::read_given_text(options.file);
  const std::vector<NumberedGame> games = choose_games(options.file, text, options.choice);
  Reviewed reviewed;
  try {
    const bool done = review_games(games, options, &reviewed);
    reviewed.write(options.output);
    return done && reviewed.skipped == 0 ? 0 : kFailed;
  } catch (const models::Error&) {
    reviewed.write(options.output);
    throw;
  }
}

}  // namespace

Run add_review(CLI::App* app) {
  auto options = std::make_shared<Options>();
  options->pool.resources.tree = kTreeMemory;
  app->add_option("FILE", options->file, "Games, as PGN or text")->required()->type_name("");
  add_game_choice(app, &options->choice);
  add_number(app, "--visits", &options->visits, "Of the network, a position (400)", 1, 1'000'000'000);
  app->add_option("--output", options->output,
                  "PGN with evaluations, judgements, and the better line at every mistake")
      ->type_name("FILE");
  app->add_option("--model", options->model, "Who judges: as of `makzero play` (auto)")->type_name("WHO");
  add_notation(app, &options->notation);
  add_number(app, "--threads", &options->pool.threads, "Of a network on a CPU (1)", 1, 1024);
  add_backend(app, &options->pool.backend);
  app->footer(
      "A move that gives away 5 % of the expected result is an inaccuracy (?!), 10 % a mistake (?), 15 % a\n"
      "blunder (\?\?); a draw is worth a half.\n\n"
      "Examples:\n"
      "  makzero review game.pgn --output reviewed.pgn\n"
      "  makzero review game.txt --visits 2000 --model runs/makyek");
  return [options] { return run_review(*options); };
}

}  // namespace makzero::play
