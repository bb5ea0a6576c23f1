// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gonogo/report/viewer/scene.h"

/// A trotting box with legs on a wavy field, and branches of its walk; for tests. Kinematics only.
namespace gonogo::report::internal {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kThigh = 0.21;        // m
inline constexpr double kStridePeriod = 0.5;  // s

inline double WavyHeight(double x, double y) {
  return 0.05 * std::sin(1.7 * x) * std::cos(1.3 * y) + 0.02 * std::sin(5.1 * x + 2.0 * y);
}

inline SceneTerrain WavyTerrain() {
  SceneTerrain terrain{.nx = 141, .ny = 121, .spacing_m = 0.1, .x0 = -5.0, .y0 = -6.0};
  for (int iy = 0; iy < terrain.ny; ++iy) {
    for (int ix = 0; ix < terrain.nx; ++ix) {
      terrain.heights.push_back(
          static_cast<float>(WavyHeight(terrain.x0 + 0.1 * ix, terrain.y0 + 0.1 * iy)));
    }
  }
  return terrain;
}

/// Body 0 is the trunk; leg l has bodies 1 + 3 l (hip), 2 + 3 l (thigh) and 3 + 3 l (calf).
inline std::vector<SceneGeom> BoxDogGeoms() {
  const std::array<float, 4> dark{0.16F, 0.18F, 0.20F, 1.0F};
  const std::array<float, 4> light{0.82F, 0.83F, 0.84F, 1.0F};
  const std::array<float, 4> along_y{0.70710678F, 0.70710678F, 0.0F, 0.0F};
  std::vector<SceneGeom> geoms{
      {.body = 0, .size = {0.19F, 0.047F, 0.057F}, .rgba = light},
      {.body = 0, .size = {0.05F, 0.04F, 0.035F}, .position = {0.23F, 0.0F, 0.01F}, .rgba = dark}};
  for (int leg = 0; leg < 4; ++leg) {
    const int hip = 1 + 3 * leg;
    geoms.push_back({.body = hip,
                     .shape = GeomShape::kCylinder,
                     .size = {0.046F, 0.02F, 0.0F},
                     .rotation = along_y,
                     .rgba = dark});
    geoms.push_back({.body = hip + 1,
                     .shape = GeomShape::kCapsule,
                     .size = {0.02F, 0.09F, 0.0F},
                     .position = {0.0F, 0.0F, -0.105F},
                     .rgba = light});
    geoms.push_back({.body = hip + 2,
                     .shape = GeomShape::kCapsule,
                     .size = {0.013F, 0.09F, 0.0F},
                     .position = {0.0F, 0.0F, -0.105F},
                     .rgba = dark});
    geoms.push_back({.body = hip + 2,
                     .shape = GeomShape::kSphere,
                     .size = {0.022F, 0.0F, 0.0F},
                     .position = {0.0F, 0.0F, -0.21F},
                     .rgba = dark});
  }
  return geoms;
}

/// Where the walk is at one moment.
struct WalkState {
  double time_s = 0.0;
  double x = 0.0;
  double y = 0.0;
  double yaw = 0.0;
};

inline void AddPose(std::vector<float>& poses, double x, double y, double z, double yaw,
                    double pitch) {
  const double cy = std::cos(yaw / 2), sy = std::sin(yaw / 2);
  const double cp = std::cos(pitch / 2), sp = std::sin(pitch / 2);
  for (const double value : {x, y, z, cy * cp, -sy * sp, cy * sp, sy * cp}) {
    poses.push_back(static_cast<float>(value));
  }
}

/// Adds the thirteen poses of one frame; returns which feet are on the ground.
inline std::array<bool, 4> AddFrame(std::vector<float>& poses, const WalkState& state,
                                    double speed) {
  const double z = WavyHeight(state.x, state.y) + 0.3;
  AddPose(poses, state.x, state.y, z, state.yaw, 0.0);
  std::array<bool, 4> contacts{};
  for (int leg = 0; leg < 4; ++leg) {
    const double hip_x = leg < 2 ? 0.19 : -0.19;
    const double hip_y = leg % 2 == 0 ? 0.12 : -0.12;
    const double x = state.x + hip_x * std::cos(state.yaw) - hip_y * std::sin(state.yaw);
    const double y = state.y + hip_x * std::sin(state.yaw) + hip_y * std::cos(state.yaw);
    // Diagonal legs move together; the foot sweeps back on the ground, then swings forward.
    const double phase =
        std::fmod(state.time_s / kStridePeriod + (leg == 0 || leg == 3 ? 0.0 : 0.5), 1.0);
    const bool stance = phase < 0.5;
    const double reach = 0.25 * speed * kStridePeriod;
    const double foot_x = stance ? reach * (1.0 - 4.0 * phase) : reach * (4.0 * phase - 3.0);
    const double lift = stance ? 0.0 : 0.07 * std::sin(2.0 * kPi * (phase - 0.5));
    const double foot_z = std::min(-0.1, WavyHeight(x, y) + 0.022 + lift - z);
    const double length = std::min(2.0 * kThigh - 1e-3, std::hypot(foot_x, foot_z));
    const double knee = std::acos(length / (2.0 * kThigh));
    const double aim = std::atan2(-foot_x, -foot_z);
    const double thigh_pitch = aim + knee;
    AddPose(poses, x, y, z, state.yaw, 0.0);
    AddPose(poses, x, y, z, state.yaw, thigh_pitch);
    const double forward = -kThigh * std::sin(thigh_pitch);
    AddPose(poses, x + forward * std::cos(state.yaw), y + forward * std::sin(state.yaw),
            z - kThigh * std::cos(thigh_pitch), state.yaw, aim - knee);
    contacts[static_cast<std::size_t>(leg)] = stance;
  }
  return contacts;
}

/// A walk of `duration_s` from `state` (which it moves) with a constant command.
inline SceneTrack Walk(std::string name, WalkState& state, double duration_s, double speed,
                       double yaw_rate, bool ghost) {
  constexpr double kTimeStep = 0.02;  // s
  SceneTrack track{.name = std::move(name), .ghost = ghost};
  for (const auto& [plot, line] :
       std::vector<std::pair<const char*, const char*>>{{"command", "vx"},
                                                        {"command", "vy"},
                                                        {"command", "wz"},
                                                        {"height", "height"},
                                                        {"power", "power"},
                                                        {"contacts", "FL"},
                                                        {"contacts", "FR"},
                                                        {"contacts", "RL"},
                                                        {"contacts", "RR"}}) {
    track.series.push_back({.plot = plot, .line = line});
  }
  const int frames = static_cast<int>(std::lround(duration_s / kTimeStep)) + 1;
  for (int frame = 0; frame < frames; ++frame) {
    track.times_s.push_back(static_cast<float>(state.time_s));
    const std::array<bool, 4> contacts = AddFrame(track.poses, state, speed);
    const double power =
        180.0 * speed + 40.0 * std::abs(std::sin(2.0 * kPi * state.time_s / kStridePeriod));
    const std::array<double, 9> values{
        speed,
        0.0,
        yaw_rate,
        0.3 + 0.008 * std::sin(4.0 * kPi * state.time_s / kStridePeriod),
        power,
        double(contacts[0]),
        double(contacts[1]),
        double(contacts[2]),
        double(contacts[3])};
    for (std::size_t i = 0; i < values.size(); ++i) {
      track.series[i].values.push_back(static_cast<float>(values[i]));
    }
    if (frame + 1 == frames) break;
    state.x += speed * kTimeStep * std::cos(state.yaw);
    state.y += speed * kTimeStep * std::sin(state.yaw);
    state.yaw += yaw_rate * kTimeStep;
    state.time_s += kTimeStep;
  }
  track.facts = {{"distance", std::to_string(speed * duration_s).substr(0, 4) + " m"}};
  return track;
}

/// An episode with three branches from its second second.
inline ViewerScene ExampleScene() {
  ViewerScene scene{.title = "Example: branches from one state", .bodies = 13};
  scene.geoms = BoxDogGeoms();
  scene.terrain = WavyTerrain();
  scene.plots = {{"command", "m/s, rad/s"},
                 {"height", "m"},
                 {"power", "W"},
                 {"contacts", "", PlotKind::kOnOff}};
  WalkState state;
  scene.tracks.push_back(Walk("direct", state, 6.0, 0.6, 0.0, false));
  scene.tracks[0].events = {{2.0, "branch point"}, {5.4, "target reached"}};
  const auto branch = [&](const char* name, double speed, double yaw_rate) {
    WalkState from{.time_s = 2.0, .x = 1.2};
    scene.tracks.push_back(Walk(name, from, 4.0, speed, yaw_rate, true));
  };
  branch("scale-0.75", 0.45, 0.0);
  branch("yaw+0.2", 0.6, 0.2);
  branch("heading-0.3", 0.6, -0.25);
  scene.markers = {{MarkerKind::kStart, "start", 0.0, 0.0, 0.12},
                   {MarkerKind::kBranch, "branch point", 1.2, 0.0, 0.12},
                   {MarkerKind::kTarget, "target", 3.3, 0.0, 0.3}};
  return scene;
}

}  // namespace gonogo::report::internal
