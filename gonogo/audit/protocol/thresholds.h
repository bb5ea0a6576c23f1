// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gonogo::audit {

/// What the deployer declared to be worth it.
struct Thresholds {
  double delta_dep = 0.01;    ///< smallest useful H_dep
  double delta_alloc = 0.01;  ///< smallest useful H_alloc
  double kappa = 0.05;        ///< largest tolerable violation rate

  bool operator==(const Thresholds&) const = default;
};

}  // namespace gonogo::audit
