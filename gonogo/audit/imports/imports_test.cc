// SPDX-License-Identifier: Apache-2.0
// Somebody else's files in, a table that can be audited out.
#include <filesystem>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/imports/arff.h"
#include "gonogo/audit/imports/aslib.h"
#include "gonogo/audit/imports/cluster_rule.h"
#include "gonogo/audit/imports/cost_matrix.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/io/file.h"

namespace gonogo::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ImportsTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(io::MakeDirectory(folder_).ok()); }

  void Write(const std::string& name, std::string_view text) {
    ASSERT_TRUE(io::WriteFile(folder_ / name, text).ok());
  }

  /// Two instances, two algorithms, a cutoff of 100 s; b fails on the first instance.
  void WriteScenario() {
    Write("description.txt", "scenario_id: TINY\nalgorithm_cutoff_time: 100\n");
    Write("algorithm_runs.arff",
          "% runs\n@RELATION runs\n@ATTRIBUTE instance_id STRING\n@ATTRIBUTE repetition NUMERIC\n"
          "@ATTRIBUTE algorithm STRING\n@ATTRIBUTE runtime NUMERIC\n"
          "@ATTRIBUTE runstatus {ok,timeout}\n@DATA\n"
          "'fam one/x',1,a,10,ok\n'fam one/x',1,b,100,timeout\n"
          "two/y,1,a,30,ok\ntwo/y,1,b,20,ok\n");
    Write("feature_values.arff",
          "@RELATION f\n@ATTRIBUTE instance_id STRING\n@ATTRIBUTE repetition NUMERIC\n"
          "@ATTRIBUTE size NUMERIC\n@ATTRIBUTE 'odd name' NUMERIC\n@DATA\n"
          "'fam one/x',1,5,?\ntwo/y,1,7,2\n");
    Write("feature_costs.arff",
          "@RELATION c\n@ATTRIBUTE instance_id STRING\n@ATTRIBUTE repetition NUMERIC\n"
          "@ATTRIBUTE all NUMERIC\n@DATA\n'fam one/x',1,0.5\ntwo/y,1,1.5\n");
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(ImportsTest, ReadsAScenario) {
  WriteScenario();
  const ImportedTable table = ReadAslib(folder_, 1.0).value();
  EXPECT_EQ(table.name, "TINY");
  EXPECT_THAT(table.queries, ElementsAre("fam one/x", "two/y"));
  EXPECT_THAT(table.actions, ElementsAre("a", "b"));
  EXPECT_THAT(table.cost, ElementsAre(10, 100, 30, 20));
  EXPECT_THAT(table.success, ElementsAre(1, 0, 1, 1));
  // The missing value is the median of the others, here the only one.
  EXPECT_THAT(table.features, ElementsAre("size", "odd name", "odd name_missing"));
  EXPECT_THAT(table.values, ElementsAre(5, 2, 1, 7, 2, 0));
  EXPECT_THAT(table.adapter_cost, ElementsAre(0.5, 1.5));
  EXPECT_EQ(CheapestAction(table), "a");
  EXPECT_THAT(ReadAslib(folder_, 10.0).value().cost, ElementsAre(10, 1000, 30, 20));
}

TEST_F(ImportsTest, WhatIsWrittenIsATableThatTheAuditReads) {
  WriteScenario();
  ImportedTable imported = ReadAslib(folder_, 1.0).value();
  imported.clusters = ClusterQueries("directory", imported.queries).value().clusters;
  const Protocol protocol =
      ParseProtocol(ProtocolFor(imported, "b", "folder"), "audit.toml").value();
  const std::string csv = LongCsv(imported);
  const OutcomeTable table = ParseCsvTable(csv, "table.csv", protocol).value();
  EXPECT_THAT(table.actions, ElementsAre("b", "a"));
  EXPECT_THAT(table.clusters, ElementsAre("fam one", "two"));
  EXPECT_THAT(table.adapter_cost, ElementsAre(0.5, 1.5));
  EXPECT_THAT(table.cost, ElementsAre(100, 10, 20, 30));
  EXPECT_THAT(table.features[0].columns, ElementsAre("f_size", "f_odd_name", "f_odd_name_missing"));
}

TEST_F(ImportsTest, SaysWhichRunIsMissing) {
  WriteScenario();
  Write("algorithm_runs.arff",
        "@ATTRIBUTE instance_id STRING\n@ATTRIBUTE algorithm STRING\n@ATTRIBUTE runtime NUMERIC\n"
        "@ATTRIBUTE runstatus {ok}\n@DATA\nx,a,1,ok\nx,b,1,ok\ny,a,1,ok\n");
  EXPECT_THAT(ReadAslib(folder_, 1.0).error().message,
              HasSubstr("no run of algorithm 'b' on instance 'y'"));
  Write("description.txt", "scenario_id: TINY\n");
  EXPECT_THAT(ReadAslib(folder_, 1.0).error().message, HasSubstr("algorithm_cutoff_time is ''"));
  Write("description.txt", "scenario_id: TINY\nalgorithm_cutoff_time: inf\n");
  EXPECT_THAT(ReadAslib(folder_, 1.0).error().message, HasSubstr("algorithm_cutoff_time is 'inf'"));
}

TEST(ArffTest, NamesTheLineOfAMistake) {
  EXPECT_EQ(ParseArff("@attribute a numeric\n@data\n1,2\n", "f.arff").error().message,
            "f.arff:3: found 2 values, expected 1 as declared");
  EXPECT_EQ(ParseArff("@attribute a string\n@data\n'x\n", "f.arff").error().message,
            "f.arff:3: a quote is not closed");
  EXPECT_THAT(ParseArff("a,b\n", "f.arff").error().message, HasSubstr("no line @data"));
  const ArffTable table =
      ParseArff("@Attribute 'A b' real\r\n@DATA\r\n 'it\\'s' \r\n", "f").value();
  EXPECT_THAT(table.attributes, ElementsAre("A b"));
  EXPECT_THAT(table.rows[0], ElementsAre("it's"));
}

TEST(ClusterRuleTest, TellsClustersFromNames) {
  const std::vector<std::string> names = {"a/b/x-1", "a/b/y-2", "c/z-3"};
  EXPECT_THAT(ClusterQueries("directory", names).value().clusters, ElementsAre("a/b", "a/b", "c"));
  EXPECT_THAT(ClusterQueries("before:/", names).value().clusters, ElementsAre("a", "a", "c"));
  EXPECT_THAT(ClusterQueries("regex:/([xyz])-", names).value().clusters,
              ElementsAre("x", "y", "z"));
  EXPECT_THAT(ClusterQueries("each", names).value().clusters, testing::ElementsAreArray(names));
  EXPECT_THAT(ClusterQueries("before:#", names).error().message,
              HasSubstr("query 'a/b/x-1' has no cluster by this rule"));
  EXPECT_THAT(ClusterQueries("regex:(", names).error().message,
              HasSubstr("not a regular expression"));
  EXPECT_THAT(ClusterQueries("famly", names).error().message, HasSubstr("expected directory"));
  EXPECT_THAT(ClusterQueries("blocks:7", names).error().message, HasSubstr("from 2 to the 3"));
}

TEST(ClusterRuleTest, BlocksAreEvenAndDoNotDependOnTheOrderOfAFile) {
  std::vector<std::string> names;
  for (int i = 0; i < 30; ++i) names.push_back(fmt::format("q{}", i));
  const std::vector<std::string> blocks = ClusterQueries("blocks:10", names).value().clusters;
  const std::multiset<std::string> counted(blocks.begin(), blocks.end());
  for (const std::string& block : blocks) EXPECT_EQ(counted.count(block), 3U);
  std::vector<std::string> reversed(names.rbegin(), names.rend());
  std::vector<std::string> again = ClusterQueries("blocks:10", reversed).value().clusters;
  std::reverse(again.begin(), again.end());
  EXPECT_EQ(again, blocks);
}

TEST_F(ImportsTest, JoinsCostsAndFeaturesByQuery) {
  Write("costs.csv", "query,small,large\np1,1.5,9\np2,4,8\n");
  Write("features.csv", "query,cluster,length\np2,acme,7\np1,bond,\n");
  const ImportedTable table =
      ReadCostMatrix(folder_ / "costs.csv", folder_ / "features.csv").value();
  EXPECT_THAT(table.actions, ElementsAre("small", "large"));
  EXPECT_THAT(table.cost, ElementsAre(1.5, 9, 4, 8));
  EXPECT_THAT(table.clusters, ElementsAre("bond", "acme"));
  EXPECT_THAT(table.features, ElementsAre("length", "length_missing"));
  EXPECT_THAT(table.values, ElementsAre(7, 1, 7, 0));
  Write("features.csv", "query,length\np2,7\n");
  EXPECT_THAT(ReadCostMatrix(folder_ / "costs.csv", folder_ / "features.csv").error().message,
              HasSubstr("no row for query 'p1'"));
  Write("costs.csv", "query,small,large\np1,1.5,many\n");
  EXPECT_THAT(ReadCostMatrix(folder_ / "costs.csv", folder_ / "features.csv").error().message,
              HasSubstr("costs.csv:2: column 'large' is 'many', expected a number"));
}

}  // namespace
}  // namespace gonogo::audit
