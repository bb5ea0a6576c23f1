// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/read_model.h"

#include <array>
#include <cmath>
#include <string_view>

#include <mujoco/mujoco.h>

#include "gonogo/io/file.h"
#include "gonogo/sim/model/model_files.h"

namespace gonogo::sim {
namespace {

using Elements = std::vector<mjsElement*>;

Elements All(const mjSpec& spec, mjtObj type) {
  Elements elements;
  for (mjsElement* next = mjs_firstElement(&spec, type); next != nullptr;
       next = mjs_nextElement(&spec, next)) {
    elements.push_back(next);
  }
  return elements;
}

/// The engine's strings are another library's: only it may look inside.
std::string_view Text(const mjString* string) { return mjs_getString(string); }

struct Parsed {
  SpecPtr spec;
  std::string message;  ///< why there is none
};

Parsed ParseText(const std::string& text, const std::filesystem::path& file) {
  Parsed parsed;
  std::array<char, 1000> message{};
  mjVFS files;
  mj_defaultVFS(&files);
  const Status called = CallEngine([&] {
    mj_addBufferVFS(&files, file.c_str(), text.data(), static_cast<int>(text.size()));
    parsed.spec.reset(
        mj_parseXML(file.c_str(), &files, message.data(), static_cast<int>(message.size())));
  });
  mj_deleteVFS(&files);
  parsed.message = called.ok() ? message.data() : called.error().message;
  return parsed;
}

/// A model, or the reason why there is none.
ModelPtr TryCompile(mjSpec& spec, std::string& message) {
  ModelPtr model;
  const Status called = CallEngine([&] { model.reset(mj_compile(&spec, nullptr)); });
  if (!model) message = called.ok() ? mjs_getError(&spec) : called.error().message;
  return model;
}

bool IsUrdf(const std::string& text) {
  return text.find("<robot") < text.find("<mujoco");  // which a URDF may hold as an extension
}

void AddMotors(mjSpec& spec) {
  for (mjsElement* element : All(spec, mjOBJ_JOINT)) {
    const mjtJoint type = mjs_asJoint(element)->type;
    const std::string name(Text(mjs_getName(element)));
    if ((type != mjJNT_HINGE && type != mjJNT_SLIDE) || name.empty()) continue;
    mjsActuator* motor = mjs_addActuator(&spec, nullptr);
    mjs_setToMotor(motor);
    motor->trntype = mjTRN_JOINT;
    mjs_setString(motor->target, name.c_str());
  }
}

/// Nothing here shows textures: their files need not be there.
void LeaveOutTextures(mjSpec& spec) {
  for (mjsElement* element : All(spec, mjOBJ_TEXTURE)) {
    mjsTexture& texture = *mjs_asTexture(element);
    texture.type = mjTEXTURE_2D;
    texture.builtin = mjBUILTIN_FLAT;
    texture.width = texture.height = 1;
    texture.gridsize[0] = texture.gridsize[1] = 1;
    mjs_setString(texture.file, "");
    for (int side = 0; side < 6; ++side) mjs_setInStringVec(texture.cubefiles, side, "");
  }
}

/// Whether a body would weigh something else without the geom.
bool IsWeighed(const mjSpec& spec, const mjsGeom& geom) {
  const mjsCompiler& compiler = spec.compiler;
  const mjsBody* body = mjs_getParent(geom.element);
  const bool given = body->explicitinertial && compiler.inertiafromgeom != mjINERTIAFROMGEOM_TRUE;
  const bool none = geom.mass == 0.0 || (std::isnan(geom.mass) && geom.density == 0.0);
  const bool outside =
      geom.group < compiler.inertiagrouprange[0] || geom.group > compiler.inertiagrouprange[1];
  return !given && !none && !outside;
}

}  // namespace

Result<ModelSource> ModelSource::Read(const std::filesystem::path& file) {
  std::string text = GONOGO_TRY(io::ReadFile(file));
  return Parse(std::move(text), file);
}

Result<ModelSource> ModelSource::Parse(std::string text, const std::filesystem::path& file) {
  GONOGO_TRY(CheckEngine());
  GONOGO_TRY(CheckModelFiles(text, file));
  ModelSource source;
  source.file_ = file;
  source.text_ = std::move(text);
  source.urdf_ = IsUrdf(source.text_);
  Parsed parsed = ParseText(source.text_, file);
  if (!parsed.spec) return source.Refusal(parsed.message);
  source.spec_ = std::move(parsed.spec);
  mjSpec& spec = *source.spec_;
  if (source.urdf_) {
    mjsElement* root = mjs_firstChild(mjs_findBody(&spec, "world"), mjOBJ_BODY, 0);
    if (root == nullptr) return source.Refusal("it has no links");
    spec.strippath = true;
    // Or else links that do not move, feet above all, become a part of those that do.
    if (source.text_.find("fusestatic") == std::string::npos) spec.compiler.fusestatic = false;
    if (mjs_firstChild(mjs_asBody(root), mjOBJ_JOINT, 0) == nullptr) {
      mjs_addFreeJoint(mjs_asBody(root));
    }
    source.notes_.push_back("a URDF: its root link can move, and every joint has a motor");
  }
  if (mjs_firstElement(&spec, mjOBJ_ACTUATOR) == nullptr) {
    AddMotors(spec);
    if (!source.urdf_) {
      source.notes_.push_back(file.filename().string() +
                              " has no actuators: every joint has a motor");
    }
  }
  LeaveOutTextures(spec);
  return source;
}

/// The engine reads files when it compiles, and says which it did not find.
bool ModelSource::LeaveOutMissingLooks(const std::string& message) {
  constexpr std::string_view kMissing = "Error opening file '";
  const std::size_t begin = message.find(kMissing);
  if (begin == std::string::npos) return false;
  const std::size_t name = begin + kMissing.size();
  const std::string file = message.substr(name, message.find('\'', name) - name);
  Elements looks;
  for (mjsElement* element : All(*spec_, mjOBJ_MESH)) {
    const std::string_view said = Text(mjs_asMesh(element)->file);
    if (said.empty() || !file.ends_with(said)) continue;
    const std::string_view mesh = Text(mjs_getName(element));
    for (mjsElement* user : All(*spec_, mjOBJ_GEOM)) {
      const mjsGeom& geom = *mjs_asGeom(user);
      if (Text(geom.meshname) != mesh) continue;
      if (geom.contype != 0 || geom.conaffinity != 0 || IsWeighed(*spec_, geom)) return false;
      looks.push_back(user);
    }
    looks.push_back(element);
  }
  if (looks.empty()) return false;
  for (mjsElement* element : looks) {
    if (mjs_delete(spec_.get(), element) != 0) return false;
  }
  notes_.push_back(
      fmt::format("{}: pictures do without {}, which is missing", file_.filename().string(), file));
  return true;
}

Result<ModelPtr> ModelSource::Compile() {
  std::string message;
  ModelPtr model = TryCompile(*spec_, message);
  const std::string first = message;
  while (!model && LeaveOutMissingLooks(message)) model = TryCompile(*spec_, message);
  if (!model) return Refusal(first);
  model->opt.enableflags &= ~mjENBL_SLEEP;  // what sleeps is no part of the engine's states
  return model;
}

Error ModelSource::Refusal(const std::string& message) const {
  if (urdf_) {
    return InputError(
        "{}: a URDF that MuJoCo cannot load as it is: {}. Its meshes have to lie beside it, as "
        ".stl or .obj. Otherwise convert it to an MJCF, give the root body a <freejoint/> and "
        "every joint of the policy a <motor joint=\"…\"/>",
        file_.string(), message);
  }
  // It does not know lines of included files: they are put into their places, and it is asked
  // again.
  constexpr std::string_view kUnknown = "line 0";
  if (message.find(kUnknown) != std::string::npos) {
    const IncludedLines lines(text_, file_);
    Parsed parsed = ParseText(lines.text(), file_);
    std::string again = parsed.message;
    if (parsed.spec) TryCompile(*parsed.spec, again);
    return InputError("{}: MuJoCo: {}", file_.string(), lines.WithOrigins(again));
  }
  return InputError("{}: MuJoCo: {}", file_.string(), message);
}

}  // namespace gonogo::sim
