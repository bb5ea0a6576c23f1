// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/closed_loop.h"

#include "gonogo/base/check.h"

namespace gonogo::sim {

Result<ClosedLoop> ClosedLoop::Create(std::shared_ptr<const World> world,
                                      std::shared_ptr<const robot::Policy> policy) {
  const robot::RobotSpec& spec = world->spec();
  if (policy->observation_size() != spec.observation_size()) {
    return InputError("{}: the observation terms give {} values, but the policy {} takes {}",
                      spec.file.string(), spec.observation_size(), spec.policy.string(),
                      policy->observation_size());
  }
  if (policy->action_size() != spec.joint_count()) {
    return InputError("{}: joints.order names {} joints, but the policy {} moves {}",
                      spec.file.string(), spec.joint_count(), spec.policy.string(),
                      policy->action_size());
  }
  return ClosedLoop(std::move(world), std::move(policy));
}

ClosedLoop::ClosedLoop(std::shared_ptr<const World> world,
                       std::shared_ptr<const robot::Policy> policy)
    : env_(std::move(world)),
      policy_(std::move(policy)),
      memory_(policy_->StartMemory()),
      action_(static_cast<std::size_t>(policy_->action_size())) {}

void ClosedLoop::Reset(const Start& start) {
  env_.Reset(start);
  disturbance_ = start.disturbance;
  memory_ = policy_->StartMemory();
}

std::span<const float> ClosedLoop::Observe(const robot::Command& command) {
  if (!disturbance_.noise) return env_.Observe(command);
  // Named by the step: looking twice sees the same, and a snapshot needs no state of a generator.
  Rng noise = RngStream(disturbance_.seed)
                  .Child("noise")
                  .Child(static_cast<std::uint64_t>(env_.totals().steps))
                  .Generator();
  return env_.Observe(command, &noise);
}

Status ClosedLoop::Advance(const robot::Command& command) {
  const PushVelocity push = PushAt(disturbance_, env_.totals().steps, env_.spec().control_dt_s());
  if (push.vx != 0.0 || push.vy != 0.0) env_.Push(push.vx, push.vy);
  policy_->Act(Observe(command), action_, memory_);
  return env_.Step(action_);
}

void ClosedLoop::Restore(const LoopSnapshot& snapshot) {
  GONOGO_CHECK(snapshot.hidden.size() == memory_.hidden.size());
  env_.Restore(snapshot.env);
  memory_.hidden = snapshot.hidden;
  disturbance_ = snapshot.disturbance;
}

}  // namespace gonogo::sim
