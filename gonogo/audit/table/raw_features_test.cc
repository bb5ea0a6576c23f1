// SPDX-License-Identifier: Apache-2.0
// Features that are more than numbers, from a CSV table and to an HDF5 one.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/session/cluster_hashes.h"
#include "gonogo/audit/table/table_reader.h"

namespace gonogo::audit {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Six queries in two clusters; the cells of one feature, one per query.
std::string Csv(const std::vector<std::string>& cells, const std::string& name = "f_x") {
  std::string csv = "cluster,query,action,cost," + name + "\n";
  for (std::size_t query = 0; query < cells.size(); ++query) {
    for (const char* action : {"a", "b"}) {
      csv += fmt::format("c{},q{},{},{},{}\n", query / 3, query, action, query + 1, cells[query]);
    }
  }
  return csv;
}

Result<OutcomeTable> Read(const std::vector<std::string>& cells, const TableColumns& columns = {}) {
  Protocol protocol;
  protocol.table = columns;
  return ParseCsvTable(Csv(cells), "t.csv", protocol);
}

std::string Refusal(const std::vector<std::string>& cells, const TableColumns& columns = {}) {
  const Result<OutcomeTable> table = Read(cells, columns);
  return table.ok() ? "accepted" : table.error().message;
}

std::vector<float> Column(const OutcomeTable& table, Eigen::Index column = 0) {
  std::vector<float> values;
  for (Eigen::Index row = 0; row < table.features[0].values.rows(); ++row) {
    values.push_back(table.features[0].values(row, column));
  }
  return values;
}

TEST(RawFeaturesTest, AnEmptyCellIsAMissingNumberAndIsSaid) {
  const OutcomeTable table = Read({"1", "", "NA", "4", "5", "6"}).value();
  const std::vector<float> values = Column(table);
  EXPECT_EQ(values[0], 1.0F);
  EXPECT_TRUE(std::isnan(values[1]) && std::isnan(values[2]));
  EXPECT_THAT(table.features[0].levels, IsEmpty());
  EXPECT_THAT(table.notes, Contains(HasSubstr("miss values")));
  EXPECT_THAT(table.notes, Contains(HasSubstr("f_x (2 of 6)")));
}

TEST(RawFeaturesTest, TextsThatRecurAreACategoryInNaturalOrder) {
  const OutcomeTable table = Read({"r10", "r2", "r2", "r10", "", "r2"}).value();
  EXPECT_THAT(table.features[0].levels, ElementsAre(ElementsAre("r2", "r10")));
  const std::vector<float> values = Column(table);
  EXPECT_EQ(values[0], 1.0F);
  EXPECT_EQ(values[1], 0.0F);
  EXPECT_TRUE(std::isnan(values[4]));
  EXPECT_THAT(table.notes, Contains(HasSubstr("f_x (2 levels)")));
}

TEST(RawFeaturesTest, TrueAndFalseAreNumbers) {
  EXPECT_THAT(Column(Read({"True", "False", "true", "FALSE", "True", "False"}).value()),
              ElementsAre(1.0F, 0.0F, 1.0F, 0.0F, 1.0F, 0.0F));
}

TEST(RawFeaturesTest, ATextBesideTrueAndFalseIsRefusedInEitherOrder) {
  EXPECT_THAT(Refusal({"True", "maybe", "False", "True", "maybe", "False"}),
              HasSubstr("t.csv:4: column 'f_x' is 'maybe', expected true or false as on line 2"));
  EXPECT_THAT(Refusal({"maybe", "True", "False", "True", "maybe", "False"}),
              HasSubstr("t.csv:4: column 'f_x' is 'True', expected a text as on line 2"));
}

TEST(RawFeaturesTest, TextsThatHardlyRecurAreLeftOutWithALineThatNamesThem) {
  const OutcomeTable table = Read({"a b", "c d", "e f", "g h", "i j", "k l"}).value();
  EXPECT_THAT(table.features, IsEmpty());
  EXPECT_THAT(table.notes, Contains(HasSubstr("feature 'f_x' holds texts (6 different ones in 6 "
                                              "cells, such as 'a b') and is left out")));
}

TEST(RawFeaturesTest, ATextAmongNumbersIsATypingErrorUntilSomebodySaysOtherwise) {
  EXPECT_EQ(Refusal({"1", "2", "$8.72", "4", "5", "6"}),
            "t.csv:6: column 'f_x' is '$8.72', expected a number as on line 2, or nothing where it "
            "is missing; if the column is a category, name it in table.categories");
  EXPECT_EQ(Refusal({"x", "x", "7", "x", "x", "x"}),
            "t.csv:6: column 'f_x' is '7', expected a text as on line 2; if the column is a "
            "category, name it in table.categories");
  TableColumns declared;
  declared.categories = {"f_*"};
  EXPECT_THAT(Read({"x", "x", "7", "x", "10", "x"}, declared).value().features[0].levels,
              ElementsAre(ElementsAre("7", "10", "x")));
}

TEST(RawFeaturesTest, ADeclaredDateBecomesDaysWeekdayAndHour) {
  TableColumns declared;
  declared.dates = {"f_x"};
  const OutcomeTable table =
      Read({"2000-01-02T06:00", "2000-01-03", "", "2000-01-05", "2000-01-06", "2000-01-07"},
           declared)
          .value();
  EXPECT_THAT(table.features[0].columns, ElementsAre("f_x.days", "f_x.weekday", "f_x.hour"));
  EXPECT_EQ(Column(table, 0)[0], 1.25F);
  EXPECT_EQ(Column(table, 1)[1], 1.0F);
  EXPECT_EQ(Column(table, 2)[0], 6.0F);
  EXPECT_TRUE(std::isnan(Column(table, 2)[2]));
  EXPECT_EQ(Refusal({"2000-01-02", "03/04/24", "", "", "", ""}, declared),
            "t.csv:4: column 'f_x' is '03/04/24', expected a date such as 2024-03-01 or "
            "2024-03-01T12:30 (table.dates)");
}

TEST(RawFeaturesTest, AnUndeclaredDateIsLeftOutWithTheKeyThatTakesIt) {
  const OutcomeTable table =
      Read({"2000-01-02", "2000-01-02", "2000-01-02", "2000-01-05", "2000-01-05", "2000-01-05"})
          .value();
  EXPECT_THAT(table.features, IsEmpty());
  EXPECT_THAT(table.notes, Contains(HasSubstr("name it in table.dates")));
}

TEST(RawFeaturesTest, ADeclaredColumnHasToBeAFeature) {
  TableColumns declared;
  declared.categories = {"cluster"};
  EXPECT_THAT(Refusal({"1", "2", "3", "4", "5", "6"}, declared),
              HasSubstr("t.csv: no feature fits 'cluster' of table.categories"));
  declared.categories = {"f_x"};
  declared.dates = {"f_*"};
  EXPECT_EQ(Refusal({"1", "2", "3", "4", "5", "6"}, declared),
            "t.csv: column 'f_x' is in table.categories and in table.dates, expected one");
}

TEST(RawFeaturesTest, Hdf5KeepsLevelsAndWhatIsMissing) {
  const OutcomeTable table = Read({"north", "south", "", "north", "south", "north"}).value();
  const std::string path = testing::TempDir() + "/raw_features.h5";
  ASSERT_TRUE(WriteTable(table, path).ok());
  const OutcomeTable again = ReadTable(path, {}).value().table;
  EXPECT_EQ(again.features[0].levels, table.features[0].levels);
  EXPECT_EQ(Column(again)[0], Column(table)[0]);
  EXPECT_TRUE(std::isnan(Column(again)[2]));
  EXPECT_EQ(ClusterHashes(again), ClusterHashes(table));
}

TEST(RawFeaturesTest, AClusterKeepsItsHashWhenAnotherOneBringsANewLevel) {
  const auto before = ClusterHashes(Read({"m", "n", "m", "n", "n", "m"}).value());
  const auto after = ClusterHashes(Read({"m", "n", "m", "a", "a", "m"}).value());
  EXPECT_EQ(before.at("c0"), after.at("c0"));
  EXPECT_NE(before.at("c1"), after.at("c1"));
}

TEST(WideTableTest, AStarInTheCostStandsForTheActions) {
  const char* csv =
      "cluster,cost_fast,cost_safe,ok_safe,ok_fast,f_x,cost_note\n"
      "c,1,2,1,0,5,\nc,3,4,1,1,6,\nd,5,6,0,1,7,\n";
  Protocol protocol;
  protocol.table.cost = "cost_*";
  protocol.table.success = "ok_*";
  protocol.actions = {"safe", "fast"};
  const OutcomeTable table = ParseCsvTable(csv, "t.csv", protocol).value();
  EXPECT_THAT(table.actions, ElementsAre("safe", "fast"));
  EXPECT_THAT(table.cost, ElementsAre(2, 1, 4, 3, 6, 5));
  EXPECT_THAT(table.success, ElementsAre(1, 0, 1, 1, 0, 1));
  EXPECT_THAT(table.queries, ElementsAre("row 2", "row 3", "row 4"));
  EXPECT_THAT(Column(table), ElementsAre(5.0F, 6.0F, 7.0F));
  EXPECT_THAT(table.notes, Contains("1 column(s) not used: cost_note"));
  protocol.table.success = "ok_safe";
  EXPECT_EQ(ParseCsvTable(csv, "t.csv", protocol).error().message,
            "t.csv:1: table.success is 'ok_safe', expected a star for the action in it, as in "
            "table.cost = 'cost_*'");
  protocol.table = {};
  protocol.table.cost = "price_*";
  EXPECT_THAT(ParseCsvTable(csv, "t.csv", protocol).error().message,
              HasSubstr("t.csv:1: 0 column(s) fit table.cost = 'price_*'"));
}

}  // namespace
}  // namespace gonogo::audit
