// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/model_outline.h"

#include <algorithm>
#include <cmath>

#include <mujoco/mujoco.h>

#include "gonogo/sim/internal/row.h"
#include "gonogo/sim/model/read_model.h"

namespace gonogo::sim {
namespace {

constexpr double kSameLevel = 0.1;  // m above the lowest end of a limb

std::string NameOf(const mjModel& model, mjtObj type, int id) {
  const char* name = mj_id2name(&model, type, id);
  return name == nullptr ? "" : name;
}

double Largest(const mjtNum* range) { return std::max(std::abs(range[0]), std::abs(range[1])); }

ModelOutline::Joint OutlineJoint(const mjModel& model, const mjData& data, int actuator,
                                 int joint) {
  ModelOutline::Joint outline;
  outline.name = NameOf(model, mjOBJ_JOINT, joint);
  outline.pose = data.qpos[model.jnt_qposadr[joint]];
  if (model.jnt_actfrclimited[joint]) {
    outline.torque_limit = Largest(internal::Row(model.jnt_actfrcrange, 2, joint));
  }
  outline.servo = model.actuator_biastype[actuator] == mjBIAS_AFFINE;
  if (outline.servo) {
    const mjtNum* bias = internal::Row(model.actuator_biasprm, mjNBIAS, actuator);
    outline.kp = -bias[1];
    outline.kd = -bias[2] + model.dof_damping[model.jnt_dofadr[joint]];
  }
  const int control = model.actuator_ctrladr[actuator];
  const bool limited =
      outline.servo ? model.actuator_forcelimited[actuator] : model.actuator_ctrllimited[control];
  const mjtNum* range = outline.servo ? internal::Row(model.actuator_forcerange, 2, actuator)
                                      : internal::Row(model.actuator_ctrlrange, 2, control);
  if (limited) outline.torque_limit = std::min(outline.torque_limit, Largest(range));
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
  ModelSource source = GONOGO_TRY(ModelSource::Read(file));
  const ModelPtr compiled = GONOGO_TRY(source.Compile());
  const mjModel& model = *compiled;
  const DataPtr data(mj_makeData(&model));
  ModelOutline outline;
  outline.notes = source.notes();
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
  for (int i = 0; i < model.nactuator; ++i) {
    if (model.actuator_trntype[i] != mjTRN_JOINT) continue;
    const int joint = internal::Row(model.actuator_trnid, 2, i)[0];
    outline.joints.push_back(OutlineJoint(model, *data, i, joint));
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
