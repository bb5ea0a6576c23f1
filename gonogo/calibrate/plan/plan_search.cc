// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/plan/plan_search.h"

#include <algorithm>
#include <map>

namespace gonogo::calibrate::internal {
namespace {

constexpr std::size_t kFewest = 5;
constexpr double kResolution = 1.05;  // ratio of cluster counts at which bisection stops

/// Points evaluated so far, each once.
class PowerCurve {
 public:
  PowerCurve(const PlanSearch& search,
             const std::function<Result<PlanPoint>(std::size_t)>& evaluate)
      : search_(search), evaluate_(evaluate) {}

  Result<double> Power(std::size_t clusters) {
    auto found = points_.find(clusters);
    if (found == points_.end()) {
      PlanPoint point{.clusters = clusters, .decides = false};
      if (clusters >= search_.fewest) point = GONOGO_TRY(evaluate_(clusters));
      found = points_.emplace(clusters, point).first;
    }
    return found->second.decides ? found->second.go(search_.rule).share() : 0.0;
  }

  /// Nothing when even the largest number is not enough, or too few to decide.
  Result<std::optional<std::size_t>> Fewest(double power) {
    const std::size_t largest = search_.largest;
    if (largest < search_.fewest) return std::optional<std::size_t>();
    std::size_t low = 0;  // too few
    std::size_t high = std::max(kFewest, search_.fewest);
    while (true) {
      high = std::min(high, largest);
      const double reached = GONOGO_TRY(Power(high));
      if (reached >= power) break;
      if (high == largest) return std::optional<std::size_t>();
      low = high;
      high *= 2;
    }
    while (low > 0 && static_cast<double>(high) > kResolution * static_cast<double>(low) + 1.0) {
      const std::size_t middle = (low + high) / 2;
      const double reached = GONOGO_TRY(Power(middle));
      (reached >= power ? high : low) = middle;
    }
    return std::optional(high);
  }

  [[nodiscard]] std::vector<PlanPoint> points() const {
    std::vector<PlanPoint> points;
    for (const auto& [clusters, point] : points_) points.push_back(point);
    return points;
  }

 private:
  const PlanSearch& search_;
  const std::function<Result<PlanPoint>(std::size_t)>& evaluate_;
  std::map<std::size_t, PlanPoint> points_;
};

}  // namespace

Result<Plan> BuildPlan(const PlanSearch& search,
                       const std::function<Result<PlanPoint>(std::size_t)>& evaluate) {
  PowerCurve curve(search, evaluate);
  for (const std::size_t count : search.clusters) GONOGO_TRY(curve.Power(count));
  Plan plan;
  if (search.largest > 0) {
    plan.clusters_80 = GONOGO_TRY(curve.Fewest(0.8));
    plan.clusters_90 = GONOGO_TRY(curve.Fewest(0.9));
  }
  plan.points = curve.points();
  return plan;
}

}  // namespace gonogo::calibrate::internal
