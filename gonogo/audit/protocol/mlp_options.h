// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace gonogo::audit {

/// What a member of the ensemble is trained on.
enum class MemberResampling {
  kClusters,  ///< a bootstrap of the training clusters, drawn once
  kQueries,   ///< a bootstrap of the training queries, drawn once
  kNone,      ///< everything: members differ by initialisation and order only
};

/// How relative work and time are regressed.
enum class RegressionLoss { kSquaredError, kSmoothL1 };

/// Rows of a batch that no table exceeds: full-batch training.
inline constexpr std::size_t kWholeTable = 1'000'000'000;

/// The paper's treatment-effect learner: five members, two hidden layers of 64, 200 epochs.
struct MlpOptions {
  std::size_t members = 5;
  std::vector<int> hidden = {64, 64};
  std::size_t epochs = 200;
  std::size_t batch_rows = 256;  ///< (query, candidate) rows per step
  double learning_rate = 1e-3;
  double weight_decay = 1e-4;
  bool standardise_targets = true;  ///< relative work and time; else the BCE drowns them
  RegressionLoss loss = RegressionLoss::kSquaredError;
  MemberResampling resample = MemberResampling::kClusters;

  bool operator==(const MlpOptions&) const = default;
};

}  // namespace gonogo::audit
