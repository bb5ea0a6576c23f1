// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/env.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <mujoco/mujoco.h>

#include "gonogo/base/check.h"
#include "gonogo/sim/internal/row.h"
#include "gonogo/sim/model/sphere_ground.h"

namespace gonogo::sim {
namespace {

constexpr double kContactThreshold = 1.0;  // N
constexpr double kEdgeMargin = 1.0;        // m
constexpr double kSpeedLimit = 300.0;      // m/s or rad/s: no machine moves like this

/// Whether data made for one model can be stepped with the other.
bool SameLayout(const mjModel& a, const mjModel& b) {
  const auto sizes = [](const mjModel& m) {
    return std::array{m.nq,    m.nv,    m.nu, m.na, m.nhistory,    m.nbody, m.njnt,
                      m.ngeom, m.nsite, m.nM, m.nC, m.nbvhdynamic, m.narena};
  };
  return sizes(a) == sizes(b);
}

DataPtr MakeData(const World& world) {
  DataPtr data(mj_makeData(world.model()));
  GONOGO_CHECK(data != nullptr);
  return data;
}

/// Servos of the model that lag or delay start with the pose they are told to hold.
void StartServos(const World& world, mjData& data) {
  const mjModel* model = world.model();
  for (std::size_t j = 0; j < world.binding().actuator.size(); ++j) {
    const int id = world.binding().actuator[j];
    const double pose = world.spec().default_pose[j];
    if (model->actuator_actadr[id] >= 0) data.act[model->actuator_actadr[id]] = pose;
    if (model->actuator_historyadr[id] < 0) continue;
    const auto samples = static_cast<std::size_t>(internal::Row(model->actuator_history, 2, id)[0]);
    mj_initCtrlHistory(model, &data, id, nullptr, std::vector<double>(samples, pose).data());
  }
}

}  // namespace

/// Work space of a control step, allocated once.
struct Env::Scratch {
  std::vector<double> q, qd, torque;
  std::vector<double> foot_force;
};

Env::Env(std::shared_ptr<const World> world)
    : world_(std::move(world)), data_(MakeData(*world_)), scratch_(std::make_unique<Scratch>()) {
  const auto joints = static_cast<std::size_t>(spec().joint_count());
  for (auto* buffer : {&scratch_->q, &scratch_->qd, &scratch_->torque}) {
    buffer->assign(joints, 0.0);
  }
  scratch_->foot_force.assign(spec().feet.size(), 0.0);
  Reset(DrawStart(*world_, RngStream(0)));
}

Env::~Env() = default;
Env::Env(Env&&) noexcept = default;
Env& Env::operator=(Env&&) noexcept = default;

void Env::Reset(std::shared_ptr<const World> world, const Start& start) {
  GONOGO_CHECK(world->spec().joints == spec().joints);
  if (!SameLayout(*world_->model(), *world->model())) data_ = MakeData(*world);
  world_ = std::move(world);
  Reset(start);
}

void Env::Reset(const Start& start) {
  const Binding& at = world_->binding();
  const auto joints = static_cast<std::size_t>(spec().joint_count());
  mj_resetData(world_->model(), data_.get());
  mjtNum* qpos = data_->qpos + at.root_qpos;
  std::copy(start.p_W.begin(), start.p_W.end(), qpos);
  qpos[3] = std::cos(0.5 * start.yaw);
  qpos[4] = qpos[5] = 0.0;
  qpos[6] = std::sin(0.5 * start.yaw);
  std::copy(start.v_W.begin(), start.v_W.end(), data_->qvel + at.root_dof);
  std::copy(start.w_B.begin(), start.w_B.end(), data_->qvel + at.root_dof + 3);
  const std::vector<double>& q = start.q.empty() ? spec().default_pose : start.q;
  GONOGO_CHECK(q.size() == joints);
  for (std::size_t j = 0; j < joints; ++j) data_->qpos[at.joint_qpos[j]] = q[j];

  StartServos(*world_, *data_);

  now_.lagged_torque.assign(joints, 0.0);
  now_.targets = world_->action_path().StartTargets();
  now_.observation.assign(world_->observer().size(), 0.0F);
  now_.observed = false;
  now_.phase_time_s = start.phase_time_s;
  now_.command = {};
  const robot::Cadence* cadence = spec().cadence();
  now_.state.gait_phase =
      cadence != nullptr ? std::fmod(start.phase_time_s / cadence->period_s, 1.0) : 0.0;
  now_.state.last_action.assign(joints, 0.0F);
  now_.state.smoothed_action = world_->action_path().StartSmoothed();
  now_.state.scan.assign(static_cast<std::size_t>(spec().scan.size()), 0.0F);
  now_.feet.assign(spec().feet.size(), Foot{});
  now_.step = StepLog{};
  now_.step.torque.assign(joints * static_cast<std::size_t>(spec().decimation), 0.0);
  now_.step.joint_vel.assign(joints * static_cast<std::size_t>(spec().decimation), 0.0);
  now_.step.joint_acc.assign(joints, 0.0);
  now_.totals = Totals{};
  now_.termination = Termination::kNone;
  now_.termination_detail.clear();
  Refresh();
}

std::span<const float> Env::Observe(const robot::Command& command, Rng* noise) {
  world_->observer().Observe(now_.state, command, noise, now_.totals.steps == 0, now_.observed,
                             now_.observation);
  now_.observed = true;
  now_.command = command;
  return now_.observation;
}

Status Env::Step(std::span<const float> action) {
  const auto joints = static_cast<std::size_t>(spec().joint_count());
  GONOGO_CHECK(action.size() == joints);
  GONOGO_CHECK(now_.termination != Termination::kDiverged);
  for (std::size_t j = 0; j < joints; ++j) {
    if (std::isfinite(action[j])) continue;
    return InputError("{}: the policy's action for {} is {} at control step {} (t = {:.2f} s)",
                      spec().policy.string(), spec().joints[j], action[j], now_.totals.steps,
                      now_.state.time_s);
  }
  now_.observed = false;
  world_->action_path().Push(action, now_.state.last_action, now_.state.smoothed_action,
                             now_.targets);
  StepLog& step = now_.step;
  step.work_j = step.effort = step.path_m = step.forbidden_force_n = 0.0;
  for (Foot& foot : now_.feet) {
    foot.touchdown = false;
    foot.peak_force_n = 0.0;
  }
  const Status run = CallEngine([this] {
    const FastGroundScope scope(world_->fast_ground());
    for (int substep = 0; substep < spec().decimation; ++substep) {
      PhysicsStep(substep);
      if (now_.termination == Termination::kDiverged) return;
    }
  });
  if (!run.ok()) {
    return InputError("{}: {} at control step {}", spec().model.string(), run.error().message,
                      now_.totals.steps);
  }
  FinishStep();
  return {};
}

void Env::FinishStep() {
  StepLog& step = now_.step;
  const double samples = static_cast<double>(spec().decimation) * spec().joint_count();
  step.effort /= samples;
  step.control_effort /= spec().joint_count();
  step.power_w = step.work_j / spec().control_dt_s();
  Totals& totals = now_.totals;
  ++totals.steps;
  totals.work_j += step.work_j;
  totals.effort_sum += step.effort;
  totals.control_work_j += step.control_work_j;
  totals.control_effort_sum += step.control_effort;
  totals.path_m += step.path_m;
  if (const robot::Cadence* cadence = spec().cadence();
      cadence != nullptr && cadence->follows_command()) {
    now_.state.gait_phase =
        cadence->Advance(now_.state.gait_phase, now_.command, spec().control_dt_s());
  }
  if (now_.termination == Termination::kDiverged) return;  // the state is no longer one
  Refresh();
  step.left_terrain =
      !world_->terrain().Contains(now_.state.p_W[0], now_.state.p_W[1], kEdgeMargin);
  if (step.forbidden_force_n > spec().task.contact_limit_n) {
    now_.termination = Termination::kForbiddenContact;
    now_.termination_detail =
        fmt::format("a part of the body that must not touch anything was hit with {:.1f} N",
                    step.forbidden_force_n);
  }
}

void Env::PhysicsStep(int substep) {
  const Binding& at = world_->binding();
  const mjModel* model = world_->model();
  const std::size_t joints = scratch_->q.size();
  for (std::size_t j = 0; j < joints; ++j) {
    scratch_->q[j] = data_->qpos[at.joint_qpos[j]];
    scratch_->qd[j] = data_->qvel[at.joint_dof[j]];
  }
  std::span<const double> control = world_->action_path().At(substep, now_.targets);
  if (world_->actuator() != nullptr) {
    world_->actuator()->Torques(control, scratch_->q, scratch_->qd, now_.lagged_torque,
                                scratch_->torque);
    control = scratch_->torque;
  }
  for (std::size_t j = 0; j < joints; ++j) {
    data_->ctrl[model->actuator_ctrladr[at.actuator[j]]] = control[j];
  }
  const double x = data_->qpos[at.root_qpos];
  const double y = data_->qpos[at.root_qpos + 1];
  mj_step(model, data_.get());
  CheckDivergence();
  if (now_.termination == Termination::kDiverged) return;

  const double dt = spec().physics_dt_s;
  StepLog& step = now_.step;
  const std::size_t row = static_cast<std::size_t>(substep) * joints;
  step.control_work_j = step.control_effort = 0.0;  // of the last physics step alone
  for (std::size_t j = 0; j < joints; ++j) {
    // Work over the step is torque times displacement, and the engine displaces by the new speed.
    const double qd = data_->qvel[at.joint_dof[j]];
    const double torque = data_->qfrc_actuator[at.joint_dof[j]] - at.passive_damping[j] * qd;
    step.torque[row + j] = torque;
    step.joint_vel[row + j] = qd;
    step.joint_acc[j] = (qd - scratch_->qd[j]) / dt;
    step.work_j += std::abs(torque * qd) * dt;
    step.effort += std::abs(now_.state.last_action[j] * qd);
    step.control_work_j += std::abs(torque * qd) * spec().control_dt_s();
    step.control_effort += std::abs(now_.state.last_action[j] * qd);
  }
  step.path_m += std::hypot(data_->qpos[at.root_qpos] - x, data_->qpos[at.root_qpos + 1] - y);
  ReadContacts();
}

void Env::ReadContacts() {
  const Binding& at = world_->binding();
  const double dt = spec().physics_dt_s;
  std::fill(scratch_->foot_force.begin(), scratch_->foot_force.end(), 0.0);
  double forbidden = 0.0;
  for (int i = 0; i < data_->ncon; ++i) {
    const mjContact& contact = data_->contact[i];
    if (contact.efc_address < 0) continue;
    std::array<mjtNum, 6> force{};
    mj_contactForce(world_->model(), data_.get(), i, force.data());
    for (const int geom : contact.geom) {
      if (geom < 0) continue;  // a body that bends
      const int foot = at.geom_foot[static_cast<std::size_t>(geom)];
      if (foot >= 0) scratch_->foot_force[static_cast<std::size_t>(foot)] += force[0];
      if (at.geom_forbidden[static_cast<std::size_t>(geom)] != 0) forbidden += force[0];
    }
  }
  now_.step.forbidden_force_n = std::max(now_.step.forbidden_force_n, forbidden);
  for (std::size_t f = 0; f < now_.feet.size(); ++f) {
    Foot& foot = now_.feet[f];
    foot.force_n = scratch_->foot_force[f];
    foot.peak_force_n = std::max(foot.peak_force_n, foot.force_n);
    std::copy_n(internal::Row(data_->geom_xpos, 3, at.foot_geom[f]), 3, foot.p_W.begin());
    const bool contact = foot.force_n > kContactThreshold;
    if (contact && !foot.contact) {
      foot.touchdown = true;
      foot.last_air_time_s = foot.air_time_s;
    }
    foot.contact = contact;
    foot.air_time_s = contact ? 0.0 : foot.air_time_s + dt;
    foot.contact_time_s = contact ? foot.contact_time_s + dt : 0.0;
  }
}

void Env::CheckDivergence() {
  static constexpr std::array kFatal = {
      std::pair{mjWARN_BADQPOS, "a position is not finite"},
      std::pair{mjWARN_BADQVEL, "a velocity is not finite"},
      std::pair{mjWARN_BADQACC, "an acceleration is not finite"},
      std::pair{mjWARN_INERTIA, "the inertia matrix is singular"},
      std::pair{mjWARN_CONTACTFULL, "more contacts than the model's nconmax"},
      std::pair{mjWARN_CNSTRFULL, "more constraints than the model's njmax"}};
  const char* reason = nullptr;
  for (const auto& [warning, text] : kFatal) {
    if (data_->warning[warning].number > 0) reason = text;
  }
  for (int i = 0; reason == nullptr && i < world_->model()->nv; ++i) {
    if (!(std::abs(data_->qvel[i]) < kSpeedLimit)) reason = "a velocity exceeds 300 m/s or rad/s";
  }
  if (reason == nullptr) return;
  now_.termination = Termination::kDiverged;
  now_.termination_detail = fmt::format(
      "{} at t = {:.3f} s", reason, static_cast<double>(now_.totals.steps) * spec().control_dt_s());
}

std::span<const double> Env::qpos() const {
  return {data_->qpos, static_cast<std::size_t>(world_->model()->nq)};
}

void Env::Push(double dvx, double dvy) {
  mjtNum* qvel = data_->qvel + world_->binding().root_dof;
  qvel[0] += dvx;
  qvel[1] += dvy;
  Refresh();
}

Start DrawStart(const World& world, const RngStream& stream, std::size_t origin) {
  const TerrainOrigin& o = world.terrain().origins.at(origin);
  Rng rng = stream.Child("start").Generator();
  Start start;
  start.p_W = {o.x + rng.Uniform(-0.5, 0.5), o.y + rng.Uniform(-0.5, 0.5),
               o.z + world.spec().spawn_height_m};
  start.yaw = rng.Uniform(-std::numbers::pi, std::numbers::pi);
  return start;
}

}  // namespace gonogo::sim
