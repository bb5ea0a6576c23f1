// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/learners/internal/ridge_data.h"
#include "gonogo/audit/learners/internal/ridge_sums.h"
#include "gonogo/audit/learners/learner_factory.h"

namespace gonogo::audit {
namespace {

using internal::RidgeSums;
using internal::RowMatrix;

RowMatrix RandomRows(Eigen::Index rows, Eigen::Index columns, Rng& rng) {
  RowMatrix matrix(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < columns; ++j) matrix(i, j) = rng.Normal();
  }
  return matrix;
}

RidgeSums SumsOf(const RowMatrix& x, const RowMatrix& y) {
  RowMatrix z(x.rows(), x.cols() + 1);
  z << Eigen::VectorXd::Ones(x.rows()), x;
  return {.gram = z.transpose() * z,
          .cross = z.transpose() * y,
          .squares = y.colwise().squaredNorm().transpose()};
}

TEST(RidgeSumsTest, SolvesTheNormalEquationsOfStandardisedFeatures) {
  Rng rng = RngStream(1).Generator();
  RowMatrix x = RandomRows(60, 4, rng);
  x.col(2) = 50.0 * x.col(2).array() + 7.0;
  const RowMatrix y = RandomRows(60, 2, rng);
  const std::vector<double> penalty = {0.3, 2.0};
  const Eigen::MatrixXd ours = SolveRidge(SumsOf(x, y), penalty);

  RowMatrix z = x.rowwise() - x.colwise().mean();
  const Eigen::RowVectorXd sd = (z.colwise().squaredNorm() / 60.0).cwiseSqrt();
  z = z.array().rowwise() / sd.array();
  for (Eigen::Index t = 0; t < 2; ++t) {
    const Eigen::VectorXd centred = y.col(t).array() - y.col(t).mean();
    const Eigen::MatrixXd lhs = z.transpose() * z / 60.0 + penalty[static_cast<std::size_t>(t)] *
                                                               Eigen::MatrixXd::Identity(4, 4);
    const Eigen::VectorXd slopes = lhs.fullPivLu().solve(z.transpose() * centred / 60.0);
    for (Eigen::Index j = 0; j < 4; ++j) EXPECT_NEAR(ours(j + 1, t), slopes[j] / sd[j], 1e-12);
    const Eigen::VectorXd fitted = (x * ours.col(t).tail(4)).array() + ours(0, t);
    EXPECT_NEAR(fitted.mean(), y.col(t).mean(), 1e-12);
  }
}

TEST(RidgeSumsTest, SquaredErrorFollowsFromTheSums) {
  Rng rng = RngStream(2).Generator();
  const RowMatrix x = RandomRows(30, 3, rng);
  const RowMatrix y = RandomRows(30, 1, rng);
  const Eigen::MatrixXd coefficients = RandomRows(4, 1, rng);
  const Eigen::VectorXd fitted = (x * coefficients.bottomRows(3)).array() + coefficients(0, 0);
  EXPECT_NEAR(SquaredError(SumsOf(x, y), coefficients)[0], (y.col(0) - fitted).squaredNorm(),
              1e-10);
}

TEST(RidgeSumsTest, AConstantColumnGetsNoSlope) {
  Rng rng = RngStream(3).Generator();
  RowMatrix x = RandomRows(40, 3, rng);
  x.col(1).setConstant(4.0);
  const Eigen::MatrixXd coefficients =
      SolveRidge(SumsOf(x, RandomRows(40, 1, rng)), std::vector<double>{0.1});
  EXPECT_NEAR(coefficients(2, 0), 0.0, 1e-10);
  EXPECT_TRUE(coefficients.allFinite());
}

/// Three clusters of ten rows, of which a fit is asked to keep sums or rows.
class RidgeDataTest : public testing::TestWithParam<Eigen::Index> {
 protected:
  RidgeDataTest() : x_(RandomRows(30, GetParam(), rng_)), y_(RandomRows(30, 2, rng_)) {
    table_.cluster_begin = {0, 10, 20, 30};
    table_.clusters = {"a", "b", "c"};
    x_.col(1).setConstant(4.0);
  }

  [[nodiscard]] internal::FillRows Fill() const {
    return [this](QueryRange range, RowMatrix& rows, RowMatrix& targets) {
      const auto begin = static_cast<Eigen::Index>(range.begin);
      const auto count = static_cast<Eigen::Index>(range.size());
      rows.resize(count, x_.cols() + 1);
      rows << Eigen::VectorXd::Ones(count), x_.middleRows(begin, count);
      targets = y_.middleRows(begin, count);
    };
  }

