// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/calibrated/rule.h"

#include <gtest/gtest.h>

#include "gonogo/audit/rules/calibrated/gain.h"
#include "gonogo/audit/testing/synthetic_refits.h"
#include "gonogo/stats/moments.h"

namespace gonogo::audit {
namespace {

using internal::SyntheticAudit;

/// Two actions; `gains[query]` is the relative gain of action 1 at each query, plus cluster noise.
OutcomeTable TwoActions(std::size_t clusters, std::size_t queries,
                        const std::function<double(std::size_t query)>& gain) {
  OutcomeTable table =
      internal::MakeSyntheticTable({.clusters = clusters, .actions = 2, .queries = queries}, 77);
  Rng rng = RngStream(77).Child("noise").Generator();
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    table.cost[2 * query] = 1.0;
    table.cost[2 * query + 1] = 1.0 - gain(query) + 0.01 * rng.Normal();
    table.eligible[2 * query] = table.eligible[2 * query + 1] = 1;
  }
  return table;
}

CalibratedAudit Audit(const SyntheticAudit& audit, const CalibratedOptions& options = {}) {
  return AuditCalibrated(audit.outcomes.totals, audit.folds, audit.replicates, {}, options,
                         RngStream(1));
}

/// Gains 10 % at even queries and loses 10 % at odd ones; the selector knows.
SyntheticAudit& Useful(SyntheticAudit& audit) {
  audit.table = TwoActions(20, 48, [](std::size_t query) { return query % 2 == 0 ? 0.1 : -0.1; });
  internal::RunSyntheticRefits(
      [](const auto&, std::size_t query) { return ActionIndex(query % 2 == 0 ? 1 : 0); }, 60, 3,
      audit);
  return audit;
}

TEST(CalibratedRuleTest, SaysGoWhenAllFourChannelsHold) {
  SyntheticAudit audit;
  const CalibratedAudit result = Audit(Useful(audit));
  EXPECT_EQ(result.verdict, Verdict::kGo);
  EXPECT_EQ(result.improvement, Channel::kSatisfied);
  EXPECT_EQ(result.flip_rate, 0.0);
  EXPECT_EQ(result.reference.modal, kDirect);
  EXPECT_NEAR(result.h_dep->point, 0.05, 0.002);
  EXPECT_NEAR(result.h_alloc_between->point, 0.0, 0.002);
  EXPECT_NEAR(result.largest_cluster_share, 0.05, 1e-12);
}

TEST(CalibratedRuleTest, AnAdapterThatCostsMoreThanItSavesIsRefused) {
  SyntheticAudit audit;
  const CalibratedAudit result = Audit(Useful(audit), {.adapter_cost = 0.06});
  EXPECT_EQ(result.verdict, Verdict::kNoGo);
  EXPECT_LT(result.h_total->interval.upper, 0.0);
}

TEST(CalibratedRuleTest, NoGoComesFromOneRefutedChannelAlone) {
  SyntheticAudit audit;
  audit.table = TwoActions(20, 48, [](std::size_t) { return 0.1; });  // always use action 1
  internal::RunSyntheticRefits([](const auto&, std::size_t) { return ActionIndex{1}; }, 60, 3,
                               audit);
  const CalibratedAudit result = Audit(audit);
  EXPECT_EQ(result.verdict, Verdict::kNoGo);
  EXPECT_EQ(result.improvement, Channel::kSatisfied);  // good, but a constant does the same
  EXPECT_EQ(result.reference.modal, 1U);
  EXPECT_EQ(result.deployment, Channel::kRefuted);
}

TEST(CalibratedRuleTest, NoViolationSeenIsNotEnoughWithFewClusters) {
  SyntheticAudit audit;
  audit.table = TwoActions(5, 4, [](std::size_t query) { return query % 2 == 0 ? 0.1 : -0.1; });
  internal::RunSyntheticRefits(
      [](const auto&, std::size_t query) { return ActionIndex(query % 2 == 0 ? 1 : 0); }, 100, 3,
      audit);
  const CalibratedAudit result = Audit(audit);
  EXPECT_EQ(result.deployment, Channel::kSatisfied);
  EXPECT_EQ(result.q.point, 0.0);
  EXPECT_EQ(result.violation, Channel::kUnresolved);
  EXPECT_EQ(result.verdict, Verdict::kAbstain);
}

TEST(CalibratedRuleTest, TwoClustersGiveAnAnswerWithoutAllocation) {
  SyntheticAudit audit;
  audit.table = TwoActions(2, 30, [](std::size_t query) { return query % 2 == 0 ? 0.1 : -0.1; });
  internal::RunSyntheticRefits(
      [](const auto&, std::size_t query) { return ActionIndex(query % 2 == 0 ? 1 : 0); }, 20, 3,
      audit);
  const CalibratedAudit result = Audit(audit);
  EXPECT_TRUE(result.h_dep.has_value());
  EXPECT_FALSE(result.h_alloc.has_value());
  EXPECT_EQ(result.verdict, Verdict::kAbstain);
}

TEST(CalibratedRuleTest, GivenChoicesAreJudgedWithoutRefits) {
  SyntheticAudit audit;
  Useful(audit);
  Refit given{.split = {std::vector<std::uint32_t>(20, 0)}};
  for (const Refit& fold : audit.folds) given.held_out.push_back(fold.held_out[0]);
  const std::vector<Refit> once = {given};
  const CalibratedAudit result =
      AuditCalibrated(audit.outcomes.totals, once, once, {}, {}, RngStream(1));
  EXPECT_EQ(result.verdict, Verdict::kGo);
  const CalibratedAudit refitted = Audit(audit);  // this selector ignores its training data
  EXPECT_NEAR(result.h_dep->se, refitted.h_dep->se, 1e-12);
}

TEST(CalibratedRuleTest, ANearTieKeepsDirectAsReference) {
  SyntheticAudit audit;
  audit.table = TwoActions(20, 48, [](std::size_t) { return 0.0; });
  audit.outcomes = DeriveOutcomes(audit.table, 1.1);
  audit.table.cost[1] -= 1.0;  // one lucky query
  audit.outcomes = DeriveOutcomes(audit.table, 1.1);
  const std::vector<std::uint32_t> each_once(20, 1);
  EXPECT_EQ(SelectStableAction(audit.outcomes.totals, each_once, 0.05), kDirect);
}

TEST(CalibratedRuleTest, AnUnstableReferenceCanBeReplacedByEveryContender) {
  // Action 1 is as good as direct on average but clusters disagree, so replicates choose either.
  SyntheticAudit audit;
  audit.table =
      TwoActions(12, 10, [](std::size_t query) { return (query / 10) % 2 == 0 ? 0.2 : -0.12; });
  internal::RunSyntheticRefits([](const auto&, std::size_t) { return kDirect; }, 200, 3, audit);
  const CalibratedAudit result = Audit(audit, {.every_contender = true});
  ASSERT_LT(result.reference.modal_share, 0.9);
  ASSERT_EQ(result.reference.contenders.size(), 2U);
  // Against direct the constant selector gains exactly nothing; against action 1 it may lose.
  EXPECT_LE(result.h_dep->interval.lower, 0.0);
  EXPECT_GE(result.h_dep->interval.upper, 0.0);
  EXPECT_LE(result.h_dep->point, 0.0);
}

TEST(CalibratedRuleTest, HalvesScatterAsWholeSetsDo) {
  // The mean over a random half varies like s^2 / B; 4000 halves give its variance to 5 %.
  const std::size_t count = 50;
  Rng rng = RngStream(9).Generator();
  std::vector<double> values(count);
  for (double& value : values) value = rng.Normal();
  std::vector<double> means;
  for (const auto& half : RandomHalves(count, 4000, RngStream(10))) {
    ASSERT_EQ(half.size(), count / 2);
    double sum = 0.0;
    for (const std::size_t b : half) sum += values[b];
    means.push_back(sum / static_cast<double>(half.size()));
  }
  const double expected = stats::Variance(values) / static_cast<double>(count);
  EXPECT_NEAR(stats::Variance(means) / expected, 1.0, 0.1);
}

TEST(CalibratedRuleTest, TheSameInputsGiveTheSameAudit) {
  SyntheticAudit audit;
  Useful(audit);
  const CalibratedAudit one = Audit(audit);
  const CalibratedAudit two = Audit(audit);
  EXPECT_EQ(one.h_dep->lower_mc_error, two.h_dep->lower_mc_error);
  EXPECT_EQ(one.h_alloc->interval, two.h_alloc->interval);
}

}  // namespace
}  // namespace gonogo::audit
