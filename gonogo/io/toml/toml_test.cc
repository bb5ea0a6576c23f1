// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/toml/toml.h"

#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gonogo::io {
namespace {

TomlDocument Parsed(std::string_view text) {
  Result<TomlDocument> document = TomlDocument::Parse(text, "p.toml");
  EXPECT_TRUE(document.ok());
  return std::move(document).value();
}

std::string MessageOf(const TomlDocument& document) {
  const Status status = document.Finish();
  return status.ok() ? "ok" : status.error().message;
}

TEST(TomlDocumentTest, ReadsEveryTypeAndFallsBackWhenAKeyIsAbsent) {
  const TomlDocument document = Parsed(
      "a = 1\nb = 2.5\nc = true\nd = \"x\"\ne = [1, 2.5]\nf = [\"u\", \"v\"]\n"
      "[t]\nk = 3\n[[row]]\nn = 1\n[[row]]\nn = 2\n");
  const TomlNode root = document.Root();
  EXPECT_EQ(root.Integer("a", 0), 1);
  EXPECT_EQ(root.Number("a", 0), 1.0);
  EXPECT_EQ(root.Number("b", 0), 2.5);
  EXPECT_TRUE(root.Bool("c", false));
  EXPECT_EQ(root.String("d", ""), "x");
  EXPECT_EQ(root.Numbers("e", {}), (std::vector<double>{1.0, 2.5}));
  EXPECT_EQ(root.Strings("f", {}), (std::vector<std::string>{"u", "v"}));
  EXPECT_EQ(root.Table("t").Integer("k", 0), 3);
  ASSERT_EQ(root.Tables("row").size(), 2U);
  EXPECT_EQ(root.Tables("row")[0].Integer("n", 0), 1);
  EXPECT_EQ(root.Tables("row")[1].Integer("n", 0), 2);
  EXPECT_EQ(root.Number("absent", 7.0), 7.0);
  EXPECT_EQ(root.Table("absent").Number("k", 8.0), 8.0);
  EXPECT_EQ(root.Keys(), (std::vector<std::string>{"a", "b", "c", "d", "e", "f", "t", "row"}));
  EXPECT_EQ(MessageOf(document), "ok");
}

TEST(TomlDocumentTest, OneNumberStandsForAllOfAListAndAWrongCountIsNamed) {
  const TomlDocument document = Parsed("one = 2\nthree = [1, 2, 3]\n");
  EXPECT_EQ(document.Root().NumbersFor("one", 3, {}), (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(document.Root().NumbersFor("three", 3, {}), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(MessageOf(document), "ok");
  (void)document.Root().NumbersFor("three", 4, {});
  EXPECT_EQ(MessageOf(document), "p.toml:2: three: found 3 numbers, expected 4 (or one for all)");
}

TEST(TomlDocumentTest, ReadsRowsOfNumbersAndNamesARowOfTheWrongLength) {
  const TomlDocument document = Parsed("good = [[1, 2], [3, 4]]\nbad = [[1, 2], [3]]\n");
  EXPECT_EQ(document.Root().NumberRows("good", 2),
            (std::vector<std::vector<double>>{{1, 2}, {3, 4}}));
  EXPECT_TRUE(document.Root().NumberRows("bad", 2).empty());
  EXPECT_EQ(MessageOf(document), "p.toml:2: bad: found [3], expected a list of lists of 2 numbers");
}

std::string Repeated(std::string_view part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

TEST(TomlDocumentTest, RefusesKeysOfTooManyPartsInsteadOfOverflowingTheStack) {
  const std::string message = "p.toml:3: a dotted key has more than 64 parts";
  for (const std::string part : {"a.", "a .\t", "\"a b\".", "'#'."}) {
    const std::string key = Repeated(part, 1'000'000) + "a";
    for (const std::string& line : {key + " = 1", "[" + key + "]", "[[" + key + "]]",
                                    "x = {y = \"\"\"z\"\"\"\", " + key + " = 1}"}) {
      const Result<TomlDocument> deep = TomlDocument::Parse("b = 1\n\n" + line + "\n", "p.toml");
      ASSERT_FALSE(deep.ok());
      EXPECT_EQ(deep.error().message, message);
    }
  }
}

TEST(TomlDocumentTest, CountsOnlyTheDotsOfKeys) {
  const std::string dots = Repeated("a.", 1000);
  const TomlDocument document =
      Parsed("# " + dots + "\ns = \"\\\"" + dots + "\"\nm = \"\"\"\n" + dots + "\"\"\"\nl = '" +
             dots + "'\nn = [" + Repeated("0.5, ", 1000) + "]\n" + Repeated("a.", 62) + "a = 1\n");
  EXPECT_EQ(document.Root().String("l", ""), dots);
  EXPECT_EQ(document.Root().Numbers("n", {}).size(), 1000U);
}

TEST(TomlDocumentTest, RefusesValuesNestedTooDeep) {
  for (const auto& [open, close] : {std::pair{"[", "]"}, std::pair{"{a = ", "}"}}) {
    const std::string text = "a = " + Repeated(open, 100'000) + "1" + Repeated(close, 100'000);
    const Result<TomlDocument> deep = TomlDocument::Parse(text, "p.toml");
    ASSERT_FALSE(deep.ok());
    EXPECT_EQ(deep.error().message.rfind("p.toml:1: not valid TOML", 0), 0U);
    EXPECT_LT(deep.error().message.size(), 400U);
  }
}

TEST(TomlDocumentTest, ShowsWhatItFoundWhateverItIs) {
  const auto found = [](std::string_view value) {
    const TomlDocument document = Parsed(fmt::format("k = {}\n", value));
    (void)document.Root().Table("k");
    const std::string message = MessageOf(document);
    return message.substr(0, message.find(", expected"));
  };
  EXPECT_EQ(found("0.001"), "p.toml:1: k: found 0.001");
  EXPECT_EQ(found("-9223372036854775808"), "p.toml:1: k: found -9223372036854775808");
  EXPECT_EQ(found("'x'"), "p.toml:1: k: found 'x'");
  EXPECT_EQ(found("false"), "p.toml:1: k: found false");
  EXPECT_EQ(found("1979-05-27"), "p.toml:1: k: found a date or time");
  EXPECT_EQ(found("[1, [-0.5, 'y'], {a = 1}]"), "p.toml:1: k: found [1, [-0.5, 'y'], a table]");
  EXPECT_EQ(found(fmt::format("'{}'", std::string(100, 'z'))),
            fmt::format("p.toml:1: k: found '{}...'", std::string(57, 'z')));
}

TEST(TomlDocumentTest, ARequiredKeyOfAnAbsentTableIsMissed) {
  const TomlDocument document = Parsed("a = 1\n");
  EXPECT_EQ(document.Root().Integer("a", 0), 1);
  EXPECT_EQ(document.Root().Table("t").Require("k").Integer("k", 5), 5);
  EXPECT_EQ(MessageOf(document), "p.toml: t.k: this key is required");
}

TEST(TomlDocumentTest, NamesTheLineOfABrokenFile) {
  const Result<TomlDocument> broken = TomlDocument::Parse("a = 1\nb = \n", "p.toml");
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().message.rfind("p.toml:2: not valid TOML", 0), 0U);
}

TEST(TomlDocumentTest, AcceptsEveryLetterInStringsAndCommentsAndNowhereElse) {
  const TomlDocument document = Parsed("a = \"größer\" # ѱ\nb = 'é'\nc = \"\"\"\nё \\\"\"\"\"\n");
  EXPECT_EQ(document.Root().String("a", ""), "größer");
  EXPECT_EQ(document.Root().String("b", ""), "é");
  EXPECT_EQ(document.Root().String("c", ""), "ё \"");
  EXPECT_EQ(Parsed("d = \"\"\"ä\\\n\n  é𝄞\"\"\"\n").Root().String("d", ""), "äé𝄞");
  for (const char* stray : {"P5ѱ", "a = 1\né = 2\n", "a = \"x\" ё\n", "[= 1\n"}) {
    EXPECT_FALSE(TomlDocument::Parse(stray, "p.toml").ok()) << stray;
  }
}

TEST(TomlDocumentTest, NamesAWrongTypeAndWhatWasExpected) {
  const TomlDocument document = Parsed("[protocol]\nkappa = \"five\"\n");
  (void)document.Root().Table("protocol").Number("kappa", 0.05);
  EXPECT_EQ(MessageOf(document), "p.toml:2: protocol.kappa: found 'five', expected a number");
}

TEST(TomlDocumentTest, NamesAValueOutOfRange) {
  const TomlDocument document = Parsed("kappa = 1.5\n");
  EXPECT_EQ(document.Root().NumberIn("kappa", 0.05, 0.0, 1.0), 0.05);
  EXPECT_EQ(MessageOf(document), "p.toml:1: kappa: found 1.5, expected a number from 0 to 1");
}

TEST(TomlDocumentTest, ALimitNobodyReachesIsNotPartOfTheMessage) {
  const TomlDocument document = Parsed("seed = -1\n");
  EXPECT_EQ(document.Root().IntegerIn("seed", 7, 0, std::numeric_limits<std::int64_t>::max()), 7);
  EXPECT_EQ(MessageOf(document), "p.toml:1: seed: found -1, expected a whole number of 0 or more");
}

TEST(TomlDocumentTest, PassesValuesOnAsTextWithoutUnderstandingThem) {
  const TomlDocument document =
      Parsed("a = 0x10\nb = 1e3\nc = 'x\"y'\nd = [ 1, [2.5,true], ]\ne = [{f = 1}]\n");
  const TomlNode root = document.Root();
  EXPECT_EQ(root.ValueText("a"), "16");
  EXPECT_EQ(root.ValueText("b"), "1000.0");
  EXPECT_EQ(root.ValueText("c"), "\"x\\\"y\"");
  EXPECT_EQ(root.ValueText("d"), "[1, [2.5, true]]");
  EXPECT_EQ(root.ValueText("absent"), "");
  (void)root.ValueText("e");
  EXPECT_EQ(MessageOf(document),
            "p.toml:5: e: found a table, expected a string, a number, true, false, or a list of "
            "these");
}

TEST(TomlDocumentTest, NamesAnUnknownKeyAndTheNearestKnownOne) {
  const TomlDocument document = Parsed("[protocol]\nkapa = 0.05\n");
  (void)document.Root().Table("protocol").Number("kappa", 0.05);
  EXPECT_EQ(MessageOf(document), "p.toml:2: protocol.kapa: unknown key (did you mean 'kappa'?)");
}

TEST(TomlDocumentTest, NamesAMissingKeyAndAnUnknownChoice) {
  const TomlDocument missing = Parsed("[protocol]\n");
  missing.Root().Table("protocol").Require("reference");
  EXPECT_EQ(MessageOf(missing), "p.toml:1: protocol.reference: this key is required");

  const TomlDocument wrong = Parsed("kind = \"mpl\"\n");
  (void)wrong.Root().Choice("kind", "mlp", {"mlp", "ridge", "trees"});
  EXPECT_EQ(
      MessageOf(wrong),
      "p.toml:1: kind: found \"mpl\", expected one of mlp, ridge, trees (did you mean 'mlp'?)");
}

}  // namespace
}  // namespace gonogo::io
