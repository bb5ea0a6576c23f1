// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <Eigen/Core>

#include "gonogo/audit/learners/internal/ridge_sums.h"

namespace gonogo::audit::internal {

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
