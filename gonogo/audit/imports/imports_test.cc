// SPDX-License-Identifier: Apache-2.0
// Somebody else's files in, a table that can be audited out.
#include <array>
#include <cmath>
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
  EXPECT_THAT(table.features, ElementsAre("size", "odd name"));
  EXPECT_THAT(table.values, ElementsAre("5", "", "7", "2"));  // what is missing stays so
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
  EXPECT_THAT(table.features[0].columns, ElementsAre("f_size", "f_odd_name"));
  EXPECT_TRUE(std::isnan(table.features[0].values(0, 1)));
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

using Then = MissingCosts::Then;

class CostMatrixTest : public ImportsTest {
 protected:
  Result<ImportedTable> Read(const MissingCosts& missing = {}, bool with_success = false) {
    return ReadCostMatrix({folder_ / "costs.csv", folder_ / "features.csv",
                           with_success ? folder_ / "success.csv" : ""},
                          missing);
  }
  std::string Refusal(bool with_success = false) {
    const Result<ImportedTable> table = Read({}, with_success);
    return table.ok() ? "accepted" : table.error().message;
  }
};

TEST_F(CostMatrixTest, JoinsCostsAndFeaturesByQuery) {
  Write("costs.csv", "query,small,large\np1,1.5,9\np2,4,8\n");
  Write("features.csv", "query,cluster,length\np2,acme,7\np1,bond,\n");
  const ImportedTable table = Read().value();
  EXPECT_THAT(table.actions, ElementsAre("small", "large"));
  EXPECT_THAT(table.cost, ElementsAre(1.5, 9, 4, 8));
  EXPECT_THAT(table.clusters, ElementsAre("bond", "acme"));
  EXPECT_THAT(table.features, ElementsAre("length"));
  EXPECT_THAT(table.values, ElementsAre("", "7"));
  EXPECT_TRUE(table.remarks.empty());
  Write("features.csv", "query,length\np2,7\n");
  EXPECT_THAT(Refusal(), HasSubstr("no row for query 'p1'"));
  Write("features.csv", "query,length\np2,7\np1,3\n");
  Write("costs.csv", "query,small,large\np1,1.5,many\n");
  EXPECT_THAT(Refusal(), HasSubstr("costs.csv:2: column 'large' is 'many', expected a number"));
}

TEST_F(CostMatrixTest, JoinsByTheOnlyColumnThatBothFilesHave) {
  Write("costs.csv", "case;small;large\np1;1,5;9\np2;4;8\n");
  Write("features.csv", "kind,case,cluster,f_length\nx,p2,a,7\ny,p1,b,2\n");
  const ImportedTable table = Read().value();
  EXPECT_THAT(table.cost, ElementsAre(1.5, 9, 4, 8));
  EXPECT_THAT(table.values, ElementsAre("y", "2", "x", "7"));
  EXPECT_THAT(table.remarks, ElementsAre("queries are joined by column 'case'"));
  EXPECT_THAT(LongCsv(table),
              HasSubstr("cluster,query,action,cost,f_kind,f_length\nb,p1,small,1.5,y,2\n"));
  Write("features.csv", "small,case\n1,p1\n2,p2\n");
  EXPECT_THAT(Refusal(), HasSubstr("costs.csv:1: the columns case, small are in"));
  Write("features.csv", "thing\np1\n");
  EXPECT_THAT(Refusal(), HasSubstr("expected one that names the queries"));
}

TEST_F(CostMatrixTest, ReadsWhichActionsSucceeded) {
  Write("costs.csv", "query,cluster,small,large\np1,a,1,9\np2,b,4,8\n");
  Write("features.csv", "query,length\np2,7\np1,3\n");
  Write("success.csv", "query,large,small\np2,1,0\np1,True,true\n");
  EXPECT_THAT(Read({}, true).value().success, ElementsAre(1, 1, 0, 1));
  Write("success.csv", "query,large\np1,1\np2,1\n");
  EXPECT_THAT(Refusal(true), HasSubstr("success.csv:1: no column 'small'"));
  Write("success.csv", "query,large,small\np1,1,perhaps\np2,1,1\n");
  EXPECT_THAT(Refusal(true),
              HasSubstr("success.csv:2: column 'small' is 'perhaps', expected 0 or 1"));
}

TEST_F(CostMatrixTest, AMissingCostMeansWhatSomebodySaysItMeans) {
  Write("costs.csv", "query,cluster,small,large\np1,a,1,\np2,b,4,8\n");
  Write("features.csv", "query,length\np2,7\np1,3\n");
  EXPECT_THAT(Refusal(),
              HasSubstr("costs.csv:2: column 'large' is '', expected the cost of every action: "
                        "--missing leave-out leaves such queries out"));
  const ImportedTable left = Read({Then::kLeaveOut}).value();
  EXPECT_THAT(left.queries, ElementsAre("p2"));
  EXPECT_THAT(left.remarks, ElementsAre(HasSubstr("1 of 2 queries are left out")));
  const ImportedTable priced = Read({Then::kPrice, 50.0}).value();
  EXPECT_THAT(priced.cost, ElementsAre(1, 50, 4, 8));
  EXPECT_THAT(priced.remarks, ElementsAre("1 missing cost(s) count as 50"));
}

