// makzero review: searches every position of games, lists their mistakes, and writes them with evaluations.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "models/error.h"
#include "models/file_io.h"
#include "models/player/player_spec.h"
#include "models/printable.h"
#include "play/analysis/review.h"
#include "play/analysis/review_journal.h"
#include "play/commands/command.h"
#include "play/commands/game_files.h"
#include "play/commands/interrupt.h"
#include "play/library/import.h"
#include "play/notation/document_writer.h"
#include "play/terminal/board_view.h"
#include "play/views.h"
#include "train/run/progress_line.h"

namespace makzero::play {
namespace {

using std::chrono::steady_clock;

constexpr int kFailed = 1;
constexpr std::size_t kTreeMemory = std::size_t{32} << 20;  // Bytes of one position's tree.

struct Options {
  GameChoice choice;
  std::string model, output;
  int visits = 400;
  Notation notation = Notation::kLetters;
  SearchPoolOptions pool;
};

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

// The mistakes of one or many games by side, judgement and phase.
class Tally {
 public:
  void add(const GameReview& review) {
    for (const Mistake& mistake : review.mistakes)
      ++counts_[game::index(mistake.side)][static_cast<int>(mistake.phase)]
               [static_cast<int>(mistake.judgement)];
  }

  int of(game::Color side, Judgement judgement) const {
    int sum = 0;
    for (const Phase phase : kPhases) sum += of(side, phase, judgement);
    return sum;
  }

  // "opening 0 2 1, middle game 3 0 0, ending 0 0 0".
  std::string by_phase(game::Color side) const {
    std::string text;
    for (const Phase phase : kPhases) {
      text += fmt::format("{}{} {} {} {}", text.empty() ? "" : ", ", phase_name(phase),
                          of(side, phase, Judgement::kInaccuracy), of(side, phase, Judgement::kMistake),
                          of(side, phase, Judgement::kBlunder));
    }
    return text;
  }

 private:
  int of(game::Color side, Phase phase, Judgement judgement) const {
    return counts_[game::index(side)][static_cast<int>(phase)][static_cast<int>(judgement)];
  }

