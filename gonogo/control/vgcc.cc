// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/vgcc.h"

namespace gonogo::control {

Result<Vgcc> Vgcc::Create(const VgccConfig& config, const robot::RobotSpec& robot,
                          std::shared_ptr<const response::ResponsePredictor> model) {
  GONOGO_TRY(Validate(config));
  if (!(robot.posture.nominal_height_m > 0.0)) {
    return InputError("{}: posture.nominal_height is {}, expected a positive height",
                      robot.file.string(), robot.posture.nominal_height_m);
  }
  const robot::PostureSpec& posture = robot.posture;
  if (!(posture.rescue <= posture.eligible && posture.eligible <= posture.restore)) {
    return InputError(
        "{}: posture has rescue {}, eligible {} and restore {}, expected rescue <= eligible <= "
        "restore",
        robot.file.string(), posture.rescue, posture.eligible, posture.restore);
  }
  return Vgcc(config, robot, std::move(model));
}

Vgcc::Vgcc(const VgccConfig& config, const robot::RobotSpec& robot,
           std::shared_ptr<const response::ResponsePredictor> model)
    : config_(config),
      direct_(robot),
      posture_(robot.posture),
      channels_(robot.channels),
      model_(std::move(model)),
      scratch_(model_->MakeScratch(CandidateSet::kCapacity)),
      responses_() {}

Decision Vgcc::Decide(const Situation& now) {
  const robot::Command direct = direct_.Command(now.goal_B);
  const CandidateSet set(direct, now.goal_B, direct_.box(), channels_);
  const std::span<const robot::Command> candidates = set.commands();
  const std::span<response::Response> responses = std::span(responses_).first(candidates.size());
  if (config_.score_executed) {
    const double gain = AnnealedGain(config_, now.goal_B);
    std::array<robot::Command, CandidateSet::kCapacity> executed;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      executed[i] = Blend(direct, candidates[i], gain);
    }
    model_->Predict(now.observation, std::span(executed).first(candidates.size()), responses,
                    *scratch_);
  } else {
    model_->Predict(now.observation, candidates, responses, *scratch_);
  }
  return ApplyGate(config_, posture_,
                   {.goal_B = now.goal_B,
                    .height_m = now.height_m,
                    .direct = 0,
                    .candidates = candidates,
                    .responses = responses});
}

}  // namespace gonogo::control