class AslibFormsTest : public ImportsTest {
 protected:
  /// Two instances, two algorithms; b fails on x.
  Result<ImportedTable> Read(std::string_view description, std::string_view attribute,
                             const std::array<const char*, 4>& values, double penalty = 1.0) {
    Write("description.txt", fmt::format("scenario_id: FORM\n{}\n", description));
    Write("algorithm_runs.arff",
          fmt::format("@RELATION r\n@ATTRIBUTE instance_id STRING\n@ATTRIBUTE algorithm STRING\n"
                      "@ATTRIBUTE {} NUMERIC\n@ATTRIBUTE runstatus {{ok,timeout}}\n@DATA\n"
                      "x,a,{},ok\nx,b,{},timeout\ny,a,{},ok\ny,b,{},ok\n",
                      attribute, values[0], values[1], values[2], values[3]));
    Write("feature_values.arff",
          "@RELATION f\n@ATTRIBUTE instance_id STRING\n@ATTRIBUTE size NUMERIC\n@DATA\nx,1\ny,2\n");
    return ReadAslib(folder_, penalty);
  }
};

TEST_F(AslibFormsTest, TheMeasureIsTheOneThatTheDescriptionNames) {
  const auto table = Read(
                         "algorithm_cutoff_time: 100\nperformance_measures:\n  - "
                         "cpu_seconds\nmaximize:\n  - false\n"
                         "performance_type:\n  - runtime",
                         "CPU_seconds", {"10", "100", "30", "20"}, 10.0)
                         .value();
  EXPECT_THAT(table.cost, ElementsAre(10, 1000, 30, 20));
  EXPECT_TRUE(table.remarks.empty());
  const auto inline_list = Read("algorithm_cutoff_time: 100\nperformance_measures: [wall, other]",
                                "wall", {"10", "?", "30", "20"});
  EXPECT_THAT(inline_list.value().cost, ElementsAre(10, 100, 30, 20));
}

TEST_F(AslibFormsTest, APar10ColumnIsPenalisedAlready) {
  const auto table = Read("algorithm_cutoff_time: 100\nperformance_measures: PAR10", "PAR10",
                          {"10", "1000", "30", "20"}, 10.0)
                         .value();
  EXPECT_THAT(table.cost, ElementsAre(10, 1000, 30, 20));
  EXPECT_THAT(table.success, ElementsAre(1, 0, 1, 1));
  EXPECT_THAT(table.remarks, ElementsAre(HasSubstr("--par changes nothing")));
}

TEST_F(AslibFormsTest, WithoutACutoffAFailedRunCostsTheWorstThatWasSeen) {
  for (const char* cutoff : {"0", "?"}) {
    const auto table =
        Read(fmt::format("algorithm_cutoff_time: {}\nperformance_measures: runtime", cutoff),
             "runtime", {"10", "?", "30", "20"}, 2.0)
            .value();
    EXPECT_THAT(table.cost, ElementsAre(10, 60, 30, 20));
    EXPECT_THAT(table.remarks, ElementsAre(HasSubstr("a failed one costs 60")));
  }
}

TEST_F(AslibFormsTest, MoreOfAnAccuracyIsBetter) {
  const auto table =
      Read(
          "algorithm_cutoff_time: ?\nperformance_measures:\n- accuracy\nmaximize:\n- true\n"
          "performance_type:\n- solution_quality",
          "accuracy", {"0.75", "?", "0.5", "1"})
          .value();
  EXPECT_THAT(table.cost, ElementsAre(0.25, 0.5, 0.5, testing::DoubleNear(5e-7, 1e-12)));
  EXPECT_THAT(table.remarks,
              testing::Contains("more of 'accuracy' is better: the cost is 1 minus it"));
}

TEST_F(AslibFormsTest, InstancesThatComputingFeaturesSolvedAreLeftOutAndCounted) {
  Write("feature_runstatus.arff",
        "@RELATION s\n@ATTRIBUTE instance_id STRING\n@ATTRIBUTE probing "
        "{ok,presolved}\n@DATA\nx,presolved\ny,ok\n");
  const auto table =
      Read("algorithm_cutoff_time: 100", "runtime", {"10", "100", "30", "20"}).value();
  EXPECT_THAT(table.queries, ElementsAre("y"));
  EXPECT_THAT(table.remarks,
              ElementsAre(HasSubstr("1 instance(s) were solved while their features")));
}

}  // namespace
}  // namespace gonogo::audit
