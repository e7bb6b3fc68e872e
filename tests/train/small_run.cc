// A run folder with one file of every sort, made without training.
#include "tests/train/small_run.h"

#include "game/catalog.h"
#include "mcts/rng.h"
#include "models/file_io.h"
#include "models/store.h"
#include "train/config.h"
#include "train/rating/rating.h"
#include "train/replay/replay_store.h"
#include "train/run/losses_json.h"
#include "train/run/tensorboard.h"
#include "train/run_folder.h"

namespace makzero::train {
namespace {

constexpr int kPlies = 6;

MatchRecord random_match(std::uint64_t number) {
  const GameRecord game = random_game(number, kPlies);
  MatchRecord match;
  match.set_ruleset(game.ruleset());
  match.set_player_a("alphabeta:1");
  match.set_player_b("random");
  match.set_a_is_white(number % 2 == 0);
  match.set_result(game.result());
  match.set_reason(game.reason());
  for (const PlyRecord& ply : game.plies()) match.add_moves(ply.move());
  return match;
}

models::Model checkpoint_of(std::int64_t generation, const std::string& config) {
  models::Model checkpoint;
  checkpoint.tower.weights = {{"w", {2, 2}, {1, 2, 3, static_cast<float>(generation)}}};
  checkpoint.manifest.set_ruleset("makyek");
  checkpoint.manifest.set_generation(generation);
  checkpoint.manifest.set_config(config);
  return checkpoint;
}

}  // namespace

GameRecord random_game(std::uint64_t number, int plies) {
  const game::GamePtr game = *game::make_game("makyek");
  mcts::Rng rng(number);
  GameRecord record;
  record.set_ruleset(game->info().ruleset);
  record.set_number(number);
  record.set_network("0123456789ab");
  game::Position position = game->initial();
  game::MoveList legal;
  for (int ply = 0; ply < plies; ++ply) {
    game->legal_moves(position, &legal);
    const game::Move move = legal[static_cast<int>(rng.below(legal.size()))];
    PlyRecord* played = record.add_plies();
    played->set_move(move.bits());
    played->set_full_search(true);
    for (int i = 0; i < legal.size(); ++i) played->mutable_policy()->append("\1\1");
    game->apply(move, &position);
  }
  record.set_result(static_cast<std::uint32_t>(game::Result::kDraw));
  record.set_reason(static_cast<std::uint32_t>(game::Reason::kCut));
  return record;
}

void make_small_run(const std::filesystem::path& run) {
  const RunPaths paths(run);
  const std::string config = config_text(*preset_config("quick", "makyek"));
  models::CheckpointStore checkpoints(paths.checkpoints());
  for (const int generation : {0, 1}) checkpoints.add(checkpoint_of(generation, config));
  const models::Model last = checkpoint_of(1, config);
  models::write_learner_state(paths.learner(), last.manifest,
                              {last.tower.architecture, 9, last.tower.weights, last.tower.weights,
                               last.tower.weights, last.tower.weights});
  models::write_text_file(paths.config(), config);
  const std::vector<RowLoss> largest = {{.ruleset = "makyek", .position = "8/8/8/8/8/8/8/8 w"}};
  models::write_text_file(paths.losses(), losses_json(1, largest));
  models::write_text_file(paths.status(), "{\"phase\": \"stopped\"}\n");
  for (const char* line :
       {R"({"generation": 0, "games": 3})", R"({"generation": 1, "games": 6, "loss/policy": 2.5})"}) {
    append_line(paths.metrics(), line);
  }
  {
    ReplayStore replay(paths.replay(), kSmallRunGames / 2);
    for (int i = 0; i < kSmallRunGames; ++i) replay.add(random_game(i, kPlies));
  }
  const ReplayStore counted(paths.replay(), kSmallRunGames / 2, 0);  // Completes the index.
  RatingStore ratings(run);
  std::vector<MatchRecord> matches;
  matches.reserve(kSmallRunMatches);
  for (int i = 0; i < kSmallRunMatches; ++i) matches.push_back(random_match(i));
  ratings.add(matches);
  TensorBoardWriter(paths.tensorboard()).add(7, {{"loss/policy", 2.5}, {"elo", 100}});
}

}  // namespace makzero::train
