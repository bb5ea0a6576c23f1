// SPDX-License-Identifier: Apache-2.0
// What the robot's sensors know: everything here is a function of the physics, so that a snapshot
// of that is enough.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <mujoco/mujoco.h>

#include "gonogo/sim/internal/row.h"
#include "gonogo/sim/loop/env.h"

namespace gonogo::sim {
namespace {

robot::Vec3 Rotate(const mjtNum* quat, const mjtNum* vec) {
  robot::Vec3 out{};
  mju_rotVecQuat(out.data(), vec, quat);
  return out;
}

double Yaw(const mjtNum* quat) {
  const std::array<mjtNum, 3> forward{1, 0, 0};
  const robot::Vec3 x_W = Rotate(quat, forward.data());
  return std::atan2(x_W[1], x_W[0]);
}

/// What the policy itself sees of its scan, averaged.
double MeanClippedScan(const robot::RobotSpec& spec, std::span<const float> scan) {
  double low = -std::numeric_limits<double>::infinity();
  double high = -low;
  for (const robot::ObservationTerm& term : spec.observation) {
    if (term.kind != robot::TermKind::kHeightScan) continue;
    low = term.clip_low;
    high = term.clip_high;
  }
  double sum = 0.0;
  for (const float value : scan) sum += std::clamp<double>(value, low, high);
  return sum / static_cast<double>(scan.size());
}

}  // namespace

void Env::Refresh() {
  const Binding& at = world_->binding();
  robot::RobotState& state = now_.state;
  const mjtNum* qpos = data_->qpos + at.root_qpos;
  const mjtNum* qvel = data_->qvel + at.root_dof;
  std::copy_n(qpos, 3, state.p_W.begin());
  std::copy_n(qpos + 3, 4, state.quat_WB.begin());
  std::array<mjtNum, 4> quat_BW{};
  mju_negQuat(quat_BW.data(), qpos + 3);
  state.v_B = Rotate(quat_BW.data(), qvel);
  std::copy_n(qvel + 3, 3, state.w_B.begin());
  const mjtNum* com_B = internal::Row(world_->model()->body_ipos, 3, at.root_body);
  mju_cross(state.v_com_B.data(), state.w_B.data(), com_B);
  for (std::size_t i = 0; i < 3; ++i) state.v_com_B[i] += state.v_B[i];
  const std::array<mjtNum, 3> down{0, 0, -1};
  state.gravity_B = Rotate(quat_BW.data(), down.data());
  state.yaw = Yaw(qpos + 3);
  const auto joints = static_cast<std::size_t>(spec().joint_count());
  state.q.resize(joints);
  state.qd.resize(joints);
  for (std::size_t j = 0; j < joints; ++j) {
    state.q[j] = data_->qpos[at.joint_qpos[j]];
    state.qd[j] = data_->qvel[at.joint_dof[j]];
  }
  state.time_s = static_cast<double>(now_.totals.steps) * spec().control_dt_s();
  state.gait_clock_s = state.time_s + now_.phase_time_s;
  state.foot_force_n.resize(now_.feet.size());
  for (std::size_t i = 0; i < now_.feet.size(); ++i) state.foot_force_n[i] = now_.feet[i].force_n;
  RefreshSites();
  RefreshScan();
}

void Env::RefreshSites() {
  const Binding& at = world_->binding();
  if (at.sites.empty()) return;
  const mjModel* model = world_->model();
  // A step leaves velocities of bodies as they were at its start.
  mj_kinematics(model, data_.get());
  mj_comPos(model, data_.get());
  mj_comVel(model, data_.get());
  now_.state.sites.resize(at.sites.size());
  for (std::size_t i = 0; i < at.sites.size(); ++i) {
    robot::SiteState& site = now_.state.sites[i];
    mju_mat2Quat(site.quat_WS.data(), internal::Row(data_->site_xmat, 9, at.sites[i]));
    std::array<mjtNum, 6> velocity{};  // rotation, then translation
    mj_objectVelocity(model, data_.get(), mjOBJ_SITE, at.sites[i], velocity.data(), 1);
    std::copy_n(velocity.begin(), 3, site.w_S.begin());
    std::copy_n(velocity.begin() + 3, 3, site.v_S.begin());
    std::array<mjtNum, 4> quat_SW{};
    mju_negQuat(quat_SW.data(), site.quat_WS.data());
    const std::array<mjtNum, 3> down{0, 0, -1};
    site.gravity_S = Rotate(quat_SW.data(), down.data());
  }
}

void Env::RefreshScan() {
  robot::RobotState& state = now_.state;
  const Binding& at = world_->binding();
  if (state.scan.empty()) {
    state.posture_height_m = state.p_W[2] - world_->terrain().Height(state.p_W[0], state.p_W[1]);
    return;
  }
  if (at.scan_body == at.root_body) {
    world_->Scan(state.p_W, state.yaw, state.scan);
  } else {
    mj_kinematics(world_->model(), data_.get());
    robot::Vec3 p_W{};
    std::copy_n(internal::Row(data_->xpos, 3, at.scan_body), 3, p_W.begin());
    world_->Scan(p_W, Yaw(internal::Row(data_->xquat, 4, at.scan_body)), state.scan);
  }
  state.posture_height_m = MeanClippedScan(spec(), state.scan) + spec().scan.offset_m;
}

}  // namespace gonogo::sim
