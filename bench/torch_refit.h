// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/nn/mlp/mlp.h"
#include "gonogo/nn/mlp/trainer.h"

namespace gonogo::bench {

/// Trains `network` as `nn::Trainer` does with AdamW 1e-3 / 1e-4 and losses MSE, MSE, BCE, but with
/// libtorch's C++ interface on one thread: rows shuffled every epoch unless they are one batch.
void TrainWithTorch(const nn::Samples<float>& samples, int epochs, int batch_rows,
                    nn::Mlp<float>& network);

}  // namespace gonogo::bench
