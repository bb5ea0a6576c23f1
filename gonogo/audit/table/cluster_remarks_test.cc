// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/cluster_remarks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

/// Clusters of the given sizes, named by `name`.
template <typename MakeName>
OutcomeTable OfSizes(const std::vector<std::size_t>& sizes, MakeName name) {
  OutcomeTable table{.actions = {"direct", "slow"}};
  table.cluster_begin = {0};
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    table.clusters.push_back(name(k));
    table.cluster_begin.push_back(table.cluster_begin.back() + sizes[k]);
  }
  return table;
}

std::string NumberedName(std::size_t k) { return std::to_string(k); }
std::string SiteName(std::size_t k) { return "site-" + std::to_string(7 * k); }

TEST(ClusterRemarksTest, ASingleQueryInEveryClusterIsRemarkedUpon) {
  const auto remarks = ClusterRemarks(OfSizes(std::vector<std::size_t>(20, 1), SiteName));
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_THAT(remarks[0], testing::StartsWith("each of the 20 clusters has a single query."));
}

TEST(ClusterRemarksTest, NumberedClustersOfHardlyMoreThanARowLookLikeRowNumbers) {
  std::vector<std::size_t> sizes(60, 1);
  sizes[5] = 3;
  const auto remarks = ClusterRemarks(OfSizes(sizes, NumberedName));
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_THAT(remarks[0], testing::HasSubstr("(0, 1, …) look like row numbers"));
  EXPECT_TRUE(ClusterRemarks(OfSizes(sizes, SiteName)).empty());
}

TEST(ClusterRemarksTest, ClustersNamedLikeTheirQueriesLookLikeRowsToo) {
  std::vector<std::size_t> sizes(60, 1);
  sizes[5] = 3;
  OutcomeTable table = OfSizes(sizes, SiteName);
  table.queries.resize(table.num_queries(), "another");
  for (std::size_t k = 0; k < 60; ++k) table.queries[table.cluster_begin[k]] = SiteName(k);
  EXPECT_EQ(ClusterRemarks(table).size(), 1U);
}

TEST(ClusterRemarksTest, NumberedSitesWithManyQueriesAreFine) {
  EXPECT_TRUE(ClusterRemarks(OfSizes(std::vector<std::size_t>(60, 12), NumberedName)).empty());
  EXPECT_TRUE(ClusterRemarks(OfSizes({1}, NumberedName)).empty());
}

}  // namespace
}  // namespace gonogo::audit