  Rng rng_ = RngStream(9).Generator();
  RowMatrix x_;
  RowMatrix y_;
  OutcomeTable table_;
};

TEST_P(RidgeDataTest, RowsGiveWhatSumsGive) {
  const std::unique_ptr<internal::RidgeData> sums = internal::SumClusters(table_, Fill());
  const std::unique_ptr<internal::RidgeData> rows = internal::KeepRows(table_, Fill());
  for (const std::vector<std::uint32_t>& weight :
       {std::vector<std::uint32_t>{1, 1, 1}, {2, 0, 3}, {0, 1, 0}}) {
    for (const std::vector<double>& penalty : {std::vector<double>{0.3, 0.3}, {0.01, 5.0}}) {
      const Eigen::MatrixXd expected = sums->Fit(weight, penalty);
      EXPECT_LT((rows->Fit(weight, penalty) - expected).cwiseAbs().maxCoeff(), 1e-10);
      EXPECT_GT(expected.cwiseAbs().maxCoeff(), 0.1);
    }
  }
  const std::vector<std::uint32_t> train = {2, 0, 1};
  const std::vector<std::uint32_t> validate = {0, 3, 0};
  const std::vector<double> penalties = {0.1, 10.0};
  const std::vector<Eigen::VectorXd> expected = sums->ValidationErrors(train, validate, penalties);
  const std::vector<Eigen::VectorXd> errors = rows->ValidationErrors(train, validate, penalties);
  ASSERT_EQ(errors.size(), 2U);
  for (std::size_t l = 0; l < 2; ++l) {
    EXPECT_LT((errors[l] - expected[l]).cwiseAbs().maxCoeff(), 1e-8);
  }
}

// Fewer features than rows, as many, more.
INSTANTIATE_TEST_SUITE_P(Widths, RidgeDataTest, testing::Values(4, 29, 30, 80));

class RidgeLearnerTest : public testing::Test {
 protected:
  RidgeLearnerTest()
      : table_(MakePositiveControl({.clusters = 8}, RngStream(4))),
        outcomes_(DeriveOutcomes(table_, 1.1)),
        problem_(SelectFeatures(outcomes_, {}).value()),
        learner_(std::move(MakeRidgeLearner(problem_, {}).value())) {}

  [[nodiscard]] MemberPredictions PredictCluster(const stats::ClusterSplit& split,
                                                 std::size_t cluster) const {
    MemberPredictions predictions;
    learner_->Fit(split, RngStream(5), {})->Predict(table_.queries_of(cluster), predictions);
    return predictions;
  }

