// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/engine.h"

#include <array>
#include <cstring>
#include <stdexcept>

#include <mujoco/mujoco.h>

#include "gonogo/sim/model/model_files.h"
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
    mju_user_error = [](const char* message) { throw EngineFailure(message); };
    mju_user_warning = [](const char*) {};
    InstallFastGround();
    return true;
  }();
  static_cast<void>(installed);
}

/// One text as a file of the engine's virtual file system.
class VirtualFile {
 public:
  VirtualFile(const std::string& name, const std::string& text) : vfs_(std::make_unique<mjVFS>()) {
    mj_defaultVFS(vfs_.get());
#if mjVERSION_HEADER >= 300
    mj_addBufferVFS(vfs_.get(), name.c_str(), text.data(), static_cast<int>(text.size()));
#else
    mj_makeEmptyFileVFS(vfs_.get(), name.c_str(), static_cast<int>(text.size()));
    const int index = mj_findFileVFS(vfs_.get(), name.c_str());
    std::memcpy(vfs_->filedata[index], text.data(), text.size());
#endif
  }
  ~VirtualFile() { mj_deleteVFS(vfs_.get()); }
  VirtualFile(const VirtualFile&) = delete;
  VirtualFile& operator=(const VirtualFile&) = delete;

  [[nodiscard]] const mjVFS* get() const { return vfs_.get(); }

 private:
  std::unique_ptr<mjVFS> vfs_;
};

}  // namespace

void ModelDeleter::operator()(mjModel_* model) const { mj_deleteModel(model); }
void DataDeleter::operator()(mjData_* data) const { mj_deleteData(data); }

Status CallEngine(const std::function<void()>& calls) {
  InstallHandlers();
  try {
    calls();
  } catch (const EngineFailure& failure) {
    return InputError("MuJoCo: {}", failure.what());
  }
  return {};
}

Result<ModelPtr> CompileModel(const std::string& mjcf, const std::filesystem::path& beside) {
  GONOGO_TRY(CheckModelFiles(mjcf, beside));
  if (mjcf.empty()) return InputError("{}: the model is empty", beside.string());
  const std::string name = (beside.parent_path() / "gonogo-world.xml").string();
  std::array<char, 1000> message{};
  ModelPtr model;
  const Status called = CallEngine([&] {
    const VirtualFile file(name, mjcf);
    model.reset(mj_loadXML(name.c_str(), file.get(), message.data(), message.size()));
  });
  if (!called.ok()) return InputError("{}: {}", beside.string(), called.error().message);
  if (model == nullptr) return InputError("{}: MuJoCo: {}", beside.string(), message.data());
  return model;
}

}  // namespace gonogo::sim
