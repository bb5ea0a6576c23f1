// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/worlds/world_json.h"

#include <array>

namespace gonogo::calibrate {

namespace {

constexpr std::array kResponses = {"linear", "threshold", "smooth"};
constexpr std::array kLoggings = {"full", "even", "weak", "estimated"};
constexpr std::array kConstraints = {"given", "time", "failure"};

}  // namespace

void to_json(nlohmann::json& json, const World& world) {
  json = {{"clusters", world.clusters},
          {"queries", world.queries},
          {"unequal_clusters", world.unequal_clusters},
          {"actions", world.actions},
          {"features", world.features},
          {"context_correlation", world.context_correlation},
          {"response", kResponses.at(static_cast<std::size_t>(world.response))},
          {"signal", world.signal},
          {"handicap", world.handicap},
          {"global_gain", world.global_gain},
          {"reference_gap", world.reference_gap},
          {"cluster_noise", world.cluster_noise},
          {"query_noise", world.query_noise},
          {"baseline_spread", world.baseline_spread},
          {"violation_logit", nullptr},
          {"violation_slope", world.violation_slope},
          {"violation_cluster_sd", world.violation_cluster_sd},
          {"constraint", kConstraints.at(static_cast<std::size_t>(world.constraint))},
          {"strong_features", world.strong_features},
          {"heavy_noise", world.heavy_noise},
          {"context_steps", world.context_steps},
          {"informative_sizes", world.informative_sizes}};
  // Only where they matter: fits of older runs are found by this text.
  if (world.logging != Logging::kFull) {
    json["logging"] = kLoggings.at(static_cast<std::size_t>(world.logging));
  }
  if (world.exploration > 0.0) json["exploration"] = world.exploration;
  if (world.baseline_feature) json["baseline_feature"] = true;
  if (world.violation_logit != kNeverViolates) json["violation_logit"] = world.violation_logit;
}

}  // namespace gonogo::calibrate
