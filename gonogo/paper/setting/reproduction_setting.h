// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace gonogo::paper {

/// With what the paper is regenerated, and where the work is kept.
struct ReproductionSetting {
  std::filesystem::path robot;
  std::filesystem::path models;  ///< identified models; "identification" makes them
  std::filesystem::path folder;  ///< collections, episodes and refits, so that a run can go on
};

}  // namespace gonogo::paper
