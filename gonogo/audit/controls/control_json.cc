// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/controls/control_json.h"

#include "gonogo/audit/result/result_json.h"

namespace gonogo::audit {

std::vector<double> UsualGammas(std::string_view kind) {
  return kind == "hidden" ? std::vector{0.05} : std::vector{0.02, 0.05, 0.09, 0.10};
}

nlohmann::json ControlJson(const std::string& kind, const std::vector<ControlPoint>& points,
                           const Protocol& protocol) {
  nlohmann::json json = {{"schema", "gonogo.control/1"},
                         {"kind", kind},
                         {"threshold", protocol.thresholds.delta_alloc}};
  for (const ControlPoint& point : points) {
    nlohmann::json row = SummaryJson(point.result);
    row["gamma"] = point.gamma;
    json["points"].push_back(std::move(row));
  }
  for (const double threshold : kClaimedGains) {
    json["lower_bound_above"].push_back(
        {{"threshold", threshold}, {"count", CountAbove(points, threshold)}});
  }
  return json;
}

}  // namespace gonogo::audit
