// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/urdf.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>

#include <mujoco/mujoco.h>
#include <unistd.h>

#include "gonogo/io/file.h"
#include "gonogo/sim/model/engine.h"
#include "gonogo/sim/model/mjcf_text.h"

namespace gonogo::sim {
namespace {

/// Compiles a text and returns it as the engine writes models. It keeps one model to be written for
/// the whole process.
Result<std::string> AsMjcf(const std::string& urdf, const std::filesystem::path& file) {
  static std::mutex last_model;
  const std::lock_guard<std::mutex> lock(last_model);
  const ModelPtr model = GONOGO_TRY(CompileModel(urdf, file));
  const std::filesystem::path saved =
      std::filesystem::temp_directory_path() / fmt::format("gonogo-urdf-{}.xml", ::getpid());
  std::array<char, 1000> message{};
  int written = 0;
  GONOGO_TRY(CallEngine([&] {
    written = mj_saveLastXML(saved.c_str(), model.get(), message.data(),
                             static_cast<int>(message.size()));
  }));
  if (written == 0) return IoError("{}: MuJoCo: {}", file.string(), message.data());
  Result<std::string> mjcf = io::ReadFile(saved);
  std::error_code ignored;
  std::filesystem::remove(saved, ignored);
  return mjcf;
}

std::string Motors(const mjModel& model) {
  std::string motors;
  for (int joint = 0; joint < model.njnt; ++joint) {
    const char* name = mj_id2name(&model, mjOBJ_JOINT, joint);
    const bool moves = model.jnt_type[joint] == mjJNT_HINGE || model.jnt_type[joint] == mjJNT_SLIDE;
    if (moves && name != nullptr) motors += fmt::format("<motor joint=\"{}\"/>", name);
  }
  return "<actuator>" + motors + "</actuator>\n";
}

Error Unreadable(const std::filesystem::path& file, const std::string& why) {
  return InputError(
      "{}: a URDF that MuJoCo cannot load as it is: {}. Its meshes have to lie beside it, as .stl "
      "or "
      ".obj. Otherwise convert it to an MJCF, give the root body a <freejoint/> and every joint of "
      "the policy a <motor joint=\"…\"/>",
      file.string(), why);
}

/// MuJoCo 2.2.2 writes to address zero for a joint whose type it does not know.
Status CheckJointTypes(const std::string& urdf, const std::filesystem::path& file) {
  constexpr std::array<std::string_view, 6> kTypes = {"revolute", "continuous", "prismatic",
                                                      "fixed",    "floating",   "planar"};
  const MjcfText text(urdf, file);
  for (const MjcfText::Element& joint : text.Elements("joint")) {
    if (joint.parent != "robot") continue;  // those of transmissions have no type
    const std::optional<std::string> type = text.Attribute(joint, "type");
    if (!type || std::find(kTypes.begin(), kTypes.end(), *type) != kTypes.end()) continue;
    return Unreadable(file, fmt::format("line {}: the type of a joint is '{}', expected {}",
                                        text.LineOf(joint.begin), *type, fmt::join(kTypes, ", ")));
  }
  return {};
}

}  // namespace

bool IsUrdf(const std::string& text) {
  return text.find("<robot") < text.find("<mujoco");  // which a URDF may hold as an extension
}

Result<std::string> MjcfFromUrdf(const std::string& urdf, const std::filesystem::path& file) {
  GONOGO_TRY(CheckJointTypes(urdf, file));
  std::string text = urdf;
  const std::size_t robot = text.find("<robot");
  const std::size_t open = text.find('>', robot);
  if (open == std::string::npos) return Unreadable(file, "<robot> is never closed");
  // Or else links that do not move, the root above all, become a part of the world.
  constexpr std::string_view kApart = " fusestatic=\"false\"";
  const std::size_t extension = text.find("<mujoco");
  const std::size_t compiler = text.find("<compiler", extension);
  if (extension == std::string::npos) {
    text.insert(open + 1, fmt::format("<mujoco><compiler{}/></mujoco>", kApart));
  } else if (compiler == std::string::npos) {
    text.insert(text.find('>', extension) + 1, fmt::format("<compiler{}/>", kApart));
  } else if (text.find("fusestatic") == std::string::npos) {
    text.insert(compiler + std::string_view("<compiler").size(), kApart);
  }
  const Result<std::string> saved = AsMjcf(text, file);
  if (!saved.ok()) return Unreadable(file, saved.error().message);
  std::string mjcf = saved.value();
  const std::size_t body = mjcf.find("<body");
  const std::size_t end = mjcf.rfind("</mujoco>");
  if (body == std::string::npos || end == std::string::npos) {
    return Unreadable(file, "it has no links");
  }
  const ModelPtr model = GONOGO_TRY(CompileModel(mjcf, file));
  mjcf.insert(end, Motors(*model));
  return mjcf.insert(mjcf.find('>', body) + 1, "<freejoint/>");
}

}  // namespace gonogo::sim
