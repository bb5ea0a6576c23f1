// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/methods.h"

#include <algorithm>
#include <array>

#include "gonogo/base/nearest.h"
#include "gonogo/control/fixed_scale.h"
#include "gonogo/control/vgcc.h"
#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"
#include "gonogo/response/data/excitation_file.h"
#include "gonogo/response/models/model_file.h"
#include "gonogo/study/adapter_method.h"
#include "gonogo/study/identified.h"
#include "gonogo/study/method_settings.h"

namespace gonogo::study {
namespace {

using control::Controller;

/// Creates one controller to learn whether its configuration is sound, then makes copies on demand.
template <typename C, typename... Args>
Result<Method> MakeMethod(const std::string& name, const Args&... args) {
  const C probe = GONOGO_TRY(C::Create(args...));
  return Method{name, [args...]() -> std::unique_ptr<Controller> {
                  return std::make_unique<C>(C::Create(args...).value());
                }};
}

/// The method with the hashes of what it learnt from. A model's .json names the hash of its .onnx.
Result<Method> WithSources(Result<Method> method, const std::vector<std::filesystem::path>& files) {
  if (!method.ok()) return method;
  for (const std::filesystem::path& file : files) {
    const std::string bytes = GONOGO_TRY(io::ReadFile(file));
    method.value().identity.append(" ").append(io::Sha256Hex(bytes));
  }
  return method;
}

struct VgccVariant {
  const char* name;
  const char* model;
  void (*change)(control::VgccConfig&);
};

constexpr std::array<VgccVariant, 9> kVgccVariants{{
    {"vgcc", "response-effort", [](control::VgccConfig&) {}},
    {"vgcc-power", "response-power", [](control::VgccConfig&) {}},
    {"vgcc-no-anneal", "response-effort", [](control::VgccConfig& c) { c.anneal = false; }},
    {"vgcc-no-gate", "response-effort",
     [](control::VgccConfig& c) { c.keep_posture = c.rescue = c.restore = false; }},
    {"vgcc-no-floor", "response-effort", [](control::VgccConfig& c) { c.keep_progress = false; }},
    {"vgcc-substitute", "response-effort", [](control::VgccConfig& c) { c.gain = 1.0; }},
    {"vgcc-quarter-data", "response-effort-25", [](control::VgccConfig&) {}},
    {"vgcc-cost-per-progress", "response-effort",
     [](control::VgccConfig& c) { c.cost_per_progress = c.score_executed = true; }},
    {"vgcc-absolute-margin", "response-effort",
     [](control::VgccConfig& c) { c.absolute_margin = true; }},
}};

Result<Method> OpenVgcc(const VgccVariant& variant, const robot::RobotSpec& robot,
                        const std::filesystem::path& models, control::VgccConfig config) {
  variant.change(config);
  GONOGO_TRY(CheckIdentified(models / (std::string(variant.model) + ".json"), robot,
                             fmt::format("controller {}", variant.name)));
  response::ResponseModel model =
      GONOGO_TRY(response::LoadResponseModel(models / variant.model, robot));
  for (const robot::CommandChannel& channel : robot.channels) {
    if (channel.candidates.empty() || model.Knows(channel.slot)) continue;
    return InputError(
        "{}: command.channel {} has candidates, but {} was identified on data in which it never "
        "changed; run 'gonogo identify' again",
        robot.file.string(), channel.name, (models / variant.model).string());
  }
  const std::shared_ptr<const response::ResponsePredictor> shared =
      std::make_shared<response::ResponseModel>(std::move(model));
  return WithSources(MakeMethod<control::Vgcc>(variant.name, config, robot, shared),
                     {models / (std::string(variant.model) + ".json")});
}

Result<Method> OpenMpc(const robot::RobotSpec& robot, const std::filesystem::path& models,
                       const control::MpcConfig& config) {
  for (const char* file : {"macro.json", "value.json"}) {
    GONOGO_TRY(CheckIdentified(models / file, robot, "controller mpc"));
  }
  response::MacroModel macro = GONOGO_TRY(response::LoadMacroModel(models / "macro", robot));
  response::ValueModel value = GONOGO_TRY(response::LoadValueModel(models / "value", robot));
  const std::shared_ptr<const response::MacroPredictor> shared_macro =
      std::make_shared<response::MacroModel>(std::move(macro));
  const std::shared_ptr<const response::ValuePredictor> shared_value =
      std::make_shared<response::ValueModel>(std::move(value));
  return WithSources(
      MakeMethod<control::SamplingMpc>("mpc", config, robot, shared_macro, shared_value),
      {models / "macro.json", models / "value.json"});
}

Result<Method> OpenVgsr(const std::string& name, const robot::RobotSpec& robot,
                        const std::filesystem::path& models, control::RetrievalConfig config) {
  const std::filesystem::path file = models / "excitation.h5";
  GONOGO_TRY(CheckIdentified(file, robot, "controller " + name));
  const response::ExcitationLog log = GONOGO_TRY(response::ReadExcitation(file, robot));
  control::ArchiveOptions options;
  options.size = name == "vgsr-2000" ? 2000 : name == "vgsr-500" ? 500 : 0;
  config.gate = name != "vgsr-no-gate";
  control::BehaviourArchive archive =
      GONOGO_TRY(control::BuildArchive(log, robot.posture, options, RngStream(1).Child("vgsr")));
  const auto shared = std::make_shared<const control::BehaviourArchive>(std::move(archive));
  return WithSources(MakeMethod<control::Retrieval>(name, config, robot, shared), {file});
}

Result<Method> Open(const std::string& name, const robot::RobotSpec& robot,
                    const std::filesystem::path& models, const MethodSettings& settings) {
  if (name == "direct") {
    return Method{name, [robot] { return std::make_unique<control::Direct>(robot); }};
  }
  if (name.starts_with("scale-") || name.starts_with("scale:")) {
    const double scale = GONOGO_TRY(ParseNumber(std::string_view(name).substr(6), name));
    return MakeMethod<control::FixedScale>(name, scale, robot);
  }
  if (name.starts_with("adapter:")) {
    return OpenAdapterMethod(name, robot, settings.adapter_hold);
  }
  if (name.starts_with("action:")) return OpenActionMethod(name, robot);
  if (name == "governor") return MakeMethod<control::Governor>(name, settings.governor, robot);
  if (name == "mpc") return OpenMpc(robot, models, settings.mpc);
  for (const VgccVariant& variant : kVgccVariants) {
    if (name == variant.name) return OpenVgcc(variant, robot, models, settings.vgcc);
  }
  const std::vector<std::string> names = MethodNames();
  if (name.starts_with("vgsr") && std::find(names.begin(), names.end(), name) != names.end()) {
    return OpenVgsr(name, robot, models, settings.vgsr);
  }
  return UsageError(
      "no controller is called \"{}\"{}; there are {}, action:ACTION and adapter:FOLDER", name,
      DidYouMean(name, names), fmt::join(names, ", "));
}

}  // namespace

std::vector<std::string> MethodNames() {
  std::vector<std::string> names{"direct", "scale-0.60", "scale-0.75",   "scale-0.90", "governor",
                                 "mpc",    "vgsr",       "vgsr-no-gate", "vgsr-2000",  "vgsr-500"};
  for (const VgccVariant& variant : kVgccVariants) names.emplace_back(variant.name);
  return names;
}

Result<Method> OpenMethod(const std::string& name, const robot::RobotSpec& robot,
                          const std::filesystem::path& models,
                          const std::vector<std::string>& texts) {
  MethodSettings settings = GONOGO_TRY(ParseSettings(texts));
  Method method = GONOGO_TRY(Open(name, robot, models, settings));
  const std::string kind = name.substr(0, name.find_first_of("-:")) + ".";
  method.identity = name + settings.Text(kind) + method.identity;
  return method;
}

}  // namespace gonogo::study
