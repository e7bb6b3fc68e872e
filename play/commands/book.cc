// makzero book: makes the opening book of a game.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <queue>
#include <set>

#include "models/error.h"
#include "models/file_io.h"
#include "models/player/player_spec.h"
#include "play/commands/command.h"
#include "play/commands/interrupt.h"
#include "play/engine/book.h"
#include "play/engine/search_pool.h"
#include "train/run/progress_line.h"

namespace makzero::play {
namespace {

constexpr int kMostReplies = 4;

struct BookCommand {
  std::string game, judge = "small";
  std::filesystem::path file;
  int positions = 500;
  std::int64_t nodes = 20'000;
  double most_lost = 0.02;
  SearchPoolOptions pool;
};

// A position to look at; one is reached the more often, the fewer moves the positions before it have.
struct Candidate {
  double share = 1;
  std::vector<game::Move> moves = {};

  bool operator<(const Candidate& other) const {
    return share != other.share ? share < other.share : moves.size() > other.moves.size();
  }
};

// The moves that give away little of the best one's expected score, the best first.
std::vector<game::Move> good_moves(const PlayedGame& game, const BookCommand& command,
                                   const models::PlayerSpec& player, SearchPool* pool) {
  std::vector<game::Move> moves;
  std::string failure;
  SearchRequest request{.game = game, .player = player, .lines = kMostReplies};
  request.limits.nodes = kMostReplies * command.nodes;
  pool->start(std::move(request), {.info = [](const SearchInfo&) {},
                                   .finished =
                                       [&](const SearchInfo& info) {
                                         const float best = info.lines.front().value.score();
                                         for (const Line& line : info.lines) {
                                           if (best - line.value.score() <= command.most_lost)
                                             moves.push_back(line.moves.front());
                                         }
                                       },
                                   .failed = [&](const std::string& why) { failure = why; }});
  pool->wait();
  if (!failure.empty()) throw models::Error(failure);
  return moves;
}

Book::Lines make_lines(const game::GamePtr& rules, const BookCommand& command,
                       const models::PlayerSpec& player, const std::stop_token& stop) {
  SearchPool pool(command.pool);
  train::ProgressLine line;
  std::priority_queue<Candidate> candidates;
  candidates.push({});
  std::set<std::uint64_t> seen;
  Book::Lines lines;
  while (!candidates.empty() && static_cast<int>(lines.size()) < command.positions &&
         !stop.stop_requested()) {
    const Candidate at = candidates.top();
    candidates.pop();
    PlayedGame game(rules);
    for (const game::Move move : at.moves) game.play(move);
    if (game.outcome().over() || !seen.insert(game::repetition_key(game.position())).second) continue;
    const std::vector<game::Move> replies = good_moves(game, command, player, &pool);
    lines.emplace_back(at.moves, replies);
    line.show(fmt::format("{} of {} positions", lines.size(), command.positions));
    for (const game::Move reply : replies) {
      Candidate next = {at.share / static_cast<double>(replies.size()), at.moves};
      next.moves.push_back(reply);
      candidates.push(std::move(next));
    }
  }
  return lines;
}

int run_book(const BookCommand& command) {
  const game::GamePtr rules = game_or_usage_error(command.game);
  const models::PlayerSpec player = models::choose_player(
      command.judge, {.ruleset = rules->info().ruleset, .device = command.pool.backend.device});
  if (!player.searches()) throw UsageError("--judge: '" + command.judge + "' does not search");
  models::require_place(command.file);
  const std::stop_token stop = stop_on_interrupt("\nstopping: nothing is written\n");
  const Book::Lines lines = make_lines(rules, command, player, stop);
  if (stop.stop_requested()) return 1;
  const std::string about =
      fmt::format("{}: {} positions, moves within {:.0f} % of the best by {} nodes a move of {}",
                  rules->info().ruleset, lines.size(), 100 * command.most_lost, command.nodes, player.name());
  models::write_text_file(command.file, book_text(*rules, lines, about));
  std::cout << about << ", written to " << command.file.string() << "\n";
  return 0;
}

}  // namespace

Run add_book(CLI::App* app) {
  auto command = std::make_shared<BookCommand>();
  app->add_option("GAME", command->game, "Game")->required()->type_name("");
  app->add_option("--to", command->file, "File for the book: ZOO/GAME/book.txt is played from")
      ->required()
      ->type_name("FILE");
  add_number(app, "--positions", &command->positions, "Positions, the likeliest first (500)", 1, 1'000'000);
  add_number(app, "--nodes", &command->nodes, "Searched for each candidate move (20000)", std::int64_t{1},
             std::int64_t{1} << 40);
  add_number(app, "--most-lost", &command->most_lost,
             "Of the best move's expected result, 0 to 1, by a move of the book (0.02)", 0, 1);
  app->add_option("--judge", command->judge, "Whose search it is (small)")->type_name("PLAYER");
  add_backend(app, &command->pool.backend);
  app->footer(
      "`play` and the page play from a book, `uci` with its option OwnBook.\n\n"
      "Example:\n"
      "  makzero book makruk --to models/zoo/makruk/book.txt");
  return [command] { return run_book(*command); };
}

}  // namespace makzero::play
