// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/world/figure.h"

#include <algorithm>
#include <optional>

#include <mujoco/mujoco.h>

#include "gonogo/base/check.h"
#include "gonogo/sim/internal/row.h"
#include "gonogo/sim/model/read_model.h"

namespace gonogo::sim {
namespace {

using internal::Row;

constexpr int kLastShownGroup = 2;

std::optional<Shape> ShapeOf(int type) {
  switch (type) {
    case mjGEOM_SPHERE:
      return Shape::kSphere;
    case mjGEOM_CAPSULE:
      return Shape::kCapsule;
    case mjGEOM_ELLIPSOID:
      return Shape::kEllipsoid;
    case mjGEOM_CYLINDER:
      return Shape::kCylinder;
    case mjGEOM_BOX:
    case mjGEOM_MESH:
      return Shape::kBox;
    default:
      return std::nullopt;
  }
}

VisibleGeom Describe(const mjModel& model, int geom, Shape shape, int body) {
  VisibleGeom visible;
  visible.body = body;
  visible.shape = shape;
  // The engine gives a mesh the half extents of its inertia box: near enough for a picture.
  std::copy_n(Row(model.geom_size, 3, geom), 3, visible.size.begin());
  std::copy_n(Row(model.geom_pos, 3, geom), 3, visible.position.begin());
  std::copy_n(Row(model.geom_quat, 4, geom), 4, visible.rotation.begin());
  const int material = model.geom_matid[geom];
  const float* rgba =
      material >= 0 ? Row(model.mat_rgba, 4, material) : Row(model.geom_rgba, 4, geom);
  std::copy_n(rgba, 4, visible.rgba.begin());
  return visible;
}

/// The robot's geoms up to a group; `index` gives our number of each of the engine's bodies.
std::vector<VisibleGeom> Collect(const mjModel& model, const std::vector<int>& index, int groups) {
  std::vector<VisibleGeom> geoms;
  for (int geom = 0; geom < model.ngeom; ++geom) {
    const int body = index[static_cast<std::size_t>(model.geom_bodyid[geom])];
    const std::optional<Shape> shape = ShapeOf(model.geom_type[geom]);
    if (body < 0 || !shape.has_value() || model.geom_group[geom] > groups) continue;
    VisibleGeom visible = Describe(model, geom, *shape, body);
    if (visible.rgba[3] > 0.0F) geoms.push_back(visible);
  }
  return geoms;
}

}  // namespace

Result<Figure> Figure::Create(const robot::RobotSpec& spec) {
  ModelSource source = GONOGO_TRY(ModelSource::Read(spec.model));
  Figure figure;
  figure.model_ = GONOGO_TRY(source.Compile());
  const mjModel& model = *figure.model_;
  figure.data_.reset(mj_makeData(&model));
  GONOGO_CHECK(figure.data_ != nullptr);
  const int root = mj_name2id(&model, mjOBJ_BODY, spec.root.c_str());
  if (root < 0) {
    return InputError("{}: robot.root \"{}\" is not in {}", spec.file.string(), spec.root,
                      spec.model.string());
  }
  std::vector<int> index(static_cast<std::size_t>(model.nbody), -1);
  for (int body = root; body < model.nbody; ++body) {
    if (model.body_rootid[body] != model.body_rootid[root]) continue;
    index[static_cast<std::size_t>(body)] = static_cast<int>(figure.ids_.size());
    figure.ids_.push_back(body);
    const char* name = mj_id2name(&model, mjOBJ_BODY, body);
    figure.bodies_.emplace_back(name == nullptr ? "" : name);
  }
  figure.geoms_ = Collect(model, index, kLastShownGroup);
  if (figure.geoms_.empty()) figure.geoms_ = Collect(model, index, mjNGROUP);
  return figure;
}

void Figure::Poses(std::span<const double> qpos, std::span<float> poses) {
  GONOGO_CHECK(qpos.size() == static_cast<std::size_t>(model_->nq));
  GONOGO_CHECK(poses.size() == 7 * ids_.size());
  std::copy(qpos.begin(), qpos.end(), data_->qpos);
  mj_kinematics(model_.get(), data_.get());
  auto out = poses.begin();
  for (const int body : ids_) {
    out = std::copy_n(Row(data_->xpos, 3, body), 3, out);
    out = std::copy_n(Row(data_->xquat, 4, body), 4, out);
  }
}

}  // namespace gonogo::sim
