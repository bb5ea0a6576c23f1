// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/viewer/viewer_page.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "gonogo/base/check.h"
#include "gonogo/report/page/html.h"
#include "gonogo/report/text/number_text.h"
#include "gonogo/report/viewer/base64.h"

namespace gonogo::report::internal {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kPoseSize = 7;
constexpr double kShownGround = 4.0;  // m

const char* Name(GeomShape shape) {
  switch (shape) {
    case GeomShape::kBox:
      return "box";
    case GeomShape::kSphere:
      return "sphere";
    case GeomShape::kCapsule:
      return "capsule";
    case GeomShape::kCylinder:
      return "cylinder";
    case GeomShape::kEllipsoid:
      break;
  }
  return "ellipsoid";
}

const char* Name(MarkerKind kind) {
  switch (kind) {
    case MarkerKind::kTarget:
      return "target";
    case MarkerKind::kStart:
      return "start";
    case MarkerKind::kBranch:
      break;
  }
  return "branch";
}

Json TrackJson(const SceneTrack& track, int bodies) {
  GONOGO_CHECK(track.poses.size() ==
               track.times_s.size() * static_cast<std::size_t>(bodies) * kPoseSize);
  Json series = Json::array();
  for (const SceneSeries& line : track.series) {
    GONOGO_CHECK(line.values.size() == track.times_s.size());
    series.push_back({{"plot", line.plot}, {"line", line.line}, {"values", Base64(line.values)}});
  }
  Json events = Json::array();
  for (const SceneEvent& event : track.events) {
    events.push_back({{"time", event.time_s}, {"text", event.text}});
  }
  return {{"name", track.name},           {"color", track.color},
          {"ghost", track.ghost},         {"times", Base64(track.times_s)},
          {"poses", Base64(track.poses)}, {"series", std::move(series)},
          {"events", std::move(events)}};
}

Json TerrainJson(const SceneTerrain& terrain) {
  if (terrain.nx == 0) return nullptr;
  return {{"nx", terrain.nx}, {"ny", terrain.ny}, {"spacing", terrain.spacing_m},
          {"x0", terrain.x0}, {"y0", terrain.y0}, {"heights", Base64(terrain.heights)}};
}

/// Range of vertex indices, clamped to the grid and at least one cell wide.
std::pair<int, int> Vertices(double low, double high, double origin, double spacing, int count) {
  const int last = count - 1;
  const int from = std::clamp(static_cast<int>(std::floor((low - origin) / spacing)), 0, last - 1);
  const int to = std::clamp(static_cast<int>(std::ceil((high - origin) / spacing)), from + 1, last);
  return {from, to};
}

}  // namespace

SceneTerrain CropTerrain(const ViewerScene& scene, double margin_m) {
  const SceneTerrain& whole = scene.terrain;
  if (whole.nx == 0) return whole;
  GONOGO_CHECK(whole.nx > 1 && whole.ny > 1 &&
               whole.heights.size() == static_cast<std::size_t>(whole.nx) * whole.ny);
  std::array<double, 2> low{HUGE_VAL, HUGE_VAL};
  std::array<double, 2> high{-HUGE_VAL, -HUGE_VAL};
  const auto include = [&](double x, double y) {
    if (!std::isfinite(x) || !std::isfinite(y)) return;
    low = {std::min(low[0], x), std::min(low[1], y)};
    high = {std::max(high[0], x), std::max(high[1], y)};
  };
  for (const SceneTrack& track : scene.tracks) {
    const std::size_t stride = static_cast<std::size_t>(scene.bodies) * kPoseSize;
    for (std::size_t i = 0; i + 1 < track.poses.size(); i += stride) {
      include(track.poses[i], track.poses[i + 1]);
    }
  }
  for (const SceneMarker& marker : scene.markers) include(marker.x, marker.y);
  if (low[0] > high[0]) return whole;
  const auto [x_from, x_to] =
      Vertices(low[0] - margin_m, high[0] + margin_m, whole.x0, whole.spacing_m, whole.nx);
  const auto [y_from, y_to] =
      Vertices(low[1] - margin_m, high[1] + margin_m, whole.y0, whole.spacing_m, whole.ny);
  SceneTerrain part{.nx = x_to - x_from + 1,
                    .ny = y_to - y_from + 1,
                    .spacing_m = whole.spacing_m,
                    .x0 = whole.x0 + x_from * whole.spacing_m,
                    .y0 = whole.y0 + y_from * whole.spacing_m};
  for (int y = y_from; y <= y_to; ++y) {
    const auto row = whole.heights.begin() + static_cast<std::ptrdiff_t>(y) * whole.nx;
    part.heights.insert(part.heights.end(), row + x_from, row + x_to + 1);
  }
  return part;
}

