// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

/// What the viewer shows, as plain data: SI units, z up, quaternions as w, x, y, z.
namespace gonogo::report {

/// Sizes follow MuJoCo: box half extents; sphere radius; capsule and cylinder radius and half
/// length along z; ellipsoid semi-axes.
enum class GeomShape { kBox, kSphere, kCapsule, kCylinder, kEllipsoid };

/// A part of the robot, fixed to one of its bodies.
struct SceneGeom {
  int body = 0;
  GeomShape shape = GeomShape::kBox;
  std::array<float, 3> size{};
  std::array<float, 3> position{};  ///< in the body's frame
  std::array<float, 4> rotation{1.0F, 0.0F, 0.0F, 0.0F};
  std::array<float, 4> rgba{0.5F, 0.5F, 0.5F, 1.0F};  ///< sRGB
};

/// How a quantity is drawn over time.
enum class PlotKind {
  kLines,  ///< curves on a common axis
  kOnOff,  ///< a bar while the value is above one half (contacts)
};

struct ScenePlot {
  std::string name;  ///< "command"
  std::string unit;
  PlotKind kind = PlotKind::kLines;
};

/// One curve of a track: one value per frame.
struct SceneSeries {
  std::string plot;  ///< name of a ScenePlot
  std::string line;  ///< "vx"
  std::vector<float> values;
};

struct SceneEvent {
  double time_s = 0.0;
  std::string text;
};

/// One motion of the robot: an episode, or a branch of one, which begins at its branch point. A
/// motion that diverges is shown up to its first pose that is not finite.
struct SceneTrack {
  std::string name;
  std::string color;           ///< CSS colour of path and ghost; empty = chosen by the viewer
  bool ghost = false;          ///< drawn translucent until selected
  std::vector<float> times_s;  ///< of the frames, rising
  std::vector<float> poses;    ///< [frame][body][x y z qw qx qy qz]; body 0 is followed
  std::vector<SceneSeries> series;
  std::vector<SceneEvent> events;
  std::vector<std::pair<std::string, std::string>> facts;  ///< shown in a table: "work", "412 J"
};

/// Heights over a rectangle; without vertices, an infinite plane at z = 0.
struct SceneTerrain {
  int nx = 0;
  int ny = 0;
  double spacing_m = 0.1;
  double x0 = 0.0;  ///< corner with the smallest coordinates
  double y0 = 0.0;
  std::vector<float> heights;  ///< [iy * nx + ix], metres
};

enum class MarkerKind { kTarget, kStart, kBranch };

/// A named place on the ground.
struct SceneMarker {
  MarkerKind kind = MarkerKind::kTarget;
  std::string name;
  double x = 0.0;
  double y = 0.0;
  double radius_m = 0.1;
};

struct ViewerScene {
  std::string title;
  int bodies = 0;
  std::vector<SceneGeom> geoms;
  SceneTerrain terrain;
  std::vector<ScenePlot> plots;
  std::vector<SceneTrack> tracks;
  std::vector<SceneMarker> markers;
};

}  // namespace gonogo::report
