// Text as Notepad, old Macs and downloads write it.
#include "game/plain_text.h"

#include <gtest/gtest.h>

namespace makzero::game {
namespace {

using std::string_view_literals::operator""sv;

// The text in UTF-16 with a byte order mark.
std::string utf16(std::u16string_view text, bool big) {
  std::string bytes;
  for (const char16_t unit : u"\uFEFF" + std::u16string(text)) {
    const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xFF);
    bytes += {big ? high : low, big ? low : high};
  }
  return bytes;
}

TEST(PlainTextTest, EveryEndOfALineBecomesLF) {
  EXPECT_EQ(plain_text("a\nb\n"), "a\nb\n");
  EXPECT_EQ(plain_text("a\r\nb\r\n"), "a\nb\n");
  EXPECT_EQ(plain_text("a\rb\r"), "a\nb\n");
  EXPECT_EQ(plain_text("a\r\r\nb\r\r\n"), "a\nb\n");
  EXPECT_EQ(plain_text("a\r\rb"), "a\n\nb") << "an empty line of an old Mac";
}

TEST(PlainTextTest, WordsStandBetweenBlanksAndEndsOfLines) {
  EXPECT_EQ(words_of(" e3e4\t\r\n e5  e6\n"), (std::vector<std::string_view>{"e3e4", "e5", "e6"}));
  EXPECT_TRUE(words_of(" \n").empty());
}

TEST(PlainTextTest, TrimmedTextHasNoBlanksAroundIt) {
  EXPECT_EQ(trimmed("\t e3e4 \n e5\r\n"), "e3e4 \n e5");
  EXPECT_EQ(trimmed("e5"), "e5");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(PlainTextTest, LoweredTextHasNoCapitalsOfAscii) {
  EXPECT_EQ(lowered("UCI_Variant-AZ@[`{"), "uci_variant-az@[`{");
  EXPECT_EQ(lowered("Ünal"), "Ünal");
}

TEST(PlainTextTest, AByteOrderMarkIsLeftOut) {
  EXPECT_EQ(plain_text("\xEF\xBB\xBF[Event \"?\"]\r\n"), "[Event \"?\"]\n");
  EXPECT_EQ(plain_text("\xEF\xBB\xBF"), "");
  EXPECT_EQ(plain_text("a\xEF\xBB\xBF"), "a\xEF\xBB\xBF") << "a mark is at the beginning";
}

TEST(PlainTextTest, Utf16OfEitherOrderIsConverted) {
  for (const bool big : {false, true}) {
    EXPECT_EQ(plain_text(utf16(u"White \"é ม็ 😀\"\r\nx", big)), "White \"é ม็ 😀\"\nx");
    EXPECT_EQ(plain_text(utf16(std::u16string{0xD83D, 'a', 0xDE00, 0xD83D}, big)), "\uFFFDa\uFFFD\uFFFD")
        << "halves of pairs";
    EXPECT_EQ(plain_text(utf16(u"a", big) + "b"), "a\uFFFD") << "half a unit";
    EXPECT_EQ(plain_text(utf16(u"", big)), "");
  }
}

TEST(PlainTextTest, OtherBytesStayAsTheyAre) {
  EXPECT_EQ(plain_text("\xa1\xd2\0\xff"sv), "\xa1\xd2\0\xff"sv);
  EXPECT_EQ(plain_text(""), "");
}

}  // namespace
}  // namespace makzero::game
