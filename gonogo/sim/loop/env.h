// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/robot/state.h"
#include "gonogo/sim/loop/conditions.h"
#include "gonogo/sim/world/world.h"

/// \file
/// One simulated robot. Use:
///
///     Result<robot::RobotSpec> spec = robot::LoadRobotSpec("robots/go2");
///     Result<std::shared_ptr<const World>> world = World::Create(spec.value(), FlatTerrain());
///     Env env(world.value());                        // one mjData; one thread at a time
///     env.Reset(DrawStart(env.world(), RngStream(7)));
///     while (env.termination() == Termination::kNone) {
///       std::span<const float> observation = env.Observe({.vx = 0.5});
///       …                                             // action = policy(observation)
///       const Status stepped = env.Step(action);      // 4 physics steps; bad actions are errors
///       env.step().power_w, env.feet()[0].touchdown, env.state().v_com_B …
///     }

namespace gonogo::sim {

/// Contact of one foot with the ground. Timers run at the physics rate, as does the contact
/// threshold of 1 N on the normal force.
struct Foot {
  bool contact = false;
  bool touchdown = false;       ///< came down during the last control step
  double force_n = 0.0;         ///< normal force in the last physics step
  double peak_force_n = 0.0;    ///< largest in the last control step
  double air_time_s = 0.0;      ///< since it left the ground; 0 in contact
  double contact_time_s = 0.0;  ///< since it came down; 0 in the air
  double last_air_time_s = 0.0;
  robot::Vec3 p_W{};  ///< at the start of the last physics step
};

/// What happened in the last control step. Joint-wise vectors are in the policy's order; per
/// physics step ones are [substep * joints + joint].
struct StepLog {
  std::vector<double> torque;      ///< applied, after clipping, N m
  std::vector<double> joint_vel;   ///< at the end of each physics step, rad/s
  std::vector<double> joint_acc;   ///< (qd_end - qd_start) / dt of the last physics step
  double work_j = 0.0;             ///< sum |tau qd| dt over joints and physics steps
  double power_w = 0.0;            ///< work over time: the sum over joints of mean |tau qd|
  double effort = 0.0;             ///< proxy mean |a qd| over joints and physics steps
  double control_work_j = 0.0;     ///< the same sum read once, at the last physics step …
  double control_effort = 0.0;     ///< … as a program at the control rate would (decision 56)
  double path_m = 0.0;             ///< XY path of the root, physics step by physics step
  double forbidden_force_n = 0.0;  ///< largest of its physics steps
  bool left_terrain = false;       ///< the root is within 1 m of the end of the ground
};

/// Sums over the control steps since the reset.
struct Totals {
  std::int64_t steps = 0;
  double work_j = 0.0;
  double effort_sum = 0.0;  ///< of the per-step means; effort = effort_sum / steps
  double control_work_j = 0.0;
  double control_effort_sum = 0.0;
  double path_m = 0.0;
};

/// Everything that decides how an episode goes on, as a value: restore it into any Env of the same
/// world, on any thread, and continue bit for bit.
struct EnvState {
  std::vector<double> physics;  ///< time, qpos, qvel, act, warm start
  std::vector<double> lagged_torque;
  std::vector<double> targets;     ///< of the joints: the newest, and those a delay reaches back to
  std::vector<float> observation;  ///< with the histories in it
  bool observed = false;           ///< whether `observation` belongs to the current step
  double phase_time_s = 0.0;
  robot::Command command;  ///< of the last observation: what a gait phase follows
  robot::RobotState state;
  std::vector<Foot> feet;
  StepLog step;
  Totals totals;
  Termination termination = Termination::kNone;
  std::string termination_detail;
};

class Env {
 public:
  explicit Env(std::shared_ptr<const World> world);
  ~Env();
  Env(Env&&) noexcept;
  Env& operator=(Env&&) noexcept;

  /// Starts an episode.
  void Reset(const Start& start);
  /// Starts an episode in another world of the same robot (another tile, another body).
  void Reset(std::shared_ptr<const World> world, const Start& start);

  /// The policy's observation now. Histories advance once per control step, however often this is
  /// called. With `noise`, training noise is added. Valid until the next call.
  std::span<const float> Observe(const robot::Command& command, Rng* noise = nullptr);

  /// One control step with a raw action. Errors: an action that is not finite, or an engine
  /// failure. A robot that diverges is no error but a termination; it can only be reset.
  [[nodiscard]] Status Step(std::span<const float> action);

  /// Adds to the root's world velocity, m/s.
  void Push(double dvx, double dvy);

  [[nodiscard]] EnvState Save() const;
  void Restore(const EnvState& snapshot);

  [[nodiscard]] const World& world() const { return *world_; }
  [[nodiscard]] const robot::RobotSpec& spec() const { return world_->spec(); }
  [[nodiscard]] const robot::RobotState& state() const { return now_.state; }
  /// Generalised positions of the robot's model, in its own order.
  [[nodiscard]] std::span<const double> qpos() const;
  [[nodiscard]] std::span<const Foot> feet() const { return now_.feet; }
  [[nodiscard]] const StepLog& step() const { return now_.step; }
  [[nodiscard]] const Totals& totals() const { return now_.totals; }
  [[nodiscard]] Termination termination() const { return now_.termination; }
  [[nodiscard]] const std::string& termination_detail() const { return now_.termination_detail; }

 private:
  struct Scratch;

  void Refresh();
  void RefreshScan();
  void RefreshSites();
  void FinishStep();
  void PhysicsStep(int substep);
  void ReadContacts();
  void CheckDivergence();

  std::shared_ptr<const World> world_;
  DataPtr data_;
  EnvState now_;  // its `physics` stays empty: that part lives in data_
  std::unique_ptr<Scratch> scratch_;
};

/// A start near the terrain origin `origin`: x and y within 0.5 m, any yaw, standing in the default
/// pose at the spawn height. The same stream gives the same start for every method.
[[nodiscard]] Start DrawStart(const World& world, const RngStream& stream, std::size_t origin = 0);

}  // namespace gonogo::sim
