// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/methods.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "gonogo/base/nearest.h"
#include "gonogo/control/baselines.h"
#include "gonogo/control/learned/learned_selector.h"
#include "gonogo/control/retrieval.h"
#include "gonogo/control/sampling_mpc.h"
#include "gonogo/control/vgcc.h"
#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"
#include "gonogo/response/data/excitation_file.h"
#include "gonogo/response/models/model_file.h"
#include "gonogo/study/scene.h"

namespace gonogo::study {
namespace {

using control::Controller;

/// Every number of a controller that a user may set, with its range checked.
struct MethodSettings {
  control::VgccConfig vgcc;
  control::GovernorConfig governor;
  control::MpcConfig mpc;
  control::RetrievalConfig vgsr;
  double adapter_hold = 1.0;  ///< decisions for which an adapter keeps what it chose

  /// "vgcc.gain" and so on, and where its value is.
  [[nodiscard]] std::map<std::string, double*> Names();
  /// The values of one kind of controller ("vgcc"), as text.
  [[nodiscard]] std::string Text(std::string_view kind);
};

std::map<std::string, double*> MethodSettings::Names() {
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
          {"vgsr.progress_floor", &vgsr.progress_floor},
          {"vgsr.effort_ceiling", &vgsr.effort_ceiling},
          {"adapter.hold", &adapter_hold}};
}

std::string MethodSettings::Text(std::string_view kind) {
  std::string text;
  for (const auto& [name, value] : Names()) {
    if (name.starts_with(kind)) text += fmt::format(" {}={}", name, *value);
  }
  return text;
}

/// The number that is the whole text; `where` begins the message if it is none.
Result<double> ParseNumber(std::string_view text, std::string_view where) {
  double value = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc() && end == text.data() + text.size()) return value;
  return UsageError("{}: \"{}\" is not a number", where, text);
}

/// From texts such as "vgcc.gain=0.3". Fails on unknown names, what is not a number and values
/// outside their range, also of controllers that are not used.
Result<MethodSettings> ParseSettings(const std::vector<std::string>& texts) {
  MethodSettings settings;
  const std::map<std::string, double*> names = settings.Names();
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string key = text.substr(0, equals);
    const auto found = names.find(key);
    if (found == names.end()) {
      std::vector<std::string> keys;
      for (const auto& [name, value] : names) keys.push_back(name);
      return UsageError("--set {}: no such setting{}; there are {}", text, DidYouMean(key, keys),
                        fmt::join(keys, ", "));
    }
    if (equals == std::string::npos) return UsageError("--set {}: expected {}=NUMBER", text, key);
    const double value = GONOGO_TRY(ParseNumber(std::string_view(text).substr(equals + 1), text));
    *found->second = value;
  }
  for (const Status& valid : {Validate(settings.vgcc), Validate(settings.governor),
                              Validate(settings.mpc), Validate(settings.vgsr)}) {
    if (!valid.ok()) return valid.error();
  }
  return settings;
}

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

/// `hold` decisions under every chosen action.
Result<Method> OpenAdapterMethod(const std::string& name, const robot::RobotSpec& robot,
                                 double hold) {
  const std::filesystem::path folder = name.substr(name.find(':') + 1);
  if (folder.empty()) return UsageError("\"{}\" names no folder, expected adapter:FOLDER", name);
  if (!(hold >= 1.0) || hold != std::floor(hold) || hold > 1e6) {
    return UsageError("adapter.hold is {}, expected a whole number of 1 or more", hold);
  }
  const auto decisions = static_cast<std::size_t>(hold);
  const std::shared_ptr<const adapter::Adapter> adapter = GONOGO_TRY(LoadAdapterFor(folder, robot));
  // One is made now to learn whether adapter and robot go together.
  const control::LearnedSelector probe =
      GONOGO_TRY(control::LearnedSelector::Create(adapter, robot, decisions));
  return Method{name,
                [adapter, robot, decisions]() -> std::unique_ptr<control::Controller> {
                  return std::make_unique<control::LearnedSelector>(
                      control::LearnedSelector::Create(adapter, robot, decisions).value());
                },
                " " + adapter->identity()};
}

/// One action of an audit at every decision, all of the way from the direct command and up to the
/// target.
Result<Method> OpenActionMethod(const std::string& name, const robot::RobotSpec& robot) {
  const control::BoundedBlend all_the_way{.share = 1.0, .anneal_distance_m = 0.0};
  const Result<control::ActionSet> actions =
      control::ActionSet::Of({name.substr(name.find(':') + 1)}, all_the_way, robot);
  if (!actions.ok()) return UsageError("controller {}: {}", name, actions.error().message);
  return Method{name, [set = actions.value()]() -> std::unique_ptr<control::Controller> {
                  return std::make_unique<control::FixedAction>(set, 1);
                }};
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

Result<std::shared_ptr<const adapter::Adapter>> LoadAdapterFor(const std::filesystem::path& folder,
                                                               const robot::RobotSpec& robot) {
  adapter::Adapter adapter = GONOGO_TRY(adapter::Adapter::Load(folder));
  const nlohmann::json& made = adapter.manifest().collection;
  if (made.is_object() && made.contains("policy_sha256") && !robot.policy.empty()) {
    const std::string hash = GONOGO_TRY(PolicyHash(robot));
    if (made["policy_sha256"] != hash) {
      return InputError(
          "{}: was trained over another policy than {}: the hash of its policy is {}, this one has "
          "{}. Collect and audit again with this policy",
          (folder / "adapter.json").string(), robot.policy.string(), made["policy_sha256"].dump(),
          hash);
    }
  }
  return std::make_shared<const adapter::Adapter>(std::move(adapter));
}

Status CheckIdentified(const std::filesystem::path& file, const robot::RobotSpec& robot,
                       const std::string& user) {
  std::error_code code;
  if (std::filesystem::exists(file, code)) return {};
  return InputError(
      "{} needs a model of what each command does, and there is no {}. Run 'gonogo identify {} "
      "--out {}' first, or say with --models where it wrote",
      user, file.string(), robot.file.parent_path().string(), file.parent_path().string());
}

}  // namespace gonogo::study
