// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/models/macro_model.h"

#include "gonogo/base/check.h"

namespace gonogo::response {
namespace {

struct MacroScratch final : MacroPredictor::Scratch {
  CommandNet::Scratch net;
};

}  // namespace

robot::Point2 MoveGoal(robot::Point2 goal_B, const MacroResponse& step) {
  return robot::GoalInBody({{step.dx, step.dy}, step.dpsi}, goal_B);
}

MacroModel::MacroModel(ModelIdentity identity, const CommandSlot& slot, nn::Ensemble ensemble)
    : identity_(std::move(identity)),
      slot_(slot),
      observation_size_(ensemble.inputs()),
      ensemble_(std::move(ensemble)) {
  GONOGO_CHECK(ensemble_.outputs() == observation_size_ + kExtraOutputs);
  for (int m = 0; m < static_cast<int>(ensemble_.members.size()); ++m) {
    nets_.emplace_back(ensemble_, m, slot);
  }
}

std::unique_ptr<MacroPredictor::Scratch> MacroModel::MakeScratch(std::size_t commands) const {
  auto scratch = std::make_unique<MacroScratch>();
  nets_.front().Reserve(commands, commands, scratch->net);
  return scratch;
}

void MacroModel::Advance(int member, std::span<const float> observations,
                         std::span<const robot::Command> commands, std::span<float> next,
                         std::span<MacroResponse> responses, Scratch& scratch) const {
  const auto width = static_cast<std::size_t>(observation_size_);
  const std::size_t per_row = commands.size() / (observations.size() / width);
  const std::span<const float> outputs = nets_[static_cast<std::size_t>(member)].Evaluate(
      observations, commands, static_cast<MacroScratch&>(scratch).net);
  for (std::size_t k = 0; k < commands.size(); ++k) {
    const float* out = outputs.data() + k * (width + kExtraOutputs);
    const float* now = observations.data() + k / per_row * width;
    const std::span<float> then = next.subspan(k * width, width);
    for (std::size_t i = 0; i < width; ++i) then[i] = now[i] + out[i];
    slot_.Write(commands[k], then);
    const float* extra = out + width;
    responses[k] = {.dx = extra[0],
                    .dy = extra[1],
                    .dpsi = extra[2],
                    .power_w = extra[3],
                    .min_height_m = extra[4],
                    .max_tilt_rad = extra[5],
                    .max_angular_speed = extra[6]};
  }
}

}  // namespace gonogo::response
