// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/doubts.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"

namespace gonogo::audit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

OutcomeTable HonestTable(std::uint64_t seed = 1, std::size_t clusters = 20) {
  return MakePositiveControl({.clusters = clusters}, RngStream(seed));
}

/// Appends a feature whose value at a query is `value(query)`.
template <typename Value>
void AddFeature(const std::string& name, Value&& value, OutcomeTable& table) {
  FeatureGroup group{.name = name, .columns = {name}};
  group.values.resize(static_cast<Eigen::Index>(table.num_queries()), 1);
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    group.values(static_cast<Eigen::Index>(query), 0) = static_cast<float>(value(query));
  }
  table.features.push_back(std::move(group));
}

std::size_t ClusterOf(const OutcomeTable& table, std::size_t query) {
  std::size_t k = 0;
  while (table.cluster_begin[k + 1] <= query) ++k;
  return k;
}

/// Puts what cluster `from` holds into cluster `to` of the same size.
void Copy(std::size_t from, std::size_t to, OutcomeTable& table) {
  const std::size_t size = table.queries_of(from).size();
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t source = table.cluster_begin[from] + i;
    const std::size_t target = table.cluster_begin[to] + i;
    for (ActionIndex a = 0; a < table.num_actions(); ++a) {
      table.cost[table.cell(target, a)] = table.cost[table.cell(source, a)];
      table.time[table.cell(target, a)] = table.time[table.cell(source, a)];
    }
    for (FeatureGroup& group : table.features) {
      group.values.row(static_cast<Eigen::Index>(target)) =
          group.values.row(static_cast<Eigen::Index>(source));
    }
  }
}

AuditResult AuditByRidge(const OutcomeTable& table,
                         const std::vector<std::string>& explained = {}) {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 40;
  protocol.rule.explained = explained;
  return RunAudit(table, protocol, {}, {}).value();
}

/// Said, unless the protocol explains it, and no obstacle.
void ExpectWarning(const OutcomeTable& table, const std::string& kind) {
  const auto said = testing::Contains(HasSubstr("rule.explained = [\"" + kind + "\"]"));
  const AuditResult result = AuditByRidge(table);
  EXPECT_FALSE(result.obstacle.has_value());
  EXPECT_THAT(result.warnings, said);
  EXPECT_THAT(AuditByRidge(table, {kind}).warnings, testing::Not(said));
}

void ExpectNoGoUnlessExplained(const OutcomeTable& table, const std::string& kind) {
  const AuditResult result = AuditByRidge(table);
  ASSERT_TRUE(result.obstacle.has_value());
  EXPECT_FALSE(result.reading.has_value());
  EXPECT_THAT(result.warnings, testing::Contains(HasSubstr("rule.explained = [\"" + kind + "\"]")));
  const AuditResult explained = AuditByRidge(table, {kind});
  ASSERT_TRUE(explained.reading.has_value());
  EXPECT_EQ(explained.reading->verdict, Verdict::kGo);
}

// Sorted by x, y = 1, 2, 3, 4: steps 3, squares 5, 1 - 3 / 10.
TEST(DeterminesTest, IsVonNeumannsRatioInTheOrderOfTheFeature) {
  EXPECT_NEAR(Determines({3.0, 1.0, 4.0, 2.0}, {3.0, 1.0, 4.0, 2.0}), 0.7, 1e-12);
  EXPECT_EQ(Determines({1.0, 2.0}, {5.0, 5.0}), 0.0);
}

TEST(DoubtsTest, AnHonestTableRaisesNoneAndKeepsItsGo) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    OutcomeTable table = HonestTable(seed);
    // What differs between sites, and a kind of site that several share, are honest features.
    AddFeature(
        "altitude", [&](std::size_t q) { return std::sqrt(2.0 + ClusterOf(table, q)); }, table);
    AddFeature(
        "kind", [&](std::size_t q) { return ClusterOf(table, q) % 3; }, table);
    const AuditResult result = AuditByRidge(table);
    EXPECT_THAT(result.doubts, IsEmpty());
    ASSERT_TRUE(result.reading.has_value());
    EXPECT_EQ(result.reading->verdict, Verdict::kGo);
  }
}

