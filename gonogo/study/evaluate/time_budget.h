// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace gonogo::study {

/// What one operating point needs on average.
struct WorkTime {
  double work_j = 0.0;
  double time_s = 0.0;
};

/// The least mean work for a mean time, when operating points may be mixed: the lower convex hull
/// of the points, falling until its minimum and constant from there.
class WorkFrontier {
 public:
  /// At least one point.
  explicit WorkFrontier(std::vector<WorkTime> points);

  /// Infinite below the fastest point's time.
  [[nodiscard]] double Work(double time_s) const;
  /// Vertices by rising time and falling work.
  [[nodiscard]] const std::vector<WorkTime>& vertices() const { return vertices_; }

 private:
  std::vector<WorkTime> vertices_;
};

/// A task of two legs that share a completion-time budget.
struct BudgetGain {
  double budget_s = 0.0;
  double uniform_j = 0.0;    ///< least work when both legs run at the same operating points
  double allocated_j = 0.0;  ///< least work when each leg has its own
  [[nodiscard]] double gain() const { return 1.0 - allocated_j / uniform_j; }
};

/// `first[i]` and `second[i]` are what operating point i needs on either leg. One entry per budget,
/// from the fastest to the slowest pair in `steps` equal steps.
[[nodiscard]] std::vector<BudgetGain> SweepBudget(const std::vector<WorkTime>& first,
                                                  const std::vector<WorkTime>& second,
                                                  std::size_t steps);

}  // namespace gonogo::study
