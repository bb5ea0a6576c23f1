// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/response/identify/identify_macro.h"
#include "gonogo/response/identify/identify_response.h"
#include "gonogo/response/models/value_model.h"
#include "gonogo/study/identify/excitation.h"
#include "gonogo/study/identify/value_data.h"
#include "gonogo/study/scene.h"

namespace gonogo::study {

/// What `gonogo identify` does, in the paper's numbers.
struct IdentifyOptions {
  ExcitationOptions excitation;
  response::FitConfig response_fit;
  response::MacroOptions macro;
  ValueDataOptions value_data;
  response::ValueOptions value;
  int window_steps = response::kWindowSteps;  ///< of f_phi
  bool contrasts = true;  ///< world-frame labels, less data, utility-filtered data
  bool planner = true;    ///< macro-transition and task-value models for the sampling MPC
  sim::WorkRate work_rate = sim::WorkRate::kPhysics;  ///< of effort, power and work in all models
  std::uint64_t seed = 1;
};

/// One identified variant of f_phi on the held-out episodes.
struct ResponseRow {
  std::string name;
  std::array<response::RegressionScore, response::ResponseModel::kOutputs> scores;
  std::size_t training_windows = 0;
};

struct MacroSummary {
  std::vector<response::OpenLoopScore> open_loop;
  std::size_t training_windows = 0;
  std::size_t test_rollouts = 0;
  std::size_t episodes = 0;
};

struct ValueSummary {
  response::RegressionScore work;
  response::RegressionScore time;
  double success_auc = 0.0;
  std::size_t samples = 0;
  std::size_t episodes = 0;
};

struct IdentifyResult {
  std::string robot;
  std::string terrain;
  double window_s = 0.0;
  std::size_t states = 0;
  std::size_t episodes = 0;
  std::size_t held_out_windows = 0;
  std::vector<ResponseRow> rows;  ///< "effort" and "power" first, then the contrasts
  nn::Batch<float> predicted;     ///< of the effort row, held-out windows x outputs …
  nn::Batch<float> measured;      ///< … against what happened
  std::optional<MacroSummary> macro;
  std::optional<ValueSummary> value;
};

/// Called when a stage begins; the run control of that stage reports to the returned callback.
using StageProgress =
    std::function<std::function<void(std::size_t, std::size_t)>(std::string_view stage)>;

/// Excites, identifies, scores and writes `excitation.h5`, a `response-…` for every row, `macro`
/// and `value` (`.onnx` and `.json` each) into `folder`. Excitation and finished models that are
/// already there and were made with the same options are used again, so that the same call
/// resumes an interrupted one.
[[nodiscard]] Result<IdentifyResult> Identify(const Scene& scene, const IdentifyOptions& options,
                                              const std::filesystem::path& folder,
                                              const Execution& execution,
                                              const StageProgress& stage);

void to_json(nlohmann::json& json, const IdentifyResult& result);

}  // namespace gonogo::study
