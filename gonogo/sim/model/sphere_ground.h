// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/robot/state.h"

// MuJoCo's types stay opaque outside this folder.
struct mjModel_;
struct mjData_;
struct mjPreContact_;

/// \file
/// Spheres on a height field, by the nearest point of each triangle's column instead of the
/// engine's general search for the penetration of two convex bodies. Feet are spheres on most
/// robots with legs, and that search is half of what their physics costs. Only worlds that ask for
/// it (`Variation::fast_ground`) use it: what an audit measures is the engine's own.

namespace gonogo::sim {

/// While one of these lives, steps of this thread use the fast collider if `fast`.
class FastGroundScope {
 public:
  explicit FastGroundScope(bool fast);
  ~FastGroundScope();
  FastGroundScope(const FastGroundScope&) = delete;
  FastGroundScope& operator=(const FastGroundScope&) = delete;

 private:
  bool before_;
};

/// Puts a dispatcher before the engine's own collider of spheres and height fields, once per
/// process. Outside of a scope it calls the engine's.
void InstallFastGround();

namespace internal {

/// Nearest point to `p` of the column of ground under the triangle abc: its top, or one of its
/// vertical walls where `p` lies below their upper edge. Null inside the column.
struct Nearest {
  bool inside = false;
  robot::Vec3 point{};
};
[[nodiscard]] Nearest NearestOfColumn(const robot::Vec3& p, const robot::Vec3& a,
                                      const robot::Vec3& b, const robot::Vec3& c);

/// The engine's interface of a collider; returns the number of contacts.
int CollideSphereGround(const mjModel_* model, const mjData_* data, mjPreContact_* contacts,
                        int ground, int sphere, double margin);

}  // namespace internal
}  // namespace gonogo::sim
