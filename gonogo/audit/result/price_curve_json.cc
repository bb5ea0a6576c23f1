// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/price_curve_json.h"

namespace gonogo::audit {
namespace {

nlohmann::json EstimateJson(const CurveEstimate& estimate) {
  return {{"point", estimate.point},
          {"lower", estimate.interval.lower},
          {"upper", estimate.interval.upper}};
}

}  // namespace

nlohmann::json PriceCurveJson(const PriceCurve& curve) {
  nlohmann::json points = nlohmann::json::array();
  for (const CurvePoint& point : curve.points) {
    points.push_back({{"allowed", point.allowed},
                      {"price", point.price},
                      {"departs", point.departs},
                      {"lost", EstimateJson(point.lost)},
                      {"saved", EstimateJson(point.saved)},
                      {"saved_at_random", point.random},
                      {"saved_by_oracle", point.oracle}});
  }
  nlohmann::json actions = nlohmann::json::array();
  for (const CurveAction& action : curve.actions) {
    actions.push_back({{"name", action.name}, {"lost", action.lost}, {"saved", action.saved}});
  }
  return {{"rate", curve.rate}, {"points", std::move(points)}, {"actions", std::move(actions)}};
}

}  // namespace gonogo::audit
