// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/identify/identify.h"

#include <algorithm>
#include <optional>

#include "gonogo/base/parallel/team.h"
#include "gonogo/io/file.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/io/sha256.h"
#include "gonogo/response/data/excitation_file.h"
#include "gonogo/response/models/model_file.h"
#include "gonogo/study/ranks/number_bytes.h"
#include "gonogo/study/ranks/root_files.h"

namespace gonogo::study {
namespace {

using response::CostChannel;
using response::ResponseOptions;

/// What the stages share.
struct Job {
  const Scene& scene;
  const IdentifyOptions& options;
  const std::filesystem::path& folder;
  const Execution& execution;
  const StageProgress& stage;
  nlohmann::json origin;  ///< of the data and the seed
  response::ExcitationLog log;

  /// The run control of a stage that begins now.
  [[nodiscard]] Execution Begin(const std::string& name) const {
    return {.jobs = execution.jobs, .stop = execution.stop, .progress = stage(name)};
  }
  /// Of one that the ranks of a team share.
  [[nodiscard]] Execution BeginShared(const std::string& name) const {
    Execution run = Begin(name);
    run.team = execution.team;
    return run;
  }
  [[nodiscard]] RngStream Stream(std::string_view name) const {
    return RngStream(options.seed).Child(name);
  }
};

struct Variant {
  std::string name;
  ResponseOptions options;
  std::string file;  ///< stem of the saved model
};

std::vector<Variant> Variants(const Job& job) {
  ResponseOptions base{.fit = job.options.response_fit, .origin = job.origin};
  base.window_steps = job.options.window_steps;
  ResponseOptions power = base;
  power.cost = CostChannel::kPower;
  power.fit.members = 5;
  std::vector<Variant> variants{{"effort", base, "response-effort"},
                                {"power", power, "response-power"}};
  if (!job.options.contrasts) return variants;
  ResponseOptions world = base;
  world.world_heights = true;
  ResponseOptions half = base;
  half.data_share = 0.5;
  ResponseOptions quarter = base;
  quarter.data_share = 0.25;
  ResponseOptions filtered = base;
  filtered.best_share = 0.15;  // 3,904 of about 25,000 chunks, the size of the paper's archive
  variants.push_back({"world-frame heights", world, "response-effort-world"});
  variants.push_back({"50 % of the data", half, "response-effort-50"});
  variants.push_back({"25 % of the data", quarter, "response-effort-25"});
  variants.push_back({"utility-filtered", filtered, "response-effort-filtered"});
  return variants;
}

/// Puts effort and power at the chosen rate where the models look for them.
Status UseRate(sim::WorkRate rate, const std::filesystem::path& file,
               response::ExcitationLog& log) {
  if (rate == sim::WorkRate::kPhysics) return {};
  if (!log.has_control_rate) {
    return InputError(
        "{}: holds effort and power of every physics step alone, it was collected "
        "before the control rate was measured; remove it and collect again",
        file.string());
  }
  for (response::LoggedState& state : log.states) {
    std::swap(state.effort, state.control_effort);
    std::swap(state.power_w, state.control_power_w);
  }
  return {};
}

/// Whether a model found in the folder is the one that these options make.
bool MadeWith(const nlohmann::json& options, const response::ModelIdentity& identity) {
  return identity.provenance.value("options", nlohmann::json()) == options;
}

std::optional<response::ResponseModel> KeptResponse(const Job& job, const Variant& variant) {
  Result<response::ResponseModel> kept =
      response::LoadResponseModel(job.folder / variant.file, job.scene.robot);
  if (!kept.ok() || !MadeWith(Describe(variant.options), kept.value().identity())) return {};
  return std::move(kept).value();
}

Result<response::IdentifiedResponse> TrainResponse(const Job& job, const Variant& variant,
                                                   const Execution& run) {
  return response::IdentifyResponse(job.log, job.scene.robot, variant.options,
                                    job.Stream("response"), run);
}

Result<response::IdentifiedResponse> ObtainResponse(const Job& job, const Variant& variant) {
  const Execution run = job.Begin("response model: " + variant.name);
  if (std::optional<response::ResponseModel> kept = KeptResponse(job, variant)) {
    return ScoreResponse(job.log, job.scene.robot, variant.options, job.Stream("response"),
                         *std::move(kept));
  }
  response::IdentifiedResponse identified = GONOGO_TRY(TrainResponse(job, variant, run));
  GONOGO_TRY(response::SaveModel(job.folder / variant.file, identified.model));
  return identified;
}

Status IdentifyVariants(const Job& job, IdentifyResult& result) {
  for (const Variant& variant : Variants(job)) {
    response::IdentifiedResponse identified = GONOGO_TRY(ObtainResponse(job, variant));
    response::IdentifiedResponse& found = identified;
    result.rows.push_back({variant.name, found.scores, found.training_windows});
    if (variant.name != "effort") continue;
    result.held_out_windows = found.held_out_windows;
    result.predicted = std::move(found.predicted);
    result.measured = std::move(found.measured);
  }
  return {};
}

constexpr const char* kMacroFile = "macro";

response::MacroOptions MacroOptionsOf(const Job& job) {
  response::MacroOptions options = job.options.macro;
  options.origin = job.origin;
  return options;
}

std::optional<response::MacroModel> KeptMacro(const Job& job) {
  Result<response::MacroModel> kept =
      response::LoadMacroModel(job.folder / kMacroFile, job.scene.robot);
  if (!kept.ok() || !MadeWith(Describe(MacroOptionsOf(job)), kept.value().identity())) return {};
  return std::move(kept).value();
}

Result<response::IdentifiedMacro> TrainMacro(const Job& job, const Execution& run) {
  return response::IdentifyMacro(job.log, job.scene.robot, MacroOptionsOf(job), job.Stream("macro"),
                                 run);
}

Result<response::IdentifiedMacro> ObtainMacro(const Job& job) {
  const Execution run = job.Begin("macro-transition ensemble");
  if (std::optional<response::MacroModel> kept = KeptMacro(job)) {
    return ScoreMacro(job.log, job.scene.robot, MacroOptionsOf(job), job.Stream("macro"),
                      *std::move(kept));
  }
  response::IdentifiedMacro macro = GONOGO_TRY(TrainMacro(job, run));
  GONOGO_TRY(response::SaveModel(job.folder / kMacroFile, macro.model));
  return macro;
}

/// A model that may have to be trained.
struct ModelTask {
  std::string file;  ///< stem in the folder
  std::function<bool()> is_kept;
  std::function<Result<response::ModelBytes>(const Execution&)> train;
};

/// Trains the models that are not kept in `folder`, one rank one model, its members on the threads
/// of that rank. Afterwards all are kept and every rank can read them.
Status TrainOnTeam(const std::vector<ModelTask>& tasks, const Identity& identity,
                   const std::filesystem::path& folder, const Execution& execution) {
  const auto kept =
      GONOGO_TRY(OnRoot<std::vector<bool>>(execution, "models", [&]() -> Result<std::vector<bool>> {
        std::vector<bool> found;
        for (const ModelTask& task : tasks) found.push_back(task.is_kept());
        return found;
      }));
  TeamWork work{.what = "models", .identity = identity, .count = tasks.size(), .everywhere = false};
  work.kept = [&](std::size_t i) { return kept[i] ? std::optional(std::string()) : std::nullopt; };
  work.make = [&](std::size_t i, const std::stop_token& stop) -> Result<std::string> {
    const response::ModelBytes bytes =
        GONOGO_TRY(tasks[i].train({.jobs = execution.jobs, .stop = stop}));
    return Cbor({{"onnx", Binary(bytes.onnx.data(), bytes.onnx.size())}, {"json", bytes.json}});
  };
  work.keep = [&](std::size_t i, const std::string& sent) {
    const nlohmann::json value = nlohmann::json::from_cbor(sent);
    const auto onnx = Numbers<char>(value.at("onnx"));
    return response::WriteModel(folder / tasks[i].file,
                                {{onnx.begin(), onnx.end()}, value.at("json").get<std::string>()});
  };
  GONOGO_TRY(execution.team->Run(work, execution));
  std::vector<std::filesystem::path> files;
  for (const ModelTask& task : tasks) {
    files.push_back(folder / (task.file + ".onnx"));
    files.push_back(folder / (task.file + ".json"));
  }
  return AwaitRootFiles(execution, files);
}

/// On a team all models are trained at once, the large ensembles first; the stages after this find
/// them kept.
Status TrainTogether(const Job& job) {
  if (job.execution.team == nullptr) return {};
  std::vector<Variant> variants = Variants(job);
  std::stable_sort(variants.begin(), variants.end(), [](const Variant& a, const Variant& b) {
    return a.options.fit.members > b.options.fit.members;
  });
  std::vector<ModelTask> tasks;
  std::string options;
  if (job.options.planner) {
    options += Describe(MacroOptionsOf(job)).dump();
    tasks.push_back({.file = kMacroFile,
                     .is_kept = [&job] { return KeptMacro(job).has_value(); },
                     .train = [&job](const Execution& run) -> Result<response::ModelBytes> {
                       const response::IdentifiedMacro macro = GONOGO_TRY(TrainMacro(job, run));
                       return response::BytesOf(macro.model);
                     }});
  }
  for (const Variant& variant : variants) {
    options += Describe(variant.options).dump();
    tasks.push_back(
        {.file = variant.file,
         .is_kept = [&job, &variant] { return KeptResponse(job, variant).has_value(); },
         .train = [&job, &variant](const Execution& run) -> Result<response::ModelBytes> {
           const response::IdentifiedResponse found = GONOGO_TRY(TrainResponse(job, variant, run));
           return response::BytesOf(found.model);
         }});
  }
  return TrainOnTeam(tasks, {{"options", io::Sha256Hex(options)}}, job.folder,
                     job.BeginShared("models"));
}

Status IdentifyPlanner(const Job& job, IdentifyResult& result) {
  const response::IdentifiedMacro macro = GONOGO_TRY(ObtainMacro(job));
  result.macro = {macro.open_loop, macro.training_windows, macro.test_rollouts, macro.episodes};

  ValueDataOptions data = job.options.value_data;
  data.work_rate = job.options.work_rate;
  const response::ValueLog samples =
      GONOGO_TRY(CollectValueData(job.scene, data, job.BeginShared("mixed-controller episodes")));
  const response::IdentifiedValue value = GONOGO_TRY(response::IdentifyValue(
      samples,
      {.robot = job.scene.robot.name,
       .layout_hash = job.scene.robot.LayoutHash(),
       .provenance = {{"origin", job.origin},
                      {"episodes", data.episodes},
                      {"family", data.family},
                      {"every_decision", data.every_decision},
                      {"fit", job.options.value.fit}}},
      job.options.value, job.Stream("value"), job.Begin("task-value network")));
  result.value = {value.work, value.time, value.success_auc, samples.size(),
                  static_cast<std::size_t>(data.episodes)};
  GONOGO_TRY(response::SaveModel(job.folder / "value", value.model));
  return AwaitRootFiles(job.execution, {job.folder / "value.onnx", job.folder / "value.json"});
}

}  // namespace

Result<IdentifyResult> Identify(const Scene& scene, const IdentifyOptions& options,
                                const std::filesystem::path& folder, const Execution& execution,
                                const StageProgress& stage) {
  const io::FolderClaim claim = GONOGO_TRY(io::FolderClaim::Take(folder));
  GONOGO_TRY(io::OpenRunFolder(folder));
  Job job{scene, options, folder, execution, stage, {}, {}};
  ExcitationOptions excitation = options.excitation;
  excitation.policy_sha256 = scene.sha256.policy;
  excitation.conditions = scene.conditions;
  const std::filesystem::path file = folder / "excitation.h5";
  GONOGO_TRY(CollectExcitation(scene.world, scene.policy, excitation, file,
                               job.BeginShared("excitation")));
  response::ExcitationLog log = GONOGO_TRY(response::ReadExcitation(file, scene.robot));
  GONOGO_TRY(UseRate(options.work_rate, file, log));
  job.log = std::move(log);
  job.origin = {{"data", nlohmann::json::parse(ExcitationProvenance(*scene.world, excitation))},
                {"seed", options.seed}};
  if (options.work_rate != sim::WorkRate::kPhysics) {
    job.origin["work_rate"] = sim::WorkRateName(options.work_rate);
  }
  IdentifyResult result{.robot = scene.robot.name, .terrain = scene.world->terrain().name};
  result.window_s = options.window_steps * job.log.control_dt_s;
  result.states = job.log.size();
  result.episodes = static_cast<std::size_t>(job.log.states.back().episode) + 1;
  Status done = TrainTogether(job);
  if (done.ok()) done = IdentifyVariants(job, result);
  if (done.ok() && options.planner) done = IdentifyPlanner(job, result);
  if (!done.ok()) return done.error();
  return result;
}

void to_json(nlohmann::json& json, const IdentifyResult& result) {
  static constexpr std::array kOutputs{"dx", "dy", "dpsi", "cost", "min_height", "mean_height"};
  const auto score = [](const response::RegressionScore& s) {
    return nlohmann::json{{"mae", s.mae}, {"rmse", s.rmse}, {"r2", s.r2}};
  };
  json = {{"robot", result.robot},
          {"terrain", result.terrain},
          {"window_s", result.window_s},
          {"states", result.states},
          {"episodes", result.episodes},
          {"held_out_windows", result.held_out_windows},
          {"response", nlohmann::json::array()}};
  for (const ResponseRow& row : result.rows) {
    nlohmann::json entry{{"name", row.name}, {"training_windows", row.training_windows}};
    for (std::size_t i = 0; i < kOutputs.size(); ++i) entry[kOutputs[i]] = score(row.scores[i]);
    json["response"].push_back(entry);
  }
  if (result.macro) {
    nlohmann::json steps = nlohmann::json::array();
    for (const response::OpenLoopScore& s : result.macro->open_loop) {
      steps.push_back({{"macro_steps", s.steps},
                       {"displacement_mae_m", s.displacement_mae_m},
                       {"work_mae_j", s.work_mae_j},
                       {"min_height_mae_m", s.min_height_mae_m},
                       {"state_rmse", s.state_rmse}});
    }
    json["macro"] = {{"training_windows", result.macro->training_windows},
                     {"test_rollouts", result.macro->test_rollouts},
                     {"episodes", result.macro->episodes},
                     {"open_loop", steps}};
  }
  if (result.value) {
    json["value"] = {{"samples", result.value->samples},
                     {"episodes", result.value->episodes},
                     {"work", score(result.value->work)},
                     {"time", score(result.value->time)},
                     {"success_auc", result.value->success_auc}};
  }
}

}  // namespace gonogo::study
