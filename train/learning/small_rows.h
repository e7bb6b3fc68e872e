// Rows of small networks: positions of recorded games with the expected result of the side to move.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "game/game.h"
#include "game/packed_position.h"
#include "game/symmetry.h"
#include "mcts/rng.h"
#include "nn/small_learner.h"
#include "train/learning/batch_maker.h"
#include "train/replay/record.pb.h"
#include "train/self_play/game_pool.h"

namespace makzero::train {

struct SmallRow {
  game::PackedPosition position;
  float target;           // Expected result of the side to move, in [0, 1].
  std::uint32_t ruleset;  // Its number in the stream.
};

// A quiet position of a game.
struct QuietPosition {
  game::Position position;
  int occurrences;
  float target;  // Expected result of the side to move, in [0, 1].
};

// Those of a record, searched by a tower or by alpha-beta. In a quiet position nothing has to be answered and
// the best move takes nothing: a search looks beyond the others. Targets are those of TD(lambda) (Sutton
// 1988): what the position's search has found, and by the share `lambda` the target of the next position, at
// the end the game's result. Where the next move is not the search's, which may have spoilt something, or
// the game was cut, it is the search alone; where `endings` know the position, they are the target. Throws
// models::Error where the record does not fit the rules.
std::vector<QuietPosition> quiet_positions(const game::Game& rules, const GameRecord& record, float lambda,
                                           const mcts::Endings* endings = nullptr);

// Rows of the newest games of some folders of shards, in random order: the shards are read one after the
// other in random order into a buffer, from which rows are drawn at random and leave it. So the games may be
// more than fit into memory. Not thread-safe. The pool must outlive it.
class SmallRowStream {
 public:
  struct Options {
    std::vector<std::filesystem::path> folders;  // Of shards; those that are missing have none.
    std::int64_t window = 0;                     // Rows of each folder, the newest.
    double validation_share = 0.03;              // Of the games, by split_of(): rows of these are not drawn.
    float lambda = 0.9f;                         // Of quiet_positions().
    bool exact_endings = false;                  // Targets of positions that the installed endings know.
    std::size_t buffer = 1'000'000;              // Rows of a game at the most, 36 bytes each.
  };

  SmallRowStream(GamePool* pool, Options options, std::uint64_t seed);

  // Lists the shards and begins anew.
  void update();

  // Replaces the batch by so many rows of the game ("makruk"), each under a random symmetry that play has
  // too: of the start or, in the chess family, left-right; by none where there are none. Throws models::Error
  // where a shard cannot be read.
  void draw(const std::string& game, int rows, nn::SmallBatch* batch);

  // The same of held-out games, as they stand, at most so many; not random.
  void held_out(const std::string& game, int rows, nn::SmallBatch* batch);

  // Games that were left out because they do not fit the rules.
  std::int64_t left_out() const { return left_out_; }

 private:
  struct Ruleset {
    game::GamePtr rules;
    std::vector<float> features = {};
    std::uint8_t shown = 0;  // The symmetries under which rows are drawn (game/symmetry.h).
    std::vector<game::Symmetry> symmetries = {};  // Of its board.
  };
  struct Buffer {
    std::vector<SmallRow> learnt, held_out;
    std::size_t of_pass = 0;  // Rows to learn from that this pass has brought.
    std::size_t least = 0;    // It is filled up when it has fewer.
  };

  bool read_next_shard();
  void end_pass();
  void add(const GameRecord& record);
  std::uint32_t number_of(const std::string& ruleset);
  void draw(const SmallRow& row, nn::SmallBatch* batch);
  void keep(std::vector<SmallRow>* rows, const SmallRow& row);

  GamePool* pool_;
  Options options_;
  mcts::Rng rng_;
  std::vector<std::filesystem::path> shards_;  // Of the window.
  std::vector<std::filesystem::path> unread_;  // Of this pass, the next one last.
  std::vector<Ruleset> rulesets_;
  std::map<std::string, std::uint32_t> numbers_;  // Of rulesets_.
  std::map<std::string, Buffer, std::less<>> buffers_;
  std::int64_t left_out_ = 0;
};

}  // namespace makzero::train
