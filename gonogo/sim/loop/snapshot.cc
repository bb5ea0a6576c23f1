// SPDX-License-Identifier: Apache-2.0
// What a snapshot must hold of the engine: everything mj_step reads before it writes. That is time,
// positions, velocities, activations, delayed controls and the solver's warm start; controls are
// rewritten each step and external forces never change. The tests prove it against data that lived
// elsewhere.
#include <mujoco/mujoco.h>

#include "gonogo/base/check.h"
#include "gonogo/sim/loop/env.h"

namespace gonogo::sim {
namespace {

constexpr int kState = mjSTATE_FULLPHYSICS | mjSTATE_WARMSTART;

}  // namespace

EnvState Env::Save() const {
  EnvState snapshot = now_;
  snapshot.physics.resize(static_cast<std::size_t>(mj_stateSize(world_->model(), kState)));
  mj_getState(world_->model(), data_.get(), snapshot.physics.data(), kState);
  return snapshot;
}

void Env::Restore(const EnvState& snapshot) {
  for (mjWarningStat& warning : data_->warning) warning.number = 0;  // of another past
  GONOGO_CHECK(mj_stateSize(world_->model(), kState) == static_cast<int>(snapshot.physics.size()));
  mj_setState(world_->model(), data_.get(), snapshot.physics.data(), kState);
  now_ = snapshot;
  now_.physics.clear();
  // Bytes hold neither what follows from the rest nor targets that nothing will read again.
  if (now_.targets.empty()) now_.targets = world_->action_path().StartTargets();
  now_.state.foot_force_n.resize(now_.feet.size());
  for (std::size_t i = 0; i < now_.feet.size(); ++i) {
    now_.state.foot_force_n[i] = now_.feet[i].force_n;
  }
  RefreshSites();
}

}  // namespace gonogo::sim
