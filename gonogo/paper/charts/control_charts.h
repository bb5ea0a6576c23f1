// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "gonogo/audit/controls/controls.h"
#include "gonogo/report/page/page.h"

namespace gonogo::paper {

/// A published estimate with its interval, percent.
struct PublishedEstimate {
  double point;
  double lower;
  double upper;
};

/// What the paper prints for one bonus.
struct PublishedControl {
  double gamma;  ///< 0: the outcomes as they are
  PublishedEstimate h_alloc;
  PublishedEstimate q;
};

/// Figure "audit-calibration", left: allocation gain and violations against the planted bonus, and
/// right: the intervals of every hidden mapping with the thresholds they should not exceed.
[[nodiscard]] report::Cards ControlCharts(std::span<const PublishedControl> published,
                                          std::span<const audit::ControlPoint> observable,
                                          std::span<const audit::ControlPoint> hidden,
                                          std::span<const double> thresholds);

}  // namespace gonogo::paper
