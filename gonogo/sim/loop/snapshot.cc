// SPDX-License-Identifier: Apache-2.0
// What a snapshot must hold of the engine: everything mj_step reads before it writes. That is time,
// positions, velocities, activations and the solver's warm start; controls are rewritten each step
// and external forces never change. The tests prove it against data that lived elsewhere.
#include <array>

#include <mujoco/mujoco.h>

#include "gonogo/base/check.h"
#include "gonogo/sim/loop/env.h"

namespace gonogo::sim {
namespace {

struct Field {
  mjtNum* begin;
  int size;
};

std::array<Field, 5> Fields(const mjModel& model, mjData& data) {
  return {Field{&data.time, 1}, Field{data.qpos, model.nq}, Field{data.qvel, model.nv},
          Field{data.act, model.na}, Field{data.qacc_warmstart, model.nv}};
}

}  // namespace

EnvState Env::Save() const {
  EnvState snapshot = now_;
  for (const Field& field : Fields(*world_->model(), *data_)) {
    snapshot.physics.insert(snapshot.physics.end(), field.begin, field.begin + field.size);
  }
  return snapshot;
}

void Env::Restore(const EnvState& snapshot) {
  for (mjWarningStat& warning : data_->warning) warning.number = 0;  // of another past
  const double* from = snapshot.physics.data();
  for (const Field& field : Fields(*world_->model(), *data_)) {
    std::copy_n(from, field.size, field.begin);
    from += field.size;
  }
  GONOGO_CHECK(from == snapshot.physics.data() + snapshot.physics.size());
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
