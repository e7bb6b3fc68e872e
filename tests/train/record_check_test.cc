// The check of records from elsewhere: every rule refuses with its reason, and what self-play leaves passes.
#include "train/replay/record_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tests/support/record_tools.h"

namespace makzero::train {
namespace {

using testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

GameRecord good_record() { return record_of(*make("makyek"), "", {"a3a4", "a6a5"}); }

// A rule of the check: what breaks it, and what the refusal says.
struct Fault {
  const char* name;
  std::function<void(GameRecord*)> put;
  const char* why;
  bool in_fields = true;  // Found without the rules.
};

PlyRecord* second_ply(GameRecord* record) { return record->mutable_plies(1); }

const std::vector<Fault>& faults() {
  static const std::vector<Fault> kFaults = {
      {"NoRuleset", [](GameRecord* r) { r->clear_ruleset(); }, "no ruleset"},
      {"LongRuleset", [](GameRecord* r) { r->set_ruleset(std::string(513, 'x')); }, "a text of 513 bytes"},
      {"LongStart", [](GameRecord* r) { r->set_start(std::string(513, '8')); }, "a text of 513 bytes"},
      {"LongNetwork", [](GameRecord* r) { r->set_network(std::string(129, 'x')); }, "a name of 129 bytes"},
      {"LongBuild", [](GameRecord* r) { r->set_build(std::string(129, 'x')); }, "a name of 129 bytes"},
      {"WorkerWithPath", [](GameRecord* r) { r->set_worker("../../etc"); }, "without a proper name"},
      {"NoMoves", [](GameRecord* r) { r->clear_plies(); }, "no moves"},
      {"TooManyPlies",
       [](GameRecord* r) {
         while (r->plies_size() <= kMostPlies) r->add_plies();
       },
       "30001 plies"},
      {"MoreOpeningThanGame", [](GameRecord* r) { r->set_opening_plies(3); }, "3 opening plies of 2"},
      {"OngoingResult", [](GameRecord* r) { r->set_result(0); }, "result 0 does not exist"},
      {"UnknownResult", [](GameRecord* r) { r->set_result(4); }, "result 4 does not exist"},
      {"NoReason", [](GameRecord* r) { r->set_reason(0); }, "reason 0 does not exist"},
      {"UnknownReason", [](GameRecord* r) { r->set_reason(17); }, "reason 17 does not exist"},
      {"NegativeGeneration", [](GameRecord* r) { r->set_generation(-1); }, "a negative generation"},
      {"NegativeNetworkGeneration", [](GameRecord* r) { r->set_network_generation(-1); }, "a negative"},
      {"NegativeEvaluations", [](GameRecord* r) { r->set_evaluations(-1); }, "a negative"},
      {"FieldOfANewerProgram",
       [](GameRecord* r) { r->GetReflection()->MutableUnknownFields(r)->AddVarint(1000, 1); },
       "does not know"},
      {"PlyFieldOfANewerProgram",
       [](GameRecord* r) {
         PlyRecord* ply = second_ply(r);
         ply->GetReflection()->MutableUnknownFields(ply)->AddVarint(1000, 1);
       },
       "ply 1: fields"},
      {"MoveOfTooManyBits", [](GameRecord* r) { second_ply(r)->set_move(0x10000 + second_ply(r)->move()); },
       "ply 1: move"},
      {"NanForWhite", [](GameRecord* r) { second_ply(r)->set_white(kNan); }, "ply 1: values nan"},
      {"InfiniteForBlack", [](GameRecord* r) { second_ply(r)->set_black(kInfinity); }, "and inf are no"},
      {"NegativeValue", [](GameRecord* r) { second_ply(r)->set_white(-0.1f); }, "values -0.1"},
      {"ValuesAboveOne",
       [](GameRecord* r) {
         second_ply(r)->set_white(0.6f);
         second_ply(r)->set_black(0.6f);
       },
       "values 0.6 and 0.6"},
      {"NanSurprise", [](GameRecord* r) { second_ply(r)->set_surprise(kNan); }, "a surprise of nan"},
      {"NegativeSurprise", [](GameRecord* r) { second_ply(r)->set_surprise(-1); }, "a surprise of -1"},
      {"SearchedInTheFuture", [](GameRecord* r) { second_ply(r)->set_generation(1); },
       "searched by generation 1 of 0"},
      {"PolicyWithoutWeight",
       [](GameRecord* r) { second_ply(r)->mutable_policy()->assign(second_ply(r)->policy().size(), '\0'); },
       "ply 1: a policy without weight"},
      {"PolicyOfHalfAMove", [](GameRecord* r) { second_ply(r)->mutable_policy()->pop_back(); },
       "half of a move"},
      {"EndlessPolicy", [](GameRecord* r) { second_ply(r)->set_policy(std::string(4096, 'x')); },
       "a policy of 4096 bytes"},
      // By the rules.
      {"OtherRuleset", [](GameRecord* r) { r->set_ruleset("makruk"); }, "played by 'makruk'", false},
      {"ImpossibleStart", [](GameRecord* r) { r->set_start("nonsense"); }, "game 0, ply 0", false},
      {"IllegalMove", [](GameRecord* r) { second_ply(r)->set_move(0); }, "the move is not legal", false},
      {"PolicyOfOtherMoves", [](GameRecord* r) { second_ply(r)->mutable_policy()->append("\x10\x01", 2); },
       "a policy over", false},
      {"FullSearchWithoutPolicy", [](GameRecord* r) { second_ply(r)->clear_policy(); },
       "ply 1: a full search without a policy", false},
      {"WonWhileItGoesOn",
       [](GameRecord* r) {
         r->set_result(static_cast<std::uint32_t>(game::Result::kWhiteWins));
         r->set_reason(static_cast<std::uint32_t>(game::Reason::kNoPieces));
       },
       "the game goes on by the rules", false},
      {"ACutThatSomebodyWon",
       [](GameRecord* r) { r->set_result(static_cast<std::uint32_t>(game::Result::kBlackWins)); },
       "a cut game that somebody won", false},
      {"AdjudicatedWithoutALead",
       [](GameRecord* r) {
         r->set_result(static_cast<std::uint32_t>(game::Result::kBlackWins));
         r->set_reason(static_cast<std::uint32_t>(game::Reason::kMaterialAtPlyCap));
       },
       "adjudicated 0-1 at a lead of 0", false},
      {"OtherMaterial", [](GameRecord* r) { r->set_final_material(100); }, "final material 100", false},
  };
  return kFaults;
}

class RecordCheckTest : public testing::TestWithParam<Fault> {};

TEST_P(RecordCheckTest, RefusesWithItsReason) {
  GameRecord record = good_record();
  ASSERT_EQ(find_record_fault(*make("makyek"), record), std::nullopt);
  GetParam().put(&record);
  const auto fault = find_record_fault(*make("makyek"), record);
  ASSERT_TRUE(fault);
  EXPECT_THAT(*fault, HasSubstr(GetParam().why));
  EXPECT_EQ(find_field_fault(record).has_value(), GetParam().in_fields);
}

INSTANTIATE_TEST_SUITE_P(Faults, RecordCheckTest, testing::ValuesIn(faults()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(RecordCheckTest, FieldsOfAnEarlierProgramMayStay) {
  GameRecord record = good_record();
  PlyRecord* ply = second_ply(&record);
  ply->GetReflection()->MutableUnknownFields(ply)->AddFixed32(5, 0);         // Plies left.
  record.GetReflection()->MutableUnknownFields(&record)->AddVarint(11, 40);  // Ply of a resignation.
  EXPECT_EQ(find_record_fault(*make("makyek"), record), std::nullopt);
}

TEST(RecordCheckTest, AnEndByTheRulesHasItsOwnReason) {
  const game::GamePtr game = make("makyek:max_plies=2");
  GameRecord record = record_of(*game, "", {"a3a4", "a6a5"});
  ASSERT_EQ(find_record_fault(*game, record), std::nullopt);
  GameRecord other = record;
  other.set_reason(static_cast<std::uint32_t>(game::Reason::kCut));
  EXPECT_THAT(find_record_fault(*game, other).value_or(""), HasSubstr("the rules say"));
  other = record;
  other.set_result(static_cast<std::uint32_t>(game::Result::kWhiteWins));
  EXPECT_THAT(find_record_fault(*game, other).value_or(""), HasSubstr("the rules say 1/2-1/2"));
  *other.add_plies() = record.plies(1);
  EXPECT_THAT(find_record_fault(*game, other).value_or(""), HasSubstr("the game was over"));
}

TEST(RecordCheckTest, EveryGameOfSelfPlayPasses) {
  for (const std::string ruleset : {"makyek", "makruk", "gala", "rek", "hunt"}) {
    for (const char* adjudicates : {"true", "false"}) {
      const game::GamePtr game = make(ruleset);
      const Config config = quick_config(ruleset, {{"self_play.simulations", "4"},
                                                   {"self_play.max_game_length", "60"},
                                                   {"self_play.adjudicate_by_material", adjudicates},
                                                   {"opening.odds_share", "0.3"},
                                                   {"opening.endgame_share", "0.3"},
                                                   {"rulesets.material_result_share", "0"}});
      for (const GameRecord& record : play_games(*game, config, 20, 5))
        EXPECT_EQ(find_record_fault(*game, record), std::nullopt) << ruleset;
    }
  }
}

TEST(RecordCheckTest, NoBytesButThoseOfARecordAreParsed) {
  const std::string bytes = good_record().SerializeAsString();
  EXPECT_EQ(parse_record(bytes).record->SerializeAsString(), bytes);
  EXPECT_FALSE(parse_record(bytes.substr(0, bytes.size() - 1)).record);
  EXPECT_THAT(parse_record("nonsense").why, HasSubstr("not a game record"));
  EXPECT_THAT(parse_record(std::string(kMostRecordBytes + 1, '\0')).why, HasSubstr("too many"));
}

TEST(RecordCheckTest, WorkersHaveNamesThatAreFileNamesToo) {
  for (const char* name : {"a", "node7.example.org-0a1b2c3d", "A_b"}) EXPECT_TRUE(is_worker_name(name));
  for (const std::string& name : {std::string(), std::string("."), std::string("../x"), std::string("a/b"),
                                  std::string("a b"), std::string(65, 'a'), std::string("a\0b", 3)})
    EXPECT_FALSE(is_worker_name(name)) << name;
}

}  // namespace
}  // namespace makzero::train
