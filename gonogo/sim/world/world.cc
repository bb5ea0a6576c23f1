// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/world/world.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <mujoco/mujoco.h>

#include "gonogo/sim/internal/row.h"
#include "gonogo/sim/model/read_model.h"
#include "gonogo/sim/world/binding.h"

namespace gonogo::sim {
namespace {

constexpr char kGround[] = "gonogo_terrain";

/// Whether nothing moves the body of a geom.
bool IsFixed(mjsElement* geom) {
  for (const mjsBody* body = mjs_getParent(geom); body != nullptr;
       body = mjs_getParent(body->element)) {
    if (mjs_firstChild(body, mjOBJ_JOINT, 0) != nullptr) return false;
  }
  return true;
}

/// Ground is ours alone: what the model brings of its own stops colliding. Its pairs with geoms of
/// the robot are the same: those meet ours instead, and nothing else new. True if there are any.
bool SwitchOffOtherGround(mjSpec& spec, int ours) {
  for (mjsElement* next = mjs_firstElement(&spec, mjOBJ_GEOM); next != nullptr;
       next = mjs_nextElement(&spec, next)) {
    if (!IsFixed(next)) continue;
    mjs_asGeom(next)->contype = 0;
    mjs_asGeom(next)->conaffinity = 0;
  }
  std::vector<mjsElement*> with_ground;
  for (mjsElement* next = mjs_firstElement(&spec, mjOBJ_PAIR); next != nullptr;
       next = mjs_nextElement(&spec, next)) {
    const mjsPair* pair = mjs_asPair(next);
    const auto geom = [&](const mjString* name) {
      return mjs_findElement(&spec, mjOBJ_GEOM, mjs_getString(name));
    };
    const std::array geoms{geom(pair->geomname1), geom(pair->geomname2)};
    if (geoms[0] == nullptr || geoms[1] == nullptr) continue;  // the engine will complain
    if (IsFixed(geoms[0]) == IsFixed(geoms[1])) continue;
    mjs_asGeom(IsFixed(geoms[0]) ? geoms[1] : geoms[0])->conaffinity |= ours;
    with_ground.push_back(next);
  }
  for (mjsElement* pair : with_ground) mjs_delete(&spec, pair);
  return !with_ground.empty();
}

void AddGround(const robot::RobotSpec& robot, const Terrain& terrain, mjSpec& spec) {
  constexpr int kPaired = 1 << 30;
  const bool pairs = SwitchOffOtherGround(spec, kPaired);
  mjsGeom* ground = mjs_addGeom(mjs_findBody(&spec, "world"), mjs_getSpecDefault(&spec));
  mjs_setName(ground->element, kGround);
  ground->contype = pairs ? 1 | kPaired : 1;
  ground->conaffinity = 1;
  ground->condim = 3;
  const std::array friction{robot.terrain.friction, 0.005, 0.0001};
  std::copy(friction.begin(), friction.end(), ground->friction);
  if (terrain.is_plane()) {
    ground->type = mjGEOM_PLANE;
    ground->size[0] = ground->size[1] = 0.0;
    ground->size[2] = 1.0;
    return;
  }
  const auto [low, high] = std::minmax_element(terrain.heights.begin(), terrain.heights.end());
  const double range = *high > *low ? *high - *low : 1e-3;  // the engine needs one
  const double half_x = 0.5 * (terrain.nx - 1) * terrain.spacing_m;
  const double half_y = 0.5 * (terrain.ny - 1) * terrain.spacing_m;
  mjsHField* field = mjs_addHField(&spec);
  mjs_setName(field->element, kGround);
  field->nrow = terrain.ny;
  field->ncol = terrain.nx;
  const std::array size{half_x, half_y, range, 1.0};
  std::copy(size.begin(), size.end(), field->size);
  mjs_setFloat(field->userdata, terrain.heights.data(), static_cast<int>(terrain.heights.size()));
  ground->type = mjGEOM_HFIELD;
  mjs_setString(ground->hfieldname, kGround);
  const std::array place{terrain.x0 + half_x, terrain.y0 + half_y, 1.0 * *low};
  std::copy(place.begin(), place.end(), ground->pos);
}

/// Limits of joints that the model has hold unless the description has its own.
robot::RobotSpec WithLimits(robot::RobotSpec spec, mjModel& model) {
  for (std::size_t j = 0; j < spec.joints.size(); ++j) {
    const int joint = mj_name2id(&model, mjOBJ_JOINT, spec.joints[j].c_str());
    if (joint < 0 || !model.jnt_actfrclimited[joint]) continue;
    const mjtNum* range = internal::Row(model.jnt_actfrcrange, 2, joint);
    if (std::isfinite(spec.actuator.effort_limit[j])) {
      model.jnt_actfrclimited[joint] = false;
    } else {
      spec.actuator.effort_limit[j] = std::max(std::abs(range[0]), std::abs(range[1]));
    }
  }
  return spec;
}

/// Makes a servo of a motor of the model. Its damping is that of the joint, which the engine
/// integrates implicitly.
void MakeServo(const robot::RobotSpec& spec, std::size_t joint, Binding& binding, mjModel& model) {
  const int i = binding.actuator[joint];
  model.actuator_biastype[i] = mjBIAS_AFFINE;
  model.dof_damping[binding.joint_dof[joint]] += spec.actuator.kd[joint];
  binding.passive_damping[joint] = spec.actuator.kd[joint];
  model.opt.disableflags &= ~mjDSBL_EULERDAMP;
  const int control = model.actuator_ctrladr[i];
  if (!model.actuator_ctrllimited[control]) return;
  // Limits of a motor's control are limits of its torque.
  std::copy_n(internal::Row(model.actuator_ctrlrange, 2, control), 2,
              internal::Row(model.actuator_forcerange, 2, i));
  model.actuator_ctrllimited[control] = false;
  model.actuator_forcelimited[i] = true;
}

void OverrideJoints(const robot::RobotSpec& spec, const Binding& binding, mjModel& model) {
  for (std::size_t j = 0; j < binding.joint_dof.size(); ++j) {
    const int dof = binding.joint_dof[j];
    if (!spec.armature.empty()) model.dof_armature[dof] = spec.armature[j];
    if (!spec.friction.empty()) model.dof_frictionloss[dof] = spec.friction[j];
  }
}

void OverrideGains(const robot::RobotSpec& spec, Binding& binding, mjModel& model) {
  const robot::ActuatorSpec& actuator = spec.actuator;
  for (std::size_t j = 0; j < binding.actuator.size(); ++j) {
    if (!actuator.is_engines(j)) continue;
    const bool implicit = actuator.kind_of(j) == robot::ActuatorKind::kImplicitPd;
    if (implicit) MakeServo(spec, j, binding, model);
    const int i = binding.actuator[j];
    mjtNum* bias = internal::Row(model.actuator_biasprm, mjNBIAS, i);
    if (robot::ActuatorSpec::Given(actuator.kp, j)) {
      internal::Row(model.actuator_gainprm, mjNGAIN, i)[0] = actuator.kp[j];
      bias[1] = -actuator.kp[j];
    }
    if (robot::ActuatorSpec::Given(actuator.kd, j) && !implicit) bias[2] = -actuator.kd[j];
    if (std::isfinite(actuator.effort_limit[j])) {
      model.actuator_forcelimited[i] = true;
      mjtNum* range = internal::Row(model.actuator_forcerange, 2, i);
      range[0] = -actuator.effort_limit[j];
      range[1] = actuator.effort_limit[j];
    }
  }
}

Status Vary(const robot::RobotSpec& spec, const Variation& variation, const Binding& binding,
            mjModel& model) {
  if (variation.friction.has_value()) {
    for (int geom = 0; geom < model.ngeom; ++geom) {
      internal::Row(model.geom_friction, 3, geom)[0] = *variation.friction;
    }
  }
  if (variation.root_mass_offset_kg == 0.0 && spec.armature.empty()) return {};
  const int root = binding.root_body;
  const double ratio = 1.0 + variation.root_mass_offset_kg / model.body_mass[root];
  if (!(ratio > 0.0)) {
    return UsageError("{}: a root mass of {} kg cannot change by {} kg", spec.file.string(),
                      model.body_mass[root], variation.root_mass_offset_kg);
  }
  model.body_mass[root] *= ratio;
  mjtNum* inertia = internal::Row(model.body_inertia, 3, root);
  for (int i = 0; i < 3; ++i) inertia[i] *= ratio;
  return CallEngine([&model] {
    const DataPtr data(mj_makeData(&model));
    mj_setConst(&model, data.get());  // weights depend on masses and armatures
  });
}

}  // namespace

World::World(robot::RobotSpec spec, Terrain terrain, ModelPtr model, std::vector<std::string> notes,
             Binding binding, bool fast_ground)
    : spec_(std::move(spec)),
      terrain_(std::move(terrain)),
      model_(std::move(model)),
      model_notes_(std::move(notes)),
      binding_(std::move(binding)),
      observer_(spec_),
      action_path_(spec_),
      fast_ground_(fast_ground) {
  if (!spec_.actuator.all_engines()) {
    actuator_.emplace(spec_.actuator, spec_.physics_dt_s);
  }
}

Result<std::shared_ptr<const World>> World::Create(const robot::RobotSpec& described,
                                                   Terrain terrain, const Variation& variation) {
  ModelSource source = GONOGO_TRY(ModelSource::Read(described.model));
  GONOGO_TRY(CallEngine([&] { AddGround(described, terrain, source.spec()); }));
  source.spec().compiler.discardvisual = true;
  ModelPtr model = GONOGO_TRY(source.Compile());
  const robot::RobotSpec spec = WithLimits(described, *model);
  model->opt.timestep = spec.physics_dt_s;
  Binding bound = GONOGO_TRY(internal::Bind(spec, *model));
  OverrideGains(spec, bound, *model);
  OverrideJoints(spec, bound, *model);
  GONOGO_TRY(Vary(spec, variation, bound, *model));
  bound.mass_kg += variation.root_mass_offset_kg;
  return std::shared_ptr<const World>(new World(spec, std::move(terrain), std::move(model),
                                                source.notes(), std::move(bound),
                                                variation.fast_ground));
}

void World::Scan(const robot::Vec3& p_W, double yaw, std::span<float> scan) const {
  const robot::HeightScanSpec& grid = spec_.scan;
  const double c = std::cos(yaw) * grid.spacing_m;
  const double s = std::sin(yaw) * grid.spacing_m;
  const double level = p_W[2] - grid.offset_m;
  if (terrain_.is_plane()) {
    std::fill(scan.begin(), scan.end(), static_cast<float>(level));
    return;
  }
  std::size_t k = 0;
  for (int iy = 0; iy < grid.ny; ++iy) {
    const double v = iy - 0.5 * (grid.ny - 1);
    for (int ix = 0; ix < grid.nx; ++ix, ++k) {
      const double u = ix - 0.5 * (grid.nx - 1);
      const double ground = terrain_.Height(p_W[0] + c * u - s * v, p_W[1] + s * u + c * v);
      scan[k] = static_cast<float>(level - ground);
    }
  }
}

}  // namespace gonogo::sim
