// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "gonogo/audit/table/outcome_table.h"

namespace gonogo::audit::internal {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Writes rows (1, z) and targets of the queries in a range.
using FillRows = std::function<void(QueryRange range, RowMatrix& rows, RowMatrix& targets)>;

/// What a ridge regression is fitted to, for any weights of the clusters: a weight of two is the
/// same as the cluster twice. Coefficients are intercept and slopes, (p + 1) x targets.
class RidgeData {
 public:
  RidgeData() = default;
  RidgeData(const RidgeData&) = delete;
  RidgeData& operator=(const RidgeData&) = delete;
  virtual ~RidgeData() = default;

  /// The coefficients with penalty `penalty[t]` for target t; the intercept is free.
  [[nodiscard]] virtual Eigen::MatrixXd Fit(std::span<const std::uint32_t> weight,
                                            std::span<const double> penalty) const = 0;

  /// Summed squared errors per target on the clusters of `validate`, after a fit to those of
  /// `train` with each of the penalties.
  [[nodiscard]] virtual std::vector<Eigen::VectorXd> ValidationErrors(
      std::span<const std::uint32_t> train, std::span<const std::uint32_t> validate,
      std::span<const double> penalties) const = 0;
};

/// Keeps sums of each cluster, clusters x p^2 numbers: a fit never touches a row.
[[nodiscard]] std::unique_ptr<RidgeData> SumClusters(const OutcomeTable& table,
                                                     const FillRows& fill);

/// Keeps all rows, queries x p numbers, where the sums would be too large. A fit takes the smaller
/// of two systems, of p or of as many equations as there are rows.
[[nodiscard]] std::unique_ptr<RidgeData> KeepRows(const OutcomeTable& table, const FillRows& fill);

}  // namespace gonogo::audit::internal
