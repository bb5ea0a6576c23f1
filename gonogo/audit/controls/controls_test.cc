// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/controls/controls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/controls/positive_control.h"

namespace gonogo::audit {
namespace {

const PlantedSignal kSignal{.feature = "target_x", .if_positive = "left", .if_negative = "right"};

/// Outcomes without any effect of the action.
OutcomeTable NullTable() { return MakePositiveControl({.benefit = 0.0}, RngStream(1)); }

Protocol FastProtocol() {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.method = IntervalMethod::kFolds;
  return protocol;
}

TEST(PlantTest, ChangesOnlyTheFavouredCandidatesCost) {
  const OutcomeTable table = NullTable();
  const OutcomeTable planted = PlantObservable(table, kSignal, 0.1).value();
  EXPECT_EQ(planted.time, table.time);
  for (std::size_t q = 0; q < table.num_queries(); ++q) {
    const bool positive = table.features[1].values(static_cast<Eigen::Index>(q), 0) >= 0.0F;
    for (ActionIndex a = 0; a < 3; ++a) {
      const bool favoured = a == (positive ? 1U : 2U);
      EXPECT_EQ(planted.cost[table.cell(q, a)],
                table.cost[table.cell(q, a)] * (favoured ? 1.0 - 0.1 : 1.0));
    }
  }
}

TEST(PlantTest, APlantedTableIsNoLongerDeclared) {
  OutcomeTable table = NullTable();
  table.declaration = std::string("x");
  table.declaration_sha256 = std::string("y");
  const OutcomeTable planted = PlantHidden(table, kSignal, 0.1, RngStream(2)).value();
  EXPECT_TRUE(planted.declaration.empty() && planted.declaration_sha256.empty());
}

TEST(PlantTest, RefusesUnknownNames) {
  const OutcomeTable table = NullTable();
  PlantedSignal wrong = kSignal;
  wrong.feature = "target_z";
  EXPECT_THAT(PlantObservable(table, wrong, 0.1).error().message,
              testing::HasSubstr("no feature 'target_z'"));
  wrong = kSignal;
  wrong.if_negative = "direct";
  EXPECT_THAT(PlantObservable(table, wrong, 0.1).error().message,
              testing::HasSubstr("'direct' is the reference action, expected a candidate"));
}

TEST(ControlsTest, AnObservableSignalIsRecoveredMoreTheLargerItIs) {
  const std::vector<double> gammas = {0.02, 0.05, 0.10};
  const std::vector<ControlPoint> points =
      SweepObservable(NullTable(), FastProtocol(), kSignal, gammas, {}).value();
  ASSERT_EQ(points.size(), 3U);
  EXPECT_LT(points[0].result.h_alloc.point, points[1].result.h_alloc.point);
  EXPECT_LT(points[1].result.h_alloc.point, points[2].result.h_alloc.point);
  EXPECT_GT(points[2].result.h_alloc.interval->lower, 0.01);
}

TEST(ControlsTest, AHiddenSignalIsNotRecovered) {
  std::size_t last_done = 0;
  Execution execution{.jobs = 1};
  execution.progress = [&](std::size_t done, std::size_t total) {
    EXPECT_LE(done, total);
    last_done = done;
  };
  const std::vector<ControlPoint> points =
      RepeatHidden(NullTable(), FastProtocol(), kSignal, 0.05, 5, execution).value();
  EXPECT_EQ(CountAbove(points, 0.01), 0U);
  EXPECT_EQ(last_done, 5U * 20U);
  for (const ControlPoint& point : points) {
    EXPECT_GT(point.result.h_avail.point, 0.04);
    EXPECT_FALSE(point.result.confirmatory);
  }
  EXPECT_NE(points[0].result.h_avail.point, points[1].result.h_avail.point);
}

}  // namespace
}  // namespace gonogo::audit
