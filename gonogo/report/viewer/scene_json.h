// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "gonogo/report/viewer/scene.h"

namespace gonogo::report::internal {

/// The part of the terrain within `margin_m` of any frame or marker, so that a page does not carry
/// ground nobody walks on. A plane stays a plane.
[[nodiscard]] SceneTerrain CropTerrain(const Scene& scene, double margin_m);

/// The scene as `web/src/viewer/scene_data.js` reads it.
[[nodiscard]] nlohmann::json SceneJson(const Scene& scene);

}  // namespace gonogo::report::internal
