// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"

namespace gonogo::audit {
namespace {

Protocol SmallAuto() {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kAuto;
  protocol.learner.forest.members = 6;
  protocol.learner.pairwise.members = 6;
  protocol.bootstrap.refits = 4;
  return protocol;
}

/// Costs of two candidates that are cheaper or dearer by a tenth where a function of two features
/// is above zero, a little noise besides.
template <typename Saves>
OutcomeTable Saving(Saves&& saves) {
  OutcomeTable table =
      MakePositiveControl({.clusters = 12, .queries_per_cluster = 40}, RngStream(8));
  Rng rng = RngStream(9).Generator();
  table.time.clear();
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const auto row = static_cast<Eigen::Index>(query);
    const double saved = saves(table.features[0].values(row, 0), table.features[0].values(row, 1));
    const double noise = 0.02 * rng.Normal();
    table.cost[table.cell(query, 0)] = 1.0;
    table.cost[table.cell(query, 1)] = 1.0 - saved + noise;
    table.cost[table.cell(query, 2)] = 1.3 + 0.02 * rng.Normal();
  }
  return table;
}

/// In how many folds what was chosen begins like this.
std::size_t FoldsWith(const AuditResult& result, const std::string& learner) {
  std::size_t folds = 0;
  for (const auto& [chosen, count] : result.chosen) {
    if (chosen.starts_with(learner)) folds += count;
  }
  return folds;
}

TEST(AutoLearnerTest, TakesRidgeWhereTheTruthIsLinearAndNotWhereItIsABoxOfTwoFeatures) {
  const OutcomeTable linear = Saving([](float a, float b) { return 0.1 * (a + b); });
  const AuditResult one = RunAudit(linear, SmallAuto(), {}, {}).value();
  EXPECT_GE(FoldsWith(one, "ridge"), 10U);
  EXPECT_GT(one.h_dep.point, 0.05);
  // An exclusive or of two signs, of which neither feature tells anything alone.
  const OutcomeTable box = Saving([](float a, float b) { return (a > 0) == (b > 0) ? 0.2 : -0.2; });
  const AuditResult other = RunAudit(box, SmallAuto(), {}, {}).value();
  EXPECT_LE(FoldsWith(other, "ridge"), 2U);
  EXPECT_GT(other.h_dep.point, 0.05);
  EXPECT_EQ(other.source, "auto");
}

TEST(AutoLearnerTest, StaysAtTheReferenceWhereNothingGains) {
  const OutcomeTable table = Saving([](float, float) { return -0.2; });
  const AuditResult result = RunAudit(table, SmallAuto(), {}, {}).value();
  EXPECT_EQ(FoldsWith(result, "none: the reference everywhere"), 12U);
  EXPECT_EQ(result.point.activation, 0.0);
}

TEST(AutoLearnerTest, GivesTheSameBitsOnOneThreadAndOnFour) {
  const OutcomeTable table =
      MakePositiveControl({.clusters = 6, .queries_per_cluster = 12}, RngStream(2));
  const AuditResult one = RunAudit(table, SmallAuto(), {}, {.jobs = 1}).value();
  const AuditResult four = RunAudit(table, SmallAuto(), {}, {.jobs = 4}).value();
  EXPECT_EQ(one.cross_fit, four.cross_fit);
  EXPECT_EQ(one.bootstrap, four.bootstrap);
}

TEST(AutoLearnerTest, ChoosesWithoutTheClustersHeldOut) {
  const OutcomeTable table = Saving([](float a, float b) { return 0.1 * (a + b); });
  OutcomeTable other = table;
  for (std::size_t cell = table.cell(table.cluster_begin[11], 0); cell < table.cost.size();
       ++cell) {
    other.cost[cell] *= 3.0 + static_cast<double>(cell % 7);
  }
  const auto last_fold = [](const OutcomeTable& of) {
    const AuditResult result = RunAudit(of, SmallAuto(), {}, {}).value();
    return std::pair(result.cross_fit.back().chosen, result.cross_fit.back().held_out[0].count);
  };
  EXPECT_EQ(last_fold(table), last_fold(other));
}

TEST(AutoLearnerTest, ADeclaredTargetAndAShortListLimitWhatIsTried) {
  const OutcomeTable table = Saving([](float a, float b) { return 0.1 * (a + b); });
  Protocol protocol = SmallAuto();
  protocol.learner.automatic.learners = {"ridge"};
  protocol.learner.target = LearnerTarget::kRatio;
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  EXPECT_EQ(FoldsWith(result, "ridge (ratio), z = "), 12U);
}

}  // namespace
}  // namespace gonogo::audit
