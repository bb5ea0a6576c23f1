// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/internal/ridge_sums.h"

#include <cmath>

#include <Eigen/Cholesky>

#include "gonogo/base/check.h"

namespace gonogo::audit::internal {
namespace {

// A column that does not vary carries nothing: its slope stays zero.
constexpr double kConstantSd = 1e-8;

double Guarded(double sd) { return sd < kConstantSd ? 1.0 : sd; }

}  // namespace

RidgeSums RidgeSums::Zero(Eigen::Index width, Eigen::Index targets) {
  return {.gram = Eigen::MatrixXd::Zero(width, width),
          .cross = Eigen::MatrixXd::Zero(width, targets),
          .squares = Eigen::VectorXd::Zero(targets)};
}

void RidgeSums::Add(const RidgeSums& other, double weight) {
  gram += weight * other.gram;
  cross += weight * other.cross;
  squares += weight * other.squares;
}

Eigen::MatrixXd SolveRidge(const RidgeSums& sums, std::span<const double> penalty) {
  const Eigen::Index p = sums.gram.rows() - 1;
  const Eigen::Index targets = sums.cross.cols();
  GONOGO_CHECK(static_cast<Eigen::Index>(penalty.size()) == targets);
  const double rows = sums.gram(0, 0);
  const Eigen::VectorXd mean = sums.gram.col(0).tail(p) / rows;
  const Eigen::RowVectorXd target_mean = sums.cross.row(0) / rows;
  Eigen::MatrixXd correlation = sums.gram.bottomRightCorner(p, p) / rows;
  correlation.noalias() -= mean * mean.transpose();
  const Eigen::VectorXd inverse_sd = correlation.diagonal().unaryExpr(
      [](double v) { return 1.0 / Guarded(std::sqrt(std::max(v, 0.0))); });
  correlation = inverse_sd.asDiagonal() * correlation * inverse_sd.asDiagonal();
  Eigen::MatrixXd moment = sums.cross.bottomRows(p) / rows;
  moment.noalias() -= mean * target_mean;
  moment = inverse_sd.asDiagonal() * moment;

  Eigen::MatrixXd coefficients(p + 1, targets);
  Eigen::LLT<Eigen::MatrixXd> factor;
  double factored = -1.0;
  for (Eigen::Index t = 0; t < targets; ++t) {
    const double lambda = penalty[static_cast<std::size_t>(t)];
    if (lambda != factored) {
      Eigen::MatrixXd penalised = correlation;
      penalised.diagonal().array() += lambda;
      factor.compute(penalised);
      factored = lambda;
    }
    coefficients.col(t).tail(p) = inverse_sd.asDiagonal() * factor.solve(moment.col(t));
    coefficients(0, t) = target_mean(t) - mean.dot(coefficients.col(t).tail(p));
  }
  return coefficients;
}

Eigen::VectorXd SquaredError(const RidgeSums& sums, const Eigen::MatrixXd& coefficients) {
  const Eigen::MatrixXd gram = sums.gram.selfadjointView<Eigen::Lower>();
  const Eigen::MatrixXd fitted = gram * coefficients;
  return sums.squares +
         (coefficients.cwiseProduct(fitted - 2.0 * sums.cross)).colwise().sum().transpose();
}

FeatureUnits::FeatureUnits(const LearningProblem& problem, std::size_t candidate)
    : candidate_(candidate) {
  const std::size_t features = problem.num_features();
  const std::size_t p = features + problem.num_action_features();
  const std::size_t queries = problem.table().num_queries();
  std::vector<float> row(p);
  const auto visit = [&](auto&& use) {
    for (std::size_t query = 0; query < queries; ++query) {
      problem.CopyFeatures(query, std::span(row).first(features));
      problem.CopyActionFeatures(query, candidate, std::span(row).subspan(features));
      use(Eigen::Map<const Eigen::VectorXf>(row.data(), static_cast<Eigen::Index>(p))
              .cast<double>());
    }
  };
  mean_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(p));
  visit([&](const auto& x) { mean_ += x; });
  mean_ /= static_cast<double>(queries);
  scale_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(p));
  visit([&](const auto& x) { scale_ += (x - mean_).cwiseAbs2(); });
  scale_ = (scale_ / static_cast<double>(queries)).cwiseSqrt().unaryExpr(&Guarded);
}

void FeatureUnits::Fill(const LearningProblem& problem, QueryRange range, RowMatrix& rows) const {
  const std::size_t features = problem.num_features();
  const std::size_t p = static_cast<std::size_t>(mean_.size());
  std::vector<float> raw(p);
  rows.resize(static_cast<Eigen::Index>(range.size()), width());
  for (std::size_t i = 0; i < range.size(); ++i) {
    problem.CopyFeatures(range.begin + i, std::span(raw).first(features));
    problem.CopyActionFeatures(range.begin + i, candidate_, std::span(raw).subspan(features));
    const auto row = static_cast<Eigen::Index>(i);
    rows(row, 0) = 1.0;
    for (Eigen::Index j = 0; j < mean_.size(); ++j) {
      rows(row, j + 1) = (raw[static_cast<std::size_t>(j)] - mean_[j]) / scale_[j];
    }
  }
}

}  // namespace gonogo::audit::internal
