// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "gonogo/sim/episode/episode_record.h"

namespace gonogo::sim {

/// How an episode went, as it is printed and stored: `success`, `work_j`, `time_s`, `path_m`,
/// `cot`, `final_distance_m`, `final_height_m` …
void to_json(nlohmann::json& json, const EpisodeResult& result);
void from_json(const nlohmann::json& json, EpisodeResult& result);

void to_json(nlohmann::json& json, const VisibleGeom& geom);
void from_json(const nlohmann::json& json, VisibleGeom& geom);

}  // namespace gonogo::sim
