// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate/time_budget.h"

#include <algorithm>
#include <limits>

#include "gonogo/base/check.h"

namespace gonogo::study {
namespace {

/// Work saved per second between two vertices.
double Slope(const WorkTime& a, const WorkTime& b) {
  return (b.work_j - a.work_j) / (b.time_s - a.time_s);
}

/// Least summed work of two frontiers for a summed time: their segments in the order of what a
/// second buys.
WorkFrontier Combine(const WorkFrontier& first, const WorkFrontier& second) {
  const std::vector<WorkTime>& a = first.vertices();
  const std::vector<WorkTime>& b = second.vertices();
  std::vector<WorkTime> sums{
      {a.front().work_j + b.front().work_j, a.front().time_s + b.front().time_s}};
  std::size_t i = 0;
  std::size_t j = 0;
  while (i + 1 < a.size() || j + 1 < b.size()) {
    const bool take_first =
        j + 1 >= b.size() || (i + 1 < a.size() && Slope(a[i], a[i + 1]) <= Slope(b[j], b[j + 1]));
    take_first ? ++i : ++j;
    sums.push_back({a[i].work_j + b[j].work_j, a[i].time_s + b[j].time_s});
  }
  return WorkFrontier(std::move(sums));
}

}  // namespace

WorkFrontier::WorkFrontier(std::vector<WorkTime> points) {
  GONOGO_CHECK(!points.empty());
  std::sort(points.begin(), points.end(), [](const WorkTime& a, const WorkTime& b) {
    return a.time_s != b.time_s ? a.time_s < b.time_s : a.work_j < b.work_j;
  });
  for (const WorkTime& point : points) {
    if (!vertices_.empty() && point.work_j >= vertices_.back().work_j) continue;
    while (vertices_.size() > 1 && Slope(vertices_.back(), point) <=
                                       Slope(vertices_[vertices_.size() - 2], vertices_.back())) {
      vertices_.pop_back();
    }
    vertices_.push_back(point);
  }
}

double WorkFrontier::Work(double time_s) const {
  if (time_s < vertices_.front().time_s) return std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < vertices_.size(); ++i) {
    const WorkTime& from = vertices_[i - 1];
    if (time_s < vertices_[i].time_s) {
      return from.work_j + Slope(from, vertices_[i]) * (time_s - from.time_s);
    }
  }
  return vertices_.back().work_j;
}

std::vector<BudgetGain> SweepBudget(const std::vector<WorkTime>& first,
                                    const std::vector<WorkTime>& second, std::size_t steps) {
  GONOGO_CHECK(first.size() == second.size() && steps > 0);
  std::vector<WorkTime> together;
  for (std::size_t i = 0; i < first.size(); ++i) {
    together.push_back({first[i].work_j + second[i].work_j, first[i].time_s + second[i].time_s});
  }
  const auto [fastest, slowest] =
      std::minmax_element(together.begin(), together.end(),
                          [](const WorkTime& a, const WorkTime& b) { return a.time_s < b.time_s; });
  const WorkFrontier uniform(together);
  const WorkFrontier allocated = Combine(WorkFrontier(first), WorkFrontier(second));
  std::vector<BudgetGain> sweep;
  for (std::size_t k = 0; k <= steps; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(steps);
    const double budget = fastest->time_s + share * (slowest->time_s - fastest->time_s);
    sweep.push_back({budget, uniform.Work(budget), allocated.Work(budget)});
  }
  return sweep;
}

}  // namespace gonogo::study
