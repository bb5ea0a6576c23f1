// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/toml/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::io {
namespace {

enum class Colour { kRed, kGreen };

struct Part {
  std::size_t count = 3;
  std::vector<int> widths = {4, 5};
};
struct Group {
  std::string name;
  std::vector<std::string> items;
};
struct Thing {
  std::string name = "thing";
  Colour colour = Colour::kGreen;
  double share = 0.5;
  std::vector<double> sizes = {1.0};
  bool flag = false;
  Part part = {};
  std::vector<Group> groups = {};
};

TomlKeys<Part> PartKeys() {
  return KeysOfAllMembers<Part>(Key("count", &Part::count, Whole{1, 9}, "how many"),
                                Key("widths", &Part::widths, Whole{0}, "how wide"));
}

TomlKeys<Thing> ThingKeys() {
  using W = Thing;
  return KeysOfAllMembers<W>(
      Key("top.name", &W::name, AnyText{}, "what it is called"),
      Key("top.colour", &W::colour, OneOf{{"red", "green"}}, "how it looks"),
      Key("top.share", &W::share, Between{0.0, 1.0}, "how much"),
      Key("top.sizes", &W::sizes, Positive{}, "how large"),
      Key("top.flag", &W::flag, YesNo{}, "whether"), Section("part", &W::part, PartKeys()),
      NamedKeys("groups", "name", &W::groups, &Group::name, &Group::items, SomeTexts{}, "which"));
}

std::string ReadError(std::string_view toml) {
  const TomlDocument document = TomlDocument::Parse(toml, "t").value();
  Thing thing;
  ThingKeys().Read(document.Root(), thing);
  const Status status = document.Finish();
  return status.ok() ? "" : status.error().message;
}

constexpr const char* kDefaults =
    "top.name = \"thing\"\ntop.colour = \"green\"\ntop.share = 0.5\ntop.sizes = [1.0]\n"
    "top.flag = false\npart.count = 3\npart.widths = [4, 5]\n";

TEST(TomlKeysTest, WritesEveryMemberInTheOrderOfTheList) {
  EXPECT_EQ(TomlLines(ThingKeys().Write({})), kDefaults);
  EXPECT_EQ(TomlLines(ThingKeys().Write({.groups = {{"a b", {"c", "d"}}}})),
            std::string(kDefaults) + "groups.\"a b\" = [\"c\", \"d\"]\n");
}

TEST(TomlKeysTest, ReadsWhatIsThereAndLeavesTheRest) {
  const TomlDocument document =
      TomlDocument::Parse(
          "[top]\ncolour = 'red'\nsizes = [2, 3]\n[part]\nwidths = []\n[groups]\nx = ['y']\n", "t")
          .value();
  Thing thing;
  ThingKeys().Read(document.Root(), thing);
  EXPECT_TRUE(document.Finish().ok());
  EXPECT_EQ(thing.colour, Colour::kRed);
  EXPECT_EQ(thing.sizes, (std::vector<double>{2.0, 3.0}));
  EXPECT_TRUE(thing.part.widths.empty());
  EXPECT_EQ(thing.part.count, 3U);
  ASSERT_EQ(thing.groups.size(), 1U);
  EXPECT_EQ(thing.groups[0].name, "x");
  EXPECT_EQ(thing.name, "thing");
}

TEST(TomlKeysTest, NamesUnknownKeysAndValuesThatAreNotAllowed) {
  EXPECT_EQ(ReadError("[part]\ncont = 1\n"), "t:2: part.cont: unknown key (did you mean 'count'?)");
  EXPECT_EQ(ReadError("[part]\ncount = 10\n"),
            "t:2: part.count: found 10, expected a whole number from 1 to 9");
  EXPECT_EQ(ReadError("[part]\nwidths = [1, -2]\n"),
            "t:2: part.widths: found -2, expected whole numbers of 0 or more");
  EXPECT_EQ(ReadError("[part]\nwidths = [1e300]\n"),
            "t:2: part.widths: found 1e+300, expected whole numbers of 0 or more");
  EXPECT_EQ(ReadError("top.share = nan\n"),
            "t:1: top.share: found nan, expected a number from 0 to 1");
  EXPECT_EQ(ReadError("top.sizes = []\n"),
            "t:1: top.sizes: expected a list of numbers greater than 0");
  EXPECT_EQ(ReadError("top.colour = 'gren'\n"),
            "t:1: top.colour: found \"gren\", expected one of red, green (did you mean 'green'?)");
  EXPECT_EQ(ReadError("groups.a = []\n"),
            "t:1: groups.a: found an empty list, expected at least one text");
}

TEST(TomlKeysTest, DescribesEveryKeyForTheDocs) {
  const auto row = [](const TomlKeyRow& r) {
    return r.key + " / " + r.fallback + " / " + r.allowed + " / " + r.meaning;
  };
  std::vector<std::string> rows;
  for (const TomlKeyRow& each : ThingKeys().Describe()) rows.push_back(row(each));
  EXPECT_THAT(rows, testing::ElementsAre(
                        "top.name / \"thing\" / text / what it is called",
                        "top.colour / \"green\" / `red` or `green` / how it looks",
                        "top.share / 0.5 / 0 to 1 / how much",
                        "top.sizes / [1.0] / list of numbers greater than 0 / how large",
                        "top.flag / false / `true` or `false` / whether",
                        "part.count / 3 / whole, 1 to 9 / how many",
                        "part.widths / [4, 5] / list of whole numbers, 0 or more / how wide",
                        "groups.<name> /  / list of one text or more / which"));
}

}  // namespace
}  // namespace gonogo::io