  int counts_[2][std::size(kPhases)][3] = {};
};

void print_side(const GameReview& review, const Tally& tally, game::Color side) {
  print(std::cout, "%s: accuracy %.0f %%; %d inaccuracies, %d mistakes, %d blunders (%s)\n", side_name(side),
        review.accuracy[game::index(side)], tally.of(side, Judgement::kInaccuracy),
        tally.of(side, Judgement::kMistake), tally.of(side, Judgement::kBlunder),
        tally.by_phase(side).c_str());
}

// A game in full.
void print_review(const PlayedGame& game, const GameReview& review, Notation notation) {
  Tally tally;
  tally.add(review);
  for (const game::Color side : {game::Color::kWhite, game::Color::kBlack}) print_side(review, tally, side);
  for (const std::string& line : overlooked_draws(game)) std::cout << "Count: " << line << "\n";
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

// A game of many, in a line.
void print_line(const ReviewSource& source, const GameDocument& document, const GameReview& review) {
  std::string text = fmt::format("{}: {} - {}, accuracy {:.0f} % and {:.0f} %, {} mistakes", source.text(),
                                 document.tags.value("White", "?"), document.tags.value("Black", "?"),
                                 review.accuracy[0], review.accuracy[1], review.mistakes.size());
  for (const std::string& line : overlooked_draws(document.game)) text += "; " + line;
  std::cout << text << std::endl;
}

// Reviews games one after the other, each written before the next begins.
class Reviews {
 public:
  Reviews(const Options& options, bool single)
      : options_(options), single_(single), journal_(options.output), pool_(options.pool) {}

  // Reviews the games of all files in the folder. False when it was stopped.
  bool run_folder(const std::stop_token& stop) {
    GameChoice choice = options_.choice;
    std::vector<std::string> files = game_files(options_.choice.file);
    std::erase_if(files, [&](const std::string& file) {  // Of this command before.
      std::error_code not_there;
      return std::filesystem::equivalent(file, options_.output, not_there);
    });
    journal_.require_of(files);
    for (const std::string& file : files) {
      choice.file = file;
      std::vector<NumberedGame> games;
      try {
        games = choose_games(choice);
      } catch (const models::Error& error) {
        skip(error.what());
      }
      if (!run(games, choice, stop)) return false;
    }
    return true;
  }

  // False when it was stopped.
  bool run_file(const std::vector<NumberedGame>& games, const std::stop_token& stop) {
    journal_.require_of({options_.choice.file});
    return run(games, options_.choice, stop);
  }

  void finish() { journal_.finish(); }

  void print_summary() const {
    if (single_) return;
    print(std::cout, "\n%d games reviewed, %d of them before, %d skipped\n", reviewed_ + kept_, kept_,
          skipped_);
    if (reviewed_ == 0) return;
    const std::string where = kept_ == 0 ? "" : fmt::format(" in the {} reviewed now", reviewed_);
    for (const game::Color side : {game::Color::kWhite, game::Color::kBlack})
      print(std::cout, "%s: inaccuracies, mistakes and blunders%s: %s\n", side_name(side), where.c_str(),
            tally_.by_phase(side).c_str());
  }

  int skipped() const { return skipped_; }

 private:
  bool run(const std::vector<NumberedGame>& games, const GameChoice& choice, const std::stop_token& stop) {
    return std::ranges::all_of(games, [&](const NumberedGame& game) { return review(game, choice, stop); });
  }

  void skip(const std::string& why) {
    ++skipped_;
    std::cout << "skipped: " << models::printable_excerpt(why) << std::endl;
  }

  bool review(const NumberedGame& place, const GameChoice& choice, const std::stop_token& stop) {
    const ReviewSource source = {choice.file, place.number};
    const game::Parsed<GameDocument> read = read_chosen(place, choice);
    if (!read && single_) throw models::Error(choice.file, read.why());
    if (!read || (!read->fault.empty() && !single_)) {
      skip(source.text() + ": " + (read ? read->fault : read.why()));
      return true;
    }
    if (single_) note_reading(place, *read);
    GameDocument document = *read;
    const auto player = models::choose_player(
        options_.model,
        {.ruleset = document.game.rules().info().ruleset, .device = options_.pool.backend.device});
    const std::string annotator = "makzero, " + models::with_default_strength(player, options_.visits).name();
    if (journal_.holds(source, annotator, document)) {
      ++kept_;
      return true;
    }
    const auto review = search(document.game, player, stop);
    if (!review) return false;
    single_ ? print_review(document.game, *review, options_.notation) : print_line(source, document, *review);
    annotate(*review, &document);
    tally_.add(*review);
    ++reviewed_;
    journal_.append(source, annotator, std::move(document));
    return true;
  }

  std::optional<GameReview> search(const PlayedGame& game, const models::PlayerSpec& player,
                                   const std::stop_token& stop) {
    const ReviewOptions review{.player = player, .visits = options_.visits, .stop = stop};
    train::ProgressLine line;
    const auto begin = steady_clock::now();
    return review_game(game, review, &pool_, [&](int searched, int of) {
      const std::chrono::duration<double> spent = steady_clock::now() - begin;
      const double left = searched > 0 ? spent.count() * (of - searched) / searched : 0;
      line.show(fmt::format("{} of {} positions, {} left", searched, of, train::duration_text(left)));
    });
  }

  const Options& options_;
  const bool single_;
  ReviewJournal journal_;
  SearchPool pool_;
  Tally tally_;
  int reviewed_ = 0, kept_ = 0, skipped_ = 0;
};

int run_review(Options options) {
  const std::string& file = options.choice.file;
  const bool folder = std::filesystem::is_directory(file);
  if (options.choice.number.empty()) options.choice.number = "all";
  if (folder && options.output.empty()) {
    std::filesystem::path path = std::filesystem::path(file).lexically_normal();
    if (path == "." || path.filename() == "..") path = std::filesystem::absolute(path).lexically_normal();
    options.output = (path.has_filename() ? path : path.parent_path()).string() + ".reviewed.pgn";
  }
  std::vector<NumberedGame> games;  // Of a file, which may be a pipe: read once.
  if (!folder) games = choose_games(options.choice);
  const std::stop_token stop = stop_on_interrupt("\nstopping: this game is not reviewed\n");
  Reviews reviews(options, !folder && games.size() == 1);
  const bool done = folder ? reviews.run_folder(stop) : reviews.run_file(games, stop);
  if (done) reviews.finish();
  reviews.print_summary();
  return done && reviews.skipped() == 0 ? 0 : kFailed;
}

}  // namespace

Run add_review(CLI::App* app) {
  auto options = std::make_shared<Options>();
  options->pool.resources.tree = kTreeMemory;
  add_game_choice(app, &options->choice);
  add_number(app, "--visits", &options->visits, "Of a tower, a position (400; a small network: 8 plies)", 1,
             1'000'000'000);
  app->add_option("--output", options->output, "PGN with evaluations and better lines (FOLDER.reviewed.pgn)")
      ->type_name("FILE");
  app->add_option("--model", options->model, "Who judges: as of `makzero play` (auto)")->type_name("WHO");
  add_notation(app, &options->notation);
  add_number(app, "--threads", &options->pool.threads, "Of a network on a CPU (1)", 1, 1024);
  add_backend(app, &options->pool.backend);
  app->footer(
      "A move that gives away 5 % of the expected result is an inaccuracy (?!), 10 % a mistake (?), 15 % a\n"
      "blunder (\?\?); a draw is worth a half. Many games are written one by one to FILE.partial: the same\n"
      "command goes on after an interruption. FILE may be a folder.\n\n"
      "Examples:\n"
      "  makzero review game.pgn --output reviewed.pgn\n"
      "  makzero review games/ --model 'small?nodes=1000'");
  return [options] { return run_review(*options); };
}

}  // namespace makzero::play
