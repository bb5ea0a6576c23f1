// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/identify.h"

#include "gonogo/io/file.h"
#include "gonogo/response/excitation_file.h"
#include "gonogo/response/model_file.h"

namespace gonogo::study {
namespace {

using response::CostChannel;
using response::ResponseOptions;

struct Variant {
  std::string name;
  ResponseOptions options;
  std::string file;  ///< stem of the saved model; empty = not saved
};

std::vector<Variant> Variants(const IdentifyOptions& options) {
  const ResponseOptions base{.fit = options.response_fit};
  ResponseOptions power = base;
  power.cost = CostChannel::kPower;
  power.fit.members = 5;
  std::vector<Variant> variants{{"effort", base, "response-effort"},
                                {"power", power, "response-power"}};
  if (!options.contrasts) return variants;
  ResponseOptions world = base;
  world.world_heights = true;
  ResponseOptions half = base;
  half.data_share = 0.5;
  ResponseOptions quarter = base;
  quarter.data_share = 0.25;
  ResponseOptions filtered = base;
  filtered.best_share = 0.15;  // 3,904 of about 25,000 chunks, the size of the paper's archive
  variants.push_back({"world-frame heights", world, ""});
  variants.push_back({"50 % of the data", half, ""});
  variants.push_back({"25 % of the data", quarter, "response-effort-25"});
  variants.push_back({"utility-filtered", filtered, ""});
  return variants;
}

Status IdentifyVariants(const response::ExcitationLog& log, const Site& site,
                        const IdentifyOptions& options, const std::filesystem::path& folder,
                        const RunControl& control, const StageProgress& stage,
                        IdentifyResult& result) {
  for (const Variant& variant : Variants(options)) {
    const RunControl run{.jobs = control.jobs,
                         .stop = control.stop,
                         .progress = stage("response model: " + variant.name)};
    Result<response::IdentifiedResponse> identified = response::IdentifyResponse(
        log, site.robot, variant.options, RngStream(options.seed).Child("response"), run);
    if (!identified.ok()) return identified.error();
    response::IdentifiedResponse& found = identified.value();
    result.rows.push_back({variant.name, found.scores, found.training_windows});
    if (variant.name == "effort") {
      result.held_out_windows = found.held_out_windows;
      result.predicted = std::move(found.predicted);
      result.measured = std::move(found.measured);
    }
    if (variant.file.empty()) continue;
    Status saved = response::SaveModel(folder / variant.file, found.model);
    if (!saved.ok()) return saved;
  }
  return {};
}

Status IdentifyPlanner(const response::ExcitationLog& log, const Site& site,
                       const IdentifyOptions& options, const std::filesystem::path& folder,
                       const RunControl& control, const StageProgress& stage,
                       IdentifyResult& result) {
  RunControl run = control;
  run.progress = stage("macro-transition ensemble");
  const Result<response::IdentifiedMacro> macro = response::IdentifyMacro(
      log, site.robot, options.macro, RngStream(options.seed).Child("macro"), run);
  if (!macro.ok()) return macro.error();
  result.macro = {macro.value().open_loop, macro.value().training_windows, macro.value().episodes};
  Status saved = response::SaveModel(folder / "macro", macro.value().model);
  if (!saved.ok()) return saved;

  run.progress = stage("mixed-controller episodes");
  const Result<response::ValueLog> samples = CollectValueData(site, options.value_data, run);
  if (!samples.ok()) return samples.error();
  run.progress = stage("task-value network");
  const Result<response::IdentifiedValue> value =
      response::IdentifyValue(samples.value(),
                              {.robot = site.robot.name,
                               .layout_hash = site.robot.LayoutHash(),
                               .provenance = {{"episodes", options.value_data.episodes},
                                              {"family", options.value_data.family},
                                              {"seed", options.value_data.seed}}},
                              options.value, RngStream(options.seed).Child("value"), run);
  if (!value.ok()) return value.error();
  result.value = {value.value().work, value.value().time, value.value().success_auc,
                  samples.value().size()};
  return response::SaveModel(folder / "value", value.value().model);
}

}  // namespace

Result<IdentifyResult> Identify(const Site& site, const IdentifyOptions& options,
                                const std::filesystem::path& folder, const RunControl& control,
                                const StageProgress& stage) {
  const Status made = io::MakeDirectory(folder);
  if (!made.ok()) return made.error();
  RunControl run = control;
  run.progress = stage("excitation");
  ExcitationOptions excitation = options.excitation;
  excitation.policy_sha256 = site.policy_sha256;
  const std::filesystem::path file = folder / "excitation.h5";
  const Status collected = CollectExcitation(site.world, site.policy, excitation, file, run);
  if (!collected.ok()) return collected.error();
  const Result<response::ExcitationLog> log = response::ReadExcitation(file, site.robot);
  if (!log.ok()) return log.error();
  IdentifyResult result;
  result.states = log.value().size();
  result.episodes = static_cast<std::size_t>(log.value().states.back().episode) + 1;
  Status done = IdentifyVariants(log.value(), site, options, folder, control, stage, result);
  if (done.ok() && options.planner) {
    done = IdentifyPlanner(log.value(), site, options, folder, control, stage, result);
  }
  if (!done.ok()) return done.error();
  return result;
}

void to_json(nlohmann::json& json, const IdentifyResult& result) {
  static constexpr std::array kOutputs{"dx", "dy", "dpsi", "cost", "min_height", "mean_height"};
  const auto score = [](const response::RegressionScore& s) {
    return nlohmann::json{{"mae", s.mae}, {"rmse", s.rmse}, {"r2", s.r2}};
  };
  json = {{"states", result.states},
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
                     {"episodes", result.macro->episodes},
                     {"open_loop", steps}};
  }
  if (result.value) {
    json["value"] = {{"samples", result.value->samples},
                     {"work", score(result.value->work)},
                     {"time", score(result.value->time)},
                     {"success_auc", result.value->success_auc}};
  }
}

}  // namespace gonogo::study
