// Languages of what people read: catalogues, the environment, columns of the terminal.
#include "play/language.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "game/catalog.h"
#include "play/system.h"

namespace makzero::play {
namespace {

class LanguageTest : public testing::Test {
 protected:
  LanguageTest() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) unsetenv(name);
  }

  const Language thai_ = *Language::named("th");
};

TEST_F(LanguageTest, ATextIsTranslatedAndAnUnknownOneStaysEnglish) {
  EXPECT_EQ(thai_.text("Black"), "ฝ่ายดำ");
  EXPECT_EQ(thai_.text("no such text"), "no such text");
  EXPECT_EQ(Language().text("Black"), "Black");
}

TEST_F(LanguageTest, APartThatIsATextIsTranslatedToo) {
  const Message sentence = message("{side} is checkmated", {{"side", "Black"}});
  EXPECT_EQ(Language().text(sentence), "Black is checkmated");
  EXPECT_EQ(thai_.text(sentence), "ฝ่ายดำถูกรุกจน");
}

TEST_F(LanguageTest, AMessageFillsItsPlacesAndLeavesOthers) {
  EXPECT_EQ(message("{count} of {all}, {unknown} {", {{"count", 3}, {"all", "{count}"}}).english(),
            "3 of {count}, {unknown} {");
}

TEST_F(LanguageTest, TheFirstVariableThatIsSetDecides) {
  EXPECT_EQ(Language::of_environment().code(), "en");
  setenv("LANG", "th_TH.UTF-8", 1);
  EXPECT_EQ(Language::of_environment().code(), "th");
  setenv("LC_MESSAGES", "km", 1);
  EXPECT_EQ(Language::of_environment().code(), "km");
  setenv("LC_ALL", "C.UTF-8", 1);
  EXPECT_EQ(Language::of_environment().code(), "en");
  setenv("LC_ALL", "", 1);
  EXPECT_EQ(Language::of_environment().code(), "km");
}

TEST_F(LanguageTest, ATitleInALanguageNamesItsRuleset) {
  EXPECT_EQ(ruleset_of_title("หมากรุก"), "makruk");
  EXPECT_EQ(ruleset_of_title("หมากแยก:jump=on,no_progress=60"), "makyek:jump=on,no_progress=60");
  EXPECT_EQ(ruleset_of_title("អុកចត្រង្គ"), "ok");
  for (const char* same : {"makruk", "Thai chess", "makyek,apit", "custodial", "หมาก", ""})
    EXPECT_EQ(ruleset_of_title(same), same);
  for (const char* code : {"th", "km"}) {
    const Language language = *Language::named(code);
    for (const std::string& name : game::ruleset_names()) {
      const std::string title = (*game::make_game(name))->info().title;
      const game::Parsed<game::GamePtr> named = game::make_game(ruleset_of_title(language.text(title)));
      ASSERT_TRUE(named) << title << " in " << code;
      EXPECT_EQ((*named)->info().title, title) << code;
    }
  }
}

TEST_F(LanguageTest, AnUnknownLanguageIsNone) {
  EXPECT_FALSE(Language::named("xx"));
  EXPECT_EQ(language_codes(), "en, th, km");
}

TEST_F(LanguageTest, MarksAboveAndBelowTakeNoColumn) {
  EXPECT_EQ(display_width("help"), 4);
  EXPECT_EQ(display_width("ที่"), 1);      // One letter, a vowel and a tone mark above it.
  EXPECT_EQ(display_width("ฝ่ายดำ"), 5);  // The tone mark is none; sara am is a column of its own.
  EXPECT_EQ(display_width("\xff"), 1);
  EXPECT_EQ(padded("ที่", 4), "ที่   ");
  EXPECT_EQ(padded("help", 2), "help ");
}

}  // namespace
}  // namespace makzero::play
