// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/world/mechanics.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <mujoco/mujoco.h>

#include "gonogo/sim/internal/row.h"

namespace gonogo::sim {
namespace {

using internal::Row;

void TakeDefaultPose(const World& world, mjData& data) {
  const Binding& at = world.binding();
  mj_resetData(world.model(), &data);
  data.qpos[at.root_qpos + 2] = world.spec().spawn_height_m;
  for (std::size_t j = 0; j < at.joint_qpos.size(); ++j) {
    data.qpos[at.joint_qpos[j]] = world.spec().default_pose[j];
  }
  mj_kinematics(world.model(), &data);
  mj_comPos(world.model(), &data);
  mj_crb(world.model(), &data);
  mj_factorM(world.model(), &data);
}

/// Torques that hold the weight, in degrees of freedom: gravity minus what the ground carries.
std::vector<double> StandingTorques(const World& world, mjData& data) {
  const mjModel* model = world.model();
  std::vector<double> torque(static_cast<std::size_t>(model->nv), 0.0);
  mj_comVel(model, &data);
  mj_rne(model, &data, 0, torque.data());
  double weight = 0.0;
  for (int body = 1; body < model->nbody; ++body) {
    weight -= model->opt.gravity[2] * model->body_mass[body] * (1.0 - model->body_gravcomp[body]);
  }
  mj_passive(model, &data);  // for what gravcomp takes off
  for (int i = 0; i < model->nv; ++i) {
    torque[static_cast<std::size_t>(i)] -= data.qfrc_gravcomp[i];
  }
  const auto& feet = world.binding().foot_geom;
  std::vector<double> jacobian(3 * static_cast<std::size_t>(model->nv));
  for (const int geom : feet) {
    mj_jac(model, &data, jacobian.data(), nullptr, Row(data.geom_xpos, 3, geom),
           model->geom_bodyid[geom]);
    for (int i = 0; i < model->nv; ++i) {
      const double share = weight / static_cast<double>(feet.size());
      torque[static_cast<std::size_t>(i)] -=
          jacobian[static_cast<std::size_t>(2 * model->nv + i)] * share;
    }
  }
  return torque;
}

/// Gains as they act in the explicit part of the integration.
std::array<double, 2> ExplicitGains(const World& world, std::size_t joint) {
  const robot::ActuatorSpec& actuator = world.spec().actuator;
  if (!actuator.is_engines(joint)) return {actuator.kp[joint], actuator.kd[joint]};
  const mjModel* model = world.model();
  const mjtNum* bias = Row(model->actuator_biasprm, mjNBIAS, world.binding().actuator[joint]);
  const bool implicit = model->opt.integrator == mjINT_IMPLICIT ||
                        model->opt.integrator == mjINT_IMPLICITFAST ||
                        model->opt.integrator == mjINT_DISCRETE;
  return {-bias[1] + 0.0, implicit ? 0.0 : -bias[2] + 0.0};  // no negative zeros
}

void Place(const World& world, int dof, JointMechanics& joint) {
  const mjModel* model = world.model();
  const int root = world.binding().root_body;
  int body = model->dof_bodyid[dof];
  joint.place = dof;
  joint.depth = model->dof_jntid[dof] - model->body_jntadr[body];
  while (body > 0 && model->body_parentid[body] != root && body != root) {
    body = model->body_parentid[body];
    joint.depth += body > 0 ? model->body_jntnum[body] : 0;
  }
  joint.chain = body;
}

}  // namespace

Result<Mechanics> Mechanics::Of(const World& world) {
  const mjModel* model = world.model();
  const Binding& at = world.binding();
  const std::size_t count = at.joint_dof.size();
  Mechanics mechanics;
  mechanics.joints_.resize(count);
  mechanics.inverse_.resize(count * count);
  GONOGO_TRY(CallEngine([&] {
    const DataPtr data(mj_makeData(model));
    TakeDefaultPose(world, *data);
    const std::vector<double> torque = StandingTorques(world, *data);
    std::vector<double> column(static_cast<std::size_t>(model->nv));
    for (std::size_t j = 0; j < count; ++j) {
      std::fill(column.begin(), column.end(), 0.0);
      column[static_cast<std::size_t>(at.joint_dof[j])] = 1.0;
      mj_solveM(model, data.get(), column.data(), column.data(), 1);
      for (std::size_t i = 0; i < count; ++i) {
        mechanics.inverse_[i * count + j] = column[static_cast<std::size_t>(at.joint_dof[i])];
      }
      JointMechanics& joint = mechanics.joints_[j];
      joint.inertia = 1.0 / mechanics.inverse_[j * count + j];
      const std::array<double, 2> gains = ExplicitGains(world, j);
      joint.kp = gains[0];
      joint.kd = gains[1];
      joint.standing_torque = torque[static_cast<std::size_t>(at.joint_dof[j])];
      const int id = model->dof_jntid[at.joint_dof[j]];
      if (model->jnt_limited[id] != 0) {
        const mjtNum* range = Row(model->jnt_range, 2, id);
        joint.range = {range[0], range[1]};
      }
      Place(world, at.joint_dof[j], joint);
    }
  }));
  for (int key = 0; key < model->nkey; ++key) {
    std::vector<double>& pose = mechanics.keyframes_.emplace_back();
    for (const int address : at.joint_qpos) {
      pose.push_back(Row(model->key_qpos, static_cast<int>(model->nq), key)[address]);
    }
  }
  return mechanics;
}

Mechanics::Load Mechanics::LoadAt(double dt_s) const {
  // Power iteration on D^1/2 M^-1 D^1/2, which is symmetric and not negative.
  const std::size_t count = joints_.size();
  std::vector<double> root(count);
  for (std::size_t j = 0; j < count; ++j) {
    root[j] = std::sqrt(0.25 * (2.0 * joints_[j].kd * dt_s + joints_[j].kp * dt_s * dt_s));
  }
  std::vector<double> mode(count, 1.0);
  std::vector<double> next(count);
  Load load;
  constexpr int kIterations = 200;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    double norm = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      next[i] = 0.0;
      for (std::size_t j = 0; j < count; ++j) {
        next[i] += root[i] * inverse_[i * count + j] * root[j] * mode[j];
      }
      norm += next[i] * next[i];
    }
    load.value = std::sqrt(norm);
    if (load.value == 0.0) return load;
    for (std::size_t i = 0; i < count; ++i) mode[i] = next[i] / load.value;
  }
  // The joints themselves move as D^-1/2 v.
  double most = -1.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double moved = root[i] > 0.0 ? std::abs(mode[i]) / root[i] : 0.0;
    if (moved > most) {
      most = moved;
      load.joint = i;
    }
  }
  return load;
}

}  // namespace gonogo::sim
