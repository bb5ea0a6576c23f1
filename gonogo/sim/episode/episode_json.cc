// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/episode/episode_json.h"

#include <limits>

#include "gonogo/io/json/json.h"

namespace gonogo::sim {

// Enumerations as words; a word nobody knows becomes the first entry.
NLOHMANN_JSON_SERIALIZE_ENUM(Termination, {{Termination::kNone, nullptr},
                                           {Termination::kForbiddenContact, "forbidden contact"},
                                           {Termination::kDiverged, "diverged"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Shape, {{Shape::kBox, "box"},
                                     {Shape::kSphere, "sphere"},
                                     {Shape::kCapsule, "capsule"},
                                     {Shape::kCylinder, "cylinder"},
                                     {Shape::kEllipsoid, "ellipsoid"}})

void to_json(nlohmann::json& json, const EpisodeResult& result) {
  json = {{"success", result.success},
          {"reached", result.reached},
          {"termination", result.termination},
          {"termination_detail", result.termination_detail},
          {"time_s", result.time_s},
          {"work_j", result.work_j},
          {"power_w", result.power_w},
          {"path_m", result.path_m},
          {"cot", result.cot},
          {"effort", result.effort},
          {"control_work_j", result.control_work_j},
          {"control_power_w", result.control_power_w},
          {"control_cot", result.control_cot},
          {"control_effort", result.control_effort},
          {"final_distance_m", result.final_distance_m},
          {"final_height_m", result.final_height_m},
          {"final_posture_height_m", result.final_posture_height_m},
          {"decisions", result.decisions}};
}

void from_json(const nlohmann::json& json, EpisodeResult& result) {
  json.at("success").get_to(result.success);
  json.at("reached").get_to(result.reached);
  json.at("termination").get_to(result.termination);
  json.at("termination_detail").get_to(result.termination_detail);
  json.at("time_s").get_to(result.time_s);
  json.at("work_j").get_to(result.work_j);
  json.at("power_w").get_to(result.power_w);
  json.at("path_m").get_to(result.path_m);
  json.at("cot").get_to(result.cot);
  json.at("effort").get_to(result.effort);
  // Absent in files written before these were measured, null where they were not.
  const auto known = [&json](const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? found->get<double>()
                                                     : std::numeric_limits<double>::quiet_NaN();
  };
  result.control_work_j = known("control_work_j");
  result.control_power_w = known("control_power_w");
  result.control_cot = known("control_cot");
  result.control_effort = known("control_effort");
  json.at("final_distance_m").get_to(result.final_distance_m);
  json.at("final_height_m").get_to(result.final_height_m);
  json.at("final_posture_height_m").get_to(result.final_posture_height_m);
  io::TakeWhole(json.at("decisions"), result.decisions);
}

void to_json(nlohmann::json& json, const VisibleGeom& geom) {
  json = {{"body", geom.body},         {"shape", geom.shape},       {"size", geom.size},
          {"position", geom.position}, {"rotation", geom.rotation}, {"rgba", geom.rgba}};
}

void from_json(const nlohmann::json& json, VisibleGeom& geom) {
  io::TakeWhole(json.at("body"), geom.body);
  json.at("shape").get_to(geom.shape);
  json.at("size").get_to(geom.size);
  json.at("position").get_to(geom.position);
  json.at("rotation").get_to(geom.rotation);
  json.at("rgba").get_to(geom.rgba);
}

}  // namespace gonogo::sim
