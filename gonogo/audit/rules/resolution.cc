// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/resolution.h"

#include <cmath>

namespace gonogo::audit {
namespace {

constexpr double kBeyondAnyStudy = 1e12;

Resolution Needed(double point, double bound, double threshold, std::size_t clusters) {
  const double ratio = (bound - point) / (point - threshold);
  const double needed = std::ceil(static_cast<double>(clusters) * ratio * ratio);
  if (!(needed < kBeyondAnyStudy)) return {ResolutionStatus::kPointOnBoundary};
  return {ResolutionStatus::kNeeded, static_cast<std::size_t>(needed)};
}

}  // namespace

Resolution ResolveGain(double point, double lower, double threshold, std::size_t clusters) {
  if (lower > threshold) return {ResolutionStatus::kSatisfied, clusters};
  if (!(point > threshold)) return {ResolutionStatus::kPointNotOnGoSide};
  return Needed(point, lower, threshold, clusters);
}

Resolution ResolveRate(double point, double upper, double threshold, std::size_t clusters) {
  if (upper <= threshold) return {ResolutionStatus::kSatisfied, clusters};
  if (!(point <= threshold)) return {ResolutionStatus::kPointNotOnGoSide};
  return Needed(point, upper, threshold, clusters);
}

std::string_view Name(ResolutionStatus status) {
  switch (status) {
    case ResolutionStatus::kSatisfied:
      return "already satisfied";
    case ResolutionStatus::kNeeded:
      return "needed";
    case ResolutionStatus::kPointOnBoundary:
      return "point on the boundary";
    case ResolutionStatus::kPointNotOnGoSide:
      break;
  }
  return "point not on the GO side";
}

}  // namespace gonogo::audit
