// A player, a position and a limit are one move, whoever asks for it: a match, a UCI client or the server.
#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <string>
#include <vector>

#include "game/catalog.h"
#include "game/game_state.h"
#include "game/notation.h"
#include "mcts/rng.h"
#include "models/model.h"
#include "models/small_network_file.h"
#include "nn/encoder.h"
#include "nn/network.h"
#include "play/engine/search_pool.h"
#include "tests/support/file_tools.h"
#include "tests/support/play_sessions.h"
#include "tests/support/small_network.h"
#include "train/match/match_player.h"

namespace makzero::play {
namespace {

constexpr std::uint64_t kSeed = 1;  // Of UCI's option too.

class SameMoveTest : public models::FolderTest {
 protected:
  SameMoveTest() {
    const game::GamePtr rules = *game::make_game("makruk");
    const nn::NetworkArchitecture shape{
        .planes = nn::default_planes(rules->info()), .blocks = 1, .channels = 8};
    models::write_model(folder_ / "tower.mzc",
                        models::make_model(*rules, {shape, nn::initial_weights(shape, 1)}));
    models::write_model(folder_ / "small.mzc",
                        models::make_model(makzero::testing::random_small_network(rules->info(), 1)));
  }

  static std::string by_match(const PlayedGame& game, const models::PlayerSpec& spec,
                              const std::vector<game::Move>& moves) {
    train::MatchPlayer player(game.rules(), spec, {});
    const train::Turn turn{.root = {.position = &game.position(),
                                    .history = &game.history(),
                                    .legal = &game.legal(),
                                    .start = &game.start(),
                                    .moves = moves},
                           .seed = kSeed + game.position().ply};
    return game::move_text(game.rules(), game.position(), player.choose({&turn, 1})[0].move);
  }

  static std::string by_server(const PlayedGame& game, const models::PlayerSpec& spec) {
    SearchPool pool({});
    SearchRequest request{.game = game, .player = spec, .seed = kSeed};
    limit_by_player(0, &request);
    std::promise<game::Move> best;
    pool.start(std::move(request), {.info = [](const SearchInfo&) {},
                                    .finished = [&](const SearchInfo& info) { best.set_value(info.best()); },
                                    .failed = [](const std::string& why) { FAIL() << why; }});
    return game::move_text(game.rules(), game.position(), best.get_future().get());
  }

  static std::string by_uci(const std::string& player, const std::string& moves, const std::string& go) {
    const std::string answer = uci_session("setoption name WeightsFile value " + player +
                                           "\nposition startpos" + moves + "\n" + go + "\n")
                                   .back();
    return answer.substr(9, answer.find(' ', 9) - 9);
  }
};

TEST_F(SameMoveTest, InMatchUciAndServer) {
  const std::string small = folder_ / "small.mzc", tower = folder_ / "tower.mzc";
  struct Case {
    std::string player, options, go;
  };
  const Case cases[] = {{small, "?nodes=3000", "go nodes 3000"},    {small, "?depth=4", "go depth 4"},
                        {tower, "?nodes=48", "go nodes 48"},        {tower, "?nodes=300", "go nodes 300"},
                        {"material", "?nodes=100", "go nodes 100"}, {"alphabeta", "?depth=2", "go depth 2"}};
  for (const Case& one : cases) {
    const models::PlayerSpec spec = models::choose_player(one.player + one.options, {.ruleset = "makruk"});
    PlayedGame game(*game::make_game("makruk"));
    std::vector<game::Move> moves;
    std::string written;
    mcts::Rng rng(7);
    for (int position = 0; position < 6; ++position) {
      for (int ply = 0; ply < 6; ++ply) {
        const game::Move move = game.legal()[static_cast<int>(rng.below(game.legal().size()))];
        written += (written.empty() ? " moves " : " ") + game::move_text(game.rules(), game.position(), move);
        moves.push_back(move);
        game.play(move);
      }
      const std::string move = by_match(game, spec, moves);
      EXPECT_EQ(by_server(game, spec), move) << one.player << one.options << written;
      EXPECT_EQ(by_uci(one.player, written, one.go), move) << one.player << one.options << written;
    }
  }
}

}  // namespace
}  // namespace makzero::play
