// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/fit_time.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gonogo/audit/table/table_reader.h"

namespace gonogo::audit {
namespace {

/// 6 clusters of 40 queries, 3 actions.
OutcomeTable TableToTime() {
  std::string csv = "cluster,query,action,cost,f_a,f_b\n";
  for (int query = 0; query < 240; ++query) {
    for (int action = 0; action < 3; ++action) {
      csv += fmt::format("c{},q{},a{},{},{},{}\n", query / 40, query, action,
                         10 + (query * 7 + action * 5) % 11, query % 13, query % 5);
    }
  }
  return ParseCsvTable(csv, "t.csv", {}).value();
}

TEST(FitTimeTest, GrowsWithWhatIsAskedFor) {
  const OutcomeTable table = TableToTime();
  Protocol little;
  little.learner.mlp.epochs = 1;
  little.learner.mlp.members = 1;
  little.bootstrap.refits = 1;
  const Protocol much;  // 200 epochs, 5 members and 206 fits instead of 7: 29,000 times as much
  const double small = EstimateMlpTime(table, little, 1).value().count();
  const double large = EstimateMlpTime(table, much, 1).value().count();
  EXPECT_GT(large, 100.0 * small);
  EXPECT_GT(large, 0.0);
}

TEST(FitTimeTest, NeedsFeaturesLikeAnAudit) {
  const OutcomeTable table =
      ParseCsvTable("cluster,query,action,cost\nc,q,a,1\nc,q,b,2\nd,r,a,1\nd,r,b,2\n", "t", {})
          .value();
  EXPECT_FALSE(EstimateMlpTime(table, {}, 1).ok());
}

}  // namespace
}  // namespace gonogo::audit
