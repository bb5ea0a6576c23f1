// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gonogo::study {

/// Every interval over episodes resamples clusters this often and has this level.
inline constexpr int kResamples = 2000;
inline constexpr double kLevel = 0.95;

}  // namespace gonogo::study
