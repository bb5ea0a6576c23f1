// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/methods.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "gonogo/base/nearest.h"
#include "gonogo/control/fixed_scale.h"
#include "gonogo/control/governor.h"
#include "gonogo/control/retrieval.h"
#include "gonogo/control/sampling_mpc.h"
#include "gonogo/control/vgcc.h"
#include "gonogo/response/excitation_file.h"
#include "gonogo/response/model_file.h"

namespace gonogo::study {
namespace {

using control::Controller;

/// Every number a user may set, by its name.
struct Settings {
  control::VgccConfig vgcc;
  control::GovernorConfig governor;
  control::MpcConfig mpc;
  control::RetrievalConfig vgsr;

  std::map<std::string, double*> Names() {
    return {{"vgcc.gain", &vgcc.gain},
            {"vgcc.anneal_distance", &vgcc.anneal_distance_m},
            {"vgcc.progress_floor", &vgcc.progress_floor},
            {"vgcc.cost_margin", &vgcc.cost_margin},
            {"governor.height_full", &governor.height_full},
            {"governor.height_least", &governor.height_least},
            {"governor.tilt_full", &governor.tilt_full_rad},
            {"governor.tilt_least", &governor.tilt_least_rad},
            {"governor.least_scale", &governor.least_scale},
            {"mpc.spread", &mpc.spread},
            {"mpc.time_budget", &mpc.time_budget},
            {"mpc.success_loss", &mpc.success_loss},
            {"mpc.largest_tilt", &mpc.largest_tilt_rad},
            {"mpc.largest_angular_speed", &mpc.largest_angular_speed},
            {"vgsr.gain", &vgsr.gain},
            {"vgsr.progress_floor", &vgsr.progress_floor}};
  }
};

Result<double> ParseNumber(std::string_view text, std::string_view where) {
  double value = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc() && end == text.data() + text.size()) return value;
  return UsageError("{}: \"{}\" is not a number", where, text);
}

Result<Settings> ParseSettings(const std::vector<std::string>& texts) {
  Settings settings;
  const std::map<std::string, double*> names = settings.Names();
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string key = text.substr(0, equals);
    const auto found = names.find(key);
    if (equals == std::string::npos || found == names.end()) {
      std::vector<std::string> keys;
      for (const auto& [name, value] : names) keys.push_back(name);
      return UsageError("--set {}: no such setting{}", text, DidYouMean(key, keys));
    }
    const Result<double> value = ParseNumber(std::string_view(text).substr(equals + 1), text);
    if (!value.ok()) return value.error();
    *found->second = value.value();
  }
  return settings;
}

/// Creates one controller to learn whether its configuration is sound, then makes copies on demand.
template <typename C, typename... Args>
Result<Method> MakeMethod(const std::string& name, const Args&... args) {
  const Result<C> probe = C::Create(args...);
  if (!probe.ok()) return probe.error();
  return Method{name, [args...]() -> std::unique_ptr<Controller> {
                  return std::make_unique<C>(C::Create(args...).value());
                }};
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
  Result<response::ResponseModel> model =
      response::LoadResponseModel(models / variant.model, robot);
  if (!model.ok()) return model.error();
  const std::shared_ptr<const response::ResponsePredictor> shared =
      std::make_shared<response::ResponseModel>(std::move(model).value());
  return MakeMethod<control::Vgcc>(variant.name, config, robot, shared);
}

Result<Method> OpenMpc(const robot::RobotSpec& robot, const std::filesystem::path& models,
                       const control::MpcConfig& config) {
  Result<response::MacroModel> macro = response::LoadMacroModel(models / "macro", robot);
  if (!macro.ok()) return macro.error();
  Result<response::ValueModel> value = response::LoadValueModel(models / "value", robot);
  if (!value.ok()) return value.error();
  const std::shared_ptr<const response::MacroPredictor> shared_macro =
      std::make_shared<response::MacroModel>(std::move(macro).value());
  const std::shared_ptr<const response::ValuePredictor> shared_value =
      std::make_shared<response::ValueModel>(std::move(value).value());
  return MakeMethod<control::SamplingMpc>("mpc", config, robot, shared_macro, shared_value);
}

Result<Method> OpenVgsr(const std::string& name, const robot::RobotSpec& robot,
                        const std::filesystem::path& models, control::RetrievalConfig config) {
  const Result<response::ExcitationLog> log =
      response::ReadExcitation(models / "excitation.h5", robot);
  if (!log.ok()) return log.error();
  control::ArchiveOptions options;
  options.size = name == "vgsr-2000" ? 2000 : name == "vgsr-500" ? 500 : 0;
  config.gate = name != "vgsr-no-gate";
  Result<control::BehaviourArchive> archive =
      control::BuildArchive(log.value(), robot.posture, options, RngStream(1).Child("vgsr"));
  if (!archive.ok()) return archive.error();
  const auto shared = std::make_shared<const control::BehaviourArchive>(std::move(archive).value());
  return MakeMethod<control::Retrieval>(name, config, robot, shared);
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
  const Result<Settings> settings = ParseSettings(texts);
  if (!settings.ok()) return settings.error();
  if (name == "direct") {
    return Method{name, [robot] { return std::make_unique<control::Direct>(robot); }};
  }
  if (name.starts_with("scale-") || name.starts_with("scale:")) {
    const Result<double> scale = ParseNumber(std::string_view(name).substr(6), name);
    if (!scale.ok()) return scale.error();
    return MakeMethod<control::FixedScale>(name, scale.value(), robot);
  }
  if (name == "governor") {
    return MakeMethod<control::Governor>(name, settings.value().governor, robot);
  }
  if (name == "mpc") return OpenMpc(robot, models, settings.value().mpc);
  for (const VgccVariant& variant : kVgccVariants) {
    if (name == variant.name) return OpenVgcc(variant, robot, models, settings.value().vgcc);
  }
  const std::vector<std::string> names = MethodNames();
  if (name.starts_with("vgsr") && std::find(names.begin(), names.end(), name) != names.end()) {
    return OpenVgsr(name, robot, models, settings.value().vgsr);
  }
  return UsageError("no controller is called \"{}\"{}; there are {}", name, DidYouMean(name, names),
                    fmt::join(names, ", "));
}

}  // namespace gonogo::study
