// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/logged/overlap.h"
#include "gonogo/base/rng.h"

namespace gonogo::audit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Two clusters of two queries; action 1 was tried where the feature is 1.
OutcomeTable SmallLog() {
  OutcomeTable log{.actions = {"direct", "fast"}, .clusters = {"a", "b"}, .cost = {}};
  log.cluster_begin = {0, 2, 4};
  FeatureGroup group{.name = "f", .columns = {"f_same", "f_x"}};
  group.values.resize(4, 2);
  group.values << 3.0F, 1.0F, 3.0F, -1.0F, 3.0F, 1.0F, 3.0F, -1.0F;
  log.features.push_back(std::move(group));
  log.logged = LoggedOutcomes{.action = {1, 0, 1, 0}, .cost = {1.0, 1.0, 1.0, 1.0}};
  return log;
}

TEST(BalanceTest, TheWeightedDifferenceIsWhatOneWorksOutByHand) {
  OutcomeTable log = SmallLog();
  log.logged->action = {1, 0, 0, 1};
  // Deviations are 1, -1, 1, -1 at standard deviation 1. Of action 1: cluster a 1 / 0.5 = 2,
  // cluster b -1 / 0.25 = -4; sum -2, over four queries -0.5; standard error sqrt(2 (9 + 9)) = 6.
  const std::vector<double> propensity = {0.5, 0.5, 0.75, 0.25};
  const std::vector<ActionBalance> balance = MeasureBalance(log, propensity);
  ASSERT_EQ(balance.size(), 2U);
  EXPECT_EQ(balance[1].feature, "f_x");
  EXPECT_NEAR(balance[1].difference, -0.5, 1e-12);
  EXPECT_NEAR(balance[1].standard_errors, -2.0 / 6.0, 1e-12);
}

TEST(BalanceTest, AFeatureThatNeverVariesIsInBalance) {
  OutcomeTable log = SmallLog();
  log.features[0].values.col(1).setConstant(2.0F);
  const std::vector<double> propensity(4, 0.5);
  EXPECT_EQ(MeasureBalance(log, propensity)[1].feature, "");
  EXPECT_THAT(BalanceRemarks(log, MeasureBalance(log, propensity)), IsEmpty());
}

/// 20 clusters of 40 queries; action 1 is tried with probability 1/2 + slope where x > 0, 1/2 -
/// slope elsewhere, and the log says 1/2.
OutcomeTable DrawnLog(double slope) {
  Rng rng = RngStream(5).Child("balance").Generator();
  OutcomeTable log{.actions = {"direct", "fast"}, .clusters = {}, .cost = {}};
  log.cluster_begin = {0};
  log.logged.emplace();
  FeatureGroup group{.name = "f", .columns = {"f_x"}};
  group.values.resize(800, 1);
  for (std::size_t k = 0; k < 20; ++k) {
    log.clusters.push_back(std::to_string(k));
    log.cluster_begin.push_back(40 * (k + 1));
  }
  for (Eigen::Index i = 0; i < 800; ++i) {
    group.values(i, 0) = static_cast<float>(rng.Normal());
    const double tried = 0.5 + (group.values(i, 0) > 0.0F ? slope : -slope);
    log.logged->action.push_back(rng.Uniform() < tried ? 1 : 0);
  }
  log.features.push_back(std::move(group));
  return log;
}

TEST(BalanceTest, AFeatureThatThePropensitiesLeaveOutIsNamed) {
  const std::vector<double> even(800, 0.5);
  const OutcomeTable fair = DrawnLog(0.0);
  EXPECT_THAT(BalanceRemarks(fair, MeasureBalance(fair, even)), IsEmpty());
  const OutcomeTable tilted = DrawnLog(0.3);
  const std::vector<ActionBalance> balance = MeasureBalance(tilted, even);
  EXPECT_GT(balance[1].difference, 0.2);
  const std::vector<std::string> remarks = BalanceRemarks(tilted, balance);
  ASSERT_EQ(remarks.size(), 2U);  // what fast has too much of, direct lacks
  EXPECT_THAT(remarks[1], HasSubstr("where 'fast' was tried, counted by 1 / propensity, 'f_x' is"));
  EXPECT_THAT(remarks[1], HasSubstr("higher than over all queries"));
}

/// 25 clusters of 400 queries under uniform propensities over ten actions; 33 queries in all have
/// the feature.
OutcomeTable RareLog(std::uint64_t seed) {
  Rng rng = RngStream(seed).Child("rare").Generator();
  OutcomeTable log{.actions = {}, .clusters = {}, .cost = {}};
  for (int a = 0; a < 10; ++a) log.actions.push_back("a" + std::to_string(a));
  log.cluster_begin = {0};
  log.logged.emplace();
  for (std::size_t k = 0; k < 25; ++k) {
    log.clusters.push_back(std::to_string(k));
    log.cluster_begin.push_back(400 * (k + 1));
  }
  FeatureGroup group{.name = "f", .columns = {"f_rare"}, .values = FeatureMatrix::Zero(10000, 1)};
  for (Eigen::Index i = 0; i < 33; ++i) group.values(300 * i, 0) = 1.0F;
  for (int i = 0; i < 10000; ++i) {
    log.logged->action.push_back(static_cast<ActionIndex>(rng.Below(10)));
  }
  log.features.push_back(std::move(group));
  return log;
}

TEST(BalanceTest, RareFeaturesOfAUniformLogRaiseNoMoreAlarmsThanPromised) {
  const std::vector<double> even(10000, 0.1);
  std::size_t alarms = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const OutcomeTable log = RareLog(seed);
    alarms += BalanceRemarks(log, MeasureBalance(log, even)).size();
  }
  // One log in a thousand may be warned about, so two warnings have a chance of about 0.5 %.
  EXPECT_LE(alarms, 1U);
}

TEST(BalanceTest, AnActionThatIsTriedAtAllRareQueriesIsFound) {
  OutcomeTable log = RareLog(1);
  for (std::size_t i = 0; i < 33; ++i) log.logged->action[300 * i] = 4;
  const std::vector<double> even(10000, 0.1);
  const std::vector<std::string> remarks = BalanceRemarks(log, MeasureBalance(log, even));
  ASSERT_EQ(remarks.size(), 1U);  // the others miss three tries each, which chance explains
  EXPECT_THAT(remarks[0], HasSubstr("where 'a4' was tried"));
  EXPECT_THAT(remarks[0], HasSubstr("higher than over all queries"));
}

}  // namespace
}  // namespace gonogo::audit