nlohmann::json SceneJson(const ViewerScene& scene) {
  Json geoms = Json::array();
  for (const SceneGeom& geom : scene.geoms) {
    GONOGO_CHECK(geom.body >= 0 && geom.body < scene.bodies);
    geoms.push_back({{"body", geom.body},
                     {"shape", Name(geom.shape)},
                     {"size", geom.size},
                     {"position", geom.position},
                     {"rotation", geom.rotation},
                     {"rgba", geom.rgba}});
  }
  Json plots = Json::array();
  for (const ScenePlot& plot : scene.plots) {
    plots.push_back({{"name", plot.name},
                     {"unit", plot.unit},
                     {"kind", plot.kind == PlotKind::kLines ? "lines" : "on-off"}});
  }
  Json tracks = Json::array();
  for (const SceneTrack& track : scene.tracks) tracks.push_back(TrackJson(track, scene.bodies));
  Json markers = Json::array();
  for (const SceneMarker& marker : scene.markers) {
    markers.push_back({{"kind", Name(marker.kind)},
                       {"name", marker.name},
                       {"x", marker.x},
                       {"y", marker.y},
                       {"radius", marker.radius_m}});
  }
  return {
      {"title", scene.title},         {"bodies", scene.bodies},
      {"geoms", std::move(geoms)},    {"terrain", TerrainJson(CropTerrain(scene, kShownGround))},
      {"plots", std::move(plots)},    {"tracks", std::move(tracks)},
      {"markers", std::move(markers)}};
}

}  // namespace gonogo::report::internal

namespace gonogo::report {
namespace {

/// "2.06 s" is a number, "reached the target" is not: sentences need a column in which they fold.
bool IsNumber(std::string_view fact) {
  return !fact.empty() && (std::isdigit(static_cast<unsigned char>(fact.front())) != 0 ||
                           fact.front() == '-' || fact == kNoNumber);
}

ColumnKind KindOfFact(const ViewerScene& scene, const std::string& name) {
  for (const SceneTrack& track : scene.tracks) {
    for (const auto& [other, value] : track.facts) {
      if (other == name && !IsNumber(value)) return ColumnKind::kProse;
    }
  }
  return ColumnKind::kNumber;
}

/// One row per track, one column per fact that any of them states.
Table TrackTable(const ViewerScene& scene) {
  Table table{.caption = "Tracks",
              .columns = {{"Track"}, {"From", ColumnKind::kNumber}, {"To", ColumnKind::kNumber}}};
  std::vector<std::string> names;
  for (const SceneTrack& track : scene.tracks) {
    for (const auto& [name, value] : track.facts) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  for (const std::string& name : names) table.columns.push_back({name, KindOfFact(scene, name)});
  for (const SceneTrack& track : scene.tracks) {
    const bool empty = track.times_s.empty();
    std::vector<Cell> row{track.name, empty ? kNoNumber : Number(track.times_s.front()) + " s",
                          empty ? kNoNumber : Number(track.times_s.back()) + " s"};
    for (const std::string& name : names) {
      const auto fact = std::find_if(track.facts.begin(), track.facts.end(),
                                     [&](const auto& entry) { return entry.first == name; });
      row.emplace_back(fact == track.facts.end() ? kNoNumber : fact->second);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

constexpr const char* kKeys =
    "Keys: space plays and pauses, ← → move one frame (with shift ten), + − change the speed, f "
    "follows the robot, c puts the camera back, 1–9 choose a track. Drag to orbit, drag on a plot "
    "to move the time.";

}  // namespace

std::string ViewerPage(const ViewerScene& scene, std::string_view viewer_js) {
  const bool draws = !viewer_js.empty();
  std::string body;
  if (draws) {
    body += "<div id=\"viewer\"></div>\n<script type=\"application/json\" id=\"scene\">" +
            internal::ScriptJson(internal::SceneJson(scene)) + "</script>\n";
  }
  body += "<div class=\"page\"><main>\n<header class=\"page-head\"><h1>" +
          internal::EscapeHtml(scene.title) + "</h1></header>\n";
  std::vector<Block> blocks;
  if (draws) {
    body +=
        "<noscript><p class=\"callout tone-warn\">The 3-D view needs JavaScript.</p></noscript>\n";
    blocks.push_back(Paragraph{kKeys});
  } else {
    blocks.push_back(Paragraph{
        "This page has a table instead of the 3-D view: gonogo was built without Node.js, which "
        "bundles the viewer.",
        Tone::kWarn});
  }
  blocks.push_back(TrackTable(scene));
  for (const Block& block : blocks) body += internal::BlockHtml(block, false);
  body += "</main></div>\n";
  return internal::Document({.title = scene.title,
                             .styles = {PageCss(), ViewerCss()},
                             .body = body,
                             .script = viewer_js});
}

}  // namespace gonogo::report
