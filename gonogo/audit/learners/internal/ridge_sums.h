// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "gonogo/audit/learners/learner.h"

namespace gonogo::audit::internal {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Sufficient statistics of a linear regression with intercept: Z'Z, Z'Y and the squares of Y,
/// where Z = (1, z) and z are features in fixed units close to standard ones.
struct RidgeSums {
  Eigen::MatrixXd gram;     ///< (p + 1) x (p + 1), lower triangle
  Eigen::MatrixXd cross;    ///< (p + 1) x targets
  Eigen::VectorXd squares;  ///< targets

  static RidgeSums Zero(Eigen::Index width, Eigen::Index targets);
  void Add(const RidgeSums& other, double weight);
};

/// The regression on features standardised over the rows that entered the sums, for any penalty.
class RidgeSystem {
 public:
  explicit RidgeSystem(const RidgeSums& sums);
  /// Intercept and slopes, (p + 1) x targets, with penalty `penalty[t]` for target t; the
  /// intercept is free.
  [[nodiscard]] Eigen::MatrixXd Solve(std::span<const double> penalty) const;

 private:
  Eigen::VectorXd mean_;
  Eigen::VectorXd inverse_sd_;
  Eigen::RowVectorXd target_mean_;
  Eigen::MatrixXd correlation_;
  Eigen::MatrixXd moment_;
};

/// `RidgeSystem(sums).Solve(penalty)`.
[[nodiscard]] Eigen::MatrixXd SolveRidge(const RidgeSums& sums, std::span<const double> penalty);

/// Summed squared error of the coefficients on the rows that entered the sums, per target.
[[nodiscard]] Eigen::VectorXd SquaredError(const RidgeSums& sums,
                                           const Eigen::MatrixXd& coefficients);

/// Features in fixed units: subtracts the mean of the whole table and divides by its standard
/// deviation. Only conditioning depends on this, never what is fitted.
class FeatureUnits {
 public:
  /// `candidate` tells whose action features follow the query's own.
  FeatureUnits(const LearningProblem& problem, std::size_t candidate);

  /// Rows (1, z) of the queries in `range`.
  void Fill(const LearningProblem& problem, QueryRange range, RowMatrix& rows) const;
  [[nodiscard]] Eigen::Index width() const { return mean_.size() + 1; }
  [[nodiscard]] const Eigen::VectorXd& mean() const { return mean_; }
  [[nodiscard]] const Eigen::VectorXd& scale() const { return scale_; }

 private:
  std::size_t candidate_;
  Eigen::VectorXd mean_;
  Eigen::VectorXd scale_;
};

}  // namespace gonogo::audit::internal
