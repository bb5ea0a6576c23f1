// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/onnx_policy.h"

#include <any>

#include "gonogo/base/check.h"

namespace gonogo::sim {
namespace {

using Ports = std::vector<nn::OnnxPort>;

/// Working memory of one running copy: spans over the ports, and the next recurrent state, which
/// must not overwrite the present one while the graph still reads it.
struct Scratch {
  nn::OnnxModel::Scratch model;
  std::vector<std::span<const float>> inputs;
  std::vector<std::span<float>> outputs;
  std::vector<float> next_hidden;
  std::vector<float> forgotten;  // outputs that are neither action nor state
};

std::size_t StateSize(const Ports& ports) {
  std::size_t size = 0;
  for (std::size_t i = 1; i < ports.size(); ++i) size += ports[i].size;
  return size;
}

/// Which output is the action: the first, or without recurrent state the first that fits.
std::size_t ActionOutput(const Ports& inputs, const Ports& outputs, std::size_t joints) {
  if (inputs.size() != 1) return 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].size == joints) return i;
  }
  return 0;
}

Status CheckPorts(const robot::RobotSpec& spec, const Ports& inputs, const Ports& outputs) {
  const std::string file = spec.policy.string();
  const auto observation = static_cast<std::size_t>(spec.observation_size());
  if (inputs.empty() || inputs[0].size != observation) {
    return InputError("{}: takes {} values as its first input, but the terms of {} give {}", file,
                      inputs.empty() ? 0 : inputs[0].size, spec.file.string(), observation);
  }
  const auto joints = static_cast<std::size_t>(spec.joint_count());
  if (outputs.empty() || outputs[ActionOutput(inputs, outputs, joints)].size != joints) {
    return InputError("{}: gives {} values as its first output, but joints.order of {} names {}",
                      file, outputs.empty() ? 0 : outputs[0].size, spec.file.string(), joints);
  }
  if (inputs.size() > 1 && inputs.size() != outputs.size()) {
    return InputError("{}: has {} inputs and {} outputs; recurrent state needs one of each", file,
                      inputs.size(), outputs.size());
  }
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i].size == outputs[i].size) continue;
    return InputError("{}: recurrent input {} has {} values, its output {} has {}", file,
                      inputs[i].name, inputs[i].size, outputs[i].name, outputs[i].size);
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<const robot::Policy>> OnnxPolicy::Load(const robot::RobotSpec& spec) {
  if (spec.policy.empty()) {
    return InputError("{}: robot.policy is missing: there is nothing to run", spec.file.string());
  }
  nn::OnnxModel model = GONOGO_TRY(nn::OnnxModel::Load(spec.policy));
  GONOGO_TRY(CheckPorts(spec, model.inputs(), model.outputs()));
  const std::size_t action =
      ActionOutput(model.inputs(), model.outputs(), static_cast<std::size_t>(spec.joint_count()));
  return std::shared_ptr<const robot::Policy>(new OnnxPolicy(std::move(model), action));
}

int OnnxPolicy::observation_size() const { return static_cast<int>(model_.inputs()[0].size); }
int OnnxPolicy::action_size() const { return static_cast<int>(model_.outputs()[action_].size); }

robot::PolicyMemory OnnxPolicy::StartMemory() const {
  const std::size_t state = StateSize(model_.inputs());
  Scratch scratch;
  scratch.inputs.resize(model_.inputs().size());
  scratch.outputs.resize(model_.outputs().size());
  scratch.next_hidden.resize(state);
  if (model_.inputs().size() == 1)
    scratch.forgotten.resize(StateSize(model_.outputs()) + model_.outputs()[0].size);
  return {std::vector<float>(state, 0.0F), std::move(scratch)};
}

std::optional<robot::ExpectedInput> OnnxPolicy::Expectation() const {
  if (!model_.normaliser()) return std::nullopt;
  return robot::ExpectedInput{model_.normaliser()->mean, model_.normaliser()->scale};
}

void OnnxPolicy::Act(std::span<const float> observation, std::span<float> action,
                     robot::PolicyMemory& memory) const {
  auto* scratch = std::any_cast<Scratch>(&memory.scratch);
  GONOGO_CHECK(scratch != nullptr);
  scratch->inputs[0] = observation;
  scratch->outputs[action_] = action;
  std::size_t offset = 0;
  for (std::size_t i = 0; scratch->inputs.size() == 1 && i < scratch->outputs.size(); ++i) {
    if (i == action_) continue;
    scratch->outputs[i] = std::span(scratch->forgotten).subspan(offset, model_.outputs()[i].size);
    offset += model_.outputs()[i].size;
  }
  for (std::size_t i = 1; i < scratch->inputs.size(); ++i) {
    const std::size_t size = model_.inputs()[i].size;
    scratch->inputs[i] = std::span(memory.hidden).subspan(offset, size);
    scratch->outputs[i] = std::span(scratch->next_hidden).subspan(offset, size);
    offset += size;
  }
  model_.Run(scratch->inputs, scratch->outputs, scratch->model);
  memory.hidden.swap(scratch->next_hidden);
}

}  // namespace gonogo::sim
