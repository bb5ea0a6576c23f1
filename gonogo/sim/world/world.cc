// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/world/world.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

#include <mujoco/mujoco.h>

#include "gonogo/sim/internal/row.h"
#include "gonogo/sim/model/forgiving.h"
#include "gonogo/sim/model/urdf.h"
#include "gonogo/sim/world/binding.h"

namespace gonogo::sim {
namespace {

constexpr char kGround[] = "gonogo_terrain";

/// Lowest and highest vertex; a height field of the engine needs a positive range.
std::pair<double, double> Range(const Terrain& terrain) {
  const auto [low, high] = std::minmax_element(terrain.heights.begin(), terrain.heights.end());
  return {*low, std::max<double>(*high, *low + 1e-3)};
}

/// The robot's MJCF with our ground appended. Sections of MJCF may repeat, so nothing of the
/// user's text has to be understood.
Result<std::string> ComposeMjcf(const robot::RobotSpec& spec, const Terrain& terrain) {
  std::ifstream stream(spec.model);
  if (!stream) return IoError("{}: cannot read the robot's model", spec.model.string());
  std::stringstream text;
  text << stream.rdbuf();
  std::string mjcf = text.str();
  if (IsUrdf(mjcf)) {
    std::string converted = GONOGO_TRY(MjcfFromUrdf(mjcf, spec.model));
    mjcf = std::move(converted);
  }
  const std::size_t end = mjcf.rfind("</mujoco>");
  if (end == std::string::npos) {
    return InputError("{}: not an MJCF model: </mujoco> is missing", spec.model.string());
  }
  // Geoms of contact pairs look like visual ones.
  const bool pairs = mjcf.find("<pair") != std::string::npos;
  std::string ground = fmt::format("<compiler discardvisual=\"{}\"/>\n", !pairs);
  const std::string common = fmt::format(
      "name=\"{}\" contype=\"1\" conaffinity=\"1\" condim=\"3\" friction=\"{} 0.005 0.0001\"",
      kGround, spec.terrain.friction);
  if (terrain.is_plane()) {
    ground +=
        fmt::format("<worldbody><geom {} type=\"plane\" size=\"0 0 1\"/></worldbody>\n", common);
  } else {
    const auto [low, high] = Range(terrain);
    const double half_x = 0.5 * (terrain.nx - 1) * terrain.spacing_m;
    const double half_y = 0.5 * (terrain.ny - 1) * terrain.spacing_m;
    ground += fmt::format(
        "<asset><hfield name=\"{}\" nrow=\"{}\" ncol=\"{}\" size=\"{} {} {} 1\"/></asset>\n"
        "<worldbody><geom {} type=\"hfield\" hfield=\"{}\" pos=\"{} {} {}\"/></worldbody>\n",
        kGround, terrain.ny, terrain.nx, half_x, half_y, high - low, common, kGround,
        terrain.x0 + half_x, terrain.y0 + half_y, low);
  }
  return mjcf.insert(end, ground);
}

void FillHeightField(const Terrain& terrain, mjModel& model) {
  if (terrain.is_plane()) return;
  const auto [low, high] = Range(terrain);
  const int id = mj_name2id(&model, mjOBJ_HFIELD, kGround);
  float* data = model.hfield_data + model.hfield_adr[id];
  for (std::size_t i = 0; i < terrain.heights.size(); ++i) {
    data[i] = static_cast<float>((terrain.heights[i] - low) / (high - low));
  }
}

/// Ground is ours alone: what the model brings of its own stops colliding.
void SwitchOffOtherGround(mjModel& model) {
  for (int geom = 0; geom < model.ngeom; ++geom) {
    const char* name = mj_id2name(&model, mjOBJ_GEOM, geom);
    const bool ours = name != nullptr && std::string_view(name) == kGround;
    if (ours || model.body_weldid[model.geom_bodyid[geom]] != 0) continue;
    model.geom_contype[geom] = 0;
    model.geom_conaffinity[geom] = 0;
  }
  // Pairs with its ground are the same: their geoms meet ours instead, and nothing else new.
  constexpr int kOurs = 1 << 30;
  const int ground = mj_name2id(&model, mjOBJ_GEOM, kGround);
  const auto is_fixed = [&](int geom) { return model.body_weldid[model.geom_bodyid[geom]] == 0; };
  for (int pair = 0; pair < model.npair; ++pair) {
    const std::array geoms{model.pair_geom1[pair], model.pair_geom2[pair]};
    if (is_fixed(geoms[0]) == is_fixed(geoms[1])) continue;
    constexpr double kNever = -1e6;  // m: no two geoms overlap by that much
    model.pair_margin[pair] = kNever;
    model.geom_contype[ground] |= kOurs;
    model.geom_conaffinity[is_fixed(geoms[0]) ? geoms[1] : geoms[0]] |= kOurs;
  }
}

/// What a newer model says about motors holds unless the description has it.
robot::RobotSpec WithLimits(robot::RobotSpec spec, const ForgivenModel& forgiven) {
  for (std::size_t j = 0; j < spec.joints.size(); ++j) {
    const int joint = mj_name2id(forgiven.model.get(), mjOBJ_JOINT, spec.joints[j].c_str());
    if (joint < 0 || std::isfinite(spec.actuator.effort_limit[j])) continue;
    spec.actuator.effort_limit[j] = forgiven.torque_limit[static_cast<std::size_t>(joint)];
  }
  return spec;
}

void SetSpeedGains(ForgivenModel& forgiven) {
  for (std::size_t i = 0; i < forgiven.position_kd.size(); ++i) {
    if (forgiven.position_kd[i] == 0.0) continue;
    internal::Row(forgiven.model->actuator_biasprm, mjNBIAS, static_cast<int>(i))[2] =
        -forgiven.position_kd[i];
  }
}

/// Makes a servo of a motor of the model. Its damping is that of the joint, which the engine
/// integrates implicitly.
void MakeServo(const robot::RobotSpec& spec, std::size_t joint, Binding& binding, mjModel& model) {
  const int i = binding.actuator[joint];
  model.actuator_biastype[i] = mjBIAS_AFFINE;
  model.dof_damping[binding.joint_dof[joint]] += spec.actuator.kd[joint];
  binding.passive_damping[joint] = spec.actuator.kd[joint];
  if (model.actuator_ctrllimited[i] == 0) return;
  // Limits of a motor's control are limits of its torque.
  std::copy_n(internal::Row(model.actuator_ctrlrange, 2, i), 2,
              internal::Row(model.actuator_forcerange, 2, i));
  model.actuator_ctrllimited[i] = 0;
  model.actuator_forcelimited[i] = 1;
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
      model.actuator_forcelimited[i] = 1;
      mjtNum* range = internal::Row(model.actuator_forcerange, 2, i);
      range[0] = -actuator.effort_limit[j];
      range[1] = actuator.effort_limit[j];
    }
  }
}

