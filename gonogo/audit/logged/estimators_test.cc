// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/logged/log_report.h"

namespace gonogo::audit {
namespace {

/// What a log of two actions and four queries in two clusters holds, with given predictions.
struct HandLog {
  std::vector<ActionIndex> tried;
  std::vector<double> propensity;
  std::vector<double> seen;
  std::vector<double> predicted;  // query * 2 + action
};

OutcomeTable ScoreByHand(const HandLog& log) {
  OutcomeTable table{.actions = {"a", "b"},
                     .clusters = {"one", "two"},
                     .cluster_begin = {0, 2, 4},
                     .cost = log.predicted};
  ScoredOutcomes scores{.predicted = log.predicted,
                        .weight = std::vector<double>(8, 0.0),
                        .seen = std::vector<double>(8, 0.0)};
  for (std::size_t query = 0; query < 4; ++query) {
    const std::size_t cell = table.cell(query, log.tried[query]);
    table.cost[cell] = DoublyRobust(log.predicted[cell], log.seen[query], log.propensity[query]);
    scores.weight[cell] = 1.0 / log.propensity[query];
    scores.seen[cell] = log.seen[query];
  }
  table.scored = scores;
  return table;
}

Protocol WithoutConstraint() {
  Protocol protocol;
  protocol.question.constraint = Constraint::kNone;
  return protocol;
}

const HandLog kEven = {.tried = {0, 1, 1, 0},
                       .propensity = {0.5, 0.5, 0.5, 0.5},
                       .seen = {10, 6, 12, 8},
                       .predicted = {9, 7, 8, 5, 10, 11, 9, 10}};

TEST(LogEstimatorsTest, AgreesWithATableWorkedByHandUnderEqualProbabilities) {
  OutcomeTable table = ScoreByHand(kEven);
  // a: 9 + (10 - 9) / 0.5 = 11, 8, 10, 9 + (8 - 9) / 0.5 = 7; b: 7, 7, 13, 10.
  EXPECT_THAT(table.cost, testing::ElementsAre(11, 7, 8, 7, 10, 13, 7, 10));
  const ValueEstimates a = ValueOfAction(table, 0);
  EXPECT_NEAR(a.doubly_robust, 36.0 / 4.0, 1e-12);
  EXPECT_NEAR(a.self_normalised, (10.0 + 8.0) / 2.0, 1e-12);
  EXPECT_NEAR(a.direct_method, 36.0 / 4.0, 1e-12);
  const ValueEstimates b = ValueOfAction(table, 1);
  EXPECT_NEAR(b.doubly_robust, 37.0 / 4.0, 1e-12);
  EXPECT_NEAR(b.self_normalised, (6.0 + 12.0) / 2.0, 1e-12);
  EXPECT_NEAR(b.direct_method, 33.0 / 4.0, 1e-12);
  table.choice = {1, 1, 0, 0};
  const AuditResult result = AuditChoices(table, WithoutConstraint()).value();
  // The choices score 7 + 7 + 10 + 7 = 31 of 36; both mixed evenly would score 36.5.
  EXPECT_NEAR(result.h_total.point, 1.0 - 31.0 / 36.0, 1e-12);
  EXPECT_NEAR(result.point.h_alloc_pooled, 1.0 - 31.0 / 36.5, 1e-12);
  EXPECT_NEAR(result.point.h_global, 0.0, 1e-12);
  // Within a cluster the choices are all the same: nothing is allocated there.
  EXPECT_NEAR(result.point.h_alloc, 0.0, 1e-12);
  std::vector<const ChoiceTotals*> clusters;
  for (const Refit& fold : result.cross_fit) clusters.push_back(&fold.held_out.front());
  const ValueEstimates chosen = ValueOfChoices(clusters, 4.0);
  EXPECT_NEAR(chosen.doubly_robust, 31.0 / 4.0, 1e-12);
  EXPECT_NEAR(chosen.self_normalised, (6.0 + 8.0) / 2.0, 1e-12);  // b at 2, a at 4
  EXPECT_NEAR(chosen.direct_method, (7.0 + 5.0 + 10.0 + 9.0) / 4.0, 1e-12);
}

TEST(LogEstimatorsTest, AgreesWithATableWorkedByHandUnderUnequalProbabilities) {
  OutcomeTable table = ScoreByHand({.tried = {1, 0, 0, 1},
                                    .propensity = {0.25, 0.8, 0.5, 0.2},
                                    .seen = {4, 10, 7, 3},
                                    .predicted = {8, 5, 6, 6, 9, 4, 8, 2}});
  // b: 5 + (4 - 5) / 0.25 = 1, 6, 4, 2 + (3 - 2) / 0.2 = 7; a: 8, 6 + 4 / 0.8 = 11, 9 - 2 / 0.5 =
  // 5, 8.
  const std::vector<double> expected = {8, 1, 11, 6, 5, 4, 8, 7};
  for (std::size_t cell = 0; cell < 8; ++cell) EXPECT_NEAR(table.cost[cell], expected[cell], 1e-12);
  const ValueEstimates b = ValueOfAction(table, 1);
  EXPECT_NEAR(b.doubly_robust, 18.0 / 4.0, 1e-12);
  EXPECT_NEAR(b.self_normalised, (4.0 * 4.0 + 5.0 * 3.0) / 9.0, 1e-12);
  EXPECT_NEAR(b.direct_method, 17.0 / 4.0, 1e-12);
  table.choice = {1, 0, 0, 1};
  const AuditResult result = AuditChoices(table, WithoutConstraint()).value();
  // 1 + 11 + 5 + 7 = 24 of 32. In each cluster both actions are chosen once: the mixtures score
  // (19 + 7) / 2 and (13 + 11) / 2. b is the best fixed action, 18 of 32, and of the other cluster.
  EXPECT_NEAR(result.h_total.point, 1.0 - 24.0 / 32.0, 1e-12);
  EXPECT_NEAR(result.h_alloc.point, 1.0 - 24.0 / (13.0 + 12.0), 1e-12);
  EXPECT_NEAR(result.point.h_global, 1.0 - 18.0 / 32.0, 1e-12);
  EXPECT_NEAR(result.h_dep.point, 1.0 - 24.0 / 18.0, 1e-12);
  EXPECT_NEAR(result.q.point, 0.0, 1e-12);
}

TEST(LogEstimatorsTest, IsUnbiasedOverAllLogsWhateverTheModelsPredict) {
  const std::vector<double> truth = {10, 7, 4, 9, 12, 11, 6, 5};  // query * 2 + action
  const std::vector<double> share = {0.3, 0.5, 0.7, 0.1};         // of action b
  std::vector<double> expected(8, 0.0);
  double weight = 0.0;
  for (unsigned log = 0; log < 16; ++log) {
    HandLog drawn{.predicted = {-3, 50, 1, 2, 8, 8, 0, 100}};
    double probability = 1.0;
    for (std::size_t query = 0; query < 4; ++query) {
      const ActionIndex action = (log >> query) & 1U;
      drawn.tried.push_back(action);
      drawn.propensity.push_back(action == 1 ? share[query] : 1.0 - share[query]);
      drawn.seen.push_back(truth[query * 2 + action]);
      probability *= drawn.propensity.back();
    }
    weight += probability;
    const OutcomeTable scored = ScoreByHand(drawn);
    for (std::size_t cell = 0; cell < 8; ++cell) expected[cell] += probability * scored.cost[cell];
  }
  EXPECT_NEAR(weight, 1.0, 1e-12);
  for (std::size_t cell = 0; cell < 8; ++cell) EXPECT_NEAR(expected[cell], truth[cell], 1e-12);
}

TEST(LogEstimatorsTest, ReturnsWhatWasCertainToBeSeenToTheBit) {
  for (const double seen : {0.1, 1.0 / 3.0, 1e15}) EXPECT_EQ(DoublyRobust(7.7, seen, 1.0), seen);
}

}  // namespace
}  // namespace gonogo::audit
