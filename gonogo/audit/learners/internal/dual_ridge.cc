// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/internal/dual_ridge.h"

#include <cmath>

#include <Eigen/Cholesky>

#include "gonogo/base/check.h"

namespace gonogo::audit::internal {

DualRidgeSystem::DualRidgeSystem(const RowMatrix& rows, const RowMatrix& targets,
                                 const Eigen::VectorXd& weight)
    : total_(weight.sum()) {
  const Eigen::Index p = rows.cols() - 1;
  mean_ = Eigen::RowVectorXd::Zero(p);
  target_mean_ = Eigen::RowVectorXd::Zero(targets.cols());
  Eigen::Index used = 0;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    if (weight[i] == 0.0) continue;
    mean_ += weight[i] * rows.row(i).tail(p);
    target_mean_ += weight[i] * targets.row(i);
    ++used;
  }
  mean_ /= total_;
  target_mean_ /= total_;
  z_.resize(used, p);
  y_.resize(used, targets.cols());
  Eigen::RowVectorXd variance = Eigen::RowVectorXd::Zero(p);
  Eigen::Index to = 0;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    if (weight[i] == 0.0) continue;
    z_.row(to) = std::sqrt(weight[i]) * (rows.row(i).tail(p) - mean_);
    y_.row(to) = std::sqrt(weight[i]) * (targets.row(i) - target_mean_);
    variance += z_.row(to).cwiseAbs2();
    ++to;
  }
  inverse_sd_ =
      (variance / total_).unaryExpr([](double v) { return 1.0 / GuardedSd(std::sqrt(v)); });
  for (Eigen::Index i = 0; i < used; ++i) z_.row(i).array() *= inverse_sd_.array();
  kernel_ = Eigen::MatrixXd::Zero(used, used);
  kernel_.selfadjointView<Eigen::Lower>().rankUpdate(z_, 1.0 / total_);
}

Eigen::MatrixXd DualRidgeSystem::Solve(std::span<const double> penalty) const {
  const Eigen::Index targets = y_.cols();
  GONOGO_CHECK(static_cast<Eigen::Index>(penalty.size()) == targets);
  Eigen::MatrixXd coefficients(z_.cols() + 1, targets);
  for (Eigen::Index begin = 0; begin < targets;) {
    const Eigen::Index end = EndOfEqual(penalty, begin);
    Eigen::MatrixXd penalised = kernel_;
    penalised.diagonal().array() += penalty[static_cast<std::size_t>(begin)];
    const Eigen::LLT<Eigen::MatrixXd> factor(penalised);
    const Eigen::MatrixXd dual = factor.solve(y_.middleCols(begin, end - begin)) / total_;
    coefficients.block(1, begin, z_.cols(), end - begin).noalias() =
        inverse_sd_.asDiagonal() * (z_.transpose() * dual);
    begin = end;
  }
  coefficients.row(0) = target_mean_;
  coefficients.row(0).noalias() -= mean_ * coefficients.bottomRows(z_.cols());
  return coefficients;
}

}  // namespace gonogo::audit::internal
