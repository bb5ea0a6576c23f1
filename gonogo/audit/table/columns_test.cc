// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/columns.h"

#include <set>

#include <gtest/gtest.h>

#include "gonogo/audit/table/arrange_table.h"
#include "gonogo/audit/table/check_table.h"
#include "gonogo/audit/table/first_clusters.h"

namespace gonogo::audit {
namespace {

constexpr std::size_t kFourQueries = 6;
constexpr std::size_t kActions = 2;

/// Three clusters of two queries without any column.
OutcomeTable Bare() {
  OutcomeTable table;
  table.actions = {"direct", "slow"};
  table.clusters = {"a", "b", "c"};
  table.cluster_begin = {0, 2, 4, 6};
  table.queries = {"1", "2", "3", "4", "5", "6"};
  return table;
}

/// Every column there is, of a full table or of a log, with values that are allowed everywhere.
OutcomeTable WithEveryColumn(bool is_log) {
  OutcomeTable table = Bare();
  if (is_log) table.logged.emplace();
  table.features = {{"obs", {"x"}, FeatureMatrix::Ones(kFourQueries, 1)}};
  if (!is_log) {
    table.action_features = {{"phi", {"y"}, FeatureMatrix::Ones(kFourQueries * kActions, 1)}};
    table.other_outcomes = {{"noise", std::vector<double>(kFourQueries * kActions, 1.0)}};
  }
  ForEachColumn(table, [&](const ColumnInfo& info, auto& column) {
    if constexpr (kIsValues<std::remove_reference_t<decltype(column)>>) {
      if (is_log && info.of == ColumnOf::kOutcomes) return;
      column.assign(info.per_action ? kFourQueries * kActions : kFourQueries, 1);
    }
  });
  return table;
}

TEST(ColumnsTest, AreAllVisited) {
  std::multiset<std::string_view> names;
  OutcomeTable table = WithEveryColumn(true);
  table.scored.emplace();
  ForEachColumn(table,
                [&](const ColumnInfo& info, const auto& /*column*/) { names.insert(info.name); });
  EXPECT_EQ(names.size(), 18U);  // 4 outcomes, 6 of a log, 5 scores, 2 of queries, 1 group
  EXPECT_EQ(names.count("cost"), 2U);
}

TEST(ColumnsTest, TheFirstClustersAreCutFromEveryColumn) {
  for (const bool is_log : {false, true}) {
    const OutcomeTable whole = WithEveryColumn(is_log);
    ASSERT_TRUE(CheckTable(whole, TableScope::kWhole, "whole").ok());
    const OutcomeTable part = FirstClusters(whole, 2);
    EXPECT_EQ(part.num_queries(), 4U);
    const Status status = CheckTable(part, TableScope::kWhole, "part");
    EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().message);
    ForEachColumn(part, [&](const ColumnInfo& info, const auto& column) {
      if constexpr (kIsValues<std::remove_cvref_t<decltype(column)>>) {
        if (column.empty()) return;
        EXPECT_EQ(column.size(), info.per_action ? 8U : 4U) << info.name;
      }
    });
  }
}

TEST(ColumnsTest, ArrangingATableKeepsEveryColumn) {
  OutcomeTable table = WithEveryColumn(false);
  table.counts_net_success = true;
  for (std::size_t cell = 0; cell < table.cost.size(); ++cell) {
    table.cost[cell] = table.other_outcomes[0].values[cell] = 1.0 + static_cast<double>(cell);
  }
  Protocol protocol;
  protocol.reference = "slow";
  const Result<OutcomeTable> arranged = ArrangeTable(table, protocol, "t");
  ASSERT_TRUE(arranged.ok()) << arranged.error().message;
  EXPECT_EQ(arranged.value().cost[0], 2.0) << "the reference comes first";
  ASSERT_EQ(arranged.value().other_outcomes.size(), 1U);
  EXPECT_EQ(arranged.value().other_outcomes[0].values, arranged.value().cost);
  EXPECT_EQ(arranged.value().choice[0], 0U) << "slow was chosen, which is the first now";
  EXPECT_TRUE(arranged.value().counts_net_success);
}

}  // namespace
}  // namespace gonogo::audit
