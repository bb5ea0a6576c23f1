// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/engine.h"

#include <stdexcept>

#include <mujoco/mujoco.h>

#include "gonogo/sim/model/sphere_ground.h"

namespace gonogo::sim {
namespace {

struct EngineFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The engine's handlers are process-wide and may not return from an error. Its C frames carry
// unwind tables on every supported platform, so that throwing through them is sound.
void InstallHandlers() {
  static const bool installed = [] {
    mju_setLogHandler([](const mjLogMessage* message) {
      if (message->level == mjLOG_ERROR) throw EngineFailure(message->subject);
    });
    InstallFastGround();
    return true;
  }();
  static_cast<void>(installed);
}

}  // namespace

void ModelDeleter::operator()(mjModel_* model) const { mj_deleteModel(model); }
void DataDeleter::operator()(mjData_* data) const { mj_deleteData(data); }
void SpecDeleter::operator()(mjSpec_* spec) const { mj_deleteSpec(spec); }

Status CallEngine(const std::function<void()>& calls) {
  InstallHandlers();
  try {
    calls();
  } catch (const EngineFailure& failure) {
    return InputError("MuJoCo: {}", failure.what());
  }
  return {};
}

std::string EngineVersion() { return std::string("MuJoCo ") + mj_versionString(); }

Status CheckEngine(int library_version) {
  if (library_version == mjVERSION_HEADER) return {};
  return InputError("this program was compiled for MuJoCo {}, but found {} in libmujoco",
                    mjVERSION_HEADER, library_version);
}

Status CheckEngine() { return CheckEngine(mj_version()); }

}  // namespace gonogo::sim
