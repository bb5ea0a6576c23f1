// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/nn/kernels/tile.h"

namespace gonogo::nn::internal {

/// Writes row_init + a b into `c`, which is rows x columns and row-major without gaps; `row_init`
/// has one entry per column, or is null for zero. `a` is rows x depth, `b` is depth x columns.
/// Neither allocates nor looks at the machine's caches: entry (i, j) is one chain of multiply-adds
/// in the order of depth and has the same bits whatever else is in the batch.
template <typename Scalar>
void Multiply(int rows, int columns, int depth, Strided<Scalar> a, Strided<Scalar> b,
              const Scalar* row_init, Scalar* c);

}  // namespace gonogo::nn::internal
