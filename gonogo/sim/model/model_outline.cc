// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/model_outline.h"

#include <algorithm>
#include <cmath>

#include <mujoco/mujoco.h>

#include "gonogo/io/file.h"
#include "gonogo/sim/internal/row.h"
#include "gonogo/sim/model/forgiving.h"
#include "gonogo/sim/model/urdf.h"

namespace gonogo::sim {
namespace {

constexpr double kSameLevel = 0.1;  // m above the lowest end of a limb

std::string NameOf(const mjModel& model, mjtObj type, int id) {
  const char* name = mj_id2name(&model, type, id);
  return name == nullptr ? "" : name;
}

ModelOutline::Joint OutlineJoint(const ForgivenModel& forgiven, const mjData& data, int actuator,
                                 int joint) {
  const mjModel& model = *forgiven.model;
  ModelOutline::Joint outline;
  outline.name = NameOf(model, mjOBJ_JOINT, joint);
  outline.pose = data.qpos[model.jnt_qposadr[joint]];
  outline.torque_limit = forgiven.torque_limit[static_cast<std::size_t>(joint)];
  outline.servo = model.actuator_biastype[actuator] == mjBIAS_AFFINE;
  if (outline.servo) {
    const mjtNum* bias = internal::Row(model.actuator_biasprm, mjNBIAS, actuator);
    outline.kp = -bias[1];
    outline.kd = std::max(-bias[2], forgiven.position_kd[static_cast<std::size_t>(actuator)]) +
                 model.dof_damping[model.jnt_dofadr[joint]];
  }
  const bool limited = outline.servo ? model.actuator_forcelimited[actuator] != 0
                                     : model.actuator_ctrllimited[actuator] != 0;
  const mjtNum* range = internal::Row(
      outline.servo ? model.actuator_forcerange : model.actuator_ctrlrange, 2, actuator);
  if (limited) {
    outline.torque_limit =
        std::min(outline.torque_limit, std::max(std::abs(range[0]), std::abs(range[1])));
  }
  return outline;
}

/// The colliding geom of a body if it has a name and is the only one, or else the body.
std::string FootName(const mjModel& model, int body) {
  std::vector<int> colliding;
  for (int i = 0; i < model.body_geomnum[body]; ++i) {
    const int geom = model.body_geomadr[body] + i;
    if (model.geom_contype[geom] != 0 || model.geom_conaffinity[geom] != 0) {
      colliding.push_back(geom);
    }
  }
  const std::string geom =
      colliding.size() == 1 ? NameOf(model, mjOBJ_GEOM, colliding.front()) : "";
  return geom.empty() ? NameOf(model, mjOBJ_BODY, body) : geom;
}

std::vector<std::string> FindFeet(const mjModel& model, const mjData& data, int root) {
  std::vector<char> has_child(static_cast<std::size_t>(model.nbody), 0);
  for (int body = 1; body < model.nbody; ++body) {
    has_child[static_cast<std::size_t>(model.body_parentid[body])] = 1;
  }
  std::vector<int> ends;
  double lowest = std::numeric_limits<double>::infinity();
  for (int body = 1; body < model.nbody; ++body) {
    if (has_child[static_cast<std::size_t>(body)] != 0 || body == root) continue;
    if (model.body_rootid[body] != root) continue;
    ends.push_back(body);
    lowest = std::min(lowest, internal::Row(data.xpos, 3, body)[2]);
  }
  std::vector<std::string> feet;
  for (const int body : ends) {
    if (internal::Row(data.xpos, 3, body)[2] > lowest + kSameLevel) continue;
    feet.push_back(FootName(model, body));
  }
  return feet;
}

}  // namespace

Result<ModelOutline> OutlineModel(const std::filesystem::path& file) {
  std::string mjcf = GONOGO_TRY(io::ReadFile(file));
  const bool urdf = IsUrdf(mjcf);
  if (urdf) {
    std::string converted = GONOGO_TRY(MjcfFromUrdf(mjcf, file));
    mjcf = std::move(converted);
  }
  ForgivenModel forgiven = GONOGO_TRY(CompileForgiving(mjcf, file));
  const mjModel& model = *forgiven.model;
  const DataPtr data(mj_makeData(&model));
  ModelOutline outline;
  outline.notes = forgiven.notes;
  if (urdf) outline.notes.push_back("a URDF: its root link can move, and every joint has a motor");
  outline.timestep_s = model.opt.timestep;
  outline.has_keyframe = model.nkey > 0;
  if (outline.has_keyframe) mj_resetDataKeyframe(&model, data.get(), 0);
  mj_kinematics(&model, data.get());
  int root = -1;
  for (int joint = 0; joint < model.njnt && root < 0; ++joint) {
    if (model.jnt_type[joint] != mjJNT_FREE) continue;
    root = model.jnt_bodyid[joint];
    outline.root = NameOf(model, mjOBJ_BODY, root);
    outline.root_height_m = data->qpos[model.jnt_qposadr[joint] + 2];
  }
  for (int i = 0; i < model.nu; ++i) {
    if (model.actuator_trntype[i] != mjTRN_JOINT) continue;
    const int joint = internal::Row(model.actuator_trnid, 2, i)[0];
    outline.joints.push_back(OutlineJoint(forgiven, *data, i, joint));
  }
  for (int i = 0; root >= 0 && i < model.body_geomnum[root]; ++i) {
    const int geom = model.body_geomadr[root] + i;
    outline.root_collides =
        outline.root_collides || model.geom_contype[geom] != 0 || model.geom_conaffinity[geom] != 0;
  }
  if (root >= 0) outline.feet = FindFeet(model, *data, root);
  return outline;
}

}  // namespace gonogo::sim
