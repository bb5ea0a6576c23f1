// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace gonogo::nn {

/// Samples are rows, row-major.
template <typename Scalar>
using Batch = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace gonogo::nn
