// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "gonogo/response/data/excitation_log.h"
#include "gonogo/response/data/metrics.h"
#include "gonogo/response/data/windows.h"
#include "gonogo/response/models/fit.h"
#include "gonogo/response/models/response_model.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::response {

/// One way to identify f_phi. The defaults are the paper's main row; the others are its contrasts.
struct ResponseOptions {
  CostChannel cost = CostChannel::kEffort;
  bool world_heights = false;  ///< label heights in the world instead of relative to the terrain
  double data_share = 1.0;     ///< of the training episodes
  /// Trains only on this share of the windows, the most useful ones (`WindowUtility`).
  double best_share = 1.0;
  int window_steps = kWindowSteps;
  int stride = 4;
  double held_out_share = 0.2;  ///< of the episodes
  FitConfig fit;
  nlohmann::json origin = nlohmann::json::object();  ///< of data and seed, for the provenance
};

/// An identified model and how it does on held-out episodes.
struct IdentifiedResponse {
  ResponseModel model;
  std::array<RegressionScore, ResponseModel::kOutputs> scores;  ///< in the order of `Response`
  std::size_t training_windows = 0;
  std::size_t held_out_windows = 0;
  std::size_t episodes = 0;
  nn::Batch<float> predicted;  ///< held-out windows x outputs, for plots …
  nn::Batch<float> measured;   ///< … against these
};

/// How useful a window is as behaviour to imitate: distance covered per unit of effort, nothing if
/// posture left the eligible range or the body tilted by more than 0.35 rad.
[[nodiscard]] double WindowUtility(const WindowOutcome& outcome, const robot::PostureSpec& posture);

/// The entry "options" in the provenance of a model identified with these options.
[[nodiscard]] nlohmann::json Describe(const ResponseOptions& options);

/// Cuts windows, splits them by episode, trains and scores. The split depends only on `stream` and
/// the log, so that rows with different options are scored on the same episodes. Fails when the log
/// has no windows or fewer than two episodes with windows.
[[nodiscard]] Result<IdentifiedResponse> IdentifyResponse(const ExcitationLog& log,
                                                          const robot::RobotSpec& robot,
                                                          const ResponseOptions& options,
                                                          const RngStream& stream,
                                                          const Execution& execution);

/// Scores a model that was identified earlier from the same log, options and stream: the same
/// result without the training.
[[nodiscard]] Result<IdentifiedResponse> ScoreResponse(const ExcitationLog& log,
                                                       const robot::RobotSpec& robot,
                                                       const ResponseOptions& options,
                                                       const RngStream& stream,
                                                       ResponseModel model);

}  // namespace gonogo::response
