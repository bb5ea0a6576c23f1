// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/internal/ridge_sums.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "gonogo/base/check.h"

namespace gonogo::audit::internal {
namespace {

constexpr double kConstantSd = 1e-8;

// L L' b = right side, for columns [begin, end) at once. Row by row over all targets: with few
// features and a dozen targets this is many times faster than one triangular solve per column.
void SolveInPlace(const Eigen::MatrixXd& lower, Eigen::Index begin, Eigen::Index end,
                  RowMatrix& b) {
  const Eigen::Index p = b.rows();
  const auto subtract = [&](Eigen::Index from, double factor, Eigen::Index to) {
    const double* source = &b(from, 0);
    double* target = &b(to, 0);
    for (Eigen::Index t = begin; t < end; ++t) target[t] -= factor * source[t];
  };
  const auto scale = [&](Eigen::Index row, double factor) {
    for (Eigen::Index t = begin; t < end; ++t) b(row, t) *= factor;
  };
  for (Eigen::Index i = 0; i < p; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) subtract(j, lower(i, j), i);
    scale(i, 1.0 / lower(i, i));
  }
  for (Eigen::Index i = p; i-- > 0;) {
    for (Eigen::Index j = i + 1; j < p; ++j) subtract(j, lower(j, i), i);
    scale(i, 1.0 / lower(i, i));
  }
}

}  // namespace

double GuardedSd(double sd) { return sd < kConstantSd ? 1.0 : sd; }

Eigen::Index EndOfEqual(std::span<const double> penalty, Eigen::Index begin) {
  const auto first = penalty.begin() + begin;
  const auto end =
      std::find_if(first, penalty.end(), [&](double value) { return value != *first; });
  return end - penalty.begin();
}

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

RidgeSystem::RidgeSystem(const RidgeSums& sums) {
  const Eigen::Index p = sums.gram.rows() - 1;
  const double rows = sums.gram(0, 0);
  mean_ = sums.gram.col(0).tail(p) / rows;
  target_mean_ = sums.cross.row(0) / rows;
  correlation_ = sums.gram.bottomRightCorner(p, p) / rows;
  correlation_.noalias() -= mean_ * mean_.transpose();
  inverse_sd_ = correlation_.diagonal().unaryExpr(
      [](double v) { return 1.0 / GuardedSd(std::sqrt(std::max(v, 0.0))); });
  correlation_ = inverse_sd_.asDiagonal() * correlation_ * inverse_sd_.asDiagonal();
  moment_ = sums.cross.bottomRows(p) / rows;
  moment_.noalias() -= mean_ * target_mean_;
  moment_ = inverse_sd_.asDiagonal() * moment_;
}

Eigen::MatrixXd RidgeSystem::Solve(std::span<const double> penalty) const {
  const Eigen::Index p = mean_.size();
  const Eigen::Index targets = moment_.cols();
  GONOGO_CHECK(static_cast<Eigen::Index>(penalty.size()) == targets);
  RowMatrix slopes = moment_;
  for (Eigen::Index begin = 0; begin < targets;) {
    const Eigen::Index end = EndOfEqual(penalty, begin);
    Eigen::MatrixXd penalised = correlation_;
    penalised.diagonal().array() += penalty[static_cast<std::size_t>(begin)];
    const Eigen::LLT<Eigen::MatrixXd> factor(penalised);
    SolveInPlace(factor.matrixLLT(), begin, end, slopes);
    begin = end;
  }
  Eigen::MatrixXd coefficients(p + 1, targets);
  coefficients.bottomRows(p) = inverse_sd_.asDiagonal() * slopes;
  coefficients.row(0) = target_mean_;
  coefficients.row(0).noalias() -= mean_.transpose() * coefficients.bottomRows(p);
  return coefficients;
}

Eigen::MatrixXd SolveRidge(const RidgeSums& sums, std::span<const double> penalty) {
  return RidgeSystem(sums).Solve(penalty);
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
  scale_ = (scale_ / static_cast<double>(queries)).cwiseSqrt().unaryExpr(&GuardedSd);
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
