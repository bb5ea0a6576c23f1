// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/response/data/excitation_log.h"
#include "gonogo/response/models/fit.h"
#include "gonogo/response/models/macro_model.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::response {

/// How to identify F_eta.
struct MacroOptions {
  FitConfig fit{.hidden = {512, 512}, .dropout = 0.0, .epochs = 60, .members = 5};
  double validation_share = 0.15;  ///< of the episodes
  double test_share = 0.15;
  int horizon = 4;                                   ///< macro steps of the open-loop test
  nlohmann::json origin = nlohmann::json::object();  ///< of data and seed, for the provenance
};

/// Errors of the ensemble mean after rolling out `steps` macro steps from a measured observation.
struct OpenLoopScore {
  int steps = 0;
  double displacement_mae_m = 0.0;  ///< distance between predicted and measured end points
  double work_mae_j = 0.0;          ///< of the work done until then
  double min_height_mae_m = 0.0;    ///< of the lowest height until then
  double state_rmse = 0.0;  ///< over observation elements, each in units of its standard deviation
};

struct IdentifiedMacro {
  MacroModel model;
  std::vector<OpenLoopScore> open_loop;  ///< on test episodes, for 1 … horizon macro steps
  std::size_t training_windows = 0;
  std::size_t test_rollouts = 0;
  std::size_t episodes = 0;
};

/// The entry "options" in the provenance of a model identified with these options.
[[nodiscard]] nlohmann::json Describe(const MacroOptions& options);

/// Trains on macro steps of the log and rolls out on episodes it never saw.
[[nodiscard]] Result<IdentifiedMacro> IdentifyMacro(const ExcitationLog& log,
                                                    const robot::RobotSpec& robot,
                                                    const MacroOptions& options,
                                                    const RngStream& stream,
                                                    const Execution& execution);

/// Scores a model that was identified earlier from the same log, options and stream: the same
/// result without the training.
[[nodiscard]] Result<IdentifiedMacro> ScoreMacro(const ExcitationLog& log,
                                                 const robot::RobotSpec& robot,
                                                 const MacroOptions& options,
                                                 const RngStream& stream, MacroModel model);

/// Open-loop errors of a model on windows of `horizon` macro steps starting at `starts`.
[[nodiscard]] std::vector<OpenLoopScore> ScoreOpenLoop(const MacroModel& model,
                                                       const ExcitationLog& log,
                                                       std::span<const std::size_t> starts,
                                                       int horizon);

}  // namespace gonogo::response
