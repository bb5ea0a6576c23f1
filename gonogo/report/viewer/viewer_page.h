// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "gonogo/report/page/assets.h"
#include "gonogo/report/viewer/scene.h"

namespace gonogo::report {

/// The scene as one self-contained HTML document: robot and terrain in 3-D, play, pause, scrub,
/// tracks overlaid as ghosts, plots that follow the time, and a table of the tracks' facts. Only
/// the terrain around the tracks is kept. With an empty `viewer_js` (a build without Node.js) the
/// page carries the table alone and says so. Array lengths must match `frames` and `bodies`.
[[nodiscard]] std::string ViewerPage(const ViewerScene& scene,
                                     std::string_view viewer_js = ViewerJs());

}  // namespace gonogo::report

namespace gonogo::report::internal {

/// The part of the terrain within `margin_m` of any frame or marker, so that a page does not carry
/// ground nobody walks on. A plane stays a plane.
[[nodiscard]] SceneTerrain CropTerrain(const ViewerScene& scene, double margin_m);

/// The scene as `web/src/viewer/scene_data.js` reads it.
[[nodiscard]] nlohmann::json SceneJson(const ViewerScene& scene);

}  // namespace gonogo::report::internal