TEST(DoubtsTest, CopiesOfClustersUnderNewNamesAllowNoGo) {
  OutcomeTable table = HonestTable();
  for (std::size_t k = 0; k < 5; ++k) Copy(k, k + 10, table);
  const std::vector<Doubt> doubts = FindCopies(table);
  ASSERT_THAT(doubts, SizeIs(1));
  EXPECT_THAT(doubts[0].what, HasSubstr("5 such pairs"));
  ExpectNoGoUnlessExplained(table, "copies");
}

TEST(DoubtsTest, TablesOfFewDifferentQueriesAreNoCopies) {
  OutcomeTable table = HonestTable();
  for (double& cost : table.cost) cost = cost > 1.0 ? 2.0 : 1.0;
  for (FeatureGroup& group : table.features) group.values.setZero();
  EXPECT_THAT(FindCopies(table), IsEmpty());
}

TEST(DoubtsTest, SitesCutIntoPiecesAreSaid) {
  OutcomeTable table = HonestTable();
  AddFeature(
      "altitude", [&](std::size_t q) { return std::sqrt(2.0 + ClusterOf(table, q) / 4); }, table);
  const std::vector<Doubt> doubts = FindPieces(table);
  ASSERT_THAT(doubts, SizeIs(1));
  EXPECT_THAT(doubts[0].what, HasSubstr("there are 5 different ones"));
  ExpectWarning(table, "pieces");
}

TEST(DoubtsTest, AFeatureRecordedAfterTheActionIsNamed) {
  OutcomeTable table = HonestTable();
  AddFeature(
      "energy_used", [&](std::size_t q) { return table.cost[table.cell(q, 1)]; }, table);
  const std::vector<Doubt> doubts =
      FindDoubts(DeriveOutcomes(table, 1.1), Deployment::kNewClusters);
  ASSERT_THAT(doubts, SizeIs(1));
  EXPECT_THAT(doubts[0].what, HasSubstr("“energy_used” alone tells what “left” costs"));
  ExpectWarning(table, "leak");
}

TEST(DoubtsTest, AFeatureThatNamesTheBestActionIsALeak) {
  OutcomeTable table = HonestTable();
  const PotentialOutcomes outcomes = DeriveOutcomes(table, 1.1);
  AddFeature(
      "winner", [&](std::size_t q) { return outcomes.oracle[q]; }, table);
  const std::vector<Doubt> doubts = FindLeaks(DeriveOutcomes(table, 1.1));
  ASSERT_THAT(doubts, SizeIs(1));
  EXPECT_THAT(doubts[0].what, HasSubstr("“winner” alone tells which action is the best"));
}

TEST(DoubtsTest, AFeatureThatTellsAllCostsAlikeIsNoLeak) {
  OutcomeTable table = HonestTable();
  Rng rng = RngStream(5).Generator();
  std::vector<double> distance(table.num_queries());
  for (std::size_t q = 0; q < distance.size(); ++q) {
    distance[q] = std::exp(rng.Normal());
    for (ActionIndex a = 0; a < table.num_actions(); ++a) {
      table.cost[table.cell(q, a)] *= distance[q];
    }
  }
  AddFeature(
      "distance", [&](std::size_t q) { return distance[q]; }, table);
  EXPECT_THAT(FindLeaks(DeriveOutcomes(table, 1.1)), IsEmpty());
}

TEST(DoubtsTest, ATrendOverTheClustersIsSaidButForbidsNothing) {
  OutcomeTable table = HonestTable();
  for (std::size_t q = 0; q < table.num_queries(); ++q) {
    table.cost[table.cell(q, 2)] *= 1.0 + 0.02 * static_cast<double>(ClusterOf(table, q));
  }
  const std::vector<Doubt> doubts = FindTrends(DeriveOutcomes(table, 1.1));
  ASSERT_THAT(doubts, SizeIs(1));
  EXPECT_THAT(doubts[0].what, HasSubstr("the cost of “right” against the reference drifts"));
  ExpectWarning(table, "trend");
}

TEST(DoubtsTest, AProtocolExplainsOnlyDoubtsThatExist) {
  EXPECT_TRUE(ParseProtocol("[rule]\nexplained = [\"leak\"]\n", "audit.toml").ok());
  const auto refused = ParseProtocol("[rule]\nexplained = [\"all\"]\n", "audit.toml");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("copies"));
}

}  // namespace
}  // namespace gonogo::audit
