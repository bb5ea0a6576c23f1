// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/worlds/world_json.h"

namespace gonogo::calibrate {

void to_json(nlohmann::json& json, const World& world) {
  json = {{"clusters", world.clusters},
          {"queries", world.queries},
          {"unequal_clusters", world.unequal_clusters},
          {"actions", world.actions},
          {"features", world.features},
          {"context_correlation", world.context_correlation},
          {"response", world.response == Response::kLinear ? "linear" : "threshold"},
          {"signal", world.signal},
          {"handicap", world.handicap},
          {"global_gain", world.global_gain},
          {"reference_gap", world.reference_gap},
          {"cluster_noise", world.cluster_noise},
          {"query_noise", world.query_noise},
          {"baseline_spread", world.baseline_spread},
          {"violation_logit", nullptr},
          {"violation_slope", world.violation_slope},
          {"violation_cluster_sd", world.violation_cluster_sd}};
  if (world.violation_logit != kNeverViolates) json["violation_logit"] = world.violation_logit;
}

}  // namespace gonogo::calibrate
