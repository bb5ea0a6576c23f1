// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <Eigen/Core>

#include "gonogo/audit/learners/internal/ridge_data.h"
#include "gonogo/audit/learners/learner.h"

namespace gonogo::audit::internal {

/// Sufficient statistics of a linear regression with intercept: Z'Z, Z'Y and the squares of Y,
/// where Z = (1, z) and z are features in fixed units close to standard ones.
struct RidgeSums {
  Eigen::MatrixXd gram;     ///< (p + 1) x (p + 1), lower triangle
  Eigen::MatrixXd cross;    ///< (p + 1) x targets
  Eigen::VectorXd squares;  ///< targets

  static RidgeSums Zero(Eigen::Index width, Eigen::Index targets);
  void Add(const RidgeSums& other, double weight);
};

/// A regression on features standardised over the rows it is fitted to, for any penalty.
class RidgeSolver {
 public:
  RidgeSolver() = default;
  RidgeSolver(const RidgeSolver&) = delete;
  RidgeSolver& operator=(const RidgeSolver&) = delete;
  virtual ~RidgeSolver() = default;

  /// Intercept and slopes, (p + 1) x targets, with penalty `penalty[t]` for target t; the
  /// intercept is free.
  [[nodiscard]] virtual Eigen::MatrixXd Solve(std::span<const double> penalty) const = 0;
};

/// The one of the rows that entered the sums.
class RidgeSystem final : public RidgeSolver {
 public:
  explicit RidgeSystem(const RidgeSums& sums);
  [[nodiscard]] Eigen::MatrixXd Solve(std::span<const double> penalty) const override;

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

/// A standard deviation to divide by: 1 where a column does not vary, whose slope stays zero.
[[nodiscard]] double GuardedSd(double sd);

/// Where the targets end that have the penalty of target `begin`.
[[nodiscard]] Eigen::Index EndOfEqual(std::span<const double> penalty, Eigen::Index begin);

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

/// The regression of `RidgeSystem` with an equation for each row instead of each feature: with
/// features Z, standardised over the weighted rows, and n their weight, the slopes
/// (Z'Z / n + penalty)^-1 Z'y / n are Z' (Z Z' / n + penalty)^-1 y / n. For more features than
/// rows.
class DualRidgeSystem final : public RidgeSolver {
 public:
  /// Rows are (1, z); those of weight 0 are left out.
  DualRidgeSystem(const RowMatrix& rows, const RowMatrix& targets, const Eigen::VectorXd& weight);
  [[nodiscard]] Eigen::MatrixXd Solve(std::span<const double> penalty) const override;

 private:
  double total_ = 0.0;
  Eigen::RowVectorXd mean_;
  Eigen::RowVectorXd inverse_sd_;
  Eigen::RowVectorXd target_mean_;
  RowMatrix z_;             ///< standardised, times the root of the weight
  RowMatrix y_;             ///< centred, times the root of the weight
  Eigen::MatrixXd kernel_;  ///< Z Z' / n, lower triangle
};

}  // namespace gonogo::audit::internal