/// The share of its weight that a body does not feel, as newer versions have it.
std::vector<BodyForce> LiftingForces(const std::vector<double>& gravcomp, const mjModel& model) {
  std::vector<BodyForce> forces;
  for (int body = 0; body < static_cast<int>(gravcomp.size()); ++body) {
    const double share = gravcomp[static_cast<std::size_t>(body)];
    if (share == 0.0) continue;
    BodyForce& lifted = forces.emplace_back(BodyForce{.body = body});
    for (std::size_t i = 0; i < 3; ++i) {
      lifted.force_W[i] = -share * model.body_mass[body] * model.opt.gravity[i];
    }
  }
  return forces;
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
             Binding binding, std::vector<BodyForce> body_forces, bool fast_ground)
    : spec_(std::move(spec)),
      terrain_(std::move(terrain)),
      model_(std::move(model)),
      model_notes_(std::move(notes)),
      binding_(std::move(binding)),
      body_forces_(std::move(body_forces)),
      observer_(spec_),
      action_path_(spec_),
      fast_ground_(fast_ground) {
  if (!spec_.actuator.all_engines()) {
    actuator_.emplace(spec_.actuator, spec_.physics_dt_s);
  }
}

Result<std::shared_ptr<const World>> World::Create(const robot::RobotSpec& described,
                                                   Terrain terrain, const Variation& variation) {
  const std::string mjcf = GONOGO_TRY(ComposeMjcf(described, terrain));
  ForgivenModel forgiven = GONOGO_TRY(CompileForgiving(mjcf, described.model));
  const robot::RobotSpec spec = WithLimits(described, forgiven);
  SetSpeedGains(forgiven);
  const std::vector<double> gravcomp = forgiven.gravcomp;
  ModelPtr model = std::move(forgiven.model);
  model->opt.timestep = spec.physics_dt_s;
  FillHeightField(terrain, *model);
  SwitchOffOtherGround(*model);
  Binding bound = GONOGO_TRY(internal::Bind(spec, *model));
  OverrideGains(spec, bound, *model);
  OverrideJoints(spec, bound, *model);
  GONOGO_TRY(Vary(spec, variation, bound, *model));
  bound.mass_kg += variation.root_mass_offset_kg;
  std::vector<BodyForce> lifted = LiftingForces(gravcomp, *model);
  return std::shared_ptr<const World>(new World(spec, std::move(terrain), std::move(model),
                                                std::move(forgiven.notes), std::move(bound),
                                                std::move(lifted), variation.fast_ground));
}

void World::Scan(const robot::Vec3& p_W, double yaw, std::span<float> scan) const {
  const robot::HeightScanSpec& grid = spec_.scan;
  const double c = std::cos(yaw) * grid.spacing_m;
  const double s = std::sin(yaw) * grid.spacing_m;
  const double level = p_W[2] - grid.offset_m;
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
