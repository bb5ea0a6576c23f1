// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/protocol/foreign_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/io/toml/toml.h"
#include "gonogo/io/toml/toml_text.h"

namespace gonogo::audit {
namespace {

TEST(ForeignSectionTest, IsKeptAsWrittenInFileOrder) {
  const Protocol protocol =
      ParseProtocol("[collect]\nseeds = [ 2, 1 ]\nblend = 5e-1\n\"odd key\" = 'x'\n", "a").value();
  EXPECT_THAT(protocol.collect->entries,
              testing::ElementsAre(std::pair("seeds", "[2, 1]"), std::pair("blend", "0.5"),
                                   std::pair("\"odd key\"", "\"x\"")));
  const std::string text = CanonicalText(protocol);
  EXPECT_THAT(text, testing::EndsWith("collect.seeds = [2, 1]\ncollect.blend = 0.5\n"
                                      "collect.\"odd key\" = \"x\"\n"));
  EXPECT_EQ(ParseProtocol(text, "again").value(), protocol);
}

TEST(ForeignSectionTest, IsPartOfTheFingerprintAndOfTheDifferences) {
  const Protocol one = ParseProtocol("[collect]\nblend = 0.5\n", "a").value();
  const Protocol other = ParseProtocol("[collect]\nblend = 0.6\n", "a").value();
  EXPECT_NE(Fingerprint(one), Fingerprint(other));
  EXPECT_THAT(Differences(one, other),
              testing::ElementsAre("collect.blend: declared 0.5, used 0.6"));
  EXPECT_THAT(Differences({}, one),
              testing::ElementsAre("collect.blend: declared nothing, used 0.5"));
}

TEST(ForeignSectionTest, WhoUnderstandsItSpellsItsDefaultsOutAndRefusesMistakes) {
  const SectionReader reader = [](const io::TomlNode& table) {
    return io::TomlEntries{{"blend", io::TomlReal(table.NumberIn("blend", 0.5, 0.0, 1.0))}};
  };
  EXPECT_EQ(ParseProtocol("[collect]\n", "a", reader).value().collect->entries,
            (io::TomlEntries{{"blend", "0.5"}}));
  EXPECT_EQ(ParseProtocol("[collect]\nblend = 2\n", "a", reader).error().message,
            "a:2: collect.blend: found 2, expected a number from 0 to 1");
  EXPECT_EQ(ParseProtocol("[collect]\nbland = 1\n", "a", reader).error().message,
            "a:2: collect.bland: unknown key (did you mean 'blend'?)");
  const Protocol protocol = ParseProtocol("[collect]\n", "a", reader).value();
  EXPECT_EQ(Override(protocol, "collect.blend", "3", reader).error().message,
            "--set collect.blend=3: found 3, expected a number from 0 to 1");
}

TEST(ForeignSectionTest, RefusesWhatHasNoCanonicalText) {
  EXPECT_EQ(ParseProtocol("[collect]\n", "a").error().message,
            "a:1: collect: found an empty section, expected at least one key");
  EXPECT_EQ(ParseProtocol("collect = 5\n", "a").error().message,
            "a:1: collect: found 5, expected a table");
  EXPECT_THAT(ParseProtocol("[collect.inner]\nb = 1\n", "a").error().message,
              testing::HasSubstr("collect.inner: found a table, expected a string"));
}

TEST(ForeignSectionTest, PromisesClustersAndQueries) {
  const PromisedTable promised =
      PromisedBy({{{"seeds", "[1302, 1301]"}, {"queries_per_cluster", "48"}, {"blend", "0.5"}}});
  EXPECT_THAT(promised.clusters, testing::ElementsAre("1302", "1301"));
  EXPECT_EQ(promised.queries_per_cluster, 48U);
}

TEST(ForeignSectionTest, PromisesNothingThatCannotBeUnderstood) {
  const PromisedTable promised =
      PromisedBy({{{"seeds", "[\"a\", 1]"}, {"queries_per_cluster", "\"many\""}}});
  EXPECT_TRUE(promised.clusters.empty());
  EXPECT_FALSE(promised.queries_per_cluster.has_value());
}

}  // namespace
}  // namespace gonogo::audit
