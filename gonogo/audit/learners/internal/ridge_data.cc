// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/internal/ridge_data.h"

#include <algorithm>

#include "gonogo/audit/learners/internal/ridge_sums.h"

namespace gonogo::audit::internal {
namespace {

constexpr std::size_t kRowsAtOnce = 4096;  // bounds the memory of design rows

class ClusterSums final : public RidgeData {
 public:
  ClusterSums(const OutcomeTable& table, const FillRows& fill) {
    RowMatrix rows;
    RowMatrix y;
    for (std::size_t k = 0; k < table.num_clusters(); ++k) {
      const QueryRange cluster = table.queries_of(k);
      for (std::size_t begin = cluster.begin; begin < cluster.end; begin += kRowsAtOnce) {
        fill({begin, std::min(begin + kRowsAtOnce, cluster.end)}, rows, y);
        if (sums_.empty()) {
          sums_.assign(table.num_clusters(), RidgeSums::Zero(rows.cols(), y.cols()));
        }
        sums_[k].gram.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose());
        sums_[k].cross.noalias() += rows.transpose() * y;
        sums_[k].squares += y.colwise().squaredNorm().transpose();
      }
    }
  }

  [[nodiscard]] Eigen::MatrixXd Fit(std::span<const std::uint32_t> weight,
                                    std::span<const double> penalty) const override {
    return SolveRidge(Total(weight), penalty);
  }

  [[nodiscard]] std::vector<Eigen::VectorXd> ValidationErrors(
      std::span<const std::uint32_t> train, std::span<const std::uint32_t> validate,
      std::span<const double> penalties) const override {
    const RidgeSystem training(Total(train));
    const RidgeSums validation = Total(validate);
    std::vector<Eigen::VectorXd> errors;
    for (const double value : penalties) {
      const std::vector<double> penalty(static_cast<std::size_t>(validation.cross.cols()), value);
      errors.push_back(SquaredError(validation, training.Solve(penalty)));
    }
    return errors;
  }

 private:
  [[nodiscard]] RidgeSums Total(std::span<const std::uint32_t> weight) const {
    RidgeSums total = RidgeSums::Zero(sums_.front().gram.rows(), sums_.front().cross.cols());
    for (std::size_t k = 0; k < weight.size(); ++k) {
      if (weight[k] > 0) total.Add(sums_[k], weight[k]);
    }
    return total;
  }

  std::vector<RidgeSums> sums_;
};

class ClusterRows final : public RidgeData {
 public:
  ClusterRows(const OutcomeTable& table, const FillRows& fill)
      : cluster_begin_(table.cluster_begin) {
    fill({0, table.num_queries()}, rows_, targets_);
  }

  [[nodiscard]] Eigen::MatrixXd Fit(std::span<const std::uint32_t> weight,
                                    std::span<const double> penalty) const override {
    return System(weight)->Solve(penalty);
  }

  [[nodiscard]] std::vector<Eigen::VectorXd> ValidationErrors(
      std::span<const std::uint32_t> train, std::span<const std::uint32_t> validate,
      std::span<const double> penalties) const override {
    const std::unique_ptr<RidgeSolver> training = System(train);
    std::vector<Eigen::VectorXd> errors;
    for (const double value : penalties) {
      const std::vector<double> penalty(static_cast<std::size_t>(targets_.cols()), value);
      errors.push_back(SquaredErrorOn(validate, training->Solve(penalty)));
    }
    return errors;
  }

 private:
  /// The rows of cluster k.
  template <typename Matrix>
  [[nodiscard]] auto Of(Matrix& matrix, std::size_t k) const {
    return matrix.middleRows(static_cast<Eigen::Index>(cluster_begin_[k]),
                             static_cast<Eigen::Index>(cluster_begin_[k + 1] - cluster_begin_[k]));
  }

  /// As many equations as there are features, or as many as there are rows.
  [[nodiscard]] std::unique_ptr<RidgeSolver> System(std::span<const std::uint32_t> weight) const {
    if (rows_.rows() < rows_.cols()) {
      Eigen::VectorXd row_weight(rows_.rows());
      for (std::size_t k = 0; k < weight.size(); ++k) Of(row_weight, k).setConstant(weight[k]);
      return std::make_unique<DualRidgeSystem>(rows_, targets_, row_weight);
    }
    RidgeSums total = RidgeSums::Zero(rows_.cols(), targets_.cols());
    for (std::size_t k = 0; k < weight.size(); ++k) {
      if (weight[k] == 0) continue;
      const auto rows = Of(rows_, k);
      const auto y = Of(targets_, k);
      total.gram.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose(), weight[k]);
      total.cross.noalias() += weight[k] * (rows.transpose() * y);
    }
    return std::make_unique<RidgeSystem>(total);
  }

  [[nodiscard]] Eigen::VectorXd SquaredErrorOn(std::span<const std::uint32_t> weight,
                                               const Eigen::MatrixXd& coefficients) const {
    Eigen::VectorXd error = Eigen::VectorXd::Zero(targets_.cols());
    for (std::size_t k = 0; k < weight.size(); ++k) {
      if (weight[k] == 0) continue;
      const RowMatrix residual = Of(targets_, k) - Of(rows_, k) * coefficients;
      error += weight[k] * residual.colwise().squaredNorm().transpose();
    }
    return error;
  }

  std::vector<std::size_t> cluster_begin_;
  RowMatrix rows_;
  RowMatrix targets_;
};

}  // namespace

std::unique_ptr<RidgeData> SumClusters(const OutcomeTable& table, const FillRows& fill) {
  return std::make_unique<ClusterSums>(table, fill);
}

std::unique_ptr<RidgeData> KeepRows(const OutcomeTable& table, const FillRows& fill) {
  return std::make_unique<ClusterRows>(table, fill);
}

}  // namespace gonogo::audit::internal
