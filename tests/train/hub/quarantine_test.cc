// What a trainer does with deliveries that are no games: refused, counted, logged and kept with their sender.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "game/catalog.h"
#include "models/file_io.h"
#include "models/frame.h"
#include "tests/support/file_tools.h"
#include "tests/support/record_tools.h"
#include "tests/train/hub/memory_hub.h"
#include "train/hub/remote_games.h"

namespace makzero::train {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// Game `sequence` of the worker, which names `author` as its own.
GameMessage message(const std::string& worker, std::uint64_t sequence, const std::string& author) {
  GameRecord record = record_of(*make("makyek"), "", {"a3a4", "a6a5"});
  record.set_worker(author);
  record.set_sequence(sequence);
  return {worker, sequence, sequence - 1, models::encode_frame(record.SerializeAsString())};
}

GameMessage message(const std::string& worker, std::uint64_t sequence) {
  return message(worker, sequence, worker);
}

class QuarantineTest : public models::FolderTest {
 protected:
  QuarantineTest() : pool_(*game::make_games("makyek"), RulesetConfig()), remote_(options()) {
    const RemoteStore store{[this](GameRecord record) { kept_.push_back(record.worker()); }, [] {}};
    remote_.begin(&pool_, "makyek", store, {});
  }

  RemoteOptions options() {
    return {
        [hub = hub_] { return hub; }, folder_, {}, [this](const std::string& line) { log_ += line + "\n"; }};
  }

  void take(const std::vector<GameMessage>& games) {
    hub_->append(games, 1000);
    while (hub_->backlog() > 0) {  // It looks at the hub four times a second at most.
      remote_.collect();
      remote_.finish();
    }
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    if (!std::filesystem::exists(folder_ / "quarantine")) return names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "quarantine"))
      names.push_back(entry.path().filename());
    return names;
  }

  std::string file(const std::string& name) const {
    return models::read_text_file(folder_ / "quarantine" / name);
  }

  std::shared_ptr<MemoryHub> hub_ = std::make_shared<MemoryHub>();
  std::string log_;
  std::vector<std::string> kept_;  // Workers of the games that were taken.
  GamePool pool_;
  RemoteGames remote_;
};

TEST_F(QuarantineTest, GoodGamesLeaveNothingThere) {
  take({message("good", 1), message("good", 2)});
  EXPECT_THAT(kept_, ElementsAre("good", "good"));
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(QuarantineTest, AForgedRecordIsKeptWithItsSenderAndTheReason) {
  const GameMessage forged = message("mallory", 1, "alice");
  take({forged, message("alice", 1)});
  EXPECT_EQ(remote_.counts().refused, 1);
  EXPECT_THAT(kept_, ElementsAre("alice"));
  ASSERT_THAT(files(), UnorderedElementsAre("mallory-1.frame", "mallory-1.frame.txt"));
  EXPECT_EQ(file("mallory-1.frame"), forged.frame) << "as it came";
  EXPECT_THAT(file("mallory-1.frame.txt"),
              AllOf(HasSubstr("worker mallory\n"), HasSubstr("sequence 1\n"),
                    HasSubstr("refused: the record is game 1 of worker 'alice'")));
  EXPECT_THAT(log_, HasSubstr("refused worker=mallory sequence=1"));
}

TEST_F(QuarantineTest, AnIllegalGameIsRefusedAndThoseBehindItAreTaken) {
  GameRecord illegal = record_of(*make("makyek"), "", {"a3a4", "a6a5"});
  illegal.set_worker("broken");
  illegal.set_sequence(1);
  illegal.mutable_plies(1)->set_move(0);
  take({{"broken", 1, 0, models::encode_frame(illegal.SerializeAsString())}, message("broken", 2)});
  EXPECT_THAT(kept_, ElementsAre("broken"));
  EXPECT_THAT(file("broken-1.frame.txt"), HasSubstr("the move is not legal"));
  EXPECT_EQ(hub_->mark("broken"), 2u);
}

TEST_F(QuarantineTest, MalformedAndOversizedOnesDoNotGrowTheFolderWithoutBound) {
  GameMessage garbage = message("garbage", 1), huge = message("huge", 1);
  garbage.frame = "no frame";
  huge.frame = std::string(2 * Intake::kMostFrameBytes, 'x');
  take({garbage, huge});
  EXPECT_EQ(remote_.counts().refused, 2);
  EXPECT_EQ(file("garbage-1.frame"), "no frame");
  EXPECT_EQ(file("huge-1.frame").size(), Intake::kMostFrameBytes);
  EXPECT_THAT(file("huge-1.frame.txt"), HasSubstr("too many for a game"));
  EXPECT_EQ(hub_->backlog(), 0u);
}

TEST_F(QuarantineTest, AReplayedGameIsCountedAndKeptOnce) {
  take({message("alice", 1), message("alice", 1)});
  take({message("alice", 1)});
  EXPECT_THAT(kept_, ElementsAre("alice"));
  EXPECT_EQ(remote_.counts().repeated, 2);
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(QuarantineTest, ASenderWhoseNameIsAPathIsNotWrittenThere) {
  take({message("../../outside", 1)});
  EXPECT_THAT(files(), UnorderedElementsAre("nameless-1.frame", "nameless-1.frame.txt"));
  EXPECT_FALSE(std::filesystem::exists(folder_.parent_path() / "outside-1.frame"));
  EXPECT_THAT(log_, HasSubstr("refused worker=nameless"));
}

}  // namespace
}  // namespace makzero::train
