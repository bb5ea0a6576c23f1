// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/ground_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gonogo::robot {
namespace {

constexpr double kUnder = 0.3;     // m from the middle, along both axes
constexpr double kNear = 0.2;      // m towards the goal …
constexpr double kFar = 0.8;       // … as far as a scan usually reaches
constexpr double kAside = 0.3;     // m from the line to the goal
constexpr double kEdge = 1e-9;     // points on an edge belong to the part
constexpr double kNowhere = 1e-6;  // m: a goal this near has no direction

/// Mean, spread and range of some heights.
struct Heights {
  int count = 0;
  double sum = 0.0;
  double squares = 0.0;
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void Add(double height) {
    ++count;
    sum += height;
    squares += height * height;
    low = std::min(low, height);
    high = std::max(high, height);
  }
  [[nodiscard]] double mean() const { return count > 0 ? sum / count : 0.0; }
  [[nodiscard]] double deviation() const {
    return count > 0 ? std::sqrt(std::max(squares / count - mean() * mean(), 0.0)) : 0.0;
  }
};

}  // namespace

const std::vector<std::string>& GroundView::Columns() {
  static const std::vector<std::string> kColumns{"ground_under", "ground_ahead", "ground_rise",
                                                 "ground_drop"};
  return kColumns;
}

Result<GroundView> GroundView::Create(const RobotSpec& robot) {
  const int offset = robot.TermOffset(TermKind::kHeightScan);
  if (offset < 0) {
    return InputError(
        "{}: has no height_scan in its observation, so nothing is known of the ground",
        robot.file.string());
  }
  GroundView view;
  view.offset_ = static_cast<std::size_t>(offset);
  view.nx_ = robot.scan.nx;
  view.ny_ = robot.scan.ny;
  view.spacing_m_ = robot.scan.spacing_m;
  for (const ObservationTerm& term : robot.observation) {
    if (term.kind == TermKind::kHeightScan) view.scale_ = term.scale;
  }
  return view;
}

std::array<float, GroundView::kSize> GroundView::Of(std::span<const float> observation,
                                                    Point2 goal_B) const {
  const double distance = std::hypot(goal_B.x, goal_B.y);
  const bool somewhere = distance > kNowhere;
  const double ux = somewhere ? goal_B.x / distance : 1.0;
  const double uy = somewhere ? goal_B.y / distance : 0.0;
  Heights under;
  Heights ahead;
  for (int iy = 0; iy < ny_; ++iy) {
    for (int ix = 0; ix < nx_; ++ix) {
      const auto i = static_cast<std::size_t>(iy * nx_ + ix);
      const double x = (ix - 0.5 * (nx_ - 1)) * spacing_m_;
      const double y = (iy - 0.5 * (ny_ - 1)) * spacing_m_;
      // A scan value is how far the ground is below.
      const double height = scale_[i] != 0.0 ? -observation[offset_ + i] / scale_[i] : 0.0;
      if (std::max(std::abs(x), std::abs(y)) <= kUnder + kEdge) under.Add(height);
      const double along = ux * x + uy * y;
      const double aside = std::abs(ux * y - uy * x);
      if (along >= kNear - kEdge && along <= kFar + kEdge && aside <= kAside + kEdge) {
        ahead.Add(height);
      }
    }
  }
  const bool seen = ahead.count > 0;
  return {static_cast<float>(under.deviation()), static_cast<float>(ahead.deviation()),
          static_cast<float>(seen ? ahead.high - under.mean() : 0.0),
          static_cast<float>(seen ? under.mean() - ahead.low : 0.0)};
}

}  // namespace gonogo::robot
