// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/estimands/fold_bootstrap.h"

#include <vector>

#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

ComparatorSums Fold(double policy, double violations) {
  return {.queries = 10.0,
          .policy = policy,
          .direct = 10.0,
          .mixture = 9.0,
          .reference = 10.0,
          .violations = violations};
}

TEST(FoldBootstrapTest, EqualFoldsHaveNoSpread) {
  const std::vector<ComparatorSums> folds(6, Fold(8.0, 1.0));
  const FoldIntervals intervals =
      BootstrapFolds(folds, 100, 0.95, Aggregate::kRatioOfSums, RngStream(1));
  EXPECT_NEAR(intervals.h_total.lower, 0.2, 1e-12);
  EXPECT_NEAR(intervals.h_total.width(), 0.0, 1e-12);
  EXPECT_NEAR(intervals.q.lower, 0.1, 1e-12);
}

TEST(FoldBootstrapTest, OneFoldInFourMovesTheBoundsAsTheBinomialSays) {
  // The share of the odd fold among four draws is Binomial(4, 1/4) / 4: 2.5 % and 97.5 %
  // quantiles are 0 and 3/4.
  const std::vector<ComparatorSums> folds = {Fold(10.0, 4.0), Fold(10.0, 0.0), Fold(10.0, 0.0),
                                             Fold(10.0, 0.0)};
  const FoldIntervals intervals =
      BootstrapFolds(folds, 4000, 0.95, Aggregate::kRatioOfSums, RngStream(2));
  EXPECT_DOUBLE_EQ(intervals.q.lower, 0.0);
  EXPECT_DOUBLE_EQ(intervals.q.upper, 0.4 * 3.0 / 4.0);
}

TEST(FoldBootstrapTest, IsAFunctionOfItsStream) {
  const std::vector<ComparatorSums> folds = {Fold(9.0, 1.0), Fold(7.0, 0.0), Fold(8.5, 2.0)};
  const FoldIntervals a = BootstrapFolds(folds, 500, 0.9, Aggregate::kRatioOfSums, RngStream(3));
  const FoldIntervals b = BootstrapFolds(folds, 500, 0.9, Aggregate::kRatioOfSums, RngStream(3));
  EXPECT_EQ(a.h_dep, b.h_dep);
  EXPECT_EQ(a.h_alloc, b.h_alloc);
}

TEST(CombineFoldsTest, AHeavyFoldDominatesSumsButNotMeans) {
  ComparatorSums heavy = Fold(8.0, 0.0);
  heavy.policy *= 100.0;
  heavy.direct *= 100.0;
  const std::vector<ComparatorSums> folds = {heavy, Fold(10.0, 0.0)};
  const std::vector<std::uint32_t> once = {1, 1};
  EXPECT_DOUBLE_EQ(CombineFolds(folds, once, Aggregate::kMeanOfRatios).h_total, 0.1);
  EXPECT_DOUBLE_EQ(CombineFolds(folds, once, Aggregate::kRatioOfSums).h_total,
                   1.0 - 810.0 / 1010.0);
}

}  // namespace
}  // namespace gonogo::audit
