// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <regex>

#include "base/process.hpp"

namespace tpuctl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Text, Split) {
  EXPECT_THAT(text::split("", ','), IsEmpty());
  EXPECT_THAT(text::split("a", ','), ElementsAre("a"));
  EXPECT_THAT(text::split("a,", ','), ElementsAre("a", ""));
  EXPECT_THAT(text::split(",,", ','), ElementsAre("", "", ""));
  EXPECT_EQ(text::join({"a", "", "b"}, ", "), "a, , b");
  EXPECT_EQ(text::join({}, ","), "");
}

TEST(Text, TrimAndCase) {
  EXPECT_EQ(text::trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(text::trim(" \n"), "");
  EXPECT_EQ(text::lower("ÄbC-1"), "Äbc-1") << "ASCII only";
  EXPECT_EQ(text::upper("äbC-1"), "äBC-1");
  EXPECT_EQ(text::replace_all("aXbXX", "X", "XY"), "aXYbXYXY");
  EXPECT_EQ(text::replace_all("aaa", "aa", ""), "a");
}

TEST(Text, NumbersAsTheyAreWritten) {
  for (const auto& [typed, value] : std::vector<std::pair<std::string, double>>{
           {"0", 0}, {"42", 42}, {"-7.25", -7.25}, {".5", 0.5}, {"5.", 5}, {"1e3", 1000}, {"2E-2", 0.02}, {"1e400", INFINITY}, {"-1e400", -INFINITY}}) {
    EXPECT_EQ(text::parse_number(typed), value) << typed;
  }
  for (const char* wrong : {"", "-", ".", "+1", " 1", "1 ", "inf", "nan", "0x10", "1e", "1e+", "e3", "--1", "1.2.3"}) {
    EXPECT_FALSE(text::parse_number(wrong)) << wrong;
  }
  EXPECT_FALSE(text::parse_number("1e3", true)) << "an exponent is no part of a fixed number";
  std::string_view rest = "1.5e3h";
  EXPECT_EQ(text::take_number(rest, true), 1.5);
  EXPECT_EQ(rest, "e3h");
  rest = "x";
  EXPECT_FALSE(text::take_number(rest));
  EXPECT_EQ(rest, "x");
}

TEST(Text, WholeNumbersOnly) {
  EXPECT_EQ(text::parse_int("42"), 42);
  EXPECT_EQ(text::parse_int("-7"), -7);
  EXPECT_EQ(text::parse_int("9223372036854775807"), 9223372036854775807);
  for (const char* wrong : {"", " 1", "1 ", "+1", "0x1", "1.0", "one", "-", "9223372036854775808"}) {
    EXPECT_FALSE(text::parse_int(wrong)) << wrong;
  }
}

TEST(Text, PlainWordsStayAsTheyAre) {
  for (const char* word : {"a", "--x=y", "/usr/bin", "a@b:c", "1,2", "a%b", "x_y.z"}) EXPECT_EQ(text::shell_quote(word), word);
  EXPECT_EQ(text::shell_quote(""), "''");
  EXPECT_EQ(text::shell_join({"echo", "a  b", "it's"}), "echo 'a  b' 'it'\\''s'");
}

TEST(Text, AShellReadsAQuotedWordAsItWas) {
  for (const std::string word : {"", " ", "a b", "'", "''", "\"", "$HOME", "`id`", "$(id)", "a\nb", "\\", "\\n", "*", "~", "~root", "#x", "!x", "a;b",
                                 "a&b", "a|b", "<x", "{a,b}", "[a]", "?", "\t", "한글", "-n", "\x01", "a'b\"c$d"}) {
    process::Spec spec;
    spec.argv = {"/bin/sh", "-c", "printf '%s|' " + text::shell_join({word, "end"})};
    EXPECT_EQ(process::run(spec).out, word + "|end|") << word;
  }
}

TEST(Text, Percent) {
  EXPECT_EQ(text::percent_encode("aZ09-_.~"), "aZ09-_.~");
  EXPECT_EQ(text::percent_encode("a b/c?d=e&f+g%é"), "a%20b%2Fc%3Fd%3De%26f%2Bg%25%C3%A9");
  EXPECT_EQ(text::percent_encode(std::string("\0\xff", 2)), "%00%FF");
  EXPECT_EQ(text::percent_decode("a%20b%2fc%C3%A9"), "a b/cé");
  for (const char* broken : {"%", "%4", "a%", "%zz", "%4z", "%-1", "% 1"}) EXPECT_EQ(text::percent_decode(broken), broken);
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  EXPECT_EQ(text::percent_decode(text::percent_encode(all)), all);
}

TEST(Text, NothingFromTheNetworkMovesTheCursor) {
  EXPECT_EQ(text::printable("plain é 한 😀\ttab\nline"), "plain é 한 😀\ttab\nline");
  EXPECT_EQ(text::printable("\x1b[2J\x1b]0;title\x07"), "\\x1b[2J\\x1b]0;title\\x07");
  EXPECT_EQ(text::printable("a\rb\bc\x7f"), "a\\x0db\\x08c\\x7f");
  EXPECT_EQ(text::printable("\xC2\x9B"
                            "31m"),
            "\\x9b31m")
      << "the one-character CSI";
  EXPECT_EQ(text::printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(text::printable("\x9b" "2J \xe9t\xe9 \xE2\x82\xAC\x9b"), "\\x9b2J \xe9t\xe9 \xE2\x82\xAC\\x9b") << "by itself it is one, too";
  EXPECT_EQ(text::printable("\xC2\xA0"), "\xC2\xA0") << "a no-break blank is no control character";
  for (int c = 0; c < 256; ++c) {
    for (const char made : text::printable(std::string(1, static_cast<char>(c)))) {
      const bool control = (static_cast<unsigned char>(made) < 0x20 && made != '\n' && made != '\t') || made == 0x7f;
      EXPECT_FALSE(control) << c;
    }
  }
}

TEST(Text, ClipCutsBetweenCharacters) {
  EXPECT_EQ(text::clip("abc", 5), "abc");
  EXPECT_EQ(text::clip("abc", 2), "ab");
  EXPECT_EQ(text::clip("aé", 2), "a");
  EXPECT_EQ(text::clip("aé", 3), "aé");
  EXPECT_EQ(text::clip("😀", 3), "");
  EXPECT_EQ(text::clip("abc", 0), "");
}

TEST(Text, Sha256) {
  EXPECT_EQ(text::sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(text::sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

struct Split {
  const char* line;
  std::vector<std::string> words;
};

TEST(Text, ACommandLineIsSplitAsAShellDoes) {
  const Split cases[] = {{"", {}},
                         {"  a  b\tc\n", {"a", "b", "c"}},
                         {"a 'b c' \"d e\"", {"a", "b c", "d e"}},
                         {"a'b'\"c\"d", {"abcd"}},
                         {"'' \"\"", {"", ""}},
                         {R"(a\ b 'c\d' "e\"f\g\\")", {"a b", "c\\d", "e\"f\\g\\"}},
                         {"$HOME `x` *", {"$HOME", "`x`", "*"}}};
  for (const Split& one : cases) EXPECT_EQ(text::shell_split(one.line), one.words) << one.line;
  for (const char* wrong : {"'a", "\"a", "a\\"}) EXPECT_FALSE(text::shell_split(wrong)) << wrong;
}

TEST(Text, Base64) {
  const std::pair<std::string, std::string> cases[] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"\xfb\xff\xfe", "+//+"}};
  for (const auto& [plain, coded] : cases) {
    EXPECT_EQ(text::base64(plain), coded);
    EXPECT_EQ(text::from_base64url(text::base64url(plain)), plain);
  }
  EXPECT_EQ(text::base64url("\xfb\xff\xfe"), "-__-");
  EXPECT_EQ(text::base64url("fo"), "Zm8");
  for (const char* wrong : {"a", "Zm8=", "+//+", "Zm9v!", "Zm 9", "abcde"}) EXPECT_FALSE(text::from_base64url(wrong)) << wrong;
}

TEST(Text, RandomThings) {
  const std::regex shape("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  const std::string first = text::uuid4();
  EXPECT_TRUE(std::regex_match(first, shape)) << first;
  EXPECT_NE(first, text::uuid4());
  for (int i = 0; i < 1000; ++i) {
    const double value = text::random_unit();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
  }
}

}  // namespace
}  // namespace tpuctl::test
