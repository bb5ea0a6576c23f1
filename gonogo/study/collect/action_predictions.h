// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/response/models/macro_model.h"
#include "gonogo/response/models/response_model.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/study/branch/branch.h"

namespace gonogo::study {

/// What an identified model says an action changes against direct control: one row per action,
/// means over the members first, then the members' standard deviations. The row of the direct
/// action is zero.
struct PredictionGroup {
  std::string name;                  ///< "phi" or "eta"
  std::vector<std::string> columns;  ///< "phi_mean_dx", …
  std::vector<float> values;         ///< actions x columns
};

/// Everything a prediction depends on.
struct PredictionQuery {
  std::span<const float> observation;
  robot::Point2 goal_B;
  std::span<const Intervention> interventions;
};

/// f_phi: what holding the executed command for one window does to displacement, power and height.
[[nodiscard]] PredictionGroup PredictResponse(const response::ResponseModel& model,
                                              const PredictionQuery& query, const BranchRule& rule,
                                              const robot::RobotSpec& robot);

/// F_eta: work, progress, lowest height, largest tilt and angular speed over the whole prefix,
/// every member rolled forward by itself.
[[nodiscard]] PredictionGroup PredictPrefix(const response::MacroPredictor& model,
                                            const PredictionQuery& query, const BranchRule& rule,
                                            const robot::RobotSpec& robot);

/// The models a protocol's `predictions` name, read from where `gonogo identify` wrote them.
struct PredictionModels {
  std::shared_ptr<const response::ResponseModel> phi;
  std::shared_ptr<const response::MacroModel> eta;

  [[nodiscard]] static Result<PredictionModels> Open(const std::vector<std::string>& predictions,
                                                     const std::filesystem::path& folder,
                                                     const robot::RobotSpec& robot);
  /// Whether all of them know what an action does; data collected before its channel was excited do
  /// not say it.
  [[nodiscard]] bool Know(const Intervention& intervention) const;
  [[nodiscard]] std::vector<PredictionGroup> Predict(const PredictionQuery& query,
                                                     const BranchRule& rule,
                                                     const robot::RobotSpec& robot) const;
};

}  // namespace gonogo::study