  OutcomeTable table_;
  PotentialOutcomes outcomes_;
  LearningProblem problem_;
  std::unique_ptr<Learner> learner_;
};

TEST_F(RidgeLearnerTest, LearnsWhichCandidateTheTargetFavours) {
  const MemberPredictions predictions = PredictCluster(stats::LeaveOneOut(8, 3), 3);
  std::size_t right = 0;
  for (std::size_t i = 0; i < predictions.queries; ++i) {
    const bool left_is_better = MeanWork(predictions, i, 0) < MeanWork(predictions, i, 1);
    const double y =
        table_.features[1].values(static_cast<Eigen::Index>(table_.queries_of(3).begin + i), 1);
    if (left_is_better == (y >= 0.0)) ++right;
  }
  EXPECT_GT(right, predictions.queries * 9 / 10);
}

TEST_F(RidgeLearnerTest, LearnsFromMoreFeaturesThanItsSumsHaveRoomFor) {
  // Sums of 8 clusters and 5,601 features would take 2.008 GB.
  FeatureGroup constants{.name = "constants", .columns = {}, .values = {}};
  constants.values = FeatureMatrix::Ones(static_cast<Eigen::Index>(table_.num_queries()), 5601);
  constants.columns.resize(5601);
  const MemberPredictions expected = PredictCluster(stats::LeaveOneOut(8, 3), 3);
  table_.features.push_back(std::move(constants));
  problem_ = SelectFeatures(outcomes_, {}).value();
  learner_ = std::move(MakeRidgeLearner(problem_, {}).value());
  const MemberPredictions predictions = PredictCluster(stats::LeaveOneOut(8, 3), 3);
  ASSERT_EQ(predictions.work.size(), expected.work.size());
  for (std::size_t i = 0; i < expected.work.size(); ++i) {
    EXPECT_NEAR(predictions.work[i], expected.work[i], 1e-8);
  }
}

TEST_F(RidgeLearnerTest, SaysWhenEvenItsRowsTakeTooMuch) {
  // The same 14 features again and again, as if they were 700,000.
  const std::vector<const FeatureGroup*> groups = problem_.features;
  for (std::size_t copies = 1; copies < 50'000; ++copies) {
    problem_.features.insert(problem_.features.end(), groups.begin(), groups.end());
  }
  const Result<std::unique_ptr<Learner>> refused = MakeRidgeLearner(problem_, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(refused.error().message.starts_with(
      "ridge would need 2.2 GB for 384 queries and 700000 features (limit 2 GB)"))
      << refused.error().message;
}

TEST_F(RidgeLearnerTest, NeverLooksAtHeldOutOutcomes) {
  const stats::ClusterSplit split = stats::LeaveOneOut(8, 3);
  const MemberPredictions before = PredictCluster(split, 3);
  for (std::size_t q = table_.queries_of(3).begin; q < table_.queries_of(3).end; ++q) {
    table_.cost[table_.cell(q, 1)] *= 7.0;
  }
  outcomes_ = DeriveOutcomes(table_, 1.1);
  learner_ = std::move(MakeRidgeLearner(problem_, {}).value());
  EXPECT_EQ(PredictCluster(split, 3).work, before.work);
}

TEST_F(RidgeLearnerTest, MultiplicityTwoIsTheSameAsTheClusterTwice) {
  // The same table with cluster 0 appended once more as cluster 8.
  OutcomeTable longer = table_;
  const QueryRange range = table_.queries_of(0);
  const std::size_t cells = range.size() * table_.num_actions();
  longer.cost.insert(longer.cost.end(), table_.cost.begin(),
                     table_.cost.begin() + static_cast<long>(cells));
  longer.time.insert(longer.time.end(), table_.time.begin(),
                     table_.time.begin() + static_cast<long>(cells));
  longer.success.resize(longer.cost.size(), 1);
  longer.clusters.emplace_back("again");
  longer.cluster_begin.push_back(longer.cluster_begin.back() + range.size());
  for (FeatureGroup& group : longer.features) {
    const FeatureMatrix rows = group.values.topRows(static_cast<Eigen::Index>(range.size()));
    FeatureMatrix all(group.values.rows() + rows.rows(), rows.cols());
    all << group.values, rows;
    group.values = all;
  }
  const PotentialOutcomes outcomes = DeriveOutcomes(longer, 1.1);
  const LearningProblem problem = SelectFeatures(outcomes, {}).value();
  // One member fitted on everything, no resampling noise: a single penalty and equal units.
  const auto fit = [](const LearningProblem& p, const std::vector<std::uint32_t>& multiplicity) {
    std::vector<RidgeSums> sums;
    const internal::FeatureUnits units(p, 0);
    RidgeSums total = RidgeSums::Zero(units.width(), 1);
    RowMatrix rows;
    for (std::size_t k = 0; k < multiplicity.size(); ++k) {
      units.Fill(p, p.table().queries_of(k), rows);
      RowMatrix y(rows.rows(), 1);
      for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        y(i, 0) = p.work_target(p.table().queries_of(k).begin + static_cast<std::size_t>(i), 0);
      }
      const RowMatrix features = rows.rightCols(rows.cols() - 1);
      total.Add(SumsOf(features, y), multiplicity[k]);
    }
    const Eigen::MatrixXd coefficients = SolveRidge(total, std::vector<double>{0.1});
    units.Fill(p, p.table().queries_of(5), rows);
    return Eigen::VectorXd(rows * coefficients);
  };
  const Eigen::VectorXd weighted = fit(problem_, {2, 1, 1, 1, 1, 0, 1, 1});
  const Eigen::VectorXd repeated = fit(problem, {1, 1, 1, 1, 1, 0, 1, 1, 1});
  EXPECT_LT((weighted - repeated).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_F(RidgeLearnerTest, EligibilityStaysAProbability) {
  const MemberPredictions predictions = PredictCluster(stats::LeaveOneOut(8, 0), 0);
  for (const double p : predictions.eligible) {
    EXPECT_GE(p, 0.0);
    EXPECT_LE(p, 1.0);
  }
}

TEST_F(RidgeLearnerTest, UsesActionFeatures) {
  // Only an action feature tells which candidate is favoured.
  table_.features.clear();
  ActionFeatureGroup hint{
      .name = "hint",
      .columns = {"saves"},
      .values = FeatureMatrix::Zero(static_cast<Eigen::Index>(table_.cost.size()), 1)};
  for (std::size_t q = 0; q < table_.num_queries(); ++q) {
    for (ActionIndex a = 1; a < 3; ++a) {
      const bool saves = table_.cost[table_.cell(q, a)] < 0.9 * table_.cost[table_.cell(q, 0)];
      hint.values(static_cast<Eigen::Index>(table_.cell(q, a)), 0) = saves ? 1.0F : 0.0F;
    }
  }
  table_.action_features.push_back(hint);
  problem_ = SelectFeatures(outcomes_, {}).value();
  learner_ = std::move(MakeRidgeLearner(problem_, {}).value());
  const MemberPredictions predictions = PredictCluster(stats::LeaveOneOut(8, 2), 2);
  for (std::size_t i = 0; i < predictions.queries; ++i) {
    const std::size_t query = table_.queries_of(2).begin + i;
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(MeanWork(predictions, i, c), problem_.work_target(query, c), 0.12);
    }
  }
}

TEST(SelectFeaturesTest, RefusesAnUnknownGroupWithTheNearestName) {
  const OutcomeTable table = MakePositiveControl({.clusters = 2}, RngStream(6));
  const PotentialOutcomes outcomes = DeriveOutcomes(table, 1.1);
  const std::vector<std::string> groups = {"obs", "taget"};
  const Result<LearningProblem> problem = SelectFeatures(outcomes, groups);
  ASSERT_FALSE(problem.ok());
  EXPECT_EQ(problem.error().message, "no feature group 'taget' (did you mean 'target'?)");
  EXPECT_EQ(CheckGroups(table, groups).error().message, problem.error().message);
}

}  // namespace
}  // namespace gonogo::audit
