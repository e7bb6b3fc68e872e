// The game files of tests/corpus: each is read as the JSON beside it says, which was written by hand, and
// comes back the same through every writer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "game/notation.h"
#include "play/json/document_json.h"
#include "play/json/game_json.h"
#include "play/notation/document_reader.h"
#include "play/notation/document_writer.h"

namespace makzero::play {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> corpus_files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(MAKZERO_CORPUS)) {
    const std::string name = entry.path().filename();
    if (std::filesystem::exists(entry.path().string() + ".json")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// A line as the corpus has it: without the moves as they are written, the depth beside the evaluation.
json facts_of_line(const json& line) {
  json facts = json::array();
  for (json entry : line) {
    entry.erase("written");
    if (entry.contains("eval") && entry["eval"].contains("depth")) {
      entry["depth"] = entry["eval"]["depth"];
      entry["eval"].erase("depth");
    }
    if (entry.contains("variations")) {
      for (json& variation : entry["variations"]) variation = facts_of_line(variation);
    }
    facts.push_back(std::move(entry));
  }
  return facts;
}

std::string short_reason(const std::string& reason) {
  if (reason == "count exceeded") return "count";
  return reason.find("material") != std::string::npos ? "material" : reason;
}

// Members of the corpus that say how a move was chosen or why reading stopped, not what was read.
json without_remarks(json moves) {
  for (json& move : moves) move.erase("ambiguous");
  return moves;
}

class CorpusTest : public testing::TestWithParam<std::string> {
 protected:
  CorpusTest()
      : expected_(json::parse(file_text(std::string(MAKZERO_CORPUS "/") + GetParam() + ".json"))),
        text_(document_text(file_text(std::string(MAKZERO_CORPUS "/") + GetParam()))) {}

  json expected_;
  std::string text_;
};

TEST_P(CorpusTest, IsReadAsItsFactsSay) {
  const std::vector<std::string> games = split_documents(text_);
  if (expected_.contains("error")) {
    const auto refused = read_any_document(games.front(), "");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.why(), HasSubstr(expected_["error"].get<std::string>()));
    return;
  }
  ASSERT_EQ(games.size(), expected_["games"].size());
  for (size_t i = 0; i < games.size(); ++i) {
    const json& facts = expected_["games"][i];
    const auto document = read_any_document(games[i], "");
    ASSERT_TRUE(document) << document.why();
    const json read = document_json(*document);
    EXPECT_EQ(read["game"], facts["game"]);
    EXPECT_EQ(read["tags"], facts["tags"]);
    EXPECT_EQ(read["result"], facts["result"]);
    EXPECT_EQ(read.value("comment", ""), facts.value("comment", ""));
    EXPECT_EQ(facts_of_line(read["line"]), without_remarks(facts["moves"]));
    if (!document->game.actions().empty()) {
      EXPECT_EQ(read.value("dialect", ""), expected_.value("dialect", ""));
    }
    const game::Game& rules = document->game.rules();
    const std::string start = facts.value("start", "");
    EXPECT_EQ(document->game.start(), start.empty() ? rules.initial() : *game::parse_position(rules, start));
    ASSERT_EQ(read.contains("rulesEnd"), facts.contains("rules_end")) << read;
    if (facts.contains("rules_end")) {
      EXPECT_EQ(read["rulesEnd"]["ply"], facts["rules_end"]["ply"]);
      EXPECT_EQ(short_reason(read["rulesEnd"]["reason"]), facts["rules_end"].value("reason", ""));
    }
    EXPECT_EQ(read.contains("fault"), facts.contains("fault") || facts.contains("cut")) << read;
    if (facts.contains("fault")) {
      EXPECT_EQ(read["line"].size(), facts["fault"]["ply"]);
      EXPECT_THAT(read["fault"].get<std::string>(), HasSubstr(facts["fault"]["move"].get<std::string>()));
    }
    if (facts.contains("cut")) {
      EXPECT_THAT(read["fault"].get<std::string>(), HasSubstr("break off"));
    }
  }
}

// What a writer may add to the tags of a file, or change of them.
bool may_be_added(const std::string& name) {
  static const std::vector<std::string> kNames = {"Event", "Site",  "Date",        "Round",
                                                  "White", "Black", "Variant",     "Ruleset",
                                                  "SetUp", "FEN",   "Termination", "Result"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// The document without how it was written down, and with the tags of the first alone.
json essence(const GameDocument& document, const json& tags) {
  json facts = document_json(document);
  for (const char* remark : {"dialect", "guess", "fault"}) facts.erase(remark);
  json kept = json::array();
  for (const json& tag : facts["tags"]) {
    if (tag[0] == "Result") continue;  // In the usual form.
    if (std::find(tags.begin(), tags.end(), tag) != tags.end() || !may_be_added(tag[0])) kept.push_back(tag);
  }
  facts["tags"] = kept;
  return facts;
}

TEST_P(CorpusTest, ComesBackThroughEveryWriter) {
  if (expected_.contains("error")) GTEST_SKIP() << "refused";
  for (const std::string& text : split_documents(text_)) {
    const GameDocument document = *read_any_document(text, "");
    const json tags = document_json(document)["tags"];
    for (const std::string& written :
         {game_pgn(document), game_pgn(document, Notation::kPlayOk), game_pgn(document, Notation::kThai),
          game_pgn(document, Notation::kFigurines), game_text(document), document_json(document).dump()}) {
      const auto again = read_any_document(written, "");
      ASSERT_TRUE(again) << again.why() << "\n" << written;
      EXPECT_EQ(essence(*again, tags), essence(document, tags)) << written;
      EXPECT_TRUE(again->fault.empty() || !document.fault.empty()) << again->fault << "\n" << written;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CorpusTest, testing::ValuesIn(corpus_files()), [](const auto& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace makzero::play
