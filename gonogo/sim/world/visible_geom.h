// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace gonogo::sim {

/// Sizes are MuJoCo's: box half extents; sphere radius; capsule and cylinder radius and half
/// length along z; ellipsoid semi-axes.
enum class Shape : std::uint8_t { kBox, kSphere, kCapsule, kCylinder, kEllipsoid };

/// A part of a robot to be looked at, fixed to one of its bodies.
struct VisibleGeom {
  int body = 0;
  Shape shape = Shape::kBox;
  std::array<float, 3> size{};
  std::array<float, 3> position{};  ///< in the body's frame
  std::array<float, 4> rotation{1.0F, 0.0F, 0.0F, 0.0F};
  std::array<float, 4> rgba{};
};

}  // namespace gonogo::sim
